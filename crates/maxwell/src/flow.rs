//! Control flow after an instruction.

pub use crate::mark::{Mark, Origin, Turn};
use crate::operand::{holds_always, target_of};
use crate::{Maxwell, bundle, guard};
use alloc::{collections::BTreeMap, vec::Vec};
use shisa_rows::Insn;

/// The effect of an instruction on control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Continues with the next instruction.
    Next,
    /// Goes to an address, if its condition holds.
    Branch(u32),
    /// Goes to an address that a register or a constant holds, if its condition holds.
    Anywhere,
    /// Marks an address.
    Push(Mark, Option<u32>),
    /// Leaves to the nearest mark of a kind, if its condition holds.
    Pop(Mark),
    /// Calls an address, or one that a register or a constant holds.
    Call(Option<u32>),
}

/// Targets of branches through a register: for the address of each branch the addresses of its targets, in bytes.
pub type Targets = BTreeMap<u32, Vec<u32>>;

/// The effect of an instruction at `pc` on control flow.
pub fn flow(insn: &Insn<Maxwell>, pc: u32) -> Flow {
    let target = || target_of(insn, pc);
    match insn.form().attr.turn {
        Turn::Next => Flow::Next,
        Turn::Branch(_) => target().map_or(Flow::Anywhere, Flow::Branch),
        Turn::Push(mark) => Flow::Push(mark, target()),
        Turn::Pop(mark) => Flow::Pop(mark),
        Turn::Call(_) => Flow::Call(target()),
    }
}

/// Whether control may also continue after an instruction that branches or leaves.
pub(crate) fn conditional(insn: &Insn<Maxwell>) -> bool {
    !guard::always(insn) || !holds_always(insn)
}

/// The number of the instruction at an address; for the control word of a bundle, the bundle's first.
pub(crate) const fn number(address: u32) -> usize {
    let at = bundle::aligned(address) as usize;
    at / bundle::BUNDLE_BYTES * 3 + (at % bundle::BUNDLE_BYTES).saturating_sub(8) / 8
}
