//! Registers in the source's terms: banks, names, swizzles.

use super::source_text::Piece;
use alloc::string::ToString;

/// The identity selector.
pub(super) const STRAIGHT: u8 = 0b00_01_10_11;

/// The kind of a register. Inputs and outputs have the same numbers; the use of the number in an instruction
/// distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bank {
    Output,
    Input,
    Temporary,
    Float,
    Integer,
    Boolean,
}

impl Bank {
    /// Every bank: its letter, its first number among all registers, how many registers it has.
    pub(super) const ALL: [(Bank, char, i32, i32); 6] = [
        (Bank::Output, 'o', 0, 16),
        (Bank::Input, 'v', 0, 16),
        (Bank::Temporary, 'r', 0x10, 16),
        (Bank::Float, 'c', FLOATS, 96),
        (Bank::Integer, 'i', INTEGERS, 4),
        (Bank::Boolean, 'b', BOOLEANS, 16),
    ];

    /// Its entry in [`Bank::ALL`].
    pub(super) fn row(self) -> (Bank, char, i32, i32) {
        Bank::ALL[self as usize]
    }

    /// Its first number among all registers.
    pub(super) fn base(self) -> i32 {
        self.row().2
    }

    /// The number of registers it has.
    pub(super) fn count(self) -> i32 {
        self.row().3
    }

    /// Whether a name is that of a register.
    pub(super) fn named(name: &str) -> bool {
        let number = |digits: &str| digits.parse().ok().filter(|n: &i32| n.to_string() == digits);
        let of =
            |b: &(Bank, char, i32, i32)| name.strip_prefix(b.1).and_then(number).is_some_and(|n| n < b.3);
        Bank::ALL.iter().any(of)
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Bank::Output => "an output",
            Bank::Input => "an input",
            Bank::Temporary => "a temporary",
            Bank::Float => "a float uniform",
            Bank::Integer => "an integer uniform",
            Bank::Boolean => "a boolean uniform",
        }
    }
}

/// The number of `c0`.
pub(super) const FLOATS: i32 = 0x20;
/// The number of `i0`.
pub(super) const INTEGERS: i32 = 0x80;
/// The number of `b0`.
pub(super) const BOOLEANS: i32 = 0x88;

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias<'s> {
    pub(super) register: i32,
    pub(super) bank: Bank,
    pub(super) negated: bool,
    pub(super) selector: u8,
    /// The number of registers of a declared array; 0 if it is not an array.
    pub(super) length: i32,
    pub(super) used: bool,
    /// The location of its declaration.
    pub(super) place: Piece<'s>,
    /// Whether it is an input or a uniform, which should be used.
    pub(super) declares: bool,
}

impl<'s> Alias<'s> {
    /// A name for a single register.
    pub(super) const fn plain(register: i32, bank: Bank, place: Piece<'s>) -> Alias<'s> {
        Alias {
            register,
            bank,
            negated: false,
            selector: STRAIGHT,
            length: 0,
            used: false,
            place,
            declares: false,
        }
    }
}

/// A register as an argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register<'s> {
    /// Its number among all registers.
    pub(super) number: i32,
    pub(super) bank: Bank,
    pub(super) negated: bool,
    /// The first component in the top bits.
    pub(super) selector: u8,
    /// 1 `a0.x`, 2 `a0.y`, 3 `aL`.
    pub(super) index: u8,
    /// The letters after the dot.
    pub(super) letters: &'s str,
    /// Whether it was referred to by a name.
    pub(super) named: bool,
    pub(super) place: Piece<'s>,
}

impl Register<'_> {
    /// The mask that its letters name, x in bit 3.
    pub(super) fn mask(&self) -> u32 {
        [6, 4, 2, 0].iter().fold(0, |m, shift| m | 8 >> (self.selector >> shift & 3))
    }
}

/// One to four letters as a selector; the last one is repeated.
pub(super) fn swizzle(letters: &str) -> Option<u8> {
    let mut selector = 0;
    let mut last = 0;
    for i in 0..4 {
        if let Some(b) = letters.as_bytes().get(i) {
            last = match b.to_ascii_lowercase() {
                b'x' | b'r' | b's' => 0,
                b'y' | b'g' | b't' => 1,
                b'z' | b'b' | b'p' => 2,
                b'w' | b'a' | b'q' => 3,
                _ => return None,
            };
        }
        selector = selector << 2 | last;
    }
    (letters.len() <= 4).then_some(selector)
}
