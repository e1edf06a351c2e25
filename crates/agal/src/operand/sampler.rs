//! The operand kind of samplers.

use crate::{Agal, Ctx, SamplerBits};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Hints, Insn, Kind, Lift, Line, Operand, Part, Scan};

/// A sampler with its options.
#[derive(Debug)]
pub(crate) struct SamplerKind;

impl Kind<Agal> for SamplerKind {
    fn describe(&self) -> &'static str {
        "sampler"
    }

    fn print(&self, op: &Operand<Agal>, insn: &Insn<Agal>, ctx: Ctx<'_>, out: &mut Line<'_>) {
        crate::text::print_sampler(SamplerBits(op.field.get(&insn.word)), ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Agal>,
        word: &mut [u64; 3],
        text: &mut Scan<'_>,
        ctx: Ctx<'_>,
    ) -> Result<(), Diagnostic> {
        crate::text::parse_sampler(text, ctx).map(|s| op.field.set(word, s.0))
    }

    fn faithful(&self, op: &Operand<Agal>, insn: &Insn<Agal>, _: Ctx<'_>) -> bool {
        crate::text::sampler_is_faithful(SamplerBits(op.field.get(&insn.word)))
    }

    fn read(&self, _: &Operand<Agal>, l: &mut Lift<'_, '_, Agal>) -> Value {
        l.refuse(Diagnostic::error("lift-operand", "a sampler is not a value"));
        l.f32(0.0, 1)
    }
}

impl Details<Agal> for SamplerKind {
    fn parts(&self) -> &'static [Part] {
        const {
            &[
                Part::new(0, 16, "sampler number"),
                Part::new(16, 8, "level-of-detail bias in eighths, signed"),
                Part::new(32, 4, "register kind"),
                Part::new(SamplerBits::FORMAT_SHIFT as u8, 4, "format"),
                Part::new(SamplerBits::DIMENSION_SHIFT as u8, 4, "dimension"),
                Part::new(SamplerBits::SPECIAL_SHIFT as u8, 4, "special flags"),
                Part::new(SamplerBits::WRAP_SHIFT as u8, 4, "wrap"),
                Part::new(SamplerBits::MIP_SHIFT as u8, 4, "mip filter"),
                Part::new(SamplerBits::FILTER_SHIFT as u8, 4, "filter"),
            ]
        }
    }
}

impl Hints<Agal> for SamplerKind {}
