//! AGX as text.

use super::{Listing, no_program};
use crate::{Result, Settings};
use shisa_agx::text::{AsmOptions, Assembly, DisOptions, Layout, assemble, disassemble as listing_of, plain};
use shisa_agx::{Revision, Syntax};

/// How to write AGX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgxListing {
    /// Whose text.
    pub syntax: Syntax,
    /// How stores of texture and sampler states are read.
    pub revision: Revision,
    /// Shows where instructions lie.
    pub offsets: bool,
    /// Shows the bytes.
    pub bytes: bool,
}

/// Whether bytes look like AGX code.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    shisa_agx::sniff(bytes).is_some()
}

/// The listing of code; see [`crate::disassemble`].
pub(super) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    if listing.live {
        return Err(crate::identify::not_built("what is live in AGX code"));
    }
    if let Some(number) = listing.program.filter(|n| *n != 1) {
        return Err(no_program(number, 1).into());
    }
    let how = &listing.agx;
    let options = DisOptions {
        revision: how.revision,
        offsets: how.offsets,
        bytes: how.bytes,
        ..DisOptions::default()
    };
    let layout = Layout::raw(bytes.len());
    Ok(match how.syntax {
        Syntax::Full => listing_of(bytes, &layout, &options, &settings.limits)?,
        syntax => plain(bytes, &layout, syntax, &options, &settings.limits)?,
    })
}

/// Assembles AGX code.
///
/// # Errors
/// Every fault in the text.
pub fn assemble_agx(source: &str, options: &AsmOptions, settings: &Settings) -> Result<Assembly> {
    let done = assemble(source, options, &settings.limits);
    match done.bytes {
        Some(_) => Ok(done),
        None => Err(done.diagnostics.into()),
    }
}
