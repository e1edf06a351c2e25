//! Listings: the default one, which assembles to the same bytes, and those of other tools.

use super::{Layout, Section};
use crate::code::{Piece, length, pieces, target};
use crate::operand::names_target;
use crate::{Ctx, Revision, Syntax};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, escape};
use shisa_rows::source::print_data;
use shisa_rows::{Line, Printer, Symbols, spell};

/// The beginning of every listing.
pub const LISTING: &str = "// agx";

/// Options of disassembling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisOptions {
    /// The revision for decoding stores of states.
    pub revision: Revision,
    /// Shows each instruction's offset, as a comment before it.
    pub offsets: bool,
    /// Shows each instruction's bytes, as a comment after it.
    pub bytes: bool,
    /// Notes on the instructions at these offsets in the file, as comments above them.
    pub notes: BTreeMap<usize, Vec<String>>,
    /// Comments on the same line after the instructions at these offsets.
    pub behind: BTreeMap<usize, String>,
}

/// Column of the comments.
const COLUMN: usize = 56;

/// The listing of a file, which assembles to the same file.
///
/// # Errors
/// `limit-exceeded`.
pub fn disassemble(
    bytes: &[u8],
    layout: &Layout,
    options: &DisOptions,
    limits: &Limits,
) -> Result<String, Diagnostic> {
    limits.check(Limit::Programs, "sections", layout.sections.len())?;
    let mut out = Vec::with_capacity(bytes.len() * 6);
    out.extend_from_slice(format!("{LISTING}, {} bytes\n", bytes.len()).as_bytes());
    if options.revision == Revision::Mesa26 {
        out.extend_from_slice(b".isa mesa26\n");
    }
    let symbols = labels(bytes, layout, limits);
    let mut at = 0;
    for section in &layout.sections {
        print_data(bytes.get(at..section.range.start).unwrap_or_default(), &mut out);
        let kind = if section.code { "code" } else { "data" };
        let name = escape(&section.name).replace('"', "\\\"");
        out.extend_from_slice(format!("\n.{kind} \"{name}\"\n").as_bytes());
        match section.code {
            true => code(bytes, section, &symbols, options, limits, &mut out)?,
            false => print_data(bytes.get(section.range.clone()).unwrap_or_default(), &mut out),
        }
        limits.check(Limit::TextOut, "bytes of text", out.len())?;
        at = section.range.end;
    }
    print_data(bytes.get(at..).unwrap_or_default(), &mut out);
    limits.check(Limit::TextOut, "bytes of text", out.len())?;
    Ok(text(out))
}

/// The instructions of the code in a file in Mesa's or applegpu's syntax, one a line. Bytes that are not an
/// instruction are written as bytes.
///
/// # Errors
/// `limit-exceeded`.
pub fn plain(
    bytes: &[u8],
    layout: &Layout,
    syntax: Syntax,
    options: &DisOptions,
    limits: &Limits,
) -> Result<String, Diagnostic> {
    let mut out = Vec::with_capacity(bytes.len() * 6);
    let mut printer = Printer::new();
    for section in layout.sections.iter().filter(|s| s.code) {
        let mut line = Line::new(&mut out);
        for (at, insn) in of_section(bytes, section, limits)? {
            if options.offsets {
                line.hex(at as u64, 4);
                line.text(": ");
            }
            let ctx = Ctx { pc: at as u32, syntax, revision: options.revision, ..Ctx::default() };
            let start = line.written();
            let size = match insn {
                Ok(insn) => {
                    match syntax {
                        Syntax::Applegpu => spell(&insn, ctx, &mut line),
                        _ => printer.print(&insn, ctx, &mut line),
                    }
                    length(&insn)
                }
                Err(bytes) => {
                    line.text(".bytes ");
                    bytes.iter().for_each(|b| line.hex(u64::from(*b), 2));
                    bytes.len()
                }
            };
            if options.bytes {
                shown(bytes.get(at..at + size).unwrap_or_default(), start, &mut line);
            }
            line.end();
        }
        drop(line);
        limits.check(Limit::TextOut, "bytes of text", out.len())?;
    }
    Ok(text(out))
}

fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Bytes as a comment, in a column of their own.
fn shown(bytes: &[u8], start: usize, line: &mut Line<'_>) {
    line.blanks(COLUMN.saturating_sub(line.written() - start));
    line.text(" // ");
    bytes.iter().for_each(|b| line.hex(u64::from(*b), 2));
}

/// The pieces of a section's code, each with its offset in the file.
///
/// # Errors
/// `limit-exceeded` for a section with too many.
fn of_section<'b>(
    bytes: &'b [u8],
    section: &Section,
    limits: &Limits,
) -> Result<impl Iterator<Item = (usize, Piece<'b>)> + use<'b>, Diagnostic> {
    limits.check(Limit::Instructions, "halfwords of code", section.range.len() / 2)?;
    let (start, end) = (section.range.start, section.range.end.min(bytes.len()));
    let code = bytes.get(start..end).unwrap_or_default();
    Ok(pieces(code).map(move |(at, piece)| (start + at, piece)))
}

/// The offsets that branches go to, with names. Only offsets at which an instruction begins have one.
fn labels(bytes: &[u8], layout: &Layout, limits: &Limits) -> Symbols {
    let (mut starts, mut targets) = (Vec::new(), Vec::new());
    // A section that is too long is refused when it is written.
    let sections = layout.sections.iter().filter(|s| s.code);
    for (at, piece) in sections.filter_map(|s| of_section(bytes, s, limits).ok()).flatten() {
        starts.push(at as u32);
        let distance = piece.ok().filter(names_target).and_then(|insn| target(&insn));
        targets.extend(distance.and_then(|distance| u32::try_from(at as i64 + distance).ok()));
    }
    targets.sort_unstable();
    targets.dedup();
    targets.retain(|t| starts.binary_search(t).is_ok());
    targets.truncate(limits.labels);
    Symbols::numbered(targets)
}

/// Writes one range of code.
fn code(
    bytes: &[u8],
    section: &Section,
    symbols: &Symbols,
    options: &DisOptions,
    limits: &Limits,
    out: &mut Vec<u8>,
) -> Result<(), Diagnostic> {
    let ctx = Ctx { revision: options.revision, symbols: Some(symbols), ..Ctx::default() };
    let (mut line, mut printer) = (Line::new(out), Printer::new());
    for (at, insn) in of_section(bytes, section, limits)? {
        if let Some(name) = symbols.name(at as u32) {
            line.text(name);
            line.text(":\n");
        }
        for note in options.notes.get(&at).into_iter().flatten() {
            line.text("    // ");
            line.text(note);
            line.end();
        }
        let start = line.written();
        if options.offsets {
            line.text("/*");
            line.hex(at as u64, 4);
            line.text("*/");
        }
        line.text("    ");
        let ctx = Ctx { pc: at as u32, ..ctx };
        match insn {
            Ok(insn) => {
                let raw = bytes.get(at..at + length(&insn)).unwrap_or_default();
                let begin = line.written();
                let (unknown, told) = printer.print_told(&insn, ctx, &mut line);
                let whole = told && unknown == 0;
                if !whole {
                    line.insert(begin, |line| {
                        line.text(".bytes ");
                        raw.iter().for_each(|b| line.hex(u64::from(*b), 2));
                        line.text(" // ");
                    });
                }
                if whole && options.bytes {
                    shown(raw, start, &mut line);
                }
                if let Some(text) = options.behind.get(&at) {
                    // It continues an existing comment.
                    if told && !options.bytes {
                        line.blanks(COLUMN.saturating_sub(line.written() - start));
                        line.text(" //");
                    }
                    line.text(" ");
                    line.text(text.trim_end());
                }
            }
            Err(raw) => {
                line.text(".bytes ");
                raw.iter().for_each(|b| line.hex(u64::from(*b), 2));
                if raw.len() > 2 {
                    line.text(" // an unknown instruction");
                }
            }
        }
        line.end();
    }
    Ok(())
}
