//! Code as rules see it, and what they find.

use super::Expect;
use crate::abi::Registers;
use crate::operand::{WAIT, offset_of};
use crate::{Agx, Ctx, REGISTERS, fetch, length};
use alloc::{format, string::String, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_rows::{Insn, Line, print};

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Where it begins and ends in the bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) insn: Insn<Agx>,
    pub(super) reads: Registers,
    pub(super) writes: Registers,
}

impl Step {
    fn new(insn: Insn<Agx>, start: usize) -> Step {
        let mut step = Step {
            start,
            end: start + length(&insn),
            insn,
            reads: Registers::EMPTY,
            writes: Registers::EMPTY,
        };
        for r in operands(&insn).filter(|r| r.first.file == REGISTERS) {
            let first = usize::from(r.first.unit);
            let run = Registers::range(first, first + usize::from(r.units));
            if r.read {
                step.reads = step.reads.or(run);
            }
            if r.written {
                step.writes = step.writes.or(run);
            }
        }
        step
    }

    /// The mnemonic.
    pub(super) fn name(&self) -> &'static str {
        self.insn.form().name
    }

    /// The group that waits for it, if it goes on by itself.
    pub(super) fn group(&self) -> Option<usize> {
        let waited = self.name() != "wait" && self.insn.form().operand(WAIT).is_some();
        waited.then(|| self.insn.field(WAIT) as usize & 1)
    }

    /// Where it jumps to, if it does.
    pub(super) fn target(&self) -> Option<i64> {
        let op = offset_of(&self.insn)?;
        Some(self.start as i64 + i64::from(op.field.get(&self.insn.word) as u32 as i32))
    }

    /// Whether nothing follows it.
    pub(super) fn stops(&self) -> bool {
        matches!(self.name(), "stop" | "trap" | "ret")
    }
}

/// The registers and uniforms that operands name.
pub(super) fn operands(insn: &Insn<Agx>) -> impl Iterator<Item = shisa_rows::Registers> + '_ {
    insn.form().operands.iter().filter_map(|op| op.kind.registers(op, insn))
}

/// Code.
#[derive(Debug)]
pub(super) struct Code<'a> {
    bytes: &'a [u8],
    pub(super) range: Range<usize>,
    pub(super) expect: &'a Expect,
    /// The instructions one behind the other, up to bytes that are none.
    pub(super) steps: Vec<Step>,
    /// Which of them some way leads to; one more for what lies behind them.
    reached: Vec<bool>,
}

impl<'a> Code<'a> {
    pub(super) fn read(
        bytes: &'a [u8],
        range: Range<usize>,
        expect: &'a Expect,
        limits: &Limits,
    ) -> Result<Code<'a>, Diagnostic> {
        let end = range.end.min(bytes.len());
        let range = range.start.min(end)..end;
        let mut steps = Vec::new();
        let mut at = range.start;
        while let Some(insn) = bytes.get(at..end).and_then(fetch) {
            limits.check(Limit::Instructions, "instructions", steps.len() + 1)?;
            let step = Step::new(insn, at);
            at = step.end;
            steps.push(step);
        }
        let mut code = Code { bytes, range, expect, steps, reached: Vec::new() };
        code.reached = code.follow();
        Ok(code)
    }

    fn follow(&self) -> Vec<bool> {
        let mut reached = vec![false; self.steps.len() + 1];
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            if !core::mem::replace(&mut reached[i], true) {
                open.extend(self.next(i));
            }
        }
        reached
    }

    /// The instructions that some way leads to, with their numbers.
    pub(super) fn running(&self) -> impl Iterator<Item = (usize, &Step)> {
        self.steps.iter().enumerate().filter(|(i, _)| self.reached[*i])
    }

    /// Whether some way runs past the last instruction.
    pub(super) fn runs_out(&self) -> bool {
        self.reached.last().copied().unwrap_or(false)
    }

    /// Where the instructions end.
    pub(super) fn end(&self) -> usize {
        self.steps.last().map_or(self.range.start, |s| s.end)
    }

    /// The instruction that begins at a place; one past the last for the end of the code.
    pub(super) fn index(&self, at: i64) -> Option<usize> {
        if at == self.end() as i64 {
            return Some(self.steps.len());
        }
        self.steps.binary_search_by(|s| (s.start as i64).cmp(&at)).ok()
    }

    /// The instructions that may follow; one past the last for what lies behind them. Calls are taken to
    /// come back, and jumps that lead nowhere to go on.
    pub(super) fn next(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let step = self.steps.get(i);
        let straight = step.filter(|s| !s.stops()).map(|_| i + 1);
        let target = step.and_then(Step::target).and_then(|t| self.index(t));
        straight.into_iter().chain(target)
    }

    /// What holds before each instruction and behind the last, where `behind` tells what holds behind one and
    /// `join` adds what comes on another way and tells whether that says more. `None` where no way leads.
    pub(super) fn solve<S: Clone>(
        &self,
        start: S,
        behind: impl Fn(&Step, &S) -> S,
        join: impl Fn(&mut S, &S) -> bool,
    ) -> Vec<Option<S>> {
        let mut states = vec![None; self.steps.len() + 1];
        states[0] = Some(start);
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            let (Some(state), Some(step)) = (&states[i], self.steps.get(i)) else { continue };
            let state = behind(step, state);
            for to in self.next(i) {
                let more = match &mut states[to] {
                    Some(old) => join(old, &state),
                    none => {
                        *none = Some(state.clone());
                        true
                    }
                };
                if more {
                    open.push(to);
                }
            }
        }
        states
    }

    fn text(&self, step: &Step) -> String {
        let ctx = Ctx { pc: (step.start - self.range.start) as u32, ..Ctx::default() };
        let mut text = Vec::new();
        print(&step.insn, ctx, &mut Line::new(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// What is found in code.
pub(super) struct Found<'a> {
    code: &'a Code<'a>,
    limits: &'a Limits,
    sink: &'a mut Sink,
}

impl<'a> Found<'a> {
    pub(super) fn new(code: &'a Code<'a>, limits: &'a Limits, sink: &'a mut Sink) -> Found<'a> {
        Found { code, limits, sink }
    }

    /// Tells of an instruction.
    pub(super) fn at(&mut self, step: &Step, d: Diagnostic) {
        let d = self.placed(step, d);
        self.sink.push(d);
    }

    /// Tells of bytes that are no instruction.
    pub(super) fn at_bytes(&mut self, bytes: Range<usize>, d: Diagnostic) {
        self.sink.push(d.at_bytes(bytes, ""));
    }

    fn placed(&self, step: &Step, d: Diagnostic) -> Diagnostic {
        // What is only counted needs no text.
        if self.sink.list().len() >= self.limits.diagnostics {
            return d;
        }
        let at = step.start - self.code.range.start;
        d.at_bytes(step.start..step.end, "").note(format!("{at:#06x}: {}", self.code.text(step)))
    }

    /// The byte at a place.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.code.bytes.get(at).copied().unwrap_or(0)
    }
}
