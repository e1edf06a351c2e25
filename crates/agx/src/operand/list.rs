//! Consecutive registers, and text that follows them.

use super::{AgxLift, Size, expected, parse_register, print_register, read_units};
use crate::{REGISTERS, UNIFORMS};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Value};
use shisa_rows::{Line, Registers, Scan};

/// Consecutive registers: some of one size, then possibly some halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct List {
    /// `r` or `u`.
    pub(super) letter: u8,
    /// The first half.
    pub(super) unit: u16,
    pub(super) size: Size,
    pub(super) count: u16,
    /// Halves after them.
    pub(super) tail: u16,
}

impl List {
    /// So many registers of a size.
    pub(super) const fn of(unit: u16, size: Size, count: u16) -> List {
        List { letter: b'r', unit, size, count, tail: 0 }
    }

    /// Uniforms with a 64-bit address.
    pub(super) const fn address(unit: u16) -> List {
        List { letter: b'u', ..List::of(unit, Size::Double, 1) }
    }

    /// A word, a half, a word and a half after it, or nothing, depending on the bits above the number.
    pub(super) fn word_and_half(bits: u64) -> Option<List> {
        let unit = bits as u16 & 0xff;
        match bits >> 8 {
            1 => Some(List::of(unit, Size::Word, 1)),
            2 => Some(List::of(unit, Size::Half, 1)),
            3 => Some(List::of(unit, Size::Half, 3)),
            _ => None,
        }
    }

    /// Halves in total.
    pub(super) const fn units(&self) -> u16 {
        self.count * self.size.units() + self.tail
    }

    /// Whether all of it is in a file of the given number of halves, at an offset that its size allows.
    pub(super) const fn lies_within(&self, units: u16) -> bool {
        super::is_aligned(self.unit, self.size) && self.unit < units && self.unit + self.units() <= units
    }

    /// The registers that an instruction reads or writes.
    pub(super) fn named(&self, written: bool) -> Registers {
        let file = if self.letter == b'u' { UNIFORMS } else { REGISTERS };
        Registers { first: Reg::new(file, self.unit), units: self.units() as u8, read: !written, written }
    }

    /// Its values of one size, as integers.
    pub(super) fn read(&self, l: &mut AgxLift<'_, '_>) -> Value {
        read_units(l, self.letter == b'u', self.unit, self.size, self.count as u8)
    }

    pub(super) fn print(&self, out: &mut Line<'_>) {
        let step = self.size.units();
        let mut unit = self.unit;
        for i in 0..self.count + self.tail {
            if i > 0 {
                out.byte(b'_');
            }
            let (size, step) = if i < self.count { (self.size, step) } else { (Size::Half, 1) };
            print_register(self.letter, unit, size, out);
            unit = unit.wrapping_add(step);
        }
    }

    /// Reads registers joined by `_`, each of which begins where the one before ends.
    pub(super) fn parse(text: &mut Scan<'_>) -> Result<List, Diagnostic> {
        let at = text.pos();
        let (letter, unit, size) = parse_register(text)?;
        let mut list = List { letter, unit, size, count: 1, tail: 0 };
        while text.eat(b'_') {
            let next = parse_register(text)?;
            let follows = (next.0, next.1) == (letter, unit + list.units());
            if follows && next.2 == size && list.tail == 0 {
                list.count += 1;
            } else if follows && next.2 == Size::Half {
                list.tail += 1;
            } else {
                return Err(Diagnostic::error("asm-operand", "these registers do not follow each other")
                    .at_text(text.since(at), ""));
            }
        }
        Ok(list)
    }

    /// Reads registers of the shape of `like`.
    pub(super) fn parse_like(like: List, text: &mut Scan<'_>) -> Result<u16, Diagnostic> {
        let at = text.pos();
        let list = List::parse(text)?;
        if (List { unit: like.unit, ..list }) == like {
            return Ok(list.unit);
        }
        let size = match like.size {
            Size::Half => "16",
            Size::Word => "32",
            Size::Double => "64",
        };
        let file = if like.letter == b'u' { "uniform" } else { "register" };
        let wanted = match like.count {
            1 => alloc::format!("expected a {file} of {size} bits"),
            n => alloc::format!("expected {n} {file}s of {size} bits"),
        };
        Err(Diagnostic::error("asm-operand", wanted).at_text(text.since(at), ""))
    }

    /// Reads registers of the shape of `like`, which must be within the file.
    pub(super) fn parse_within(like: List, text: &mut Scan<'_>) -> Result<u16, Diagnostic> {
        let at = text.pos();
        let unit = List::parse_like(like, text)?;
        (List { unit, ..like }).within(text, at)?;
        Ok(unit)
    }

    /// Refuses registers, read at `at`, that are not within the file.
    pub(super) fn within(self, text: &Scan<'_>, at: usize) -> Result<List, Diagnostic> {
        if self.lies_within(256) {
            return Ok(self);
        }
        Err(Diagnostic::error("asm-operand", "there is no such register").at_text(text.since(at), ""))
    }
}

/// Registers or a number.
pub(super) enum Given {
    Number(u64),
    /// The first half.
    Registers(u16),
}

impl Given {
    /// Reads a number of at most `bits` bits, or registers of the shape of `like`, which must be within the file.
    pub(super) fn parse(bits: u32, like: List, text: &mut Scan<'_>) -> Result<Given, Diagnostic> {
        if text.peek().is_some_and(|b| b.is_ascii_digit()) {
            number(text, bits).map(Given::Number)
        } else {
            List::parse_within(like, text).map(Given::Registers)
        }
    }
}

/// Which of these names comes first among the operands after the current one.
pub(super) fn ahead(text: &Scan<'_>, names: &[&str]) -> Option<usize> {
    let mut parts = text.rest().split(',').skip(1).map(str::trim);
    parts.find_map(|part| names.iter().position(|name| !name.is_empty() && *name == part))
}

/// Whether a number or register follows the comma that ends the current operand.
pub(super) fn value_follows(text: &Scan<'_>) -> bool {
    let Some(rest) = text.rest().trim_start().strip_prefix(',') else { return false };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('r').or(rest.strip_prefix('-')).unwrap_or(rest);
    rest.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads a number of at most `bits` bits.
pub(super) fn number(text: &mut Scan<'_>, bits: u32) -> Result<u64, Diagnostic> {
    let at = text.pos();
    match text.dec() {
        Some(n) if n >> bits == 0 => Ok(n),
        Some(_) => Err(too_large(text, at, bits)),
        None => Err(expected("a number", text)),
    }
}

/// The error for a number that is too large; `at` is its start.
pub(super) fn too_large(text: &Scan<'_>, at: usize, bits: u32) -> Diagnostic {
    Diagnostic::error("asm-range", alloc::format!("the number needs more than {bits} bits"))
        .at_text(text.since(at), "")
}
