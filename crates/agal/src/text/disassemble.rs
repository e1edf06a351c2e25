//! Listings: text that assembles to the same bytes, whatever they are.

use super::adobe;
use crate::token::{TOKEN_BYTES, fuse, split};
use crate::{Agal, Ctx, HEADER_BYTES, LAST_VERSION, Options, Program, Token};
use alloc::{string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Stage;
use shisa_rows::{Insn, Line};

/// Whose text to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// AGALMiniAssembler's, with what it takes to come back to the same bytes.
    #[default]
    Agal,
    /// That of the disassembler in Adobe's C++ tools, for AGAL 1.
    Adobe,
}

/// How to disassemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisOptions {
    /// Whose text.
    pub syntax: Syntax,
    /// Shows each token's place in the file, as a comment behind it.
    pub offsets: bool,
    /// Shows each token's bytes, as a comment behind it.
    pub bytes: bool,
}

/// Column of the comments behind tokens.
const COMMENT: usize = 48;

/// Any bytes taken as a program: a header that cannot be one is kept apart.
struct Parts<'b> {
    /// The bytes in the place of the header, where they are no header.
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

/// The listing of a program. Any bytes have one; assembling it gives them back.
///
/// # Errors
/// `limit-exceeded`.
pub fn disassemble(bytes: &[u8], options: &DisOptions, limits: &Limits) -> Result<String, Diagnostic> {
    Limits::check("bytes of a program", bytes.len(), limits.file)?;
    let parts = Parts::of(bytes);
    Limits::check("tokens", parts.body.len() / TOKEN_BYTES, limits.instructions)?;
    let choices = Options::default();
    let ctx = Ctx { version: parts.version, stage: parts.stage, options: &choices };
    let mut out = Vec::with_capacity((bytes.len() + 64).min(limits.text_out));
    if options.syntax == Syntax::Adobe {
        adobe::first_line(ctx, &mut out);
    } else {
        first_line(bytes, &parts, limits, &mut out);
    }
    let (tokens, trailing) = parts.body.as_chunks::<TOKEN_BYTES>();
    for (i, chunk) in tokens.iter().enumerate() {
        let start = out.len();
        match options.syntax {
            Syntax::Agal => print_token(&fuse(chunk), ctx, &mut out),
            Syntax::Adobe => adobe::print_token(&fuse(chunk), ctx, &mut out),
        }
        if options.offsets || options.bytes {
            comment(chunk, HEADER_BYTES + i * TOKEN_BYTES, start, options, &mut out);
        }
        out.push(b'\n');
        Limits::check("bytes of text", out.len(), limits.text_out)?;
    }
    if !trailing.is_empty() && options.syntax == Syntax::Agal {
        directive(".bytes", trailing, &mut out);
    }
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// `// agal 1 fragment`, and whatever the header needs beyond it.
fn first_line(bytes: &[u8], parts: &Parts<'_>, limits: &Limits, out: &mut Vec<u8>) {
    let sound = parts.header.is_none() && (1..=LAST_VERSION).contains(&parts.version) && obeys(bytes, limits);
    let mut line = Line::new(out);
    line.text("// agal ");
    line.dec(u64::from(parts.version));
    line.byte(b' ');
    line.text(parts.stage.name());
    line.text(if sound { "" } else { ", unchecked" });
    line.end();
    drop(line);
    if let Some(header) = parts.header {
        directive(".header", header, out);
    }
}

/// Whether the program breaks no rule.
fn obeys(bytes: &[u8], limits: &Limits) -> bool {
    super::findings::obeys(bytes, limits)
}

fn directive(name: &str, bytes: &[u8], out: &mut Vec<u8>) {
    let mut line = Line::new(out);
    line.text(name);
    for b in bytes {
        line.byte(b' ');
        line.hex(u64::from(*b), 2);
    }
    line.end();
}

/// Appends a token's text; behind text that does not say everything stand the raw bits.
pub(super) fn print_token(token: &Token, ctx: Ctx<'_>, out: &mut Vec<u8>) {
    let mut line = Line::new(out);
    match Insn::<Agal>::decode(*token) {
        Some(insn) => {
            shisa_rows::print(&insn, ctx, &mut line);
            if !shisa_rows::faithful(&insn, ctx) {
                line.text(" {raw ");
                hex(token, &mut line);
                line.byte(b'}');
            }
        }
        None => {
            line.text(".token ");
            hex(token, &mut line);
        }
    }
}

/// Writes the bytes of a token as 48 hexadecimal digits.
pub(super) fn hex(token: &Token, line: &mut Line<'_>) {
    split(token).iter().for_each(|b| line.hex(u64::from(*b), 2));
}

fn comment(bytes: &[u8; TOKEN_BYTES], offset: usize, start: usize, options: &DisOptions, out: &mut Vec<u8>) {
    let column = out.len() - start;
    let mut line = Line::new(out);
    (column..COMMENT).for_each(|_| line.byte(b' '));
    line.text(" //");
    if options.offsets {
        line.byte(b' ');
        line.hex(offset as u64, 6);
    }
    if options.bytes {
        line.byte(b' ');
        hex(&fuse(bytes), &mut line);
    }
}
