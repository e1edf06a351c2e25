//! Programs as text.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "agx")]
pub(crate) mod agx;
#[cfg(feature = "maxwell")]
mod cubin;
#[cfg(feature = "maxwell")]
pub(crate) mod maxwell;
#[cfg(feature = "pica200")]
pub(crate) mod pica200;

#[cfg(feature = "agal")]
pub use agal::{Assembled, assemble, assemble_macros};

#[cfg(feature = "agx")]
pub use agx::{AgxListing, assemble_agx};
#[cfg(feature = "maxwell")]
pub use maxwell::{MaxwellListing, MaxwellSyntax, assemble_maxwell, assemble_maxwell_nvn};

use crate::identify::not_recognised;
use crate::{Isa, Result, Settings};
use shisa_diag::Diagnostic;

/// How to write a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Which program, numbered from 1, of a file that holds several; `None` lists all.
    pub program: Option<usize>,
    /// Shows which registers are live behind each instruction, as a comment.
    pub live: bool,
    /// How AGAL is written.
    #[cfg(feature = "agal")]
    pub agal: shisa_agal::DisOptions,
    /// How PICA200 is written.
    #[cfg(feature = "pica200")]
    pub pica200: shisa_pica200::DisOptions,
    /// How Maxwell is written.
    #[cfg(feature = "maxwell")]
    pub maxwell: MaxwellListing,
    /// How AGX is written.
    #[cfg(feature = "agx")]
    pub agx: AgxListing,
}

/// The instruction set of a file, as the settings say or by its first bytes.
pub(crate) fn isa(bytes: &[u8], settings: &Settings) -> Result<Isa> {
    let known = settings.isa.or_else(|| match bytes {
        #[cfg(feature = "agal")]
        _ if shisa_agal::Program::sniff(bytes) => Some(Isa::Agal),
        #[cfg(feature = "pica200")]
        _ if pica200::sniff(bytes) => Some(Isa::Pica200),
        #[cfg(feature = "maxwell")]
        _ if shisa_maxwell::container::Container::sniff(bytes, &settings.limits).is_some() => {
            Some(Isa::Maxwell)
        }
        #[cfg(feature = "agx")]
        _ if agx::sniff(bytes) => Some(Isa::Agx),
        _ => None,
    });
    known.ok_or_else(|| not_recognised(bytes))
}

/// The listing of a program. Assembling it gives the same bytes back. Of a file that holds several (a SWF,
/// a CGFX), all that are found in it, each below a comment that tells where it is; source stands there as
/// it is. Any bytes have a listing if [`Settings::isa`] is AGAL, Maxwell or AGX.
///
/// # Errors
/// `not-recognised` for bytes of no known kind, `no-program`, `limit-exceeded`, and what is wrong with a
/// container as a whole. For [`Listing::live`] also what lifting and recovery refuse.
pub fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    #[cfg(feature = "swf")]
    if settings.isa.is_none() && shisa_swf::sniff(bytes) {
        return crate::container::disassemble(bytes, listing, settings);
    }
    match isa(bytes, settings)? {
        #[cfg(feature = "agal")]
        Isa::Agal => agal::disassemble(bytes, listing, settings),
        #[cfg(feature = "pica200")]
        Isa::Pica200 => pica200::disassemble(bytes, listing, settings),
        #[cfg(feature = "maxwell")]
        Isa::Maxwell => maxwell::disassemble(bytes, listing, settings),
        #[cfg(feature = "agx")]
        Isa::Agx => agx::disassemble(bytes, listing, settings),
    }
}

/// The refusal of a number that no program has.
pub(crate) fn no_program(number: usize, count: usize) -> Diagnostic {
    let d = Diagnostic::error("no-program", format!("there is no program {number}"));
    d.note(match count {
        1 => "the file is a single program".into(),
        _ => format!("programs are numbered from 1; the file holds {count}"),
    })
}

/// The refusal of live registers in the text of another tool.
#[cfg(any(feature = "maxwell", feature = "agx"))]
fn not_live(tool: &str) -> Diagnostic {
    Diagnostic::error("dis-live", format!("{tool}'s text does not tell what is live"))
}

/// Whether bytes are a program as text: the first lines say so.
pub fn is_source(bytes: &[u8]) -> bool {
    #[cfg(feature = "pica200")]
    if shisa_pica200::picasso::sniff(bytes) {
        return true;
    }
    #[cfg(feature = "maxwell")]
    if bytes.starts_with(shisa_maxwell::text::LISTING.as_bytes()) {
        return std::str::from_utf8(bytes).is_ok();
    }
    #[cfg(feature = "agx")]
    if bytes.starts_with(shisa_agx::text::LISTING.as_bytes()) {
        return std::str::from_utf8(bytes).is_ok();
    }
    cfg!(feature = "agal") && bytes.starts_with(b"// agal ") && std::str::from_utf8(bytes).is_ok()
}
