//! Tables of constants for `BRX` branches.
//!
//! Compilers load an entry (`LDC R9, c[0x2][R9+0xc]`) and branch through it (`BRX R9 -0x110`): the loaded value, the
//! offset and the address after the branch add up to the target. A table ends where the table of another branch
//! begins, and before the first word that is not a target. This holds in all of 40 branches through tables that
//! compilers made.

use super::edit::Edit;
use super::moved::Moved;
use crate::Maxwell;
use crate::bundle::{self, BUNDLE_BYTES};
use crate::flow::{Flow, Origin, Targets, Turn, flow};
use crate::operand::{bank_of, base_of};
use crate::registers::Set;
use crate::role::{Memory, Role};
use alloc::{collections::BTreeMap, collections::BTreeSet, format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_rows::Insn;
use shisa_rows::code::effects;

/// The old code of a program.
pub(super) struct Code<'a> {
    /// The program's name.
    pub(super) name: &'a str,
    /// Its offset in the file.
    pub(super) offset: usize,
    /// The code.
    pub(super) bytes: &'a [u8],
}

/// The facts in a file about a program besides its code.
#[derive(Default)]
pub(super) struct Told<'a> {
    /// Targets of its branches, if listed; otherwise all offsets of instructions are targets.
    pub(super) listed: Option<&'a Targets>,
    /// Its own banks of constants, by their numbers.
    pub(super) banks: BTreeMap<u8, &'a [u8]>,
}

/// An offset in constants: the number of the bank, and bytes from its start.
pub(super) type Place = (u8, usize);

/// A branch to an address that a register or a constant holds.
struct Jump {
    /// Its offset, in bytes.
    place: u32,
    /// The base of the register's value, in bytes; `None` if a constant holds the target.
    base: Option<i64>,
    /// The start of the table from which the register was loaded.
    table: Option<Place>,
}

/// The number of instructions before a branch that are searched for the load.
const NEAR: usize = 256;

/// The branches of code to addresses that registers or constants hold.
fn jumps(code: &[u8]) -> Vec<Jump> {
    let words = code.chunks_exact(BUNDLE_BYTES).map(bundle::words).flat_map(bundle::fuse);
    let insns: Vec<Option<Insn<Maxwell>>> = words.map(Insn::decode).collect();
    let mut found = Vec::new();
    for (i, insn) in insns.iter().enumerate() {
        let place = bundle::address(i as u32);
        let relative = |n: &Insn<Maxwell>| n.form().attr.turn == Turn::Branch(Origin::Next);
        let Some(insn) = insn.filter(|n| flow(n, place) == Flow::Anywhere && relative(n)) else {
            continue;
        };
        let needs = effects::<_, Set>(&insn).reads.general();
        let loads = |n: &&Insn<Maxwell>| !effects::<_, Set>(n).writes.and(&needs).is_empty();
        let loaded = insns[..i].iter().rev().take(NEAR).flatten().find(loads);
        let table = loaded.filter(|n| loads_word(n)).and_then(bank_of);
        let table = table.map(|(bank, offset)| (bank, usize::from(offset)));
        found.push(Jump { place, base: base_of(&insn, place), table });
    }
    found
}

/// Whether an instruction loads a word of constants.
fn loads_word(insn: &Insn<Maxwell>) -> bool {
    match insn.form().attr.role {
        Role::Memory(access) => matches!(access.memory, Memory::Constant { word } if word(&insn.word)),
        _ => false,
    }
}

/// The entries of constants that lead to moved code, and their new values. Targets go where the new code states them
/// in the same order, or else where their instructions went. Also reports what cannot follow.
pub(super) fn follow(
    before: &Code<'_>,
    edit: Edit<'_>,
    moved: &Moved,
    told: &Told<'_>,
) -> (BTreeMap<Place, u32>, Vec<Diagnostic>) {
    let (mut changed, mut lost) = (BTreeMap::new(), Vec::new());
    let jumps_before = jumps(before.bytes);
    let of = |targets: Option<&Targets>, place: u32| targets.and_then(|t| t.get(&place)).cloned();
    let same = |j: &Jump| of(edit.targets, j.place).is_none_or(|new| Some(new) == of(told.listed, j.place));
    if jumps_before.is_empty() || moved.stays() && jumps_before.iter().all(same) {
        return (changed, lost);
    }
    let bases: BTreeMap<u32, i64> =
        jumps(edit.code).iter().filter_map(|j| Some((j.place, j.base?))).collect();
    let begins: BTreeSet<Place> = jumps_before.iter().filter_map(|j| j.table).collect();
    let next = moved.begins();
    // The remaining old branches, if new ones were added.
    let kept = jumps_before.iter().filter_map(|j| moved.to(j.place));
    let replaced = bases.len() > kept.filter(|place| bases.contains_key(place)).count();
    // The tables that were followed, each with its old and its new base.
    let mut followed = BTreeMap::new();
    for jump in &jumps_before {
        let at = before.offset + jump.place as usize;
        let mut note = |what: &str| {
            let text = format!("the branch at {:#x} of {} {what}", jump.place, before.name);
            let help = "write the new distances into the constants, or branch in another form";
            lost.push(Diagnostic::warning("maxwell-jump-table", text).at_bytes(at..at + 8, "").help(help));
        };
        let Some(place) = moved.to(jump.place) else {
            if replaced {
                note("was removed, and another one was added; its table is unchanged");
            }
            continue;
        };
        let known = jump.base.zip(bases.get(&place).copied()).zip(jump.table);
        let Some((both @ (old_base, new_base), table @ (bank, start))) = known else {
            note("goes to an address without a known table, so it cannot follow the code");
            continue;
        };
        if let Some(other) = followed.insert(table, both) {
            if other != both {
                note("shares a table with another branch at a different distance");
            }
            continue;
        }
        let listed = of(told.listed, jump.place);
        let new = listed.as_ref().zip(of(edit.targets, place));
        if new.as_ref().is_some_and(|(old, new)| old.len() != new.len()) {
            note("has another number of targets than the file lists; its table keeps its length");
        }
        let renamed: BTreeMap<u32, u32> =
            new.map(|(old, new)| old.iter().copied().zip(new).collect()).unwrap_or_default();
        let listed: Option<BTreeSet<u32>> = listed.map(BTreeSet::from_iter);
        let is_target = |at: &u32| match &listed {
            Some(listed) => listed.contains(at),
            None => at.is_multiple_of(8) && (*at as usize) < before.bytes.len(),
        };
        let data = told.banks.get(&bank).and_then(|data| data.get(start..)).unwrap_or_default();
        let own = |at: &usize| *at == start || !begins.contains(&(bank, *at));
        let words = data.as_chunks::<4>().0.iter().zip((start..).step_by(4)).take_while(|(_, at)| own(at));
        let target = |word: &[u8; 4]| u32::try_from(old_base + i64::from(i32::from_le_bytes(*word))).ok();
        let count = changed.len();
        for (at, target) in words.map_while(|(word, at)| Some((at, target(word).filter(is_target)?))) {
            let to = renamed.get(&target).copied().or_else(|| moved.to(target)).unwrap_or_else(|| {
                note(&format!("goes to {target:#x}, which was removed; it now goes to the next instruction"));
                next.get((target / 8) as usize).map_or(target, |to| *to as u32)
            });
            changed.insert((bank, at), (i64::from(to) - new_base) as u32);
        }
        if changed.len() == count {
            note("loads no target from constants, so it cannot follow the code");
        }
    }
    (changed, lost)
}
