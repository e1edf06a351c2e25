//! `agx/mesa`, `agx/applegpu` and `agx/words`: lone instructions as two disassemblers write them, and back.

use super::Tally;
use super::table::{Row, Table};
use super::tally::same;
use shisa::agx::text::Words;
use shisa::agx::{Ctx, Syntax};
use shisa::diag::Diagnostic;
use std::error::Error;
use std::path::Path;

/// Text as Mesa writes it.
pub(crate) fn mesa(table: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    texts(table, "mesa", Syntax::Mesa, tally)
}

/// Text as applegpu writes it.
pub(crate) fn applegpu(table: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    texts(table, "applegpu", Syntax::Applegpu, tally)
}

fn texts(table: &Path, column: &str, syntax: Syntax, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let words = Words::new(Ctx { syntax, ..Ctx::default() });
    // A text that begins so tells that the disassembler failed.
    for row in Table::read(table)?.rows().filter(|r| !r.get(column).starts_with('!')) {
        let hex = row.get("hex");
        let got = said(|out| words.disassemble(hex, out));
        tally.row(hex, got.and_then(|got| same(&row.get(column), &got.as_str())));
    }
    Ok(())
}

/// The default text gives the bytes back.
pub(crate) fn words(table: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let words = Words::new(Ctx::default());
    let back = |row: Row<'_>| {
        let text = said(|out| words.disassemble(row.get("hex"), out))?;
        same(&row.get("hex"), &said(|out| words.assemble(&text, out))?.as_str())
    };
    Table::read(table)?.rows().for_each(|row| tally.row(row.get("hex"), back(row)));
    Ok(())
}

fn said(f: impl FnOnce(&mut Vec<u8>) -> Result<(), Diagnostic>) -> Result<String, String> {
    let mut out = Vec::new();
    f(&mut out).map_err(|d| d.to_string())?;
    String::from_utf8(out).map_err(|e| e.to_string())
}
