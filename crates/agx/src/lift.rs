//! Lifts a program to IR.

use crate::{Ctx, FILES, Imageblock, Options, fetch, length};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Lifted, Stage};

/// A program: its stage and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The stage.
    pub stage: Stage,
    /// The instructions.
    pub code: Vec<u8>,
    /// Items of a workgroup in each dimension; `[1, 1, 1]` outside compute.
    pub workgroup: [u32; 3],
    /// The tile of a workgroup, in compute. Without one the tile is the lane's own pixel.
    pub imageblock: Option<Imageblock>,
    /// Choices that nothing published settles.
    pub options: Options,
}

impl Program {
    /// A program of workgroups of one item, without a tile.
    pub fn new(stage: Stage, code: Vec<u8>, options: Options) -> Program {
        Program { stage, code, workgroup: [1; 3], imageblock: None, options }
    }
}

/// Lifts every instruction. Program counters are byte offsets.
///
/// # Errors
/// All instructions that cannot be lifted, each with its bytes. Nothing after bytes that are not an instruction can
/// be read.
pub fn lift(program: &Program) -> Result<Lifted, Vec<Diagnostic>> {
    lift_for(program, None)
}

/// As [`lift`], for pixels with the given number of samples, of which a lane runs for one.
///
/// # Errors
/// The errors of [`lift`].
pub(crate) fn lift_for(program: &Program, own_sample: Option<u16>) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = Lifted::new(FILES);
    let mut faults = Vec::new();
    let Program { imageblock, options, .. } = *program;
    let ctx = Ctx { imageblock, own_sample, options, ..Ctx::default() };
    let mut at = 0;
    while at < program.code.len() {
        let Some(insn) = fetch(&program.code[at..]) else {
            let first = program.code[at];
            let fault =
                Diagnostic::error("lift-opcode", format!("no instruction begins with {first:#04x} here"));
            faults.push(fault.at_bytes(at..at + 1, ""));
            break;
        };
        let end = at + length(&insn);
        let (pc, next) = (at as u32, end as u32);
        if let Err(d) = shisa_rows::lift(&mut lifted, insn, ctx, pc, next) {
            faults.push(d.at_bytes(at..end, ""));
        }
        at = end;
    }
    if faults.is_empty() { Ok(lifted) } else { Err(faults) }
}
