//! AGX as text.

use super::{Listing, no_program, not_live};
use crate::parts::file::AgxFile;
use crate::{Result, Settings, cfg};
use shisa_agx::text::{AsmOptions, Assembly, DisOptions, Layout, assemble, disassemble as listing_of, plain};
use shisa_agx::{Agx, Ctx, Revision, Syntax, instructions};
use shisa_rows::{Insn, Line, print, spell};
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

/// The text of an instruction.
pub(crate) fn text(insn: &Insn<Agx>, ctx: Ctx<'_>) -> String {
    let mut text = Vec::new();
    match ctx.syntax {
        Syntax::Applegpu => spell(insn, ctx, &mut Line::new(&mut text)),
        _ => print(insn, ctx, &mut Line::new(&mut text)),
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The text of each instruction, and where it begins.
pub(crate) fn texts(code: &[u8]) -> impl Iterator<Item = (usize, String)> + '_ {
    instructions(code).map(|(at, insn)| (at, text(&insn, Ctx { pc: at as u32, ..Ctx::default() })))
}

/// The listing of code; see [`crate::disassemble`].
pub(super) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    of_file(&AgxFile::read(bytes, settings)?, listing, settings)
}

/// The listing of a file that was read.
pub(crate) fn of_file(file: &AgxFile<'_>, listing: &Listing, settings: &Settings) -> Result<String> {
    match listing.agx.syntax {
        Syntax::Mesa if listing.live => return Err(not_live("Mesa").into()),
        Syntax::Applegpu if listing.live => return Err(not_live("applegpu").into()),
        _ => {}
    }
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
        let cfg = cfg::agx::of_program(file, number, settings)?;
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
