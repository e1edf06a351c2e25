//! Results of selections: sources as wide as the destination, by its size bit.

use super::source::{Name, integer, parse_hint};
use super::{AgxLift, DEST_SIZE, Size, X, Y, dest_bits, is_aligned, operand, parse_register};
use crate::{Agx, Ctx, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

/// The result if a comparison is true.
pub(crate) const CSEL_X: Operand<Agx> = operand(X, Field::at(40, 9).then(70, 2), &Selected);
/// The result if it is false.
pub(crate) const CSEL_Y: Operand<Agx> = operand(Y, Field::at(52, 9).then(68, 2), &Selected);

/// A source as wide as the destination.
#[derive(Debug)]
pub(super) struct Selected;

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

    /// The number, if it is one.
    pub(super) fn number(op: &Operand<Agx>, word: u128) -> Option<u64> {
        match Self::of(op, word) {
            Some(Name::Number(n)) => Some(n.into()),
            _ => None,
        }
    }

    fn of(op: &Operand<Agx>, word: u128) -> Option<Name> {
        Self::decode(op.field.get(&word), dest_bits(word))
    }
}

impl Kind<Agx> for Selected {
    fn describe(&self) -> &'static str {
        "source as wide as the destination"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        match Self::of(op, insn.word) {
            // applegpu loses the highest bit of a uniform's number.
            Some(Name::Uniform(unit, size)) if ctx.syntax == Syntax::Applegpu => {
                Name::Uniform(unit & 0xff, size).print(ctx.syntax, out);
            }
            Some(name) => name.print(ctx.syntax, out),
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
        let (number, kind) =
            if text.peek().is_some_and(|b| b.is_ascii_digit()) {
                match text.dec() {
                    Some(n) if n < 256 => (n, 4),
                    _ => {
                        return Err(Diagnostic::error("asm-range", "the number is above 255")
                            .at_text(text.since(at), ""));
                    }
                }
            } else {
                let hint = parse_hint(text);
                let (letter, unit, size) = parse_register(text)?;
                if size != dest_bits(*word) {
                    return Err(Diagnostic::error(
                        "asm-operand",
                        "the source must be as wide as the destination",
                    )
                    .at_text(text.since(at), ""));
                }
                match letter {
                    b'u' if hint == 1 => (u64::from(unit & 255), 6 | u64::from(unit >> 8)),
                    b'r' => (u64::from(unit), u64::from(hint)),
                    _ => {
                        return Err(Diagnostic::error("asm-operand", "uniforms have no hint")
                            .at_text(text.since(at), ""));
                    }
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
        match Self::of(op, insn.word) {
            Some(Name::Uniform(unit, size) | Name::Register(unit, size, _)) => is_aligned(unit, size),
            Some(Name::Number(_)) => true,
            None => false,
        }
    }

    /// An integer of the destination's size.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let size = dest_bits(l.insn.word);
        match Self::of(op, l.insn.word) {
            Some(Name::Number(n)) => l.constant(size.scalar().by(1), u64::from(n)),
            name => integer(l, name, size),
        }
    }
}

impl Details<Agx> for Selected {
    fn parts(&self) -> &'static [Part] {
        const PARTS: &[Part] = &[
            Part::new(0, 6, "number, low bits"),
            Part::new(6, 2, "hint; of a uniform 2 and the highest bit of its number"),
            Part::new(8, 1, "whether a uniform or a number is meant"),
            Part::new(9, 2, "number, high bits"),
        ];
        PARTS
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::of(op, insn.word)?.registers()
    }
}

impl Hints<Agx> for Selected {
    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | DEST_SIZE.mask::<u128>())
    }
}
