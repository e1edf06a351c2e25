//! Listings: text that assembles to the same bytes, whatever they are.

use super::adobe;
use super::print::hex;
use crate::token::{TOKEN_BYTES, fuse};
use crate::{Agal, Ctx, HEADER_BYTES, LAST_VERSION, Options, Program, Token};
use alloc::{string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::Stage;
use shisa_rows::{Insn, Line, Printer, Word};

/// The tool whose syntax is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// AGALMiniAssembler's, with additions that make it assemble to the same bytes.
    #[default]
    Agal,
    /// The syntax of the disassembler in Adobe's C++ tools, for AGAL 1.
    Adobe,
}

/// How to disassemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisOptions {
    /// The syntax.
    pub syntax: Syntax,
    /// Shows each token's offset in the file, as a comment after it.
    pub offsets: bool,
    /// Shows each token's bytes, as a comment after it.
    pub bytes: bool,
}

/// Column of the comments after tokens.
const COMMENT: usize = 48;

/// Any bytes, treated as a program: a header that is not valid is stored separately.
struct Parts<'b> {
    /// The bytes at the header's position, if they are not a valid header.
    header: Option<&'b [u8]>,
    version: u32,
    stage: Stage,
    body: &'b [u8],
}

impl<'b> Parts<'b> {
    fn of(bytes: &'b [u8]) -> Self {
        let (header, body) = bytes.split_at(bytes.len().min(HEADER_BYTES));
        let at = |i: usize| header.get(i).copied().unwrap_or(0);
        let version = u32::from_le_bytes([at(1), at(2), at(3), at(4)]);
        let stage = if at(6) == 0 { Stage::Vertex } else { Stage::Fragment };
        let header = (!Program::sniff(header)).then_some(header);
        Parts { header, version, stage, body }
    }
}

/// The listing of a program. Any bytes have a listing, which assembles to the same bytes.
///
/// # Errors
/// `limit-exceeded`.
pub fn disassemble(bytes: &[u8], options: &DisOptions, limits: &Limits) -> Result<String, Diagnostic> {
    limits.check(Limit::File, "bytes of a program", bytes.len())?;
    let parts = Parts::of(bytes);
    limits.check(Limit::Instructions, "tokens", parts.body.len() / TOKEN_BYTES)?;
    let choices = Options::default();
    let ctx = Ctx { version: parts.version, stage: parts.stage, options: &choices };
    let mut text = Vec::with_capacity((bytes.len() + 64).min(limits.text_out));
    let mut out = Line::new(&mut text);
    match options.syntax {
        Syntax::Agal => first_line(bytes, &parts, limits, &mut out),
        Syntax::Adobe => adobe::first_line(ctx, &mut out),
    }
    let (tokens, trailing) = parts.body.as_chunks::<TOKEN_BYTES>();
    for (i, chunk) in tokens.iter().enumerate() {
        let (token, start) = (fuse(chunk), out.written());
        match options.syntax {
            Syntax::Agal => print_token(&token, ctx, &mut out),
            Syntax::Adobe => adobe::print_token(&token, ctx, &mut out),
        }
        if options.offsets || options.bytes {
            comment(&token, HEADER_BYTES + i * TOKEN_BYTES, start, options, &mut out);
        }
        out.end();
        limits.check(Limit::TextOut, "bytes of text", out.written())?;
    }
    if !trailing.is_empty() && options.syntax == Syntax::Agal {
        directive(".bytes", trailing, &mut out);
    }
    limits.check(Limit::TextOut, "bytes of text", out.written())?;
    drop(out);
    Ok(String::from_utf8(text).unwrap_or_default())
}

/// Writes `// agal 1 fragment`, and directives for a header that needs more.
fn first_line(bytes: &[u8], parts: &Parts<'_>, limits: &Limits, out: &mut Line<'_>) {
    let known = parts.header.is_none() && (1..=LAST_VERSION).contains(&parts.version);
    let sound = known && super::findings::obeys(bytes, limits);
    out.text("// agal ");
    out.dec(u64::from(parts.version));
    out.byte(b' ');
    out.text(parts.stage.name());
    out.text(if sound { "" } else { ", unchecked" });
    out.end();
    if let Some(header) = parts.header {
        directive(".header", header, out);
    }
}

fn directive(name: &str, bytes: &[u8], out: &mut Line<'_>) {
    out.text(name);
    for b in bytes {
        out.byte(b' ');
        out.hex(u64::from(*b), 2);
    }
    out.end();
}

/// Writes a token's text, and its raw bits if the text does not determine all of them.
pub fn print_token(token: &Token, ctx: Ctx<'_>, out: &mut Line<'_>) {
    token_by(token, out, |insn, out| {
        shisa_rows::print(insn, ctx, out);
        shisa_rows::faithful(insn, ctx)
    });
}

/// The same, for many tokens.
pub(super) fn print_next(token: &Token, ctx: Ctx<'_>, printer: &mut Printer<Agal>, out: &mut Line<'_>) {
    token_by(token, out, |insn, out| {
        let (unknown, faithful) = printer.print_told(insn, ctx, out);
        faithful && unknown.is_zero()
    });
}

/// The same, where `print` writes an instruction and returns whether its text determines all bits.
fn token_by(token: &Token, out: &mut Line<'_>, print: impl FnOnce(&Insn<Agal>, &mut Line<'_>) -> bool) {
    let Some(insn) = Insn::<Agal>::decode(*token) else {
        out.text(".token ");
        return hex(token, out);
    };
    if !print(&insn, out) {
        out.text(" {raw ");
        hex(token, out);
        out.byte(b'}');
    }
}

fn comment(token: &Token, offset: usize, start: usize, options: &DisOptions, out: &mut Line<'_>) {
    (out.written() - start..COMMENT).for_each(|_| out.byte(b' '));
    out.text(" //");
    if options.offsets {
        out.byte(b' ');
        out.hex(offset as u64, 6);
    }
    if options.bytes {
        out.byte(b' ');
        hex(token, out);
    }
}
