//! Destinations.

use super::{AgxLift, D, Size, expected, is_aligned, operand, parse_register, print_named, write_units};
use crate::{Agx, Ctx, REGISTERS};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Reg, Scalar, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

const fn dest(ext: u8) -> Operand<Agx> {
    operand(D, Field::at(7, 8).then(ext, 2), &Dest(Sizes::Two))
}

/// A destination that continues in bits 28 and 29.
pub(crate) const DEST_28: Operand<Agx> = dest(28);
/// A destination that continues in bits 44 and 45.
pub(crate) const DEST_44: Operand<Agx> = dest(44);
/// A destination that continues in bits 60 and 61.
pub(crate) const DEST_60: Operand<Agx> = dest(60);
/// A destination that continues in bits 76 and 77.
pub(crate) const DEST_76: Operand<Agx> = dest(76);
/// A destination of 16, 32 or 64 bits, of sums.
pub(crate) const DEST_SUM: Operand<Agx> = operand(D, Field::at(7, 8).then(44, 2), &Dest(Sizes::Three));
/// A destination of 16, 32 or 64 bits, of products.
pub(crate) const DEST_PRODUCT: Operand<Agx> = operand(D, Field::at(7, 8).then(60, 2), &Dest(Sizes::Three));
/// A half that continues in bits 44 and 45; the size bit is there but clear.
pub(crate) const DEST_HALF: Operand<Agx> = operand(D, Field::at(7, 8).then(44, 2), &Dest(Sizes::Clear));
/// A half that continues in bits 60 and 61.
pub(crate) const DEST_HMA: Operand<Agx> = operand(D, Field::at(7, 8).then(60, 2), &Dest(Sizes::Clear));
/// The destination of a number of 16 bits: the size bit is part of the opcode.
pub(crate) const DEST_IMM16: Operand<Agx> =
    operand(D, Field::at(7, 1).then(9, 6).then(44, 2), &Dest(Sizes::One(Size::Half)));
/// The destination of a number of 32 bits.
pub(crate) const DEST_IMM32: Operand<Agx> =
    operand(D, Field::at(7, 1).then(9, 6).then(60, 2), &Dest(Sizes::One(Size::Word)));

/// The sizes that the field distinguishes, above the cache bit.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    One(Size),
    /// Halves, and a bit that must be clear.
    Clear,
    Two,
    Three,
}

/// A register that is written: the cache hint in bit 0, the size, then the number of its first half.
#[derive(Debug)]
struct Dest(Sizes);

impl Dest {
    fn decode(&self, bits: u64) -> (u16, Size) {
        match self.0 {
            Sizes::One(size) => ((bits >> 1) as u16, size),
            Sizes::Clear => ((bits >> 2) as u16, Size::Half),
            _ if bits & 2 == 0 => ((bits >> 2) as u16, Size::Half),
            Sizes::Three if bits & 4 != 0 => ((bits >> 3) as u16 * 2, Size::Double),
            _ => ((bits >> 2) as u16, Size::Word),
        }
    }

    fn encode(&self, unit: u16, size: Size) -> Option<u64> {
        let unit = u64::from(unit);
        match (self.0, size) {
            (Sizes::One(s), _) => (s == size).then_some(unit << 1),
            (_, Size::Half) => Some(unit << 2),
            (Sizes::Clear, _) => None,
            (_, Size::Word) => Some(unit << 2 | 2),
            (Sizes::Three, Size::Double) => Some((unit / 2) << 3 | 6),
            _ => None,
        }
    }
}

/// Whether a destination of two sizes has 32 bits.
pub(super) const DEST_SIZE: Field = Field::at(8, 1);

/// The size of a destination of two sizes.
pub(crate) fn dest_bits(word: u128) -> Size {
    if DEST_SIZE.get(&word) != 0 { Size::Word } else { Size::Half }
}

/// Whether a destination of three sizes has 64 bits.
pub(crate) fn is_double_dest(word: u128) -> bool {
    word >> 8 & 3 == 3
}

impl Kind<Agx> for Dest {
    fn describe(&self) -> &'static str {
        "destination register"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let (unit, size) = self.decode(bits);
        print_named(b'r', unit, size, 1 + (bits & 1) as u8, ctx.syntax, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let cache = text.eat(b'$');
        let (letter, unit, size) = parse_register(text)?;
        let fits = |bits: &u64| *bits >> op.field.width() == 0;
        let bits = self.encode(unit, size).filter(|_| letter == b'r').filter(fits);
        let Some(bits) = bits else {
            text.rewind(at);
            return Err(expected("a register of another size", text));
        };
        op.field.set(word, bits | u64::from(cache));
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        let (unit, size) = self.decode(bits);
        is_aligned(unit, size) && !(matches!(self.0, Sizes::Clear) && bits & 2 != 0)
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// `value` is a half, a float of 32 bits, which is rounded again to fit a half, or an integer, which is
    /// truncated or zero-extended.
    fn write(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>, value: Value) {
        let (unit, size) = self.decode(op.field.get(&l.insn.word));
        let mut value = value;
        if l.ty(value).scalar == Scalar::F32 && size == Size::Half {
            let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
            value = l.convert(Convert::Float, value, Scalar::F16);
            l.rule = rule;
        }
        if l.ty(value).scalar.is_float() {
            let int = l.ty(value).scalar.as_int();
            value = l.convert(Convert::Bits, value, int);
        }
        let (from, to) = (l.ty(value).scalar, size.scalar());
        if from.bits() > to.bits() {
            value = l.convert(Convert::Truncate, value, to);
        } else if from.bits() < to.bits() {
            value = l.convert(Convert::ZeroExtend, value, to);
        }
        write_units(l, unit, size, value);
    }
}

impl Details<Agx> for Dest {
    fn parts(&self) -> &'static [Part] {
        const CACHE: Part = Part::new(0, 1, "cached");
        match self.0 {
            Sizes::One(_) => const { &[CACHE, Part::new(1, 8, "number of the first half")] },
            Sizes::Clear => const { &[CACHE, Part::new(2, 8, "number of the half")] },
            _ => const { &[CACHE, Part::new(1, 1, "32 bits"), Part::new(2, 8, "number of the first half")] },
        }
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        let (unit, size) = self.decode(op.field.get(&insn.word));
        let first = Reg::new(REGISTERS, unit);
        Some(Registers { first, units: size.units() as u8, read: false, written: true })
    }
}

impl Hints<Agx> for Dest {}
