//! The default listing, which assembles to the same bytes.

use super::{Layout, Section};
use crate::bundle::{self, BUNDLE_BYTES};
use crate::container::sph::{SPH_BYTES, Sph};
use crate::control::{self, ControlText, Schedule};
use crate::flow::{Flow, Targets, flow};
use crate::operand::{base_of, print_signed, target_of};
use crate::{Ctx, Maxwell, Symbols, decode};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, escape};
use shisa_rows::source::print_data;
use shisa_rows::{Line, Printer};

/// The beginning of every listing.
pub const LISTING: &str = "// maxwell";

/// Options of disassembling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisOptions {
    /// Shows each instruction's address, as a comment before it.
    pub offsets: bool,
    /// Shows each instruction's word, as a comment after it.
    pub bytes: bool,
}

/// Column of the control bits.
pub(super) const COLUMN: usize = 56;

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
    limits.check(Limit::Programs, "programs", layout.sections.len())?;
    let mut out = Vec::with_capacity(bytes.len() * 6);
    let count = match layout.sections.len() {
        1 => "1 program".into(),
        n => format!("{n} programs"),
    };
    let what = layout.container;
    let head = format!("{LISTING}: {what}, {}, {count}, {} bytes\n", layout.chip, bytes.len());
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(format!(".chip {}\n", layout.chip).as_bytes());
    let (mut at, mut printer) = (0, Printer::new());
    for section in &layout.sections {
        // An incomplete bundle is not code.
        let whole = section.range.len() / BUNDLE_BYTES * BUNDLE_BYTES;
        let code = section.range.start..section.range.start + whole;
        // A header that its text does not reproduce is written as bytes.
        let header = section.header.and_then(|start| Some((start, Sph::at(bytes, start)?)));
        let header =
            header.filter(|(start, sph)| *start >= at && Sph::parse(&sph.text(), limits).as_ref() == Ok(sph));
        if let Some((start, sph)) = header {
            print_data(bytes.get(at..start).unwrap_or_default(), &mut out);
            out.push(b'\n');
            out.extend_from_slice(sph.text().as_bytes());
            at = start + SPH_BYTES;
        }
        print_data(bytes.get(at..code.start).unwrap_or_default(), &mut out);
        let text = bytes.get(code.clone()).unwrap_or_default();
        program(text, section, layout, options, limits, &mut printer, &mut out)?;
        limits.check(Limit::TextOut, "bytes of text", out.len())?;
        at = code.end;
    }
    print_data(bytes.get(at..).unwrap_or_default(), &mut out);
    limits.check(Limit::TextOut, "bytes of text", out.len())?;
    Ok(String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

/// The target and base addresses of a program's branches, with names.
fn labels(code: &[u8], listed: &Targets, ctx: Ctx<'_>, limits: &Limits) -> Symbols {
    let mut targets = Vec::new();
    for (n, bundle) in code.chunks_exact(BUNDLE_BYTES).enumerate() {
        for (i, word) in bundle::fuse(bundle::words(bundle)).into_iter().enumerate() {
            let Ok(insn) = decode(word, ctx) else { continue };
            let pc = bundle::address((3 * n + i) as u32);
            targets.extend(target_of(&insn, pc));
            if flow(&insn, pc) == Flow::Anywhere {
                targets.extend(listed.get(&pc).into_iter().flatten());
            }
            targets.extend(base_of(&insn, pc).and_then(|base| u32::try_from(base).ok()));
        }
    }
    targets.sort_unstable();
    targets.dedup();
    targets.retain(|t| (*t as usize) < code.len() && t % 8 == 0);
    targets.truncate(limits.labels);
    Symbols::numbered(targets)
}

/// One program.
fn program(
    code: &[u8],
    section: &Section,
    layout: &Layout,
    options: &DisOptions,
    limits: &Limits,
    printer: &mut Printer<Maxwell>,
    out: &mut Vec<u8>,
) -> Result<(), Diagnostic> {
    limits.check(Limit::Instructions, "instructions", code.len() / BUNDLE_BYTES * 3)?;
    let name = escape(&section.name).replace('"', "\\\"");
    out.extend_from_slice(format!("\n.code \"{name}\"\n").as_bytes());
    let ctx = Ctx { chip: layout.chip, control: ControlText::Apart, ..Ctx::default() };
    let symbols = labels(code, &section.targets, ctx, limits);
    let ctx = Ctx { symbols: Some(&symbols), ..ctx };
    let mut named = symbols.iter().peekable();
    let mut line = Line::new(out);
    for (n, bundle) in code.chunks_exact(BUNDLE_BYTES).enumerate() {
        let words = bundle::words(bundle);
        if words[0] >> 63 != 0 {
            line.text(".spare\n");
        }
        for (i, word) in bundle::fuse(words).into_iter().enumerate() {
            let pc = bundle::address((3 * n + i) as u32);
            // Control that goes to a bundle's control word runs the bundle's first instruction.
            while let Some((at, name)) = named.next_if(|(at, _)| *at <= pc) {
                line.text(name);
                line.text(if at == pc { ":\n" } else { "::\n" });
            }
            let ctx = Ctx { pc, ..ctx };
            if let Some(targets) = section.targets.get(&pc) {
                self::targets(word, targets, ctx, &mut line);
            }
            instruction(word, ctx, options, printer, &mut line);
            line.end();
        }
    }
    Ok(())
}

/// Writes the targets of a branch through a register.
fn targets(word: u128, targets: &[u32], ctx: Ctx<'_>, line: &mut Line<'_>) {
    if !decode(word, ctx).is_ok_and(|insn| flow(&insn, ctx.pc) == Flow::Anywhere) {
        return;
    }
    for (i, target) in targets.iter().enumerate() {
        line.text(if i == 0 { ".targets " } else { ", " });
        match ctx.symbols.and_then(|s| s.name(*target)) {
            Some(name) => line.text(name),
            None => print_signed(i64::from(*target), line),
        }
    }
    line.text("\n");
}

/// Writes one instruction, its control bits, and its word if the text does not determine it.
fn instruction(
    word: u128,
    ctx: Ctx<'_>,
    options: &DisOptions,
    printer: &mut Printer<Maxwell>,
    line: &mut Line<'_>,
) {
    let start = line.written();
    if options.offsets {
        line.text("/*");
        line.hex(u64::from(ctx.pc), 4);
        line.text("*/");
    }
    line.text("    ");
    let mut reuse = (word >> control::REUSE & 15) as u64;
    let mut raw = false;
    match decode(word, ctx) {
        Ok(insn) => {
            let (unknown, told) = printer.print_told(&insn, ctx, line);
            raw = unknown as u64 != 0 || !told;
            // Flags that the text does not show are written with the control bits.
            if !raw {
                reuse = (unknown >> control::REUSE) as u64 & 15;
            }
        }
        Err(_) => {
            line.text(".word 0x");
            line.hex(word as u64, 16);
            line.text(" ;");
        }
    }
    line.blanks(COLUMN.saturating_sub(line.written() - start));
    line.byte(b' ');
    control::print(Schedule((word >> 64) as u32 & 0x1_ffff), reuse, line);
    if raw {
        line.text(" {raw 0x");
        line.hex(word as u64, 16);
        line.byte(b'}');
    }
    if options.bytes {
        line.text(" // ");
        line.hex(word as u64, 16);
    }
}
