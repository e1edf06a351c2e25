//! Lifetimes of values.

use super::planner::{Planner, units};
use shisa_ir::{Control, Node, Op, Scalar, Value};

impl Planner<'_> {
    /// Finds the last node that reads the planes of each node. The step's condition and target come after all nodes.
    pub(super) fn find_last_uses(&mut self, nodes: &[Node], control: &Control) {
        let mut last = core::mem::take(&mut self.last);
        last.clear();
        last.extend(0..nodes.len());
        let index = |v: Value| v.0.checked_sub(self.first).map(|i| i as usize);
        for i in control.cond.into_iter().chain(control.place).filter_map(index) {
            if let Some(slot) = last.get_mut(i) {
                *slot = nodes.len();
            }
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            // A value that may share its operand's planes extends their lifetime to its own.
            let until = match node.op {
                Op::Swizzle { .. } | Op::Join { .. } | Op::Convert { .. } => last[i],
                _ => i,
            };
            self.operands(node, |v| {
                if let Some(slot) = index(v).and_then(|i| last.get_mut(i)) {
                    *slot = until.max(*slot);
                }
            });
        }
        self.last = last;
    }

    /// Whether node `i` is a read of a register that is written after it, up to node `last`.
    pub(super) fn overwritten(&self, nodes: &[Node], i: usize, last: usize) -> bool {
        let Some(Node { op: Op::Read { reg, swizzle }, ty, .. }) = nodes.get(i) else { return false };
        let Some(file) = self.layout.file(reg.file) else { return false };
        let span = |unit: u16, component: u8, scalar: Scalar| {
            let n = u32::from(units(file, scalar));
            let first = u32::from(unit) + u32::from(component) * n;
            first..first + n
        };
        nodes.iter().take(last + 1).skip(i + 1).any(|node| {
            let Op::Write { reg: to, mask, value } = node.op else { return false };
            let written = value.0.checked_sub(self.first).and_then(|v| nodes.get(v as usize));
            let Some(written) = written.filter(|_| to.file == reg.file) else { return false };
            mask.iter().any(|component| {
                let w = span(to.unit, component, written.ty.scalar);
                (0..ty.count).any(|i| {
                    let r = span(reg.unit, swizzle.get(i), ty.scalar);
                    r.start < w.end && w.start < r.end
                })
            })
        })
    }
}
