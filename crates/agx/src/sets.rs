//! Sets of halves of registers and of uniforms.

use crate::registers::{REGISTERS, UNIFORMS};
use alloc::{format, string::String, vec::Vec};
use shisa_rows::code::RegisterSet;

/// A set of numbers below `64 * WORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<const WORDS: usize>([u64; WORDS]);

/// Halves of registers: 0 is `r0l`, 255 is `r127h`.
pub type Registers = Bits<4>;
/// Halves of uniforms: 0 is `u0l`, 511 is `u255h`.
pub type Uniforms = Bits<8>;

impl<const WORDS: usize> Default for Bits<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const WORDS: usize> Bits<WORDS> {
    /// No number.
    pub const EMPTY: Self = Bits([0; WORDS]);

    /// The numbers from `first` up to `end`.
    pub const fn range(first: usize, end: usize) -> Self {
        let mut bits = [0; WORDS];
        let mut n = first;
        while n < end && n < 64 * WORDS {
            bits[n / 64] |= 1 << (n % 64);
            n += 1;
        }
        Bits(bits)
    }

    /// The numbers of both.
    pub const fn or(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < WORDS {
            self.0[i] |= other.0[i];
            i += 1;
        }
        self
    }

    /// The numbers that are in both.
    pub fn and(self, other: Self) -> Self {
        Bits(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The numbers that are not in the other.
    pub fn without(self, other: Self) -> Self {
        Bits(core::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether a number is in the set.
    pub fn contains(&self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|w| w >> (n % 64) & 1 != 0)
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    /// One more than the largest number; 0 for an empty set.
    pub fn end(&self) -> usize {
        let last = self.0.iter().rposition(|w| *w != 0);
        last.map_or(0, |i| 64 * i + 64 - self.0[i].leading_zeros() as usize)
    }

    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<'_, WORDS> {
        (0..64 * WORDS).filter(|n| self.contains(*n))
    }

    /// As registers or uniforms, by their letter: `r4, r5l, r8..r11`.
    pub fn names(&self, letter: char) -> String {
        let mut list: Vec<String> = Vec::new();
        let mut n = 0;
        while n < self.end() {
            if !self.contains(n) {
                n += 1;
                continue;
            }
            let run = (n..self.end()).take_while(|i| self.contains(*i)).count();
            list.extend(pieces(letter, n, n + run));
            n += run;
        }
        list.join(", ")
    }
}

/// The halves of registers and of uniforms that instructions read or write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    /// Registers.
    pub(crate) registers: Registers,
    /// Uniforms.
    pub(crate) uniforms: Uniforms,
}

impl RegisterSet for Touched {
    fn insert(&mut self, run: &shisa_rows::Registers) {
        let (first, end) =
            (usize::from(run.first.unit), usize::from(run.first.unit) + usize::from(run.units));
        if run.first.file == REGISTERS {
            self.registers = self.registers.or(Registers::range(first, end));
        } else if run.first.file == UNIFORMS {
            self.uniforms = self.uniforms.or(Uniforms::range(first, end));
        }
    }
}

/// A run of halves: single halves at its ends, whole registers between.
fn pieces(letter: char, first: usize, end: usize) -> Vec<String> {
    let mut list = Vec::new();
    let (whole, past) = (first.div_ceil(2), end / 2);
    if !first.is_multiple_of(2) {
        list.push(format!("{letter}{}h", first / 2));
    }
    match past.saturating_sub(whole) {
        0 => {}
        1 => list.push(format!("{letter}{whole}")),
        _ => list.push(format!("{letter}{whole}..{letter}{}", past - 1)),
    }
    if !end.is_multiple_of(2) && (end > first + 1 || first.is_multiple_of(2)) {
        list.push(format!("{letter}{}l", end / 2));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_as_registers() {
        let names = |first, end| Registers::range(first, end).names('r');
        assert_eq!(names(0, 1), "r0l");
        assert_eq!(names(1, 2), "r0h");
        assert_eq!(names(2, 4), "r1");
        assert_eq!(names(3, 4), "r1h");
        assert_eq!(names(1, 6), "r0h, r1..r2");
        assert_eq!(names(8, 17), "r4..r7, r8l");
        let two = Registers::range(4, 6).or(Registers::range(255, 256));
        assert_eq!((two.names('r').as_str(), two.end()), ("r2, r127h", 256));
        assert_eq!(two.without(two).names('r'), "");
    }
}
