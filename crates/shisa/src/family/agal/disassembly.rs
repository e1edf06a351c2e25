//! AGAL as text.

use super::file::AgalFile;
use super::graph;
use crate::family::names::Syntax;
use crate::{Listing, Result, Settings};
use shisa_agal::DisOptions;
use shisa_diag::Limit;

/// Column of the comments after instructions.
const COMMENT: usize = 48;

/// The listing of a program.
pub(super) fn disassemble(file: &AgalFile<'_>, how: &Listing, settings: &Settings) -> Result<String> {
    let syntax = match how.syntax {
        Syntax::Adobe => shisa_agal::Syntax::Adobe,
        _ => shisa_agal::Syntax::Agal,
    };
    let options = DisOptions { syntax, offsets: how.offsets, bytes: how.bytes };
    let text = shisa_agal::disassemble(&file.bytes, &options, &settings.limits)?;
    if how.live { annotate(&text, file, how, settings) } else { Ok(text) }
}

/// A listing of one program with a column of live temporaries.
fn annotate(text: &str, file: &AgalFile<'_>, how: &Listing, settings: &Settings) -> Result<String> {
    let live = graph::graph(file.program()?, settings)?.live();
    let commented = how.offsets || how.bytes;
    let mut out = String::with_capacity(text.len() * 2);
    for (i, line) in text.lines().enumerate() {
        // The first line states the stage and version.
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
