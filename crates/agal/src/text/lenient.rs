//! Assembles like AGALMiniAssembler, byte for byte.
//!
//! That tool searches each line for text that it knows, and ignores the rest. It skips lines that do not begin with
//! an opcode, treats whatever looks like a register as an operand, and stops at the first line whose operands are
//! wrong in number or kind. Everything ignored is a warning here, and a fault that makes the tool stop is the only
//! error.

use super::assembler::Assembler;
use super::error::error;
use super::names::{self, RegName};
use super::opcodes;
use crate::operand::{D, SamplerKind};
use crate::{Agal, Ctx, RegType, SamplerBits, Token};
use alloc::{format, string::String, vec::Vec};
use core::any::Any;
use shisa_diag::{Diagnostic, Span};
use shisa_ir::{Stage, Swizzle};
use shisa_rows::{Form, Operand, Scan};

/// Reads the source as AGALMiniAssembler does.
pub(super) fn read(asm: &mut Assembler<'_>) {
    let mut options = Options::default();
    for line in super::assembler::Lines::new(asm.source) {
        let mut reader =
            Reader { ctx: asm.ctx, warnings: Vec::new(), options: &mut options, line: line.number };
        let result = reader.line(line.code, line.start);
        asm.sink.extend(reader.warnings);
        match result {
            Ok(Some(token)) => asm.push(token, line),
            Ok(None) => {}
            Err(d) => return asm.sink.push(d),
        }
        let most = match asm.ctx.version {
            1 => 256,
            2 => 2048,
            _ => 4096,
        };
        if asm.program.tokens.len() > most {
            let at = line.start..line.start + line.code.len();
            return asm.sink.push(error("asm-too-many", format!("more than {most} instructions"), at));
        }
    }
}

/// The sampler options read last. They remain in effect until a line has options again.
#[derive(Default)]
struct Options {
    bits: u64,
    /// The line that had them.
    line: u32,
}

struct Reader<'r, 'c> {
    ctx: Ctx<'c>,
    warnings: Vec<Diagnostic>,
    options: &'r mut Options,
    line: u32,
}

/// Text that looks like an operand.
struct Found<'s> {
    /// The register's letters, at most three.
    name: &'s str,
    /// The text in brackets after it.
    index: Option<&'s str>,
    /// The number after the letters.
    digits: &'s str,
    /// Component letters.
    components: &'s str,
    span: Span,
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Bytes at the start of `text` for which `f` holds, at most `most`.
fn run(text: &str, most: usize, f: impl Fn(u8) -> bool) -> &str {
    let len = text.bytes().take(most).take_while(|b| f(*b)).count();
    text.get(..len).unwrap_or_default()
}

fn after<'s>(text: &'s str, head: &str) -> &'s str {
    text.get(head.len()..).unwrap_or_default()
}

/// The letters of a register: one of v o f i, then perhaps one of a c o s t d i p, then perhaps d.
fn letters(text: &str) -> &str {
    let small = |i: usize| text.as_bytes().get(i).map(u8::to_ascii_lowercase);
    let is = |i: usize, set: &[u8]| small(i).is_some_and(|b| set.contains(&b));
    if !is(0, b"vofi") {
        return "";
    }
    let mut len = 1;
    len += usize::from(is(len, b"acostdip"));
    len += usize::from(is(len, b"d"));
    text.get(..len).unwrap_or_default()
}

/// A dot and up to `most` component letters, in either case.
fn components(text: &str, most: usize) -> &str {
    let Some(rest) = text.strip_prefix('.') else { return "" };
    let letters = run(rest, most, |b| b"xyzw".contains(&b.to_ascii_lowercase()));
    if letters.is_empty() { "" } else { text.get(..=letters.len()).unwrap_or_default() }
}

/// `vc[…]` with an index inside.
fn indirect(text: &str) -> Option<(&str, &str)> {
    let (array, rest) = text.split_at_checked(2).filter(|(a, _)| a.eq_ignore_ascii_case("vc"))?;
    let inside = rest.strip_prefix('[')?;
    let name = letters(inside);
    if name.is_empty() {
        return None;
    }
    let mut rest = after(inside, name);
    rest = after(rest, run(rest, usize::MAX, |b| b.is_ascii_digit()));
    rest = after(rest, components(rest, 1));
    if let Some(offset) = rest.strip_prefix('+') {
        let digits = run(offset, 3, |b| b.is_ascii_digit());
        rest = if digits.is_empty() { rest } else { after(offset, digits) };
    }
    rest.starts_with(']').then(|| (array, inside.get(..inside.len() - rest.len()).unwrap_or_default()))
}

/// The operand at the start of `text`.
fn operand(text: &str, start: usize) -> Option<Found<'_>> {
    let (name, index, rest) = match indirect(text) {
        Some((array, index)) => (array, Some(index), text.get(array.len() + index.len() + 2..)?),
        None => {
            let name = letters(text);
            (name, None, after(text, name))
        }
    };
    if name.is_empty() {
        return None;
    }
    let digits = if index.is_some() { "" } else { run(rest, usize::MAX, |b| b.is_ascii_digit()) };
    let tail = components(after(rest, digits), 4);
    let len = text.len() - after(rest, digits).len() + tail.len();
    // They are found in either case, but only lower-case letters count.
    let small = run(after(tail, "."), 4, |b| b"xyzw".contains(&b));
    Some(Found { name, index, digits, components: small, span: Span::new(start, start + len) })
}

/// A number of decimal digits, as the tool's 32-bit integers hold it.
fn number(digits: &str) -> u32 {
    digits.bytes().fold(0u32, |n, d| n.wrapping_mul(10).wrapping_add(u32::from(d.wrapping_sub(b'0'))))
}

impl Reader<'_, '_> {
    fn warn(&mut self, message: String, at: impl Into<Span>) {
        if self.warnings.len() < Scan::MOST {
            self.warnings.push(Diagnostic::warning("asm-skipped", message).at_text(at, ""));
        }
    }

    /// Reads a line; `None` if the tool skips it.
    fn line(&mut self, code: &str, start: usize) -> Result<Option<Token>, Diagnostic> {
        let open = code.find('<').filter(|open| code.rfind('>').is_some_and(|close| close > *open));
        let (body, options) = code.split_at(open.unwrap_or(code.len()));
        if open.is_some() {
            self.sampler_options(options, start + body.len());
        }
        let whole = start..start + code.len();
        let opcode = run(body, 3, is_word);
        let Some(form) = opcodes::find(opcode) else {
            self.warn("this line is skipped: it does not begin with an opcode".into(), whole);
            return Ok(None);
        };
        self.allowed(form, start..start + opcode.len())?;
        let operands = self.operands(after(body, opcode), start + opcode.len());
        if operands.len() != form.operands.len() {
            let message =
                format!("{} takes {} operands, {} found", form.name, form.operands.len(), operands.len());
            return Err(error("asm-operand-count", message, whole));
        }
        let mut token = form.template();
        for (op, found) in form.operands.iter().zip(&operands) {
            let bits = self.bits(op, found)?;
            op.field.set(&mut token, bits);
        }
        Ok(Some(token))
    }

    /// Checks that the tool has the opcode in this version and stage.
    fn allowed(&self, form: &Form<Agal>, at: core::ops::Range<usize>) -> Result<(), Diagnostic> {
        let since = form.attr.assembled_since;
        if self.ctx.version < u32::from(since) {
            return Err(error("asm-version", format!("{} needs AGAL {since}", form.name), at));
        }
        match form.attr.stage {
            Some(stage) if stage != self.ctx.stage => {
                let message = format!("{} is only allowed in {} programs", form.name, stage.name());
                Err(error("asm-stage", message, at))
            }
            _ => Ok(()),
        }
    }

    /// Everything that looks like an operand.
    fn operands<'s>(&mut self, text: &'s str, start: usize) -> Vec<Found<'s>> {
        let (mut found, mut at, mut passed) = (Vec::new(), 0, None);
        while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
            let operand = operand(rest, start + at);
            let blank = rest.starts_with([' ', '\t', ',']);
            if (operand.is_some() || blank)
                && let Some(from) = passed.take()
            {
                self.passed_over(text, from..at, start);
            }
            match operand {
                Some(operand) => {
                    at += operand.span.end - operand.span.start;
                    found.push(operand);
                }
                None => {
                    if !blank {
                        passed.get_or_insert(at);
                    }
                    at += rest.chars().next().map_or(1, char::len_utf8);
                }
            }
        }
        if let Some(from) = passed {
            self.passed_over(text, from..text.len(), start);
        }
        found
    }

    fn passed_over(&mut self, text: &str, at: core::ops::Range<usize>, start: usize) {
        let words = text.get(at.clone()).unwrap_or_default();
        self.warn(format!("\"{words}\" is skipped"), start + at.start..start + at.end);
    }

    /// The tool's register for a name.
    fn register(&self, found: &Found<'_>) -> Result<RegName, Diagnostic> {
        let Some(reg) = names::register(found.name) else {
            return Err(error(
                "asm-unknown-register",
                format!("unknown register \"{}\"", found.name),
                found.span,
            ));
        };
        let only = match reg.kind {
            RegType::ATTRIBUTE | RegType::INSTANCE => Some(Stage::Vertex),
            RegType::DEPTH => Some(Stage::Fragment),
            _ => reg.only,
        };
        match only {
            Some(stage) if stage != self.ctx.stage => {
                let message = format!("{}{} is a {} register", found.name, found.digits, stage.name());
                Err(error("asm-register-stage", message, found.span))
            }
            _ => Ok(reg),
        }
    }

    /// The number of registers of a kind that the tool accepts.
    fn count(&self, kind: RegType) -> u32 {
        match kind {
            RegType::SAMPLER if self.ctx.stage == Stage::Vertex => 4,
            RegType::SAMPLER => 16,
            RegType::INSTANCE => 1,
            RegType::DEPTH if self.ctx.version < 2 => u32::MAX,
            _ => kind.count(self.ctx.version, self.ctx.stage),
        }
    }

    fn bits(&mut self, op: &Operand<Agal>, found: &Found<'_>) -> Result<u64, Diagnostic> {
        let reg = self.register(found)?;
        if found.index.is_some() && self.ctx.stage != Stage::Vertex {
            let message = "indirect addressing is only allowed in vertex programs";
            return Err(error("asm-indirect", message, found.span));
        }
        // In an index the first digits count, even if they are those of the offset.
        let digits = found.index.map_or(found.digits, |index| {
            let at = index.find(|c: char| c.is_ascii_digit()).unwrap_or(index.len());
            run(index.get(at..).unwrap_or_default(), usize::MAX, |b| b.is_ascii_digit())
        });
        let n = number(digits);
        if n >= self.count(reg.kind) {
            return Err(error("asm-register-range", format!("{}{n} out of range", found.name), found.span));
        }
        let (n, kind) = (u64::from(n as u16), u64::from(reg.kind.0));
        let sampler: &dyn Any = op.kind;
        if op.slot == D {
            if found.index.is_some() {
                return Err(error("asm-indirect", "a destination cannot be indirect", found.span));
            }
            let mask = found.components.bytes().fold(0, |m, c| m | 1 << component(c));
            let mask = if found.components.is_empty() { 15 } else { mask };
            return Ok(n | mask << 16 | kind << 24);
        }
        if sampler.is::<SamplerKind>() {
            if self.options.line != self.line && self.options.bits != 0 {
                let message = format!("the sampler options of line {} apply here too", self.options.line);
                self.warn(message, found.span);
            }
            return Ok(n | u64::from(RegType::SAMPLER.0) << 32 | self.options.bits);
        }
        let parts: Vec<u8> = found.components.bytes().map(component).collect();
        let swizzle = if parts.is_empty() { Swizzle::IDENTITY } else { Swizzle::from_slice(&parts) };
        let index = found.index.map_or(Ok(0), |index| index_bits(index, found.span))?;
        Ok(n | u64::from(swizzle.0) << 24 | kind << 32 | index)
    }

    /// Reads options: everything from `<` to the end of the line that consists of letters, digits and the signs of
    /// numbers.
    fn sampler_options(&mut self, text: &str, start: usize) {
        let (mut bits, mut at) = (0u64, 0);
        let in_option = |b: u8| is_word(b) || matches!(b, b'.' | b'-' | b'+');
        while at < text.len() {
            let word = run(text.get(at..).unwrap_or_default(), usize::MAX, in_option);
            if !word.is_empty() {
                match names::sampler_option(word) {
                    Some(option) => {
                        if option.shift != SamplerBits::SPECIAL_SHIFT {
                            bits &= !(15 << option.shift);
                        }
                        bits |= u64::from(option.value) << option.shift;
                    }
                    None => {
                        let bias = bias(word);
                        if bias.is_none() {
                            self.warn(format!("\"{word}\" is skipped"), start + at..start + at + word.len());
                        }
                        bits = bits & !(0xff << 16) | u64::from(bias.unwrap_or(0)) << 16;
                    }
                }
            }
            at += word.len().max(1);
        }
        *self.options = Options { bits, line: self.line };
    }
}

fn component(letter: u8) -> u8 {
    match letter {
        b'x' => 0,
        b'y' => 1,
        b'z' => 2,
        _ => 3,
    }
}

fn index_bits(index: &str, span: Span) -> Result<u64, Diagnostic> {
    let name = run(index, 3, |b| b.is_ascii_alphabetic());
    let Some(reg) = names::register(name) else {
        return Err(error("asm-unknown-register", format!("unknown index register \"{name}\""), span));
    };
    let dot = index.find('.').and_then(|i| index.as_bytes().get(i + 1));
    let Some(select) = dot.filter(|b| b"xyzw".contains(b)) else {
        return Err(error("asm-index", format!("index \"{index}\" needs a component"), span));
    };
    let offset = index.split_once('+').map_or(0, |(_, digits)| number(digits));
    let Ok(offset) = u8::try_from(offset) else {
        return Err(error("asm-offset", format!("offset {offset} does not fit 0 to 255"), span));
    };
    Ok(u64::from(offset) << 16 | u64::from(reg.kind.0) << 40 | u64::from(component(*select)) << 48 | 1 << 63)
}

/// The bias byte of a number; `None` for a word that is not a number.
fn bias(word: &str) -> Option<u8> {
    let value = match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()? as f64,
        None => word.parse::<f64>().ok().filter(|v| v.is_finite())?,
    };
    // Beyond 2^61 the low byte of the number of eighths is zero anyway.
    let eighths = value * 8.0;
    Some(if (-9e18..9e18).contains(&eighths) { eighths as i64 as u8 } else { 0 })
}
