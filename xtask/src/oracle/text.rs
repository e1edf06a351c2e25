//! `agal/asm`, `agal/dis` and `agal/text-errors`: programs as text.

use super::Tally;
use super::run::files;
use super::table::{Row, Table};
use super::tally::same;
use shisa::agal::{AsmOptions, DisOptions, Syntax};
use shisa::diag::{Diagnostic, Place, Severity, line_column};
use shisa::ir::Stage;
use shisa::{Isa, Listing, Settings};
use std::error::Error;
use std::path::Path;

/// Assembles every source, and compares with the bytes of the same name. The set has programs that are
/// wrong for players on purpose, so rules are not asked.
pub(crate) fn asm(dir: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let bin = dir.parent().unwrap_or(dir).join("bin");
    for path in files(dir, ".agal")? {
        let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        tally.row(name, assembles(&path, &bin.join(format!("{name}.agalb"))));
    }
    Ok(())
}

fn assembles(source: &Path, expected: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(source).map_err(|e| e.to_string())?;
    let expected = std::fs::read(expected).map_err(|e| e.to_string())?;
    let options = AsmOptions { unchecked: true, ..AsmOptions::default() };
    let done = shisa::assemble(&text, &options, &Settings::default()).map_err(|e| e.to_string())?;
    same(&hex(&expected), &hex(&done.bytes))
}

/// Disassembles every program of `judged.tsv`: the listing assembles to the same bytes, and is Adobe's
/// where that is given.
pub(crate) fn dis(table: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let dir = table.parent().unwrap_or(table);
    for row in Table::read(table)?.rows() {
        tally.row(row.get("file"), disassembles(dir, row));
    }
    Ok(())
}

fn disassembles(dir: &Path, row: Row<'_>) -> Result<(), String> {
    let bytes = std::fs::read(dir.join(row.get("file"))).map_err(|e| e.to_string())?;
    let settings = Settings { isa: Some(Isa::Agal), ..Settings::default() };
    let list = |syntax| {
        let agal = DisOptions { syntax, ..DisOptions::default() };
        shisa::disassemble(&bytes, &Listing { agal, ..Listing::default() }, &settings)
            .map_err(|e| e.to_string())
    };
    let done = shisa::assemble(&list(Syntax::Agal)?, &AsmOptions::default(), &settings);
    same(&hex(&bytes), &hex(&done.map_err(|e| e.to_string())?.bytes))?;
    let adobe = row.get("adobe_disassembly");
    if adobe.is_empty() || adobe == "-" {
        return Ok(());
    }
    same(&adobe.replace("\\n", "\n"), &list(Syntax::Adobe)?)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Assembles every wrong source: an error's place covers the word in quotes of `must_say`, on the line
/// that it names.
pub(crate) fn errors(table: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    for row in Table::read(table)?.rows() {
        tally.row(row.get("source"), told(row));
    }
    Ok(())
}

fn told(row: Row<'_>) -> Result<(), String> {
    let source = row.get("source").replace("\\n", "\n");
    let stage = if row.get("stage") == "vert" { Stage::Vertex } else { Stage::Fragment };
    let version = row.get("agal").parse().ok();
    let options = AsmOptions { stage: Some(stage), version, ..AsmOptions::default() };
    let done = shisa::agal::assemble(&source, &options, &Settings::default().limits);
    let must_say = row.get("must_say");
    if done.diagnostics.iter().any(|d| says(d, &source, must_say)) {
        return Ok(());
    }
    let got: Vec<String> =
        done.diagnostics.iter().map(|d| format!("{} {:?}", d, place(d, &source))).collect();
    Err(format!("expected {must_say:?}, got {got:?}"))
}

/// The text that a diagnostic's first label covers.
fn place<'s>(d: &Diagnostic, source: &'s str) -> Option<&'s str> {
    let label = d.labels.first().filter(|l| l.place == Place::Text)?;
    source.get(label.span.range())
}

/// Whether an error says what it must: its place covers the stated word (or lies where the place is
/// stated), and what is stated is in its texts.
fn says(d: &Diagnostic, source: &str, must_say: &str) -> bool {
    let (Some(covered), Some(offset)) = (place(d, source), d.offset()) else { return false };
    if d.severity != Severity::Error {
        return false;
    }
    let (line, column) = line_column(source, offset);
    let texts = [&d.message].into_iter().chain(&d.notes).chain(&d.help);
    let texts: Vec<&String> = texts.chain(d.labels.iter().map(|l| &l.text)).collect();
    let number = between(must_say, "(#", ")");
    let stated_line = must_say.strip_prefix("line ").and_then(|t| t.split(':').next()?.parse().ok());
    let stated_column = between(must_say, "(column ", ")").and_then(|c| c.parse().ok());
    let quoted: Vec<&str> = must_say.split('"').skip(1).step_by(2).collect();
    // A quoted word of the source must lie where the error points; the names of registers too, which
    // the texts begin with unquoted.
    let pointed =
        quoted.iter().filter(|q| source.contains(**q)).all(|q| covered.contains(*q) || q.contains(covered));
    let first = must_say.split([' ', ':', ';']).next().unwrap_or_default();
    let named = !source.split_whitespace().any(|w| w.trim_end_matches(',') == first)
        || texts.iter().any(|t| t.contains(first));
    stated_line.is_none_or(|l: usize| l == line)
        && stated_column.is_none_or(|c: usize| c == column)
        && number.is_none_or(|n| d.code == format!("agal-{n}") || texts.iter().any(|t| t.contains(n)))
        && pointed
        && named
}

fn between<'t>(text: &'t str, before: &str, behind: &str) -> Option<&'t str> {
    text.split_once(before)?.1.split_once(behind).map(|(inside, _)| inside)
}
