//! Destinations of arithmetic: registers that are written, with a mask.

use super::{D, PicaLift, parts};
use crate::{ADDRESS, OUTPUTS, Options, Pica200, TEMPORARIES, text};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Reg, Swizzle, Value};
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Part, Scan};

/// A register that is written, with a mask.
#[derive(Debug)]
pub(crate) enum Destination {
    /// An output or a temporary: five bits of number, then the mask.
    Register,
    /// `a0`: a mask, of which only x and y have a register.
    Address,
}

/// The mask of a field's bits: the field has x in the highest of four bits.
const fn mask(bits: u64) -> Mask {
    Mask((bits as u8 & 0xf).reverse_bits() >> 4)
}

/// The bits of a field for a mask.
const fn bits(mask: Mask) -> u64 {
    (mask.0.reverse_bits() >> 4) as u64
}

impl Destination {
    /// The kind of an operand, if it is a destination.
    pub(crate) fn of(op: &Operand<Pica200>) -> Option<&'static Destination> {
        let kind: &'static dyn core::any::Any = op.kind;
        kind.downcast_ref()
    }

    /// How many bits of the field are below the mask.
    const fn mask_at(&self) -> u32 {
        match self {
            Destination::Register => 5,
            Destination::Address => 0,
        }
    }

    /// The components that the kind has registers for.
    const fn registers(&self) -> Mask {
        match self {
            Destination::Register => Mask::ALL,
            Destination::Address => Mask::first(2),
        }
    }

    /// The components that an instruction writes; none without a destination.
    pub(crate) fn mask(insn: &Insn<Pica200>) -> Mask {
        insn.form().operand(D).map_or(Mask(0), |op| Destination::components(op, insn.word))
    }

    /// The components that an operand of a word writes; none if it is not a destination.
    pub(crate) fn components(op: &Operand<Pica200>, word: u64) -> Mask {
        Destination::of(op)
            .map_or(Mask(0), |kind| Mask(mask(op.field.get(&word) >> kind.mask_at()).0 & kind.registers().0))
    }

    /// The number of the register, 0 to 15 `o`, 16 to 31 `r`, in the field of an operand.
    pub(crate) const fn number(field: u64) -> usize {
        field as usize & 0x1f
    }

    /// The field of a register and a mask that has x in the highest of four bits.
    pub(crate) fn field(&self, number: u64, mask: u64) -> u64 {
        number | mask << self.mask_at()
    }

    /// Writes the mask of a field as text; nothing for all components.
    pub(crate) fn print_mask(&self, field: u64, out: &mut Line<'_>) {
        text::print_mask((field >> self.mask_at()) as usize & 0xf, out);
    }
}

impl Kind<Pica200> for Destination {
    fn describe(&self) -> &'static str {
        match self {
            Destination::Register => "destination",
            Destination::Address => "address register",
        }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        let field = op.field.get(&insn.word);
        match self {
            Destination::Register => text::print_dest(Destination::number(field), out),
            Destination::Address => out.text("a0"),
        }
        self.print_mask(field, out);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let number = match self {
            Destination::Register => text::parse_dest(text)?,
            Destination::Address => {
                let at = text.pos();
                if !text.eat_str("a0") {
                    return Err(Diagnostic::error("asm-operand", "expected a0").at_text(at..at, ""));
                }
                0
            }
        };
        let mask = text::parse_mask(text)?;
        op.field.set(word, self.field(number.into(), bits(mask)));
        Ok(())
    }

    /// A destination without components has no text.
    fn faithful(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options) -> bool {
        op.field.get(&insn.word) >> self.mask_at() != 0
    }

    fn read(&self, _: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// `value` is a vector of four, whose components in the mask are written; or only those components; or a scalar
    /// for all of them.
    fn write(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>, value: Value) {
        let number = Destination::number(op.field.get(&l.insn.word)) as u16;
        let reg = match self {
            Destination::Register if number < 16 => Reg::new(OUTPUTS, 4 * number),
            Destination::Register => Reg::new(TEMPORARIES, 4 * (number - 16)),
            Destination::Address => Reg::new(ADDRESS, 0),
        };
        write(l, reg, Destination::mask(&l.insn), value);
    }
}

impl Details<Pica200> for Destination {
    fn parts(&self) -> &'static [Part] {
        match self {
            Destination::Register => {
                const { &[Part::new(0, 5, parts::REGISTER), Part::new(5, 4, parts::MASK)] }
            }
            Destination::Address => const { &[Part::new(0, 4, parts::MASK)] },
        }
    }
}

impl Hints<Pica200> for Destination {}

/// Writes the components of a mask to `reg`.
fn write(l: &mut PicaLift<'_, '_>, reg: Reg, mask: Mask, value: Value) {
    if mask.0 == 0 {
        return;
    }
    let value = match l.ty(value).count {
        1 => l.splat(value, mask.count()),
        n if n == mask.count() => value,
        _ => l.swizzle(value, Swizzle::IDENTITY.under(mask), mask.count()),
    };
    l.write(reg, mask, value);
}
