//! AGAL as text.

use super::Listing;
use crate::{Cfg, Error, Result, Settings};
use shisa_agal::{AsmOptions, TokenLine};
use shisa_diag::{Diagnostic, Limit, Severity};

/// Column of the comments behind instructions.
const COMMENT: usize = 48;

/// The listing of a program.
pub(super) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    crate::program::only(listing.program)?;
    let text = shisa_agal::disassemble(bytes, &listing.agal, &settings.limits)?;
    if listing.live { annotate(&text, bytes, listing, settings) } else { Ok(text) }
}

/// A listing of one program with a column of live temporaries.
fn annotate(text: &str, bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    let live = Cfg::new(bytes, listing, settings)?.live();
    let commented = listing.agal.offsets || listing.agal.bytes;
    let mut out = String::with_capacity(text.len() * 2);
    for (i, line) in text.lines().enumerate() {
        // The first line tells what the program is.
        let set = i.checked_sub(1).and_then(|i| live.get(i)?.as_ref());
        match set.map(|names| names.join(" ")) {
            None => out.push_str(line),
            Some(names) if commented => out.push_str(format!("{line}  live: {names}").trim_end()),
            Some(names) => out.push_str(format!("{line:COMMENT$} // live: {names}").trim_end()),
        }
        out.push('\n');
        settings.limits.check(Limit::TextOut, "bytes of text", out.len())?;
    }
    Ok(out)
}

/// An assembled program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The bytes of the program.
    pub bytes: Vec<u8>,
    /// What is suspicious.
    pub warnings: Vec<Diagnostic>,
    /// For each instruction where it comes from.
    pub lines: Vec<TokenLine>,
}

/// Assembles a program.
///
/// # Errors
/// Every fault in the text, and every rule of the instruction set that the program breaks.
pub fn assemble(source: &str, options: &AsmOptions, settings: &Settings) -> Result<Assembled> {
    assembled(shisa_agal::assemble(source, options, &settings.limits))
}

/// Assembles a program in the language of AGALMacroAssembler. The first line tells version and stage, as
/// for [`assemble`].
///
/// # Errors
/// As [`assemble`].
pub fn assemble_macros(source: &str, options: &AsmOptions, settings: &Settings) -> Result<Assembled> {
    assembled(shisa_agal::assemble_macros(source, options, &settings.limits))
}

fn assembled(done: shisa_agal::Assembly) -> Result<Assembled> {
    match done.bytes() {
        Some(bytes) if !done.diagnostics.iter().any(|d| d.severity == Severity::Error) => {
            Ok(Assembled { bytes, warnings: done.diagnostics, lines: done.lines })
        }
        _ => Err(Error::from(done.diagnostics)),
    }
}
