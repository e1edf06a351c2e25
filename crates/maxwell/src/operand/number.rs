//! Numbers within the instruction.

use super::{MaxwellLift, expected, fit, parse_signed, print_signed, sign};
use crate::{Ctx, Maxwell, decimal};
use shisa_diag::Diagnostic;
use shisa_ir::{Type, Value};
use shisa_rows::{Insn, Kind, Line, Operand, Scan};

/// A number in hexadecimal, the last bit of a signed one being its sign; then a bit that changes it, if any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    /// Whether the last bit is a sign.
    pub(crate) signed: bool,
    /// What the last bit of the field does.
    pub(crate) change: Change,
}

/// What a bit behind a number does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// There is no such bit.
    None,
    /// It changes the sign.
    Negate,
    /// It inverts all bits.
    Invert,
}

impl Change {
    const fn suffix(self) -> &'static str {
        match self {
            Change::None => "",
            Change::Negate => ".NEG",
            Change::Invert => ".INV",
        }
    }
}

impl Number {
    /// Without a sign.
    pub(crate) const PLAIN: Number = Number { signed: false, change: Change::None };
    /// With a sign.
    pub(crate) const SIGNED: Number = Number { signed: true, change: Change::None };

    /// The same with a bit that changes it.
    pub(crate) const fn change(self, change: Change) -> Number {
        Number { change, ..self }
    }

    /// How wide the number is.
    fn width(self, op: &Operand<Maxwell>) -> u32 {
        op.field.width() - u32::from(self.change != Change::None)
    }

    /// The number before it is changed.
    fn value(self, bits: u64, width: u32) -> i64 {
        if self.signed { sign(bits, width) } else { (bits & ((1 << width) - 1)) as i64 }
    }
}

impl Kind<Maxwell> for Number {
    fn describe(&self) -> &'static str {
        "number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let (bits, width) = (op.field.get(&insn.word), self.width(op));
        print_signed(self.value(bits, width), out);
        if bits >> width != 0 {
            out.text(self.change.suffix());
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let (at, width) = (text.pos(), self.width(op));
        let v = parse_signed(text)?;
        let bits = if self.signed { fit(v, width, text, at)? } else { v as u64 };
        if !self.signed && bits >> width != 0 {
            return Err(Diagnostic::error("asm-range", "the number is too large").at_text(text.since(at), ""));
        }
        let changed = self.change != Change::None && text.eat_str(self.change.suffix());
        op.field.set(word, bits | u64::from(changed) << width);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let (bits, width) = (op.field.get(&l.insn.word), self.width(op));
        let v = self.value(bits, width) as i32;
        l.i32(match self.change {
            _ if bits >> width & 1 == 0 => v,
            Change::Negate => v.wrapping_neg(),
            Change::Invert => !v,
            Change::None => v,
        })
    }
}

/// The upper 20 bits of a binary32, then bits for sign and magnitude.
#[derive(Debug)]
pub(crate) struct FloatNumber;

impl FloatNumber {
    const fn number(bits: u64) -> u32 {
        ((bits & 0x7_ffff) << 12 | (bits >> 19 & 1) << 31) as u32
    }
}

impl Kind<Maxwell> for FloatNumber {
    fn describe(&self) -> &'static str {
        "float number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        decimal::print(Self::number(bits), out);
        out.text(["", ".NEG", ".ABS", ".NEG.ABS"][(bits >> 20) as usize & 3]);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let bits = decimal::parse(text).ok_or_else(|| expected("a number", text))?;
        if bits & 0xfff != 0 && bits & 0x7fff_ffff <= 0x7f80_0000 {
            return Err(Diagnostic::error("asm-range", "the number needs more than 20 bits")
                .at_text(text.since(at), "")
                .help("a register or constant holds any number"));
        }
        text.blanks();
        let negate = u64::from(text.eat_str(".NEG"));
        let absolute = u64::from(text.eat_str(".ABS"));
        if absolute != 0 && op.field.width() < 22 {
            return Err(expected("no .ABS", text));
        }
        let upper = u64::from(bits >> 12 & 0x7_ffff) | u64::from(bits >> 31) << 19;
        op.field.set(word, upper | negate << 20 | absolute << 21);
        Ok(())
    }

    /// All NaNs have the same text.
    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        let magnitude = Self::number(op.field.get(&insn.word)) & 0x7fff_ffff;
        magnitude <= 0x7f80_0000 || magnitude == 0x7fff_f000
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let mut number = Self::number(bits);
        if bits >> 21 & 1 != 0 {
            number &= 0x7fff_ffff;
        }
        number ^= ((bits >> 20 & 1) as u32) << 31;
        l.constant(Type::F32, u64::from(number))
    }
}
