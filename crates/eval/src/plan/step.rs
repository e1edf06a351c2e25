//! Plans one instruction.

use super::cost::STEP;
use super::micro::Micro;
use super::planes::PlaneId;
use super::planner::{Checked, Planner, malformed};
use crate::program::StepPlan;
use shisa_diag::Diagnostic;
use shisa_ir::{Step, Type, Value};

fn not_truth(step: &Step) -> Diagnostic {
    let text = format!("the condition of step {:#x} is not a truth value", step.pc);
    Diagnostic::error("eval-malformed", text)
}

impl Planner<'_> {
    pub(super) fn step(&mut self, step: &Step) -> Checked<StepPlan> {
        let start = self.ops.len();
        let range = step.nodes.start as usize..step.nodes.end as usize;
        let nodes = self.nodes.list.get(range).ok_or_else(|| {
            Diagnostic::error(
                "eval-malformed",
                format!("step {:#x} refers to operations that do not exist", step.pc),
            )
        })?;
        self.first = step.nodes.start;
        self.values.clear();
        self.find_last_uses(nodes, &step.control);
        for (i, node) in nodes.iter().enumerate() {
            if node.ty.count > 4 {
                return Err(malformed(node, "more than four components"));
            }
            let copy = self.overwritten(nodes, i, self.last[i]);
            let value = self.node(node, copy)?;
            self.values.push(value);
            if step.guard.is_some_and(|guard| guard.0.checked_sub(self.first) == Some(i as u32)) {
                let cond = step.guard.and_then(|guard| self.condition(guard));
                self.ops.push(Micro::Guard { cond: cond.ok_or_else(|| not_truth(step))? });
            }
        }
        if step.guard.is_some_and(|guard| self.condition(guard).is_none()) {
            return Err(not_truth(step));
        }
        let cond = match step.control.cond {
            None => None,
            Some(v) => Some(self.condition(v).ok_or_else(|| not_truth(step))?),
        };
        let target = match step.control.place {
            None => None,
            Some(v) => Some(self.scalar(v, Type::I32).ok_or_else(|| {
                let text = format!("the computed target of step {:#x} is not an i32 of the step", step.pc);
                Diagnostic::error("eval-malformed", text)
            })?),
        };
        self.remove_unused(start, [cond, target]);
        let ops = start..self.ops.len();
        let cost = self.ops.iter().skip(start).fold(STEP, |sum, op| sum.saturating_add(op.cost()));
        Ok(StepPlan { ops, cost, cond, target, whole_wave: step.whole_wave })
    }

    fn condition(&self, v: Value) -> Option<PlaneId> {
        self.scalar(v, Type::BOOL)
    }
}
