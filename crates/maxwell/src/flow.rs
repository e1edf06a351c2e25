//! Where control goes behind an instruction.

use crate::operand::target_of;
use crate::{Maxwell, bundle, guard};
use alloc::{collections::BTreeMap, vec::Vec};
use shisa_rows::{Field, Insn};

/// What a mark on the stack of a wave is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `SSY`, for `SYNC`.
    Sync,
    /// `PBK`, for `BRK`.
    Break,
    /// `PCNT`, for `CONT`.
    Continue,
    /// `CAL` and `PRET`, for `RET`.
    Return,
    /// `PEXIT`, for `EXIT`.
    Exit,
    /// `PLONGJMP`, for `LONGJMP`.
    LongJump,
}

/// What a row does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Goes on.
    Next,
    /// Goes elsewhere, if its condition holds.
    Branch,
    /// Marks an address.
    Push(Mark),
    /// Leaves for the nearest mark of a kind, if its condition holds.
    Pop(Mark),
    /// Calls.
    Call,
}

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Goes on.
    Next,
    /// Goes to an address, if its condition holds.
    Branch(u32),
    /// Goes where a register or a constant tells, if its condition holds.
    Anywhere,
    /// Marks an address.
    Push(Mark, Option<u32>),
    /// Leaves for the nearest mark of a kind, if its condition holds.
    Pop(Mark),
    /// Calls an address, or one that a register or a constant tells.
    Call(Option<u32>),
}

/// Where branches may go that a register tells: for the place of each the places of its targets, in bytes.
pub type Targets = BTreeMap<u32, Vec<u32>>;

/// The condition on the condition codes of instructions that leave or branch; 15 is always.
const TEST: Field = Field::at(0, 5);

/// What an instruction at `pc` does to the flow of control.
pub fn flow(insn: &Insn<Maxwell>, pc: u32) -> Flow {
    let target = || target_of(insn, pc);
    match insn.form().attr.turn {
        Turn::Next => Flow::Next,
        Turn::Branch => target().map_or(Flow::Anywhere, Flow::Branch),
        Turn::Push(mark) => Flow::Push(mark, target()),
        Turn::Pop(mark) => Flow::Pop(mark),
        Turn::Call => Flow::Call(target()),
    }
}

/// Whether control may also go on behind an instruction that branches or leaves.
pub(crate) fn conditional(insn: &Insn<Maxwell>) -> bool {
    !guard::always(insn) || TEST.get(&insn.word) != 15
}

/// The number of the instruction at an address; at the control word of a bundle its first.
pub(crate) const fn number(address: u32) -> usize {
    let at = bundle::aligned(address) as usize;
    at / bundle::BUNDLE_BYTES * 3 + (at % bundle::BUNDLE_BYTES).saturating_sub(8) / 8
}
