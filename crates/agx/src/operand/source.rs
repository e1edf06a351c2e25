//! Typed sources: register, uniform or number in one field.
//!
//! All share one shape: six low bits of a number, two of a hint (in a uniform its highest bit and its
//! size), two of a type, bits for what is done to the value, and in the long form two more of the
//! number. Type 0 without a hint is a number itself.

use super::{
    A, AgxLift, B, C, Size, X, Y, dest_bits, is_aligned, operand, parse_register, print_register, read_units,
};
use crate::{Agx, Ctx};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Scalar, Value};
use shisa_rows::{Field, Insn, Kind, Line, Operand, Scan};

const fn source(
    slot: shisa_rows::Slot,
    lo: u8,
    changes: u8,
    ext: u8,
    kind: &'static dyn Kind<Agx>,
) -> Operand<Agx> {
    operand(slot, Field::at(lo, 10 + changes).then(ext, 2), kind)
}

const PLAIN: Source = Source { changes: Changes::None };
const SIGNED: Source = Source { changes: Changes::Extend };
const FLOAT: Source = Source { changes: Changes::Float };

/// Integer sources of logic and of comparisons.
pub(crate) const ALU_A: Operand<Agx> = source(A, 16, 0, 42, &PLAIN);
/// See [`ALU_A`].
pub(crate) const ALU_B: Operand<Agx> = source(B, 28, 0, 40, &PLAIN);
/// Integer sources of selections.
pub(crate) const CSEL_A: Operand<Agx> = source(A, 16, 0, 74, &PLAIN);
/// See [`CSEL_A`].
pub(crate) const CSEL_B: Operand<Agx> = source(B, 28, 0, 72, &PLAIN);
/// Results of selections.
pub(crate) const CSEL_X: Operand<Agx> = operand(X, Field::at(40, 9).then(70, 2), &Selected);
/// See [`CSEL_X`].
pub(crate) const CSEL_Y: Operand<Agx> = operand(Y, Field::at(52, 9).then(68, 2), &Selected);
/// Sources of sums.
pub(crate) const ADD_A: Operand<Agx> = source(A, 16, 1, 42, &SIGNED);
/// See [`ADD_A`].
pub(crate) const ADD_B: Operand<Agx> = source(B, 28, 1, 40, &SIGNED);
/// Float sources of two-source rows and comparisons.
pub(crate) const FLOAT_A: Operand<Agx> = source(A, 16, 2, 42, &FLOAT);
/// See [`FLOAT_A`].
pub(crate) const FLOAT_B: Operand<Agx> = source(B, 28, 2, 40, &FLOAT);
/// Float sources of fused products and sums.
pub(crate) const FMA_A: Operand<Agx> = source(A, 16, 2, 58, &FLOAT);
/// See [`FMA_A`].
pub(crate) const FMA_B: Operand<Agx> = source(B, 28, 2, 56, &FLOAT);
/// See [`FMA_A`].
pub(crate) const FMA_C: Operand<Agx> = source(C, 40, 2, 54, &FLOAT);
/// Float sources of selections.
pub(crate) const FCSEL_A: Operand<Agx> = source(A, 16, 2, 74, &FLOAT);
/// See [`FCSEL_A`].
pub(crate) const FCSEL_B: Operand<Agx> = source(B, 28, 2, 72, &FLOAT);

/// What is done to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    None,
    /// A bit that extends the sign.
    Extend,
    /// Bits for magnitude and sign.
    Float,
}

/// A source with its changes.
#[derive(Debug)]
struct Source {
    changes: Changes,
}

/// What a source names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// Eight bits.
    Number(u8),
    Uniform(u16, Size),
    /// Hint: 1 none, 2 cache, 3 last use.
    Register(u16, Size, u8),
}

impl Source {
    const fn count(&self) -> u32 {
        match self.changes {
            Changes::None => 0,
            Changes::Extend => 1,
            Changes::Float => 2,
        }
    }

    /// What the field names, and its change bits; `None` for a type that does not exist.
    fn decode(&self, bits: u64) -> (Option<Name>, u64) {
        let (low, hint, kind) = (bits & 63, bits >> 6 & 3, bits >> 8 & 3);
        let changes = bits >> 10 & ((1 << self.count()) - 1);
        let number = (low | (bits >> (10 + self.count()) & 3) << 6) as u16;
        let name = match (kind, hint) {
            (0, 0) => Some(Name::Number(number as u8)),
            (1, _) => {
                let size = if hint & 2 != 0 { Size::Word } else { Size::Half };
                Some(Name::Uniform(number | (hint as u16 & 1) << 8, size))
            }
            (_, 0) => None,
            (0, _) => Some(Name::Register(number, Size::Half, hint as u8)),
            (2, _) => Some(Name::Register(number, Size::Word, hint as u8)),
            _ if self.changes == Changes::Extend => Some(Name::Register(number, Size::Double, hint as u8)),
            _ => None,
        };
        (name, changes)
    }

    fn encode(&self, name: Name, changes: u64) -> Option<u64> {
        let (number, hint, kind) = match name {
            Name::Number(n) => (u16::from(n), 0, 0),
            Name::Uniform(n, Size::Half) => (n & 255, u64::from(n >> 8), 1),
            Name::Uniform(n, Size::Word) => (n & 255, 2 | u64::from(n >> 8), 1),
            Name::Register(n, Size::Half, hint) => (n, u64::from(hint), 0),
            Name::Register(n, Size::Word, hint) => (n, u64::from(hint), 2),
            Name::Register(n, Size::Double, hint) if self.changes == Changes::Extend => {
                (n, u64::from(hint), 3)
            }
            _ => return None,
        };
        let number = u64::from(number);
        (number < 256).then_some(
            number & 63 | hint << 6 | kind << 8 | changes << 10 | (number >> 6) << (10 + self.count()),
        )
    }
}

/// A float number of eight bits: 0 … 31 with sign.
fn small_float(n: u8) -> f32 {
    let (sign, exponent, mantissa) = (n >> 7, n >> 4 & 7, f32::from(n & 15));
    let magnitude = match exponent {
        0 => mantissa / 64.0,
        e => (16.0 + mantissa) / f32::from(1u16 << (7 - u16::from(e).min(7))),
    };
    if sign != 0 { -magnitude } else { magnitude }
}

/// Takes a sign, digits, and a fraction if digits follow the point.
fn take_number<'a>(text: &mut Scan<'a>) -> &'a str {
    let rest = text.rest();
    let bytes = rest.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    while digit(end) || bytes.get(end) == Some(&b'.') && digit(end + 1) {
        end += 1;
    }
    text.rewind(text.pos() + end);
    rest.get(..end).unwrap_or("")
}

fn print_hint(hint: u8, out: &mut Line<'_>) {
    out.text(["", "", ".cache", ".discard"][usize::from(hint & 3)]);
}

fn parse_hint(text: &mut Scan<'_>) -> u8 {
    if text.eat_str(".cache") {
        2
    } else if text.eat_str(".discard") {
        3
    } else {
        1
    }
}

impl Kind<Agx> for Source {
    fn describe(&self) -> &'static str {
        match self.changes {
            Changes::None => "source",
            Changes::Extend => "source of any size",
            Changes::Float => "float source",
        }
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let (name, changes) = self.decode(op.field.get(&insn.word));
        match name {
            Some(Name::Number(n)) if self.changes == Changes::Float => {
                out.text(&format!("{:?}", small_float(n)));
            }
            Some(Name::Number(n)) => out.dec(u64::from(n)),
            Some(Name::Uniform(unit, size)) => print_register(b'u', unit, size, out),
            Some(Name::Register(unit, size, hint)) => {
                print_register(b'r', unit, size, out);
                print_hint(hint, out);
            }
            None => out.byte(b'?'),
        }
        match self.changes {
            Changes::None => {}
            Changes::Extend => out.text(["", ".sx"][changes as usize & 1]),
            Changes::Float => out.text(["", ".abs", ".neg", ".abs.neg"][changes as usize & 3]),
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let name = if text.peek().is_some_and(|b| b.is_ascii_digit() || b == b'-') {
            let digits = take_number(text);
            let number = if self.changes == Changes::Float {
                digits
                    .parse::<f32>()
                    .ok()
                    .and_then(|v| (0..=255).find(|n| small_float(*n).to_bits() == v.to_bits()))
            } else {
                digits.parse::<u8>().ok()
            };
            Name::Number(number.ok_or_else(|| {
                Diagnostic::error("asm-range", "this number has no form of eight bits")
                    .at_text(text.since(at), "")
            })?)
        } else {
            match parse_register(text)? {
                (b'u', unit, size) => Name::Uniform(unit, size),
                (_, unit, size) => Name::Register(unit, size, parse_hint(text)),
            }
        };
        let changes = match self.changes {
            Changes::None => 0,
            Changes::Extend => u64::from(text.eat_str(".sx")),
            Changes::Float => u64::from(text.eat_str(".abs")) | u64::from(text.eat_str(".neg")) << 1,
        };
        let bits = self.encode(name, changes).ok_or_else(|| {
            Diagnostic::error("asm-operand", "this register does not fit here").at_text(text.since(at), "")
        })?;
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        match self.decode(op.field.get(&insn.word)).0 {
            Some(Name::Uniform(unit, size) | Name::Register(unit, size, _)) => is_aligned(unit, size),
            Some(Name::Number(_)) => true,
            None => false,
        }
    }

    /// Integers in their own size (numbers have 16 bits), floats as 32 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let (name, changes) = self.decode(op.field.get(&l.insn.word));
        if self.changes == Changes::Float {
            return float(l, name, changes);
        }
        integer(l, name, Size::Word)
    }
}

/// The integer that a source names; what does not exist counts as one of size `otherwise`.
fn integer(l: &mut AgxLift<'_, '_>, name: Option<Name>, otherwise: Size) -> Value {
    match name {
        Some(Name::Number(n)) => l.constant(Scalar::I16.by(1), u64::from(n)),
        Some(Name::Uniform(unit, size)) => read_units(l, true, unit, size, 1),
        Some(Name::Register(unit, size, _)) => read_units(l, false, unit, size, 1),
        None => {
            l.refuse(Diagnostic::error("lift-operand", "a source has a type that does not exist"));
            l.constant(otherwise.scalar().by(1), 0)
        }
    }
}

fn float(l: &mut AgxLift<'_, '_>, name: Option<Name>, changes: u64) -> Value {
    let mut v = match name {
        Some(Name::Number(n)) => l.f32(small_float(n), 1),
        _ => {
            let bits = integer(l, name, Size::Word);
            if l.ty(bits).scalar == Scalar::I16 {
                // Halves keep their denormals.
                let half = l.convert(Convert::Bits, bits, Scalar::F16);
                let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
                let wide = l.convert(Convert::Float, half, Scalar::F32);
                l.rule = rule;
                wide
            } else {
                l.convert(Convert::Bits, bits, Scalar::F32)
            }
        }
    };
    if changes & 1 != 0 {
        v = l.fabs(v);
    }
    if changes & 2 != 0 { l.fneg(v) } else { v }
}

/// Whether a source of a sum extends its sign.
pub(crate) fn extends(l: &AgxLift<'_, '_>, slot: shisa_rows::Slot) -> bool {
    l.insn.field(slot) >> 10 & 1 != 0
}

/// A result of a selection: as wide as the destination, whose size bit tells.
#[derive(Debug)]
struct Selected;

impl Selected {
    fn decode(bits: u64, size: Size) -> Option<Name> {
        let (low, kind) = (bits & 63, bits >> 6 & 7);
        let number = (low | (bits >> 9 & 3) << 6) as u16;
        match kind {
            4 => Some(Name::Number(number as u8)),
            1..=3 => Some(Name::Register(number, size, kind as u8)),
            6 | 7 => Some(Name::Uniform(number | (kind as u16 & 1) << 8, size)),
            _ => None,
        }
    }
}

impl Kind<Agx> for Selected {
    fn describe(&self) -> &'static str {
        "source as wide as the destination"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        match Self::decode(op.field.get(&insn.word), dest_bits(insn.word)) {
            Some(Name::Number(n)) => out.dec(u64::from(n)),
            Some(Name::Uniform(unit, size)) => print_register(b'u', unit, size, out),
            Some(Name::Register(unit, size, hint)) => {
                print_register(b'r', unit, size, out);
                print_hint(hint, out);
            }
            None => out.byte(b'?'),
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let (number, kind) = if text.peek().is_some_and(|b| b.is_ascii_digit()) {
            match text.dec() {
                Some(n) if n < 256 => (n, 4),
                _ => {
                    return Err(
                        Diagnostic::error("asm-range", "the number is above 255").at_text(text.since(at), "")
                    );
                }
            }
        } else {
            let (letter, unit, size) = parse_register(text)?;
            if size != dest_bits(*word) {
                return Err(Diagnostic::error(
                    "asm-operand",
                    "the source must be as wide as the destination",
                )
                .at_text(text.since(at), ""));
            }
            match letter {
                b'u' => (u64::from(unit & 255), 6 | u64::from(unit >> 8)),
                _ => (u64::from(unit), u64::from(parse_hint(text))),
            }
        };
        if number > 255 {
            return Err(
                Diagnostic::error("asm-operand", "there is no such register").at_text(text.since(at), "")
            );
        }
        op.field.set(word, number & 63 | kind << 6 | (number >> 6) << 9);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        match Self::decode(op.field.get(&insn.word), dest_bits(insn.word)) {
            Some(Name::Uniform(unit, size) | Name::Register(unit, size, _)) => is_aligned(unit, size),
            Some(Name::Number(_)) => true,
            None => false,
        }
    }

    /// An integer of the destination's size.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let size = dest_bits(l.insn.word);
        match Self::decode(op.field.get(&l.insn.word), size) {
            Some(Name::Number(n)) => l.constant(size.scalar().by(1), u64::from(n)),
            name => integer(l, name, size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::small_float;

    #[test]
    fn small_floats() {
        for (n, v) in
            [(0u8, 0.0), (0x80, -0.0), (1, 1.0 / 64.0), (0x10, 0.25), (0x30, 1.0), (0x7f, 31.0), (0xc0, -2.0)]
        {
            assert_eq!(small_float(n).to_bits(), f32::to_bits(v), "{n:#x}");
        }
    }
}
