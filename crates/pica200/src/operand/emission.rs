//! The purpose of the next emitted vertex.

use super::{PicaLift, parts};
use crate::{Options, Pica200, text};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Part, Scan};

/// Inverted winding in bit 0, primitive in bit 1. The text is empty for neither.
#[derive(Debug)]
pub(crate) struct EmitFlags;

impl Kind<Pica200> for EmitFlags {
    fn describe(&self) -> &'static str {
        "emission flags"
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        out.text(["", "inv", "prim", "prim inv"][op.field.get(&insn.word) as usize & 3]);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        op.field.set(word, text::parse_emit_flags(text)?);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Pica200>, _: &Insn<Pica200>, _: &Options) -> bool {
        true
    }

    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        l.i32(bits as i32)
    }
}

impl Details<Pica200> for EmitFlags {
    fn parts(&self) -> &'static [Part] {
        const { &[Part::new(0, 1, parts::WINDING), Part::new(1, 1, parts::PRIMITIVE)] }
    }

    fn optional(&self) -> bool {
        true
    }
}

impl Hints<Pica200> for EmitFlags {}
