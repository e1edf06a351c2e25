//! Operations across lanes in programs that draw. The target languages do not define which pixels or vertices share a
//! wave, so each is a wave of its own, in lane 0: as on hardware with waves of one lane.

use crate::facts::{Role, Scope, role};
use crate::operand::SCOPE;
use crate::registers::LANE;
use crate::{Program, instructions};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Func, Stage};

/// Replaces operations across lanes by their meaning in a wave of one lane. Returns a warning if there were any.
pub(super) fn alone(func: &mut Func, stage: Stage) -> Option<Diagnostic> {
    let each = if stage == Stage::Fragment { "pixel" } else { "vertex" };
    let text = format!("lanes exchange values, and each {each} is translated as a wave of its own");
    shisa_ir::alone(func, Some(LANE)).then(|| Diagnostic::warning("translate-lanes", text))
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
