//! Programs as text.

use crate::{Error, Isa, Result, Settings, identify::not_recognised};
use shisa_agal::{AsmOptions, DisOptions, Program, TokenLine};
use shisa_diag::{Diagnostic, Severity};

/// How to write a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The instruction set; `None` recognises it by the content. Given, any bytes have a listing.
    pub isa: Option<Isa>,
    /// Which program, numbered from 1, of a file that holds several; `None` lists all.
    pub program: Option<usize>,
    /// Shows which temporaries are live behind each instruction, as a comment.
    pub live: bool,
    /// How AGAL is written.
    pub agal: DisOptions,
}

/// The listing of a program. [`assemble`] turns it back into the same bytes. Of a SWF, all AGAL that is
/// found in it, each program below a comment that tells where it is; source stands there as it is.
///
/// # Errors
/// `not-recognised` for bytes of no known kind, `no-program`, `limit-exceeded`, and what is wrong with a
/// SWF as a whole. For [`Listing::live`] also what lifting and recovery refuse.
pub fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    #[cfg(feature = "swf")]
    if listing.isa.is_none() && shisa_swf::sniff(bytes) {
        return crate::container::disassemble(bytes, listing, settings);
    }
    crate::program::only(listing.program)?;
    if listing.isa.is_none() && !Program::sniff(bytes) {
        return Err(not_recognised());
    }
    let text = shisa_agal::disassemble(bytes, &listing.agal, &settings.limits)?;
    if listing.live { crate::live::annotate(&text, bytes, listing, settings) } else { Ok(text) }
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

/// Whether bytes are a program as text: the first line says so.
pub fn is_source(bytes: &[u8]) -> bool {
    bytes.starts_with(b"// agal ") && std::str::from_utf8(bytes).is_ok()
}
