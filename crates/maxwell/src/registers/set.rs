//! Sets of registers.

use super::{CODES, COUNT, PREDICATES, REGISTERS};
use alloc::{format, string::String, vec::Vec};
use core::fmt;
use shisa_ir::FileId;
use shisa_rows::Registers;
use shisa_rows::code::RegisterSet;

/// General registers, then predicates, then the condition codes as one.
const PREDICATE: usize = COUNT as usize + 1;
const CODE: usize = PREDICATE + 8;

/// A set of general registers, predicates and the condition codes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Set([u64; 5]);

impl Set {
    /// How many registers a set can have.
    pub(crate) const REGISTERS: u64 = CODE as u64 + 1;

    /// Adds registers of a file, as far as it has them; those of files that instructions do not write are left
    /// out.
    pub fn insert(&mut self, file: FileId, first: usize, count: usize) {
        let bits = match file {
            REGISTERS => first..(first + count).min(usize::from(COUNT)),
            PREDICATES => PREDICATE + first..PREDICATE + first + count,
            CODES => CODE..CODE + 1,
            _ => return,
        };
        for bit in bits {
            if let Some(word) = self.0.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }

    /// What is in both.
    #[must_use]
    pub fn and(&self, other: &Set) -> Set {
        Set(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// What is in either.
    #[must_use]
    pub fn or(&self, other: &Set) -> Set {
        Set(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// What is not in the other.
    #[must_use]
    pub fn without(&self, other: &Set) -> Set {
        Set(core::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The general registers, without predicates and codes.
    #[must_use]
    pub fn general(&self) -> Set {
        Set([self.0[0], self.0[1], self.0[2], self.0[3], 0])
    }

    /// Whether there are predicates in it.
    pub fn has_predicates(&self) -> bool {
        (PREDICATE..CODE).any(|bit| self.bit(bit))
    }

    /// Whether the condition codes are in it.
    pub fn has_codes(&self) -> bool {
        self.bit(CODE)
    }

    /// Which registers of this set are in the other, by their order in this set: bit n for the one after n others. The last
    /// bit is set if there are so many that not each has a bit.
    pub(crate) fn selection(&self, other: &Set) -> u16 {
        let known = self.numbers().take(Set::SELECTED).enumerate();
        let mask = known.filter(|(_, bit)| other.bit(*bit)).fold(0, |mask, (n, _)| mask | 1 << n);
        mask | if self.len() > Set::SELECTED { 1 << Set::SELECTED } else { 0 }
    }

    /// The registers of this set that [`Set::selection`] selects; those without a bit of their own all or none.
    #[must_use]
    pub(crate) fn selected(&self, selection: u16) -> Set {
        let mut all = Set::default();
        for (n, bit) in self.numbers().enumerate() {
            if selection >> n.min(Set::SELECTED) & 1 != 0 {
                all.0[bit / 64] |= 1 << (bit % 64);
            }
        }
        all
    }

    /// How many registers of a selection have a bit of their own.
    const SELECTED: usize = 15;

    /// The number of the highest general register.
    pub fn highest(&self) -> Option<usize> {
        self.general().numbers().last()
    }

    /// Whether it has a general register.
    pub fn has(&self, number: u64) -> bool {
        number < u64::from(COUNT) && self.bit(number as usize)
    }

    /// Whether it has a predicate.
    pub fn has_predicate(&self, number: u16) -> bool {
        self.bit(PREDICATE + usize::from(number & 7))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Their names, those of general registers that follow each other as `R0-R3`.
    pub fn runs(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let general = self.general();
        let mut general = general.numbers().peekable();
        while let Some(first) = general.next() {
            let mut last = first;
            while let Some(next) = general.next_if_eq(&(last + 1)) {
                last = next;
            }
            all.push(if first == last { format!("R{first}") } else { format!("R{first}-R{last}") });
        }
        all.extend((0..8).filter(|n| self.bit(PREDICATE + n)).map(|n| format!("P{n}")));
        all.extend(self.has_codes().then(|| "CC".into()));
        all
    }

    fn bit(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let more = |bits: &u64| Some(bits & bits.wrapping_sub(1));
            let rest = core::iter::successors(Some(*bits), more).take_while(|bits| *bits != 0);
            rest.map(move |bits| 64 * word + bits.trailing_zeros() as usize)
        })
    }
}

impl RegisterSet for Set {
    fn insert(&mut self, registers: &Registers) {
        Set::insert(
            self,
            registers.first.file,
            usize::from(registers.first.unit),
            usize::from(registers.units),
        );
    }
}

/// Their names, such as `R0 R1 P2 CC`.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, n) in self.numbers().enumerate() {
            let blank = if i > 0 { " " } else { "" };
            match n {
                CODE.. => write!(f, "{blank}CC")?,
                PREDICATE.. => write!(f, "{blank}P{}", n - PREDICATE)?,
                _ => write!(f, "{blank}R{n}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
