//! Maps instructions of old code to new code.

use crate::Maxwell;
use crate::bundle::{self, BUNDLE_BYTES};
use crate::forms::NOP;
use crate::operand::distance_bits;
use alloc::{vec, vec::Vec};
use shisa_rows::Insn;

/// Bytes of a bundle.
const BUNDLE: u32 = BUNDLE_BYTES as u32;
/// The largest distance in the new code at which an instruction is searched.
const NEAR: usize = 256;

/// The mapping from instructions of old code to new code: the common start and end of both, and between these the
/// instructions that are the same in the same order, or all, if there are as many. Control bits and distances of
/// branches are ignored.
#[derive(Debug)]
pub(super) struct Moved {
    /// For each instruction of the old code its number in the new code.
    numbers: Vec<Option<usize>>,
    /// Bytes of the new code.
    end: u64,
}

impl Moved {
    /// Compares old and new code.
    pub(super) fn new(old: &[u8], new: &[u8]) -> Moved {
        let end_of_new = new.len() as u64;
        let [old, new] = [old, new].map(keys);
        let same = |(a, b): &(&u64, &u64)| a == b;
        let head = old.iter().zip(&new).take_while(same).count();
        let end = |code: &[u64]| code.iter().rposition(|k| *k != NOP).map_or(0, |i| i + 1).max(head);
        let (old_end, new_end) = (end(&old), end(&new));
        let (a, b) = (old.get(head..old_end).unwrap_or_default(), new.get(head..new_end).unwrap_or_default());
        let tail = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
        let replaced = a.len() == b.len();
        let mut numbers = vec![None; old.len()];
        let mut next = head;
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = if i < head || replaced && i < old_end {
                Some(i)
            } else if i >= old_end {
                None
            } else if i >= old_end - tail {
                Some(new_end - (old_end - i))
            } else {
                let between = new.get(next..new_end - tail).unwrap_or_default();
                let found = between.iter().take(NEAR).position(|k| Some(k) == old.get(i)).map(|n| next + n);
                next = found.map_or(next, |n| n + 1);
                found
            };
        }
        Moved { numbers, end: end_of_new }
    }

    /// For each eight bytes of the old code the new offset of the instruction that begins there, or if it was
    /// removed, of the next remaining one; last the end.
    pub(super) fn begins(&self) -> Vec<u64> {
        let mut next = self.end;
        let places = (0..self.numbers.len() as u32 / 3 * BUNDLE).step_by(8).rev();
        let mut all = vec![next];
        all.extend(places.map(|at| {
            next = self.to(at).map_or(next, u64::from);
            next
        }));
        all.reverse();
        all
    }

    /// Whether all remaining old code has its old offset.
    pub(super) fn stays(&self) -> bool {
        self.numbers.iter().enumerate().all(|(i, to)| to.is_none_or(|to| to == i))
    }

    /// The new offset of an instruction, in bytes; `None` if it was removed. A number that is not an instruction's
    /// offset is unchanged.
    pub(super) fn to(&self, place: u32) -> Option<u32> {
        // The offset of a bundle's control word refers to its first instruction.
        let number = place / BUNDLE * 3 + (place % BUNDLE / 8).saturating_sub(1);
        match self.numbers.get(number as usize) {
            Some(to) if place.is_multiple_of(8) => to.map(|n| {
                let address = bundle::address(n as u32);
                let control = place.is_multiple_of(BUNDLE) && (address - 8).is_multiple_of(BUNDLE);
                if control { address - 8 } else { address }
            }),
            _ => Some(place),
        }
    }
}

/// The instructions of code without the bits that change when other instructions change.
fn keys(code: &[u8]) -> Vec<u64> {
    let words = code.chunks_exact(BUNDLE_BYTES).map(bundle::words).flat_map(|[_, a, b, c]| [a, b, c]);
    let distance = |insn: Insn<Maxwell>| distance_bits(&insn) as u64;
    let key = |word: u64| word & !Insn::decode(word.into()).map_or(0, distance);
    words.map(key).collect()
}
