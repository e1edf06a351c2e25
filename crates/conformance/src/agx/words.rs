//! `agx/mesa`, `agx/applegpu` and `agx/words`: lone instructions as two disassemblers write them, and back.

use crate::tally::same;
use crate::{Data, Error, Row, Table, Tally};
use shisa::agx::text::Words;
use shisa::agx::{Ctx, Syntax};
use shisa::diag::Diagnostic;

/// Text as Mesa writes it.
pub(crate) fn mesa(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    texts(data, "mesa", Syntax::Mesa, tally)
}

/// Text as applegpu writes it.
pub(crate) fn applegpu(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    texts(data, "applegpu", Syntax::Applegpu, tally)
}

fn texts(data: &Data, column: &str, syntax: Syntax, tally: &mut Tally) -> Result<(), Error> {
    let words = Words::new(Ctx { syntax, ..Ctx::default() });
    // A text that begins with `!` states that the disassembler failed.
    for row in Table::read(data, "agx/pairs.tsv")?.rows().filter(|r| !r.get(column).starts_with('!')) {
        let hex = row.get("hex");
        let got = said(|out| words.disassemble(hex, out));
        tally.row(hex, got.and_then(|got| same(&row.get(column), &got.as_str())));
    }
    Ok(())
}

/// The default text gives the bytes back.
pub(crate) fn words(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    let words = Words::new(Ctx::default());
    let back = |row: Row<'_>| {
        let text = said(|out| words.disassemble(row.get("hex"), out))?;
        same(&row.get("hex"), &said(|out| words.assemble(&text, out))?.as_str())
    };
    Table::read(data, "agx/pairs.tsv")?.rows().for_each(|row| tally.row(row.get("hex"), back(row)));
    Ok(())
}

fn said(f: impl FnOnce(&mut Vec<u8>) -> Result<(), Diagnostic>) -> Result<String, String> {
    let mut out = Vec::new();
    f(&mut out).map_err(|d| d.to_string())?;
    String::from_utf8(out).map_err(|e| e.to_string())
}
