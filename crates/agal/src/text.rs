//! Operands as text: what AGALMiniAssembler reads.

use crate::{Ctx, Dest, RegType, SamplerBits, Source};
use shisa_diag::Diagnostic;
use shisa_ir::Mask;
use shisa_rows::{Line, Scan};

/// Texel formats by number, as sampler options write them.
pub(crate) const FORMAT_NAMES: &[&str] = &["rgba", "dxt1", "dxt5", "video"];

/// Writes a destination.
pub(crate) fn print_dest(dest: Dest, ctx: Ctx<'_>, out: &mut Line<'_>) {
    print_register(dest.kind(), dest.number(), ctx, out);
    if dest.mask() != Mask::ALL {
        out.byte(b'.');
        dest.mask().iter().for_each(|i| out.byte(b"xyzw"[usize::from(i)]));
    }
}

fn print_register(kind: RegType, number: u16, ctx: Ctx<'_>, out: &mut Line<'_>) {
    out.text(kind.name(ctx.stage).unwrap_or("?"));
    if number != 0 || !matches!(kind, RegType::OUTPUT | RegType::DEPTH | RegType::INSTANCE) {
        out.dec(u64::from(number));
    }
}

/// Writes a source.
pub(crate) fn print_source(source: Source, ctx: Ctx<'_>, out: &mut Line<'_>) {
    print_register(source.kind(), source.number(), ctx, out);
}

/// Writes a sampler.
pub(crate) fn print_sampler(sampler: SamplerBits, ctx: Ctx<'_>, out: &mut Line<'_>) {
    print_register(sampler.kind(), sampler.number(), ctx, out);
}

fn unknown(text: &Scan<'_>) -> Diagnostic {
    Diagnostic::error("asm-operand", "unknown operand").at_text(text.pos()..text.pos(), "")
}

/// Reads a source.
pub(crate) fn parse_source(text: &mut Scan<'_>, _: Ctx<'_>) -> Result<Source, Diagnostic> {
    Err(unknown(text))
}

/// Reads a destination.
pub(crate) fn parse_dest(text: &mut Scan<'_>, _: Ctx<'_>) -> Result<Dest, Diagnostic> {
    Err(unknown(text))
}

/// Reads a sampler.
pub(crate) fn parse_sampler(text: &mut Scan<'_>, _: Ctx<'_>) -> Result<SamplerBits, Diagnostic> {
    Err(unknown(text))
}

/// Whether the text says everything about the bits.
pub(crate) fn source_is_faithful(_: Source, _: Ctx<'_>) -> bool {
    false
}

/// Whether the text says everything about the bits.
pub(crate) fn dest_is_faithful(_: Dest, _: Ctx<'_>) -> bool {
    false
}

/// Whether the text says everything about the bits.
pub(crate) fn sampler_is_faithful(_: SamplerBits, _: Ctx<'_>) -> bool {
    false
}
