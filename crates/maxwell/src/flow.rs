//! Where control goes behind an instruction.

use crate::operand::target_of;
use crate::{Maxwell, bundle, guard};
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

/// The condition on the condition codes of instructions that leave or branch; 15 is always.
const TEST: Field = Field::at(0, 5);

/// What an instruction at `pc` does to the flow of control.
pub fn flow(insn: &Insn<Maxwell>, pc: u32) -> Flow {
    let target = || target_of(insn, pc);
    let push = |mark| Flow::Push(mark, target());
    match insn.form().name {
        "BRA" => target().map_or(Flow::Anywhere, Flow::Branch),
        "BRX" | "JMP" | "JMX" => Flow::Anywhere,
        "CAL" | "JCAL" => Flow::Call(target()),
        "SSY" => push(Mark::Sync),
        "PBK" => push(Mark::Break),
        "PCNT" => push(Mark::Continue),
        "PRET" => push(Mark::Return),
        "PEXIT" => push(Mark::Exit),
        "PLONGJMP" => push(Mark::LongJump),
        "SYNC" => Flow::Pop(Mark::Sync),
        "BRK" => Flow::Pop(Mark::Break),
        "CONT" => Flow::Pop(Mark::Continue),
        "RET" => Flow::Pop(Mark::Return),
        "EXIT" => Flow::Pop(Mark::Exit),
        "LONGJMP" => Flow::Pop(Mark::LongJump),
        _ => Flow::Next,
    }
}

/// Whether control may also go on behind an instruction that branches or leaves.
pub(crate) fn conditional(insn: &Insn<Maxwell>) -> bool {
    !guard::always(insn) || TEST.get(&insn.word) != 15
}

/// The number of the instruction at an address; at the control word of a bundle its first.
pub(crate) const fn number(address: u32) -> usize {
    let at = bundle::aligned(address) as usize;
    at / bundle::BUNDLE_BYTES * 3 + (at % bundle::BUNDLE_BYTES - 8) / 8
}
