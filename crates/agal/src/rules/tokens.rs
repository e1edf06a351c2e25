//! Tokens of the program that a finding refers to.

use super::state::Walk;
use crate::{Agal, Dest, Effect, RegType};
use alloc::vec::Vec;
use shisa_ir::Mask;
use shisa_rows::Insn;

/// The token of the innermost condition that is still open at the end, counted from 1.
pub(super) fn open_condition(walk: &Walk<'_>) -> Option<u32> {
    let mut open = Vec::new();
    for (number, word) in (1..).zip(&walk.program.tokens) {
        match Insn::<Agal>::decode(*word).map(|i| i.form().attr.effect) {
            Some(Effect::If) => open.push(number),
            Some(Effect::EndIf) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// The first token that writes a colour after a gap.
pub(super) fn after_gap(walk: &Walk<'_>) -> Option<u32> {
    let gap = walk.colours.trailing_ones() as u16;
    let colour = (gap..8).find(|n| walk.colours >> n & 1 != 0)?;
    writers(walk, RegType::OUTPUT, colour).map(|w| w.0).next()
}

/// Tokens that write a register, with the components they write.
pub(super) fn writers(walk: &Walk<'_>, kind: RegType, number: u16) -> impl Iterator<Item = (u32, Mask)> {
    (1..).zip(&walk.program.tokens).filter_map(move |(n, word)| {
        let dest = Dest::of(word);
        let form = Insn::<Agal>::decode(*word)?.form();
        let writes = form.operand(crate::operand::D).is_some();
        (writes && dest.kind() == kind && dest.number() == number).then_some((n, dest.mask()))
    })
}
