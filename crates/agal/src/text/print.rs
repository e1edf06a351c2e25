//! Prints operands.

use super::names::{COLOUR, FORMAT, Group, LABELS, SPECIAL, WRITTEN};
use crate::{Ctx, Dest, RegType, SamplerBits, Source};
use shisa_ir::{Mask, Stage, Swizzle};
use shisa_rows::{LETTERS, Line, Name, mask_name, swizzle_name};

static MASKS: [Name; 16] = {
    let mut names = [Name::new(""); 16];
    let mut m = 0;
    while m < 16 {
        names[m] = mask_name(Mask(m as u8));
        m += 1;
    }
    names
};

static SWIZZLES: [Name; 256] = {
    let mut names = [Name::new(""); 256];
    let mut s = 0;
    while s < 256 {
        names[s] = swizzle_name(Swizzle(s as u8));
        s += 1;
    }
    names
};

/// The printed name of a register kind; `?` for an undefined kind.
fn label(kind: RegType, stage: Stage) -> &'static Name {
    const UNKNOWN: Name = Name::new("?");
    static ALL: [[Name; 8]; 2] = LABELS;
    let row = &ALL[usize::from(stage != Stage::Vertex)];
    row.get(usize::from(kind.0)).unwrap_or(&UNKNOWN)
}

/// Writes a register.
#[inline]
pub(crate) fn print_register(kind: RegType, number: u16, stage: Stage, out: &mut Line<'_>) {
    if number == 0 && matches!(kind, RegType::OUTPUT | RegType::DEPTH | RegType::INSTANCE) {
        let colour = kind == RegType::OUTPUT && stage != Stage::Vertex;
        return out.name(if colour { &COLOUR } else { label(kind, stage) });
    }
    out.name(label(kind, stage));
    out.dec(u64::from(number));
}

/// Writes a destination.
#[inline]
pub(crate) fn print_dest(dest: Dest, ctx: Ctx<'_>, out: &mut Line<'_>) {
    print_register(dest.kind(), dest.number(), ctx.stage, out);
    out.name(&MASKS[usize::from(dest.mask().0 & 15)]);
}

/// Writes a source.
#[inline]
pub(crate) fn print_source(source: Source, ctx: Ctx<'_>, out: &mut Line<'_>) {
    if source.indirect() {
        out.name(label(source.kind(), ctx.stage));
        out.byte(b'[');
        // Always with its number: otherwise Adobe's tool would read the offset as the number.
        out.name(label(source.index_kind(), ctx.stage));
        out.dec(u64::from(source.number()));
        out.byte(b'.');
        out.byte(LETTERS[usize::from(source.index_component())]);
        if source.offset() != 0 {
            out.byte(b'+');
            out.dec(u64::from(source.offset()));
        }
        out.byte(b']');
    } else {
        print_register(source.kind(), source.number(), ctx.stage, out);
    }
    out.name(&SWIZZLES[usize::from(source.swizzle().0)]);
}

/// Writes a sampler with its options: dimension, filter, mip, wrap, then those that differ from the default: format,
/// flags, bias.
pub(crate) fn print_sampler(sampler: SamplerBits, ctx: Ctx<'_>, out: &mut Line<'_>) {
    print_register(sampler.kind(), sampler.number(), ctx.stage, out);
    out.byte(b' ');
    let mut separator = b'<';
    let mut option = |name: Option<&Name>, out: &mut Line<'_>| {
        out.byte(core::mem::replace(&mut separator, b','));
        out.name(name.unwrap_or(&Name::new("?")));
    };
    static ALWAYS: [Group; 4] = WRITTEN;
    for group in &ALWAYS {
        option(group.labels.get(usize::from(sampler.group(group.shift))), out);
    }
    if sampler.format() != 0 {
        option(FORMAT.labels.get(usize::from(sampler.format())), out);
    }
    for (bit, name) in SPECIAL.iter().enumerate() {
        if sampler.special() >> bit & 1 != 0 {
            option(Some(name), out);
        }
    }
    if sampler.bias() != 0 {
        out.byte(b',');
        print_eighths(sampler.bias(), out);
    }
    out.byte(b'>');
}

/// Writes a number of eighths as a decimal number.
pub(crate) fn print_eighths(eighths: i8, out: &mut Line<'_>) {
    if eighths < 0 {
        out.byte(b'-');
    }
    let n = u64::from(eighths.unsigned_abs());
    out.dec(n / 8);
    out.text(["", ".125", ".25", ".375", ".5", ".625", ".75", ".875"][n as usize % 8]);
}

fn named(kind: RegType) -> bool {
    usize::from(kind.0) < LABELS[0].len()
}

/// Whether the text determines all bits.
#[inline]
pub(crate) fn dest_is_faithful(dest: Dest) -> bool {
    dest.reserved() == 0 && dest.mask() != Mask(0) && named(dest.kind())
}

/// Whether the text determines all bits.
#[inline]
pub(crate) fn source_is_faithful(source: Source) -> bool {
    let index = if source.indirect() { named(source.index_kind()) } else { source.index_bits() == 0 };
    source.reserved() == 0 && named(source.kind()) && index
}

/// Whether the text determines all bits.
pub(crate) fn sampler_is_faithful(sampler: SamplerBits) -> bool {
    let known = |g: &Group| usize::from(sampler.group(g.shift)) < g.labels.len();
    sampler.reserved() == 0
        && named(sampler.kind())
        && WRITTEN.iter().all(known)
        && known(&FORMAT)
        && usize::from(sampler.special()) < 1 << SPECIAL.len()
}

/// Writes the bytes of a token as 48 hexadecimal digits.
pub(super) fn hex(token: &crate::Token, out: &mut Line<'_>) {
    crate::token::split(token).iter().for_each(|b| out.hex(u64::from(*b), 2));
}
