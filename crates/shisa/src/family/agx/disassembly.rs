//! AGX as text.

use super::file::AgxFile;
use super::graph;
use super::spelling::syntax;
use crate::{Listing, Result, Settings, error};
use shisa_agx::Syntax;
use shisa_agx::text::{DisOptions, Layout, disassemble as listing_of, plain};
use std::collections::BTreeMap;

/// The listing of a file, or of one of its programs.
pub(super) fn disassemble(
    file: &AgxFile<'_>,
    which: Option<usize>,
    how: &Listing,
    settings: &Settings,
) -> Result<String> {
    let syntax = syntax(how.syntax);
    match syntax {
        Syntax::Mesa if how.live => return Err(error::not_live("Mesa").into()),
        Syntax::Applegpu if how.live => return Err(error::not_live("applegpu").into()),
        _ => {}
    }
    let mut layout = file.layout();
    let mut bytes = file.bytes();
    let mut start = 0;
    let mut shown = 0..file.programs();
    if let Some(index) = which {
        if file.programs() > 1
            && let Some(range) = layout.sections.get(index).map(|s| s.range.clone())
        {
            start = range.start;
            bytes = shisa_diag::bytes::part(bytes, range)?;
            layout = Layout::raw(bytes.len());
        }
        shown = index..index + 1;
    }
    let mut behind = BTreeMap::new();
    for index in shown.filter(|_| how.live) {
        let cfg = graph::graph(file, index, settings)?;
        for (offset, live) in cfg.offsets.iter().zip(cfg.live()) {
            if let Some(names) = live {
                behind.insert(offset - start, format!("live: {}", names.join(" ")));
            }
        }
    }
    let options = DisOptions {
        revision: settings.agx.revision,
        offsets: how.offsets,
        bytes: how.bytes,
        notes: file.notes(settings),
        behind,
    };
    Ok(match syntax {
        Syntax::Full => listing_of(bytes, &layout, &options, &settings.limits)?,
        syntax => plain(bytes, &layout, syntax, &options, &settings.limits)?,
    })
}
