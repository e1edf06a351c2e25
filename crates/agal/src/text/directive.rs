//! Syntax that no assembler of Adobe's has: the first line, `.token`, `.bytes`, `.header` and `{raw …}`.
//!
//! With it, the listing of every program, however malformed, assembles to the same bytes.

use super::assembler::{Assembler, SourceLine};
use super::disassemble;
use super::error::error;
use crate::token::{TOKEN_BYTES, fuse};
use crate::{Ctx, HEADER_BYTES, Token};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Span};
use shisa_ir::Stage;
use shisa_rows::Line;

/// The contents of the first line: `// agal 2 fragment`, optionally with `, unchecked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstLine {
    pub(crate) version: u32,
    pub(crate) stage: Stage,
    pub(crate) unchecked: bool,
    pub(crate) span: Span,
}

impl FirstLine {
    /// Reads the first line that is not blank.
    pub(crate) fn of(source: &str) -> Option<FirstLine> {
        let text = source.trim_start_matches('\u{feff}').trim_ascii_start();
        let line = text.split(['\n', '\r']).next()?.trim_ascii_end();
        let start = source.len() - text.len();
        let words = line.strip_prefix("//")?.trim_ascii_start().strip_prefix("agal ")?;
        let (version, rest) = words.trim_ascii_start().split_once(' ')?;
        let rest = rest.trim_ascii_start();
        let name = rest.split(|c: char| !c.is_ascii_alphabetic()).next()?;
        let stage = [Stage::Vertex, Stage::Fragment].into_iter().find(|s| s.name() == name)?;
        let unchecked = rest.get(name.len()..)?.starts_with(", unchecked");
        let span = Span::new(start, start + line.len());
        Some(FirstLine { version: version.parse().ok()?, stage, unchecked, span })
    }
}

/// Hexadecimal bytes, in pairs of digits, with optional blanks between them. A leading `0x` is skipped.
pub(super) fn hex(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let digits = text.strip_prefix("0x").unwrap_or(text).bytes().filter(|b| !b.is_ascii_whitespace());
    let (mut bytes, mut half) = (Vec::new(), None);
    for d in digits {
        let d = char::from(d).to_digit(16)? as u8;
        match half.take() {
            None => half = Some(d),
            Some(high) => bytes.push(high << 4 | d),
        }
    }
    half.is_none().then_some(bytes)
}

/// The token from 48 hexadecimal digits, in the order of the bytes.
pub(super) fn hex_token(text: &str) -> Option<Token> {
    let bytes: [u8; TOKEN_BYTES] = hex(text)?.try_into().ok()?;
    Some(fuse(&bytes))
}

/// Reads a line with a directive or a brace.
pub(super) fn read(asm: &mut Assembler<'_>, line: SourceLine<'_>) {
    if let Err(d) = directive(asm, line) {
        asm.skip();
        asm.sink.push(d);
    }
}

fn directive(asm: &mut Assembler<'_>, line: SourceLine<'_>) -> Result<(), Diagnostic> {
    let (name, value) = line.code.split_once([' ', '\t']).unwrap_or((line.code, ""));
    let place = Span::new(line.start, line.start + line.code.len());
    match name {
        ".bytes" => {
            let bytes =
                hex(value).ok_or_else(|| error("asm-directive", ".bytes takes hexadecimal bytes", place))?;
            asm.program.trailing.extend(bytes);
        }
        ".header" => {
            let bytes = hex(value).filter(|b| b.len() <= HEADER_BYTES);
            let wrong = || error("asm-directive", ".header takes at most 7 hexadecimal bytes", place);
            asm.header = Some(bytes.ok_or_else(wrong)?);
        }
        _ => {
            let token = token(line.code, line.start, asm.ctx)?;
            if !asm.program.trailing.is_empty() {
                return Err(error("asm-directive", "a token after .bytes", place));
            }
            asm.push(token, line);
        }
    }
    Ok(())
}

/// Reads `.token` or an instruction with raw bits.
pub(super) fn token(code: &str, start: usize, ctx: Ctx<'_>) -> Result<Token, Diagnostic> {
    let place = Span::new(start, start + code.len());
    let (name, value) = code.split_once([' ', '\t']).unwrap_or((code, ""));
    if !name.starts_with('.') {
        return raw(code, start, ctx);
    }
    if name != ".token" {
        return Err(error("asm-directive", format!("unknown directive \"{name}\""), place)
            .help("directives are .token, .bytes and .header"));
    }
    hex_token(value).ok_or_else(|| error("asm-directive", ".token takes 48 hexadecimal digits", place))
}

/// Reads `add ft0, v0, v1 {raw 0100…}`: the raw bits are used, and the text must be equal to their printed text.
fn raw(code: &str, start: usize, ctx: Ctx<'_>) -> Result<Token, Diagnostic> {
    let (text, braced) = code.split_at(code.find('{').unwrap_or(code.len()));
    let digits = braced.strip_prefix("{raw ").and_then(|r| r.strip_suffix('}'));
    let Some(token) = digits.and_then(hex_token) else {
        let place = Span::new(start + text.len(), start + code.len());
        return Err(error("asm-raw", "{raw …} with 48 hexadecimal digits is expected", place));
    };
    let mut printed = Vec::new();
    disassemble::print_token(&token, ctx, &mut Line::new(&mut printed));
    let printed = String::from_utf8(printed).unwrap_or_default();
    if printed.split(" {raw").next() != Some(text.trim_ascii_end()) {
        return Err(error("asm-raw", "the text and the raw bits differ", start..start + code.len())
            .note(format!("the bits are printed as {printed}"))
            .help("remove {raw …} to assemble the text, or the text to assemble the bits"));
    }
    Ok(token)
}
