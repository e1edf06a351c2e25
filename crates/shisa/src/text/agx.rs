//! AGX as text.

use super::{Listing, no_program};
use crate::parts::file::AgxFile;
use crate::{Result, Settings, cfg};
use shisa_agx::text::{AsmOptions, Assembly, DisOptions, Layout, assemble, disassemble as listing_of, plain};
use shisa_agx::{Revision, Syntax};
use shisa_diag::Diagnostic;
use std::collections::BTreeMap;

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

/// Whether bytes look like an AGX file.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    crate::parts::file::sniff(bytes)
}

/// The listing of code; see [`crate::disassemble`].
pub(super) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    if listing.live && listing.agx.syntax != Syntax::Full {
        let text = "the text of other tools does not tell what is live";
        return Err(Diagnostic::error("agx-live", text).into());
    }
    let file = AgxFile::read(bytes, settings)?;
    let mut layout = file.layout();
    let mut bytes = file.bytes();
    let mut start = 0;
    let mut shown = 1..file.programs() + 1;
    if let Some(number) = listing.program {
        let count = file.programs();
        let section = number.checked_sub(1).filter(|_| number <= count);
        let section = section.ok_or_else(|| no_program(number, count))?;
        if count > 1
            && let Some(range) = layout.sections.get(section).map(|s| s.range.clone())
        {
            start = range.start;
            bytes = bytes.get(range).unwrap_or_default();
            layout = Layout::raw(bytes.len());
        }
        shown = number..number + 1;
    }
    let mut behind = BTreeMap::new();
    for number in shown.filter(|_| listing.live) {
        let cfg = cfg::agx::of_program(&file, number, settings)?;
        for (offset, live) in cfg.offsets.iter().zip(cfg.live()) {
            if let Some(names) = live {
                behind.insert(offset - start, format!("live: {}", names.join(" ")));
            }
        }
    }
    let how = &listing.agx;
    let options = DisOptions {
        revision: how.revision,
        offsets: how.offsets,
        bytes: how.bytes,
        notes: file.notes(settings),
        behind,
    };
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
