//! Operations across lanes in programs that draw. The target languages do not define which pixels or vertices share a
//! wave, so each is a wave of its own, in lane 0: as on hardware with waves of one lane.

use crate::facts::{Role, Scope, role};
use crate::operand::SCOPE;
use crate::registers::LANE;
use crate::{Program, instructions};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Combine, Convert, Func, LaneOp, Op, Scalar, Stage};

/// Replaces operations across lanes by their meaning in a wave of one lane. Returns a warning if there were any.
pub(super) fn alone(func: &mut Func, stage: Stage) -> Option<Diagnostic> {
    let mut met = false;
    func.rewrite(|b, v| {
        let instead = match b.nodes.op(v) {
            Op::Read { reg, .. } if reg == LANE => b.i32(0),
            Op::Lane { op: LaneOp::Ballot, a, .. } => b.convert(Convert::ZeroExtend, a, Scalar::I32),
            // A lane that does not exist yields the lane's own value.
            Op::Lane { a, .. } => a,
            Op::Combine { combine: Combine { op, before, .. }, rule, a } => {
                let ty = b.ty(a);
                let neutral = b.constant(ty, Combine::neutral(op, ty.scalar)?);
                b.rule = rule;
                if before { neutral } else { b.binary(op, neutral, a) }
            }
            _ => return None,
        };
        met = true;
        Some(instead)
    });
    let each = if stage == Stage::Fragment { "pixel" } else { "vertex" };
    let text = format!("lanes exchange values, and each {each} is translated as a wave of its own");
    met.then(|| Diagnostic::warning("translate-lanes", text))
}

/// Refuses exchange among the four pixels of a quad.
///
/// # Errors
/// `translate-lanes` for each instruction that does.
pub(super) fn no_quads(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut faults = Vec::new();
    for (at, insn) in instructions(&program.code).filter(|_| program.stage == Stage::Fragment) {
        let quad = match role(&insn) {
            Role::Exchange(Scope::Quad) => true,
            Role::Exchange(Scope::Chosen) => insn.field(SCOPE) == 0,
            _ => false,
        };
        if quad {
            let text = "pixels of a quad exchange values, for which other languages have derivatives only";
            let d = Diagnostic::error("translate-lanes", text);
            faults.push(d.at_bytes(at..at + crate::length(&insn), ""));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
