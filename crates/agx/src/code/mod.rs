//! The code of a program: its instructions, the registers that each reads and writes, where control goes after each,
//! and data flow. Rules, the ABI, reports and stages build on it.
//!
//! # Calls
//! A procedure is followed once for each list of calls that are open where it runs (its *context*), so what holds
//! after a call follows from that call alone. A `ret` without an open call returns to an unknown caller: the path ends
//! there.

mod decode;
mod flow;
mod items;
mod once;
mod paths;
#[cfg(test)]
mod tests;
mod tile;

pub use decode::{END, fetch, instructions, length, up_to_trap};
pub(crate) use decode::{Piece, pieces};
pub(crate) use flow::{Forwards, States};
pub(crate) use once::Once;
pub(crate) use paths::target;

use crate::Agx;
use crate::facts::{Role, role};
use crate::operand::WAIT;
use crate::registers::REGISTERS;
use crate::sets::{Registers, Touched};
use alloc::vec::Vec;
use core::ops::Range;
use items::Items;
use shisa_diag::{Diagnostic, Limits};
use shisa_rows::Insn;
use shisa_rows::code::Graph;

/// An instruction of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'c> {
    /// Its number in the program.
    pub(crate) number: usize,
    /// The instruction.
    pub(crate) insn: Insn<Agx>,
    items: &'c Items<'c>,
    /// The offset of the code in the file.
    start: usize,
}

impl<'c> Step<'c> {
    /// The bytes that it occupies.
    pub(crate) fn bytes(&self) -> Range<usize> {
        let Range { start, end } = self.items.bytes(self.number).unwrap_or_default();
        self.start + start..self.start + end
    }

    /// Its role: the effects that analyses must know.
    pub(crate) fn role(&self) -> Role {
        role(&self.insn)
    }

    /// The mnemonic, for messages.
    pub(crate) fn name(&self) -> &'static str {
        self.insn.form().name
    }

    /// The registers and uniforms that it reads.
    pub(crate) fn reads(&self) -> Touched {
        self.items.reads(self.number)
    }

    /// The registers and uniforms that it writes.
    pub(crate) fn writes(&self) -> Touched {
        self.items.writes(self.number)
    }

    /// The runs of registers and uniforms that its operands name.
    pub(crate) fn runs(&self) -> impl Iterator<Item = shisa_rows::Registers> + use<> {
        let insn = self.insn;
        insn.form().operands.iter().filter_map(move |op| op.kind.registers(op, &insn))
    }

    /// The runs of registers that its operands read, as first half and end.
    pub(crate) fn runs_read(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.runs().filter(|r| r.read && r.first.file == REGISTERS).map(|r| {
            let first = usize::from(r.first.unit);
            first..first + usize::from(r.units)
        })
    }

    /// The group with which a `wait` waits for it, if it finishes some time later.
    pub(crate) fn group(&self) -> Option<usize> {
        match self.role() {
            Role::Memory(memory) => memory.is_pending().then(|| group(&self.insn)),
            Role::Compute | Role::Constant | Role::Select | Role::Exchange(_) | Role::Control(_) => None,
            Role::Wait | Role::Barrier(_) | Role::Pixel(_) | Role::Coefficients(_) => None,
            Role::Varying(_) | Role::Driver => None,
        }
    }
}

/// The group in slot `WAIT`: 0 for a, 1 for b.
pub(crate) fn group(insn: &Insn<Agx>) -> usize {
    insn.field(WAIT) as usize & 1
}

/// The code of a program.
#[derive(Debug)]
pub(crate) struct Code<'a> {
    /// The file that holds it.
    bytes: &'a [u8],
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// Its instructions, then the bytes that are not one, if there are any.
    items: Items<'a>,
    /// The number of the instruction of each node; that of the end of the code is one past the last.
    nodes: Vec<u32>,
    /// Where control goes. Node 0 is the entry.
    graph: Graph,
    /// Which instructions some path reaches; one more for the end of the code.
    reached: Vec<bool>,
    /// Whether all paths are known: every called procedure, and all of its callers.
    pub(crate) complete: bool,
}

impl<'a> Code<'a> {
    /// Reads the code in a range of a file's bytes; the part of the range past the file is left out.
    ///
    /// # Errors
    /// `limit-exceeded` if there are too many instructions.
    pub(crate) fn read(
        bytes: &'a [u8],
        range: Range<usize>,
        limits: &Limits,
    ) -> Result<Code<'a>, Diagnostic> {
        let end = range.end.min(bytes.len());
        let range = range.start.min(end)..end;
        let items = Items::read(bytes.get(range.clone()).unwrap_or_default(), limits)?;
        let paths::Found { nodes, graph, complete } = paths::follow(&items);
        let mut reached = alloc::vec![false; items.pieces() + 1];
        for node in graph.reverse_post_order([0]) {
            if let Some(reached) =
                nodes.get(node as usize).and_then(|number| reached.get_mut(*number as usize))
            {
                *reached = true;
            }
        }
        Ok(Code { bytes, range, items, nodes, graph, reached, complete })
    }

    fn step(&self, number: usize) -> Option<Step<'_>> {
        let insn = self.items.insn(number)?;
        Some(Step { number, insn, items: &self.items, start: self.range.start })
    }

    /// All instructions, up to bytes that are not one.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        (0..self.items.instructions()).map_while(|number| self.step(number))
    }

    /// The instructions that some path reaches.
    pub(crate) fn running(&self) -> impl Iterator<Item = Step<'_>> {
        self.steps().filter(|step| self.reached.get(step.number) == Some(&true))
    }

    /// Whether some path runs past the last byte of the code.
    pub(crate) fn runs_out(&self) -> bool {
        self.reached.last() == Some(&true)
    }

    /// The bytes that are not an instruction and stop decoding, if there are any.
    pub(crate) fn unknown(&self) -> Option<Range<usize>> {
        let bytes = self.items.bytes(self.items.instructions())?;
        Some(self.range.start + bytes.start..self.range.start + bytes.end)
    }

    /// Whether some path reaches the bytes that are not an instruction.
    pub(crate) fn reaches_unknown(&self) -> bool {
        self.unknown().is_some() && self.reached.get(self.items.instructions()) == Some(&true)
    }

    /// Whether an instruction begins at an offset in the file, or the code ends there.
    pub(crate) fn begins(&self, offset: i64) -> bool {
        let offset = usize::try_from(offset).ok().and_then(|offset| offset.checked_sub(self.range.start));
        offset.is_some_and(|offset| self.items.number_at(offset).is_some())
    }

    /// Whether all bytes are instructions and all targets begin one.
    pub(crate) fn is_sound(&self) -> bool {
        let lands = |step: &Step<'_>| {
            target(&step.insn).is_none_or(|distance| self.begins(step.bytes().start as i64 + distance))
        };
        self.unknown().is_none() && self.steps().all(|step| lands(&step))
    }

    /// The bytes of the code in its file.
    pub(crate) fn file(&self) -> &'a [u8] {
        self.bytes
    }

    /// One more than the last half of a register that an instruction names.
    pub(crate) fn registers_end(&self) -> usize {
        let end = |step: Step<'_>| step.reads().registers.or(step.writes().registers).end();
        self.steps().map(end).max().unwrap_or(0)
    }
}

/// All registers: what unknown code may write.
pub(crate) const ALL_REGISTERS: Registers = Registers::range(0, 256);
