//! The instructions of a program: where each begins, and the registers that it reads and writes.

use super::decode::{fetch, instructions, length};
use crate::Agx;
use crate::registers::{REGISTERS, UNIFORMS};
use crate::sets::{Registers, Touched, Uniforms};
use alloc::vec::Vec;
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits, unsupported};
use shisa_rows::Insn;
use shisa_rows::code::each_effect;

/// Instructions in the order of their offsets. A program can have a hundred thousand of them, so each takes few bytes.
#[derive(Debug)]
pub(super) struct Items<'a> {
    code: &'a [u8],
    /// The offset of each piece in the code: of the instructions, then of the bytes that are not one, if there are any;
    /// and one more for the end of the code.
    starts: Vec<u32>,
    /// The number of the first run of each instruction, and one more for the end of the runs.
    firsts: Vec<u32>,
    /// The runs of all instructions.
    runs: Vec<Run>,
}

/// Halves of registers or uniforms that an instruction reads, writes or both.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u16,
    count: u8,
    is_uniform: bool,
    is_read: bool,
    is_written: bool,
}

impl<'a> Items<'a> {
    /// The instructions of code, up to bytes that are not one.
    ///
    /// # Errors
    /// `limit-exceeded` if there are too many.
    pub(super) fn read(code: &'a [u8], limits: &Limits) -> Result<Items<'a>, Diagnostic> {
        if u32::try_from(code.len()).is_err() {
            return Err(unsupported(u32::MAX.into(), "the number of bytes of the code"));
        }
        let mut items = Items { code, starts: Vec::new(), firsts: Vec::new(), runs: Vec::new() };
        let mut end = 0;
        for (start, insn) in instructions(code) {
            limits.check(Limit::Instructions, "instructions", items.starts.len() + 1)?;
            items.starts.push(start as u32);
            items.firsts.push(items.runs.len() as u32);
            let runs = &mut items.runs;
            each_effect(&insn, &mut |r| {
                let file = r.first.file;
                if file == REGISTERS || file == UNIFORMS {
                    let (is_uniform, is_read, is_written) = (file == UNIFORMS, r.read, r.written);
                    runs.push(Run { first: r.first.unit, count: r.units, is_uniform, is_read, is_written });
                }
            });
            end = start + length(&insn);
        }
        if end < code.len() {
            items.starts.push(end as u32);
        }
        items.starts.push(code.len() as u32);
        items.firsts.push(items.runs.len() as u32);
        Ok(items)
    }

    /// The number of instructions.
    pub(super) fn instructions(&self) -> usize {
        self.firsts.len() - 1
    }

    /// The number of instructions, and one more if bytes that are not one follow.
    pub(super) fn pieces(&self) -> usize {
        self.starts.len() - 1
    }

    /// The instruction of a number.
    pub(super) fn insn(&self, number: usize) -> Option<Insn<Agx>> {
        let start = *self.starts.get(number).filter(|_| number < self.instructions())?;
        fetch(self.code.get(start as usize..)?)
    }

    /// The bytes of a piece in the code.
    pub(super) fn bytes(&self, number: usize) -> Option<Range<usize>> {
        let [start, end] = self.starts.get(number..)?.first_chunk()?;
        Some(*start as usize..*end as usize)
    }

    /// The number of the piece that begins at an offset in the code; one past the last for the end of the code.
    pub(super) fn number_at(&self, offset: usize) -> Option<usize> {
        self.starts.binary_search(&u32::try_from(offset).ok()?).ok()
    }

    /// The halves that an instruction reads.
    pub(super) fn reads(&self, number: usize) -> Touched {
        self.touched(number, |run| run.is_read)
    }

    /// The halves that an instruction writes.
    pub(super) fn writes(&self, number: usize) -> Touched {
        self.touched(number, |run| run.is_written)
    }

    fn touched(&self, number: usize, wanted: impl Fn(&Run) -> bool) -> Touched {
        let runs = self.firsts.get(number..).and_then(|firsts| firsts.first_chunk());
        let runs = runs.and_then(|[first, end]| self.runs.get(*first as usize..*end as usize));
        let mut all = Touched::default();
        for run in runs.unwrap_or_default().iter().filter(|run| wanted(run)) {
            let (first, end) = (usize::from(run.first), usize::from(run.first) + usize::from(run.count));
            match run.is_uniform {
                false => all.registers = all.registers.or(Registers::range(first, end)),
                true => all.uniforms = all.uniforms.or(Uniforms::range(first, end)),
            }
        }
        all
    }
}
