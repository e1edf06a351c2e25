//! Determines the stage of a program from its instructions.

use crate::code::{instructions, length};
use crate::facts::{Pixel, Role, Stages, facts, role};
use crate::operand::EXPLICIT;
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

/// The stage of a program: one that outputs varyings is a vertex program. A program with other instructions that only
/// fragment programs have, or one that stores to its own pixel in the tile or writes that pixel to an image, is a
/// fragment program, unless it names the pixel.
pub(super) fn stage(code: &[u8]) -> Stage {
    let (mut fragment, mut named) = (false, false);
    for (_, insn) in instructions(code) {
        match (facts(&insn).stages, role(&insn)) {
            (Stages::Vertex, _) => return Stage::Vertex,
            (Stages::Fragment, _) => fragment = true,
            (_, Role::Pixel(Pixel::Store | Pixel::Block)) if insn.field(EXPLICIT) != 0 => named = true,
            (_, Role::Pixel(Pixel::Store | Pixel::Block)) => fragment = true,
            (Stages::Any | Stages::Compute | Stages::Tile, _) => {}
        }
    }
    if fragment && !named { Stage::Fragment } else { Stage::Compute }
}

/// Refuses instructions that only programs of another stage can have.
///
/// # Errors
/// `translate-stage` for each of them.
pub(super) fn belongs(code: &[u8], stage: Stage) -> Result<(), Vec<Diagnostic>> {
    let mut faults = Vec::new();
    for (at, insn) in instructions(code) {
        if let Some(other) = facts(&insn).stages.other_than(stage, true) {
            let (name, other, stage) = (insn.form().name, other.name(), stage.name());
            let text = format!("{name} is for {other} programs, but this is a {stage} program");
            let d = Diagnostic::error("translate-stage", text);
            faults.push(d.at_bytes(at..at + length(&insn), ""));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
