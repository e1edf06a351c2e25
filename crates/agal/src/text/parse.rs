//! Parses operands.

use super::error::error;
use super::names::{self, RegName};
use crate::{Ctx, Dest, RegType, SamplerBits, Source};
use alloc::{format, string::String};
use shisa_diag::{Diagnostic, Span};
use shisa_ir::{Mask, Stage, Swizzle};
use shisa_rows::{LETTERS, Scan};

/// A register as read: its kind, and its number if one was written.
#[derive(Clone, Copy, Debug)]
struct Register {
    kind: RegType,
    number: Option<u16>,
}

/// The registers of a kind in words: `AGAL 1 has ft0 to ft7`.
pub(crate) fn extent(kind: RegType, version: u32, stage: Stage) -> String {
    let name = kind.name(stage).unwrap_or("?");
    match kind.count(version, stage) {
        0 => format!("AGAL {version} has no {name}"),
        1 if kind == RegType::OUTPUT && stage != Stage::Vertex => format!("AGAL {version} has only oc"),
        1 => format!("AGAL {version} has only {name}"),
        n => format!("AGAL {version} has {name}0 to {name}{}", n - 1),
    }
}

/// Reads a register's name and number.
fn register(text: &mut Scan<'_>, ctx: Ctx<'_>) -> Result<Register, Diagnostic> {
    let start = text.pos();
    let name = text.take(|b| b.is_ascii_lowercase());
    let Some(RegName { kind, only }) = names::register(name) else {
        text.rewind(start);
        return Err(unknown_register(text));
    };
    let number = text.dec().map(u16::try_from);
    if text.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii()) {
        text.rewind(start);
        return Err(unknown_register(text));
    }
    if only.is_some_and(|only| only != ctx.stage) {
        let place = text.since(start);
        text.rewind(start);
        let written = text.word();
        let own = kind.name(ctx.stage).unwrap_or("?");
        let stage = if ctx.stage == Stage::Vertex { "fragment" } else { "vertex" };
        let d = error("asm-register-stage", format!("{written} is a {stage} register"), place)
            .help(format!("registers of this kind are called {own} in {} programs", ctx.stage.name()));
        return Err(match text.peek() {
            Some(b'[') => d.note("indirect addressing is only allowed in vertex programs (#3639)"),
            _ => d,
        });
    }
    match number.transpose() {
        Ok(number) => Ok(Register { kind, number }),
        Err(_) => {
            let place = text.since(start);
            text.rewind(start);
            let message = format!("{} out of range: {}", text.word(), extent(kind, ctx.version, ctx.stage));
            Err(error("asm-register-range", message, place))
        }
    }
}

fn unknown_register(text: &mut Scan<'_>) -> Diagnostic {
    let start = text.pos();
    let word = text.take(|b| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii());
    if word.is_empty() {
        let found = text.any().map_or_else(|| "the end of the line".into(), |c| format!("\"{c}\""));
        return error("asm-operand", format!("expected a register, found {found}"), text.since(start));
    }
    let small = word.to_ascii_lowercase();
    let stem = small.trim_end_matches(|c: char| c.is_ascii_digit());
    let place = text.since(start);
    if small != word && names::register(stem).is_some() {
        let message = format!("unknown register \"{word}\"; registers are written in lower case");
        return error("asm-unknown-register", message, place).write(&small);
    }
    let d = error("asm-unknown-register", format!("unknown register \"{word}\""), place);
    match shisa_rows::nearest(stem, names::REGISTERS.iter().copied()) {
        Some(name) => d.did_you_mean(&format!("{name}{}", &small[stem.len()..])),
        None => d,
    }
}

/// Reads a dot and up to four component letters; `None` without a dot.
fn components(text: &mut Scan<'_>, what: &str) -> Result<Option<([u8; 4], usize)>, Diagnostic> {
    let start = text.pos();
    if !text.eat(b'.') {
        return Ok(None);
    }
    let word = text.take(|b| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii());
    let (mut parts, mut n) = ([0; 4], 0);
    for c in word.bytes() {
        let Some(i) = LETTERS.iter().position(|l| *l == c) else {
            return Err(unknown_component(word, text.since(start)));
        };
        if let Some(part) = parts.get_mut(n) {
            *part = i as u8;
        }
        n += 1;
    }
    match n {
        0 => Err(error("asm-component", "components are expected after the dot", text.since(start))),
        1..=4 => Ok(Some((parts, n))),
        _ => Err(error("asm-component", format!("a {what} has at most 4 letters"), text.since(start))),
    }
}

fn unknown_component(word: &str, place: Span) -> Diagnostic {
    let colours: String = word.chars().filter_map(|c| Some(char::from(LETTERS["rgba".find(c)?]))).collect();
    if colours.len() == word.len() {
        return error("asm-component", format!("\".{word}\": components are x y z w here"), place)
            .write(&format!(".{colours}"));
    }
    let is_letter = |c: &char| "xyzw".contains(*c);
    let small = word.to_ascii_lowercase();
    if small.chars().all(|c| is_letter(&c)) {
        let message = format!("\".{word}\": components are written in lower case");
        return error("asm-component", message, place).write(&format!(".{small}"));
    }
    let c = word.chars().find(|c| !is_letter(c)).unwrap_or_default();
    error("asm-component", format!("unknown component \"{c}\" in \".{word}\""), place)
        .help("components are x, y, z and w")
}

/// Reads a destination.
pub(crate) fn parse_dest(text: &mut Scan<'_>, ctx: Ctx<'_>) -> Result<Dest, Diagnostic> {
    let start = text.pos();
    let reg = register(text, ctx)?;
    if text.peek() == Some(b'[') {
        text.take(|b| b != b']');
        text.eat(b']');
        return Err(error("asm-indirect", "a destination cannot be indirect", text.since(start)));
    }
    let mask = components(text, "mask")?
        .map_or(Mask::ALL, |(parts, n)| Mask(parts[..n].iter().fold(0, |m, i| m | 1 << i)));
    let number = u32::from(reg.number.unwrap_or(0));
    Ok(Dest(number | u32::from(mask.0) << 16 | u32::from(reg.kind.0) << 24))
}

/// Reads a source.
pub(crate) fn parse_source(text: &mut Scan<'_>, ctx: Ctx<'_>) -> Result<Source, Diagnostic> {
    let reg = register(text, ctx)?;
    let mut bits = u64::from(reg.kind.0) << 32;
    if text.peek() == Some(b'[') {
        if let Some(n) = reg.number {
            let at = text.pos();
            return Err(error("asm-indirect", format!("\"{n}\" before \"[\" is not allowed"), at..at + 1)
                .help("write the number after the index, as in vc[va0.x+4]"));
        }
        bits |= index(text, ctx)?;
    } else {
        bits |= u64::from(reg.number.unwrap_or(0));
    }
    let swizzle =
        components(text, "swizzle")?.map_or(Swizzle::IDENTITY, |(parts, n)| Swizzle::from_slice(&parts[..n]));
    Ok(Source(bits | u64::from(swizzle.0) << 24))
}

/// Reads `[va0.x+4]`: the index fields of a source.
fn index(text: &mut Scan<'_>, ctx: Ctx<'_>) -> Result<u64, Diagnostic> {
    let open = text.pos();
    if !text.rest().contains(']') {
        text.finish();
        return Err(error("asm-bracket", "\"[\" without \"]\"", text.since(open)));
    }
    text.eat(b'[');
    let start = text.pos();
    let reg = register(text, ctx)?;
    let (place, at) = (text.since(start), text.pos());
    text.rewind(start);
    let written = text.take(|b| b.is_ascii_alphanumeric());
    text.rewind(at);
    let Some(number) = reg.number else {
        if reg.kind == RegType::INSTANCE {
            let message = "\"iid\" cannot be an index: an index is a component of va, vc or vt";
            return Err(error("asm-index", message, place)
                .help("mov it to a temporary first: mov vt0, iid and then vc[vt0.x+1]"));
        }
        // Adobe's tool uses the first digits it finds, which may be those of the offset.
        return Err(error("asm-index", format!("index \"{written}\" needs a number"), place)
            .write(&format!("{written}0")));
    };
    let component = match components(text, "component")? {
        Some((parts, 1)) => parts[0],
        Some(_) => {
            let message = "an index is one component";
            return Err(error("asm-index", message, text.since(start)));
        }
        None => {
            let offset = text.take(|b| b != b']');
            let message = format!("index \"{written}\" needs a component, as in vc[{written}.x{offset}]");
            return Err(error("asm-index", message, place));
        }
    };
    let offset = offset(text)?;
    if !text.eat(b']') {
        let at = text.pos();
        let rest = text.take(|b| b != b']');
        return Err(error("asm-index", format!("unexpected \"{rest}\" in an index"), text.since(at)));
    }
    Ok(u64::from(number)
        | u64::from(offset) << 16
        | u64::from(reg.kind.0) << 40
        | u64::from(component) << 48
        | 1 << 63)
}

fn offset(text: &mut Scan<'_>) -> Result<u8, Diagnostic> {
    let start = text.pos();
    if text.eat(b'-') {
        text.take(|b| b.is_ascii_digit());
        return Err(error("asm-offset", "offsets cannot be negative here", text.since(start))
            .help("offsets are 0 to 255"));
    }
    if !text.eat(b'+') {
        return Ok(0);
    }
    let Some(n) = text.dec() else {
        return Err(error("asm-offset", "a number is expected after \"+\"", text.since(start)));
    };
    u8::try_from(n)
        .map_err(|_| error("asm-offset", format!("offset {n} does not fit 0 to 255"), text.since(start)))
}

/// Reads a sampler and its options.
pub(crate) fn parse_sampler(text: &mut Scan<'_>, ctx: Ctx<'_>) -> Result<SamplerBits, Diagnostic> {
    let reg = register(text, ctx)?;
    let end = text.pos();
    let mut bits = u64::from(reg.kind.0) << 32 | u64::from(reg.number.unwrap_or(0));
    if text.blanks().peek() == Some(b'<') {
        bits |= super::sampler::parse_options(text)?;
    } else {
        text.rewind(end);
    }
    Ok(SamplerBits(bits))
}
