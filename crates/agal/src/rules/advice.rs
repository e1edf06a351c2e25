//! Advice about a breach: the locations concerned, notes, and what to do.

use super::finding::{Part, span};
use super::operand_text::{component, operand_text, range, register};
use super::state::{Walk, named};
use super::tokens::writers;
use crate::operand::B;
use crate::shape::Want;
use crate::{Agal, Dest, Effect, LAST_VERSION, MAX_NESTING, RegType, SamplerBits, max_tokens};
use alloc::string::String;
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Stage};
use shisa_rows::Insn;

/// The largest number of locations that one finding points at.
const MAX_LABELS: usize = 5;

/// The register of a finding about a temporary, and the components read.
fn temporary(walk: &Walk<'_>, part: Part) -> (u16, Mask) {
    let source = walk.source_bits(part);
    let read = if source.indirect() { 1 << source.index_component() } else { named(source.swizzle()) };
    (source.number(), Mask(read))
}

fn unwritten(walk: &Walk<'_>, number: u16, part: Part, d: Diagnostic) -> Diagnostic {
    let (register_number, read) = temporary(walk, part);
    let name = register(RegType::TEMPORARY, register_number, walk.stage);
    let last = max_tokens(walk.version) as u32 + 1;
    let mut d = d;
    let mut later = None;
    for (token, mask) in
        writers(walk, RegType::TEMPORARY, register_number).take_while(|(token, _)| *token <= last)
    {
        if token < walk.number && d.labels.len() < MAX_LABELS {
            d = d.at_bytes(span(token, Some(Part::Destination)), format!("writes {name}.{mask:?}"));
        } else if token >= walk.number && later.is_none() && mask.0 & read.0 != 0 {
            later = Some(token);
        }
    }
    if number == 3648 {
        let written = walk.temporaries.get(usize::from(register_number)).copied().unwrap_or(0);
        let (missing, have) = (Mask(read.0 & !written), Mask(written));
        d = d.help(format!("write {name}.{missing:?} first, or read only .{have:?}"));
        let source = walk.source_bits(part);
        if !source.indirect() && source.swizzle() == shisa_ir::Swizzle::IDENTITY {
            d = d.note(format!(
                "without a swizzle {name} names all four components, whatever the write mask is"
            ));
        }
    } else {
        let written: Vec<_> = (0u16..)
            .zip(walk.temporaries)
            .filter(|(_, m)| *m != 0)
            .map(|(n, _)| register(RegType::TEMPORARY, n, walk.stage))
            .collect();
        d = match written.len() {
            0 => d.help(format!("no temporary has been written so far: write {name} first")),
            _ => d.help(format!("write {name} first; written so far: {}", written.join(", "))),
        };
    }
    match later {
        Some(token) if token == walk.number => {
            d.note(format!("token {token} writes {name} only after it has read it"))
        }
        Some(token) => d.note(format!("token {token} writes {name}, but later")),
        None => d,
    }
}

/// Adds labels, notes and help.
pub(super) fn advise(walk: &Walk<'_>, number: u16, part: Option<Part>, d: Diagnostic) -> Diagnostic {
    let name = walk.form.map_or("?", |f| f.name);
    let operand = part.unwrap_or(Part::Source1);
    let source = walk.source_bits(if operand == Part::Source2 { Part::Source2 } else { Part::Source1 });
    let sampler = SamplerBits(walk.word[2]);
    let effect = walk.form.map(|f| f.attr.effect);
    match number {
        3620 if walk.form.is_some() => d.help(format!("{name} came with AGAL {}", since(walk))),
        3620 => d.help(format!(
            "opcodes of AGAL {} go up to {}; one above often means that the tokens are misaligned",
            walk.version,
            if walk.version < LAST_VERSION { "0x2d (sne)" } else { "0x2e (tld)" }
        )),
        3621 if walk.form.is_some() => {
            d.help(format!("{name} needs AGAL {}: raise the version", since(walk)))
        }
        3621 => d.help("0x22 to 0x25 were never given to an instruction"),
        3622 if effect == Some(Effect::Discard) => d.help("discard in the fragment program; pass it the value in a varying"),
        3622 if effect.is_some_and(Effect::samples) => {
            d.help("read the texture in the fragment program, or use tld in AGAL 4")
        }
        3622 => d.help(format!("move {name} to the fragment program")),
        3623 => d.help("remove this eif, or open a condition with ife, ine, ifg or ifl before it"),
        3624 => d.help(format!(
            "conditions nest at most {MAX_NESTING} deep: combine conditions with mul, min or max first"
        )),
        3625 if walk.form.is_some_and(|f| f.operand(B).is_some()) => both_constant(walk, d),
        3625 => d
            .at_bytes(span(walk.number, Some(Part::Source1)), "a constant")
            .help(format!("compute {name} of the constant in the application and pass the result, or mov it to a temporary first")),
        3626 => d.help("mov one of the two to a temporary first"),
        3627 => d.help(format!("{name} writes nothing: set bytes 4 to 7 of the token to zero")),
        3628 if Dest::of(walk.word).kind() == RegType::OUTPUT => d.help(format!(
            "{name} gives three components and an output needs four: write a temporary with .xyz, set its w, then mov"
        )),
        3628 => d.help(format!("{name} gives x, y and z: write with the mask .xyz")),
        3629 => d.help(format!(
            "AGAL {} takes {} tokens: shorten the program{}",
            walk.version,
            max_tokens(walk.version),
            if walk.version < 3 { ", or raise the version" } else { "" }
        )),
        3636 => d.help(unused(walk, operand)),
        3637 => d.help("a vertex program reads textures with tld and vs0 to vs3, in AGAL 4"),
        3638 if sampler_instruction(walk) => d.help("the coordinate comes first, the sampler second"),
        3638 => d.help("read the texture with tex into a temporary and use that"),
        3639 => d.help("pass the value chosen in the vertex program through a varying, or keep the table in a texture"),
        3640 => d.help("only vc can be indexed: vc[va0.x+4]"),
        3641 => d.help("mov the coordinate to a temporary first"),
        3642 => d.help("the index comes from va, vc or vt: mov it to a temporary first"),
        3643 => d.help("set the indirect bit (bit 63), or clear bits 16 to 23, 40 to 43 and 48 to 49"),
        3644 => d.help("keep the value in a temporary too and read that; mov it to the varying at the end"),
        3645 => d.help(format!(
            "in the vertex program: mov v0, va{}; here read v0 (the varying of your choice)",
            source.number()
        )),
        3646 => d.help("compute in a temporary, read that, and mov it to the output at the end"),
        3647 | 3648 => unwritten(walk, number, operand, d),
        3649 => d.help("write a temporary; the application sets samplers"),
        3650 => d.help("write a temporary; the vertex program writes varyings"),
        3651 => d.help("write a temporary; the application sets attributes"),
        3652 => d.help("write a temporary; the application sets constants"),
        3653 => d.help("write at least one component, or leave the token out"),
        3654 if part == Some(Part::Destination) => {
            d.help("bits 20 to 23 and 28 to 31 of a destination are zero")
        }
        3654 => d.help("bits 36 to 39, 44 to 47 and 50 to 62 of a source are zero"),
        3655 if source.kind() == RegType::INSTANCE => {
            d.help("there is one instance number, iid; its register number is 0")
        }
        3655 => d.help("register kinds are 0 va, 1 vc or fc, 2 vt or ft, 3 op or oc, 4 v, 5 fs, from AGAL 2 on 6 fd, from AGAL 3 on 7 iid"),
        3656..=3661 | 3749 => d.help(bounds(walk, number, operand)),
        3662 => d.help("write clamp, or leave the wrap mode out"),
        3664 => d.help("dimensions are 2d (0) and cube (1); a rectangle texture is read as 2d"),
        3665 | 3667 if walk.version == 1 => d.help(format!(
            "AGAL 1 knows 0 and 1; {} need AGAL 2",
            if number == 3665 { "anisotropic filters" } else { "different modes for u and v" }
        )),
        3665 => d.help("filters are 0 nearest, 1 linear, 2 to 5 anisotropic 2x to 16x"),
        3666 => d.help("mip modes are 0 none, 1 nearest, 2 linear"),
        3667 => d.help("wrap modes are 0 clamp, 1 repeat, 2 clamp_u_repeat_v, 3 repeat_u_clamp_v"),
        3668 if walk.version == 1 => d
            .help("leave centroid, single and ignoresampler out of AGAL 1 programs")
            .note("Adobe's validator of 2012 refuses every flag; later players take ignoresampler"),
        3668 => d.help("flags are 1 centroid, 2 single, 4 ignoresampler"),
        3689 => d.help(format!("write {} without a swizzle", operand_text(walk, Part::Source2))),
        3693 => d.help(format!("{name} wants the coordinate first and a sampler second, as in {name} ft0, v0, fs0 <2d,linear>")),
        3696 => sampler_differs(walk, sampler, d),
        3701 => d.help("gather the components in a temporary and write the colour once with mov"),
        3703 => d.help(format!(
            "name one component, as in {}.{}",
            operand_text(walk, operand),
            component(source.swizzle().get(0))
        )),
        3726 => d.help("raise the version in the header to 2 (profile standardConstrained or standard)"),
        3739 => d.help("close the condition with eif"),
        3740 => d.help("leave the bias out, or use tex"),
        3741 => d.help("read the texture before the condition, or take the coordinate straight from a varying, or use ted"),
        3742 => d.help(format!("compute {name} before the condition and keep it in a temporary")),
        3743 => d.help("write mipnearest or miplinear"),
        3744 => colour_twice(walk, d),
        3748 => d
            .at_bytes(span(walk.number.saturating_sub(1), Some(Part::Opcode)), "the branch begins here")
            .help("put an instruction into the branch; leave out an els that has none; of an if with only an els, reverse the condition"),
        3750 => d.help("write the depth in the fragment program; the position's z decides it otherwise"),
        3751 => d.help("write a temporary in the condition and mov it to the output after eif"),
        3752 => d.help("an els follows ife, ine, ifg or ifl, once, before eif"),
        3756 => d.help("write fd.x"),
        3758 => d.help("compare with another register, or take out the condition"),
        3775 => d.help(format!("written: {}; number the colours from oc on without a gap", colours(walk.colours))),
        3786 => d.help("write a temporary; the instance number is set by drawTrianglesInstanced"),
        3788 => d.help("in the vertex program: mov v0, iid; here read v0 (the varying of your choice)"),
        3789 => d.help("raise the version in the header to 3 (profile standardExtended)"),
        3803 => d.help("use tex in fragment programs"),
        3804 => d.help("use nearest or linear"),
        3805 => d.help("raise the version in the header to 4 (profile enhanced)"),
        _ => d,
    }
}

fn since(walk: &Walk<'_>) -> u8 {
    walk.form.map_or(1, |f| f.attr.since)
}

fn sampler_instruction(walk: &Walk<'_>) -> bool {
    walk.form.is_some_and(|f| f.attr.wants.b == Want::Sampler)
}

fn both_constant(walk: &Walk<'_>, d: Diagnostic) -> Diagnostic {
    let mut d = d;
    for part in [Part::Source1, Part::Source2] {
        d = d.at_bytes(span(walk.number, Some(part)), format!("{}, a constant", operand_text(walk, part)));
    }
    d.help("mov one of the two to a temporary first, or compute the result in the application and pass it in a constant")
}

fn unused(walk: &Walk<'_>, part: Part) -> String {
    let name = walk.form.map_or("?", |f| f.name);
    let none = walk.form.is_none_or(|f| f.attr.wants.a == Want::Nothing);
    let bytes = if part == Part::Source1 { "8 to 15" } else { "16 to 23" };
    let has = if none { "no source" } else { "one source" };
    format!("{name} has {has}: set bytes {bytes} of the token to zero")
}

/// The registers that exist, for a number out of range.
fn bounds(walk: &Walk<'_>, number: u16, part: Part) -> String {
    let source = walk.source_bits(part);
    let (kind, stage) = match (number, part) {
        (3656, _) if walk.version < 4 => (RegType::SAMPLER, Stage::Fragment),
        (3656, _) => (RegType::SAMPLER, walk.stage),
        (3657, _) => (RegType::VARYING, walk.stage),
        (3658, _) => (RegType::ATTRIBUTE, Stage::Vertex),
        (3659, Part::Destination) => return "constants are not written at all: write a temporary".into(),
        (3659, _) => (RegType::CONSTANT, walk.stage),
        (3660, _) => (RegType::OUTPUT, walk.stage),
        (3661, _) => (RegType::TEMPORARY, walk.stage),
        _ => (RegType::DEPTH, Stage::Fragment),
    };
    let have = range(walk, kind, stage);
    match walk.form.map(|f| f.attr.wants.b) {
        Some(Want::Matrix(rows)) if part == Part::Source2 && !source.indirect() => {
            let last = source.number().saturating_add(u16::from(rows) - 1);
            let (from, to) = (register(kind, source.number(), walk.stage), register(kind, last, walk.stage));
            format!("the matrix takes {from} to {to}; {have}")
        }
        _ => have,
    }
}

fn sampler_differs(walk: &Walk<'_>, sampler: SamplerBits, d: Diagnostic) -> Diagnostic {
    let first = walk.samplers.get(usize::from(sampler.number())).copied().unwrap_or(0);
    let before = SamplerBits(first);
    let fields: [(&str, bool); 7] = [
        ("filter", before.filter() != sampler.filter()),
        ("mip mode", before.mip() != sampler.mip()),
        ("wrap mode", before.wrap() != sampler.wrap()),
        ("dimension", before.dimension() != sampler.dimension()),
        ("format", before.format() != sampler.format()),
        ("bias", before.bias() != sampler.bias()),
        ("special flags", before.special() != sampler.special()),
    ];
    let mut names: Vec<_> = fields.iter().filter(|f| f.1).map(|f| f.0).collect();
    if names.is_empty() {
        names.push("reserved bits");
    }
    let is_first = |w: &&crate::Token| {
        w[2] == first && Insn::<Agal>::decode(**w).is_some_and(|i| i.form().attr.wants.b == Want::Sampler)
    };
    let at = walk.program.tokens.iter().position(|w| is_first(&w));
    let d = match at {
        Some(i) => d.at_bytes(span(i as u32 + 1, Some(Part::Source2)), "first use"),
        None => d,
    };
    let name = register(RegType::SAMPLER, sampler.number(), walk.stage);
    d.help(format!(
        "{name} differs from its first use in: {}; give both the same options, or use another sampler",
        names.join(", ")
    ))
}

fn colour_twice(walk: &Walk<'_>, d: Diagnostic) -> Diagnostic {
    let dest = Dest::of(walk.word);
    let first = writers(walk, RegType::OUTPUT, dest.number()).next();
    let d = match first {
        Some((token, _)) => d.at_bytes(span(token, Some(Part::Destination)), "first written here"),
        None => d,
    };
    d.help("compute the colour in a temporary and write it once, at the end")
}

fn colours(mask: u8) -> String {
    let names =
        (0..8u16).filter(|n| mask >> n & 1 != 0).map(|n| register(RegType::OUTPUT, n, Stage::Fragment));
    names.collect::<Vec<_>>().join(", ")
}
