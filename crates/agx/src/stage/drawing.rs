//! Programs that draw: which stage code is for, by what it does.

use crate::operand::{BLOCK_EXPLICIT, TILE_EXPLICIT};
use crate::{Agx, instructions};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;
use shisa_rows::Insn;

/// The stage of a program by what it does: one that gives outputs on is a vertex program, one that stores to its own
/// pixel in the tile, or writes it to an image, a fragment program.
pub(super) fn stage(code: &[u8]) -> Stage {
    let any = |test: fn(&Insn<Agx>) -> bool| instructions(code).any(|(_, insn)| test(&insn));
    let vertex = any(|i| ["st_var", "no_var"].contains(&i.form().name));
    let named = any(|i| match i.form().name {
        "st_tile" => TILE_EXPLICIT.field.get(&i.word) != 0,
        "imgwblk" => BLOCK_EXPLICIT.field.get(&i.word) != 0,
        _ => false,
    });
    let fragment = any(|i| ["st_tile", "imgwblk", "sample_mask", "zs_emit"].contains(&i.form().name));
    match (vertex, fragment && !named) {
        (true, _) => Stage::Vertex,
        (_, true) => Stage::Fragment,
        _ => Stage::Compute,
    }
}

/// Refuses instructions that only programs of another stage can have.
///
/// # Errors
/// `translate-stage` for each of them.
pub(super) fn belongs(code: &[u8], stage: Stage) -> Result<(), Vec<Diagnostic>> {
    let wanted = |name| match name {
        "st_var" => Some(Stage::Vertex),
        "ld_tile" | "st_tile" | "imgwblk" if stage == Stage::Compute => None,
        "iter" | "ldcf" | "ld_tile" | "st_tile" | "sample_mask" | "zs_emit" | "imgwblk" => {
            Some(Stage::Fragment)
        }
        _ => None,
    };
    let mut faults = Vec::new();
    for (at, insn) in instructions(code) {
        let name = insn.form().name;
        if let Some(other) = wanted(name).filter(|s| *s != stage) {
            let (other, stage) = (other.name(), stage.name());
            let text = format!("{name} is for {other} programs, and this is a {stage} program");
            let d = Diagnostic::error("translate-stage", text);
            faults.push(d.at_bytes(at..at + crate::length(&insn), ""));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
