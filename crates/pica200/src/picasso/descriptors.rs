//! The pool of operand descriptors: instructions share one if the bits that both read agree.

use crate::word::{self, DESCRIPTORS};
use alloc::vec::Vec;

/// Descriptors that three-source instructions reach.
const REACHED_BY_MAD: usize = 32;

/// A descriptor.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    bits: u32,
    /// The bits that some instruction reads.
    read: u32,
    /// Whether a three-source instruction uses it.
    mad: bool,
    /// Whether the source states it; it is then neither moved nor changed.
    fixed: bool,
    flags: u32,
}

/// The pool.
#[derive(Debug, Default)]
pub(super) struct Pool {
    entries: Vec<Entry>,
}

/// The reason why no descriptor is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// All are taken.
    All,
    /// All that a three-source instruction reaches are taken.
    Mad,
}

impl Pool {
    /// Sets a descriptor by number; `false` if it cannot exist.
    pub(super) fn fix(&mut self, number: usize, bits: u32, flags: u32) -> bool {
        // More than instructions reach are allowed in sequence: shader binaries can hold them.
        if number >= DESCRIPTORS.max(self.entries.len() + 1) {
            return false;
        }
        self.reach(number);
        let read = u32::MAX >> 1;
        self.entries[number] = Entry { bits, read, flags, fixed: true, mad: false };
        true
    }

    fn reach(&mut self, number: usize) {
        if self.entries.len() <= number {
            self.entries.resize(number + 1, Entry::default());
        }
    }

    /// The number of a descriptor that has these bits where `read` is set. The first that agrees is used, and has
    /// these bits from then on.
    pub(super) fn find(&mut self, bits: u32, read: u32) -> Result<usize, Full> {
        let agrees = |e: &Entry| (bits ^ e.bits) & read & e.read == 0;
        if let Some(n) = self.entries.iter().position(agrees) {
            self.merge(n, bits, read);
            return Ok(n);
        }
        if self.entries.len() >= DESCRIPTORS {
            return Err(Full::All);
        }
        self.entries.push(Entry { bits, read, ..Entry::default() });
        Ok(self.entries.len() - 1)
    }

    /// Uses the descriptor with this number; `false` if its bits differ.
    pub(super) fn take(&mut self, number: usize, bits: u32, read: u32) -> bool {
        if number >= DESCRIPTORS {
            return false;
        }
        self.reach(number);
        let agrees = (bits ^ self.entries[number].bits) & read & self.entries[number].read == 0;
        if agrees {
            self.merge(number, bits, read);
        }
        agrees
    }

    fn merge(&mut self, number: usize, bits: u32, read: u32) {
        let e = &mut self.entries[number];
        if !e.fixed {
            e.bits = e.bits & !read | bits & read;
            e.read |= read;
        }
    }

    /// Moves a descriptor to where three-source instructions reach it: one out of reach is exchanged with the first
    /// that no such instruction uses.
    pub(super) fn reach_by_mad(&mut self, number: usize, code: &mut [u32]) -> Result<usize, Full> {
        let mut to = number;
        if number >= REACHED_BY_MAD {
            if self.entries[number].fixed {
                return Err(Full::Mad);
            }
            let free = |e: &Entry| !e.mad && !e.fixed;
            to = self.entries.iter().take(REACHED_BY_MAD).position(free).ok_or(Full::Mad)?;
            self.entries.swap(number, to);
            code.iter_mut().for_each(|word| exchange(word, number as u32, to as u32));
        }
        self.entries[to].mad = true;
        Ok(to)
    }

    /// The descriptors and their second words.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.entries.iter().map(|e| (e.bits, e.flags))
    }
}

/// Exchanges two descriptors in an instruction that reaches all of them.
fn exchange(word: &mut u32, a: u32, b: u32) {
    let bits = word::number_bits(*word);
    if bits as usize + 1 == DESCRIPTORS {
        let to = match *word & bits {
            n if n == a => b,
            n if n == b => a,
            n => n,
        };
        *word = *word & !bits | to;
    }
}
