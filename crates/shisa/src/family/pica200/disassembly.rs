//! PICA200 as text.

use super::file::{Binary, Kind, Pica200File, alone};
use super::graph;
use crate::{Listing, Result, Settings};
use shisa_diag::{Limit, escape};
use shisa_pica200::DisOptions;
use shisa_pica200::container::Shbin;

/// The listing of a file, or of one of its programs.
pub(super) fn disassemble(
    whole: &Pica200File<'_>,
    which: Option<usize>,
    how: &Listing,
    settings: &Settings,
) -> Result<String> {
    if let Some(index) = which {
        let (_, file, number) = whole.program(index)?;
        return text(&alone(file, number), how, settings);
    }
    let kind = match &whole.kind {
        Kind::Shbin | Kind::Raw(_) => None,
        Kind::Object => Some("DVOJ"),
        Kind::Wrapper(kind) => Some(kind.name()),
    };
    let (Some(kind), binaries) = (kind, &whole.binaries) else {
        return whole.whole().map_or_else(|| Ok(String::new()), |(_, file)| text(file, how, settings));
    };
    let mut out = String::new();
    out.push_str(&format!("; {kind}, {} bytes, shader binaries: {}\n", whole.bytes.len(), binaries.len()));
    for Binary { name, offset, file } in binaries {
        // The faults of others are findings from opening the file.
        let Ok(file) = file else { continue };
        out.push_str(&format!("\n; {} at {offset:#x}\n", escape(name)));
        out.push_str(&text(file, how, settings)?);
        settings.limits.check(Limit::TextOut, "bytes of text", out.len())?;
    }
    Ok(out)
}

/// The listing of a binary.
fn text(file: &Shbin, how: &Listing, settings: &Settings) -> Result<String> {
    let mut live = Vec::new();
    if how.live {
        // A word that several programs share gets the registers live in all of them.
        for index in 0..file.programs.len() {
            let sets = graph::graph(file, index, 0, settings)?.live();
            live.resize(live.len().max(sets.len()), None);
            for (all, set) in live.iter_mut().zip(sets) {
                let Some(set) = set else { continue };
                let known: &mut Vec<String> = all.get_or_insert_default();
                known.extend(set);
            }
        }
    }
    let options = DisOptions { offsets: how.offsets, bytes: how.bytes };
    Ok(shisa_pica200::disassemble(file, &options, &live, &settings.limits)?)
}
