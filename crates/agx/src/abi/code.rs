//! The instructions of a part, what they touch, and where they lead.

use super::bits::{Registers, Uniforms};
use crate::{Agx, REGISTERS, UNIFORMS, fetch, length};
use alloc::vec::Vec;
use core::ops::Range;
use shisa_diag::{Limit, Limits};
use shisa_rows::{Insn, Word};

/// An instruction of a part.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Where it lies in the part's bytes.
    pub(super) bytes: Range<usize>,
    pub(super) insn: Insn<Agx>,
    pub(super) reads: Registers,
    pub(super) writes: Registers,
    pub(super) uniforms: Uniforms,
    pub(super) uniforms_written: Uniforms,
}

impl Step {
    fn new(insn: Insn<Agx>, bytes: Range<usize>) -> Step {
        let mut step = Step {
            bytes,
            insn,
            reads: Registers::EMPTY,
            writes: Registers::EMPTY,
            uniforms: Uniforms::EMPTY,
            uniforms_written: Uniforms::EMPTY,
        };
        for r in step.runs() {
            let (first, end) = (usize::from(r.first.unit), usize::from(r.first.unit) + usize::from(r.units));
            if r.first.file == REGISTERS {
                let run = Registers::range(first, end);
                step.reads = if r.read { step.reads.or(run) } else { step.reads };
                step.writes = if r.written { step.writes.or(run) } else { step.writes };
            } else if r.first.file == UNIFORMS {
                let run = Uniforms::range(first, end);
                step.uniforms = if r.read { step.uniforms.or(run) } else { step.uniforms };
                step.uniforms_written =
                    if r.written { step.uniforms_written.or(run) } else { step.uniforms_written };
            }
        }
        step
    }

    /// The runs of registers and uniforms that the operands name.
    pub(super) fn runs(&self) -> impl Iterator<Item = shisa_rows::Registers> + use<> {
        let insn = self.insn;
        insn.form().operands.iter().filter_map(move |op| op.kind.registers(op, &insn))
    }

    /// The mnemonic.
    pub(super) fn name(&self) -> &'static str {
        self.insn.form().name
    }

    /// Bits of the instruction, in runs, the lowest first.
    pub(super) fn bits(&self, runs: &[(u32, u32)]) -> u32 {
        let mut at = 0;
        runs.iter().fold(0, |bits, (first, width)| {
            let run = (self.insn.word.get(*first, *width) as u32) << at;
            at += width;
            bits | run
        })
    }

    /// Whether it ends the wave.
    pub(super) fn stops(&self) -> bool {
        matches!(self.name(), "stop" | "trap" | "ret")
    }

    /// Where it jumps to, if it does.
    fn target(&self) -> Option<i64> {
        let jumps = matches!(self.name(), "jmp_any" | "jmp_none");
        jumps.then(|| self.bytes.start as i64 + i64::from(self.insn.word.get(16, 32) as u32 as i32))
    }
}

/// The instructions of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) steps: Vec<Step>,
}

impl Code {
    /// Reads the instructions of a part; `None` where bytes are no instruction, or a jump leads astray.
    pub(super) fn read(part: &[u8], range: Range<usize>, limits: &Limits) -> Option<Code> {
        let mut steps = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let insn = fetch(&part[at..range.end])?;
            limits.check(Limit::Instructions, "instructions", steps.len() + 1).ok()?;
            let end = at + length(&insn);
            steps.push(Step::new(insn, at..end));
            at = end;
        }
        let code = Code { steps };
        let lands =
            |step: &Step| step.target().is_none_or(|t| t == range.end as i64 || code.index(t).is_some());
        code.steps.iter().all(lands).then_some(code)
    }

    /// The instruction at a place.
    fn index(&self, at: i64) -> Option<usize> {
        self.steps.binary_search_by(|s| (s.bytes.start as i64).cmp(&at)).ok()
    }

    /// The instructions that may follow; one past the last is the end of the part.
    pub(super) fn next(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let step = &self.steps[i];
        let target = step.target().map(|t| self.index(t).unwrap_or(self.steps.len()));
        let straight = (!step.stops()).then_some(i + 1);
        straight.into_iter().chain(target)
    }
}
