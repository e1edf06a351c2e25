//! Operands of stores to uniforms.

use super::list::List;
use super::listed::{Listed, Lists};
use super::{A, AgxLift, D, Size, operand, read_units};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Field, Line, Operand, Scan};

/// The uniforms that are written, and the mask that counts them.
pub(crate) const UNIFORM_DEST: Operand<Agx> =
    operand(D, Field::at(20, 4).then(32, 4).then(56, 8).then(52, 4), &Listed(Counted { uniform: true }));
/// The registers stored to uniforms.
pub(crate) const UNIFORM_SOURCE: Operand<Agx> =
    operand(A, Field::at(10, 6).then(40, 2), &Listed(Counted { uniform: false }));

/// The uniforms that a store to uniforms writes, or the registers that it reads. A mask counts halves, which are
/// written as larger registers if they are aligned.
#[derive(Debug)]
struct Counted {
    uniform: bool,
}

impl Counted {
    const fn units(&self) -> u16 {
        if self.uniform { 512 } else { 256 }
    }
}

impl Lists for Counted {
    fn describe(&self) -> &'static str {
        if self.uniform { "uniforms" } else { "registers" }
    }

    fn beside(&self) -> u128 {
        UNIFORM_DEST.field.mask()
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word) as u16;
        // The number of a uniform has 16 bits, but no file has that many.
        let mask = UNIFORM_DEST.field.get(&word) >> 16;
        let letter = if self.uniform { b'u' } else { b'r' };
        let (size, count) = match (mask, bits & 1) {
            (15, 0) => (Size::Double, 1),
            (3, 0) => (Size::Word, 1),
            (1 | 3 | 7 | 15, _) => (Size::Half, mask.count_ones() as u16),
            _ => return None,
        };
        Some(List { letter, ..List::of(bits, size, count) })
    }

    fn written(&self) -> bool {
        self.uniform
    }

    fn print_other(&self, _: u64, out: &mut Line<'_>) {
        out.byte(b'?');
    }

    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<u64, Diagnostic> {
        let at = text.pos();
        let list = List::parse(text)?;
        let count = list.units();
        let expected_letter = if self.uniform { b'u' } else { b'r' };
        let fits = list.letter == expected_letter && list.lies_within(self.units());
        let refused = |what| Err(Diagnostic::error("asm-operand", what).at_text(text.since(at), ""));
        if !fits || !(1..=4).contains(&count) {
            return refused(if self.uniform {
                "expected one to four halves of uniforms"
            } else {
                "expected one to four halves of registers"
            });
        }
        let mask = (1u64 << count) - 1;
        if self.uniform {
            Ok(u64::from(list.unit) | mask << 16)
        } else if UNIFORM_DEST.field.get(word) >> 16 == mask {
            Ok(u64::from(list.unit))
        } else {
            refused("there are not as many registers as uniforms")
        }
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        self.list(op, word, ctx).is_some_and(|list| list.lies_within(self.units()))
    }

    /// All of them as halves.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        match self.touched(op, l.insn.word) {
            Some(list) => read_units(l, false, list.unit, Size::Half, list.units() as u8),
            None => l.no_value(),
        }
    }
}
