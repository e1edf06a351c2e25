//! Numbers within the instruction.

use super::fillable::Fillable;
use super::names::{named, unless_named};
use super::parts::{UPPER, WHOLE};
use super::{
    MaxwellLift, NUMBER, expected, fit, is_first_of_its_name, parse_part, parse_signed, print_signed, sign,
};
use crate::{Ctx, Maxwell, decimal};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Scalar, Value};
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Part, Scan};

/// A number in hexadecimal, the last bit of a signed one being its sign; then a bit that changes it, if any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    /// Whether the last bit is a sign that the text shows.
    pub(crate) signed: bool,
    /// Whether the last bit is a sign that the text does not show: -1 in 20 bits is `0xfffff`.
    pub(crate) silent_sign: bool,
    /// What the last bit of the field does.
    pub(crate) change: Change,
}

/// What a bit after a number does to it.
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
    pub(crate) const PLAIN: Number = Number { signed: false, silent_sign: false, change: Change::None };
    /// With a sign.
    pub(crate) const SIGNED: Number = Number { signed: true, ..Number::PLAIN };
    /// With a sign that the text does not show.
    pub(crate) const SILENTLY_SIGNED: Number = Number { silent_sign: true, ..Number::PLAIN };

    /// The same with a bit that changes it.
    pub(crate) const fn change(self, change: Change) -> Number {
        Number { change, ..self }
    }

    /// How wide the number is.
    fn width(self, op: &Operand<Maxwell>) -> u32 {
        op.field.width() - u32::from(self.change != Change::None)
    }

    /// The number as a relocation can fill it in, in a field with these bits.
    pub(super) fn fillable(self, op: &Operand<Maxwell>, bits: u64) -> Fillable {
        let width = self.width(op);
        Fillable::new(op, (0, width as u8), self.value(bits, width).into())
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

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let (bits, width) = (op.field.get(&insn.word), self.width(op));
        if let Some(name) = named(op, 0, ctx) {
            return out.text(name);
        }
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
        op.field.fill(word, bits | u64::from(changed) << width);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let (bits, width) = (op.field.get(&l.insn.word), self.width(op));
        let v = if self.silent_sign { sign(bits, width) } else { self.value(bits, width) } as i32;
        l.i32(match self.change {
            _ if bits >> width & 1 == 0 => v,
            Change::Negate => v.wrapping_neg(),
            Change::Invert => !v,
            Change::None => v,
        })
    }
}

impl Details<Maxwell> for Number {}

impl Hints<Maxwell> for Number {
    fn decided_by(&self, op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
        unless_named(op, ctx)
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        NUMBER
    }
}

/// The uppermost bits of a float, then one bit each for the sign, the magnitude and the part, in this order and as
/// far as the field goes.
#[derive(Debug)]
pub(crate) struct FloatNumber {
    /// Its format.
    pub(crate) format: Scalar,
    /// How many bits of the field are the number; those above its format mean nothing.
    pub(crate) bits: u32,
    /// The names of the parts, as [`Source`](super::Source) has them.
    pub(crate) parts: &'static [&'static str],
}

impl FloatNumber {
    /// The upper 20 bits of a number of this format.
    pub(crate) const fn upper(format: Scalar) -> FloatNumber {
        FloatNumber { format, bits: 20, parts: &[] }
    }

    /// How many bits of the number the field leaves out.
    const fn lowest(&self) -> u32 {
        (self.format.bits() as u32).saturating_sub(self.bits)
    }

    /// The number as a relocation can fill it in, in the field of this instruction. nvdisasm shows it as a double.
    pub(super) fn fillable(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Fillable {
        let number = self.split(op, insn).0;
        let double = match self.format {
            Scalar::F32 => f64::from(f32::from_bits(number as u32)).to_bits(),
            _ => number,
        };
        Fillable::new(op, (0, self.bits as u8), double.into())
    }

    /// The number and what is done to it.
    fn split(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> (u64, u64) {
        let bits = op.field.get(&insn.word);
        ((bits & ((1 << self.bits) - 1)) << self.lowest(), bits >> self.bits)
    }
}

impl Kind<Maxwell> for FloatNumber {
    fn describe(&self) -> &'static str {
        match self.format {
            Scalar::F16 => "half number",
            Scalar::F64 => "double number",
            _ => "float number",
        }
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let (number, changes) = self.split(op, insn);
        if let Some(name) = named(op, 0, ctx) {
            return out.text(name);
        }
        decimal::print(self.format, number, out);
        print_changes(changes, self.parts, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let named = text.rest().get(1..4) == Some("INF");
        let lowest = self.lowest();
        let number =
            decimal::parse(self.format, lowest == 0, text).ok_or_else(|| expected("a number", text))?;
        let out_of_range = |message, text: &Scan<'_>| {
            Err(Diagnostic::error("asm-range", message)
                .at_text(text.since(at), "")
                .help("a register or constant holds any number"))
        };
        if number & ((1 << lowest) - 1) != 0 {
            return out_of_range(format!("the number needs more than {} bits", self.bits), text);
        }
        if !named && decimal::is_infinite(self.format, number) {
            return out_of_range("the number is too large".into(), text);
        }
        let changes = parse_changes(text, op.field.width() - self.bits, self.parts)?;
        op.field.fill(word, number >> lowest | changes << self.bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        let (number, changes) = self.split(op, insn);
        decimal::faithful(self.format, number, self.lowest() == 0)
            // Bits above the format.
            && number >> (self.format.bits() - 1) <= 1
            && is_first_of_its_name((changes >> 2) as usize, self.parts)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let (mut number, changes) = self.split(op, &l.insn);
        let sign = 1 << (self.format.bits() - 1);
        if changes & 2 != 0 {
            number &= sign - 1;
        }
        if changes & 1 != 0 {
            number ^= sign;
        }
        l.constant(self.format.by(1), number & (sign | (sign - 1)))
    }
}

impl Details<Maxwell> for FloatNumber {
    fn parts(&self) -> &'static [Part] {
        match self.bits {
            20 => UPPER,
            32 => WHOLE,
            _ => &[],
        }
    }
}

impl Hints<Maxwell> for FloatNumber {
    fn decided_by(&self, op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
        unless_named(op, ctx)
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"+-.0123456789")
    }
}

/// A number of 20 bits with sign, then bits for what is done to it, as [`FloatNumber`] has them.
#[derive(Debug)]
pub(crate) struct ChangedNumber {
    /// The names of the parts.
    pub(crate) parts: &'static [&'static str],
}

impl ChangedNumber {
    /// Bits of the number.
    const BITS: u32 = 20;
}

impl Kind<Maxwell> for ChangedNumber {
    fn describe(&self) -> &'static str {
        "part of a number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        print_signed(sign(bits, Self::BITS), out);
        print_changes(bits >> Self::BITS, self.parts, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let v = parse_signed(text)?;
        let number = fit(v, Self::BITS, text, at)?;
        let changes = parse_changes(text, op.field.width() - Self::BITS, self.parts)?;
        op.field.fill(word, number | changes << Self::BITS);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        is_first_of_its_name((op.field.get(&insn.word) >> (Self::BITS + 2)) as usize, self.parts)
    }

    /// The number without what is done to it: that is for the row to do, as with a register.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let number = sign(op.field.get(&l.insn.word), Self::BITS);
        l.i32(number as i32)
    }
}

impl Details<Maxwell> for ChangedNumber {}

impl Hints<Maxwell> for ChangedNumber {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        NUMBER
    }
}

/// Writes what is done to a number.
fn print_changes(changes: u64, parts: &[&str], out: &mut Line<'_>) {
    out.text(["", ".NEG", ".ABS", ".NEG.ABS"][changes as usize & 3]);
    if let Some(part) = parts.get((changes >> 2) as usize) {
        out.text(part);
    }
}

/// Reads what is done to a number, into `width` bits.
fn parse_changes(text: &mut Scan<'_>, width: u32, parts: &[&str]) -> Result<u64, Diagnostic> {
    let at = text.blanks().pos();
    let negate = u64::from(text.eat_str(".NEG"));
    let absolute = u64::from(text.eat_str(".ABS"));
    let changes = negate | absolute << 1 | parse_part(text, parts)? << 2;
    if changes >> width != 0 {
        return Err(
            Diagnostic::error("asm-operand", "this number takes no such change").at_text(text.since(at), "")
        );
    }
    Ok(changes)
}
