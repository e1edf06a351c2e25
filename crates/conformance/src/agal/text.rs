//! `agal/asm`, `agal/dis` and `agal/text-errors`: programs as text.

use crate::data::stem;
use crate::tally::same;
use crate::{Data, Error, Row, Table, Tally};
use shisa::agal::AsmOptions;
use shisa::data::Syntax;
use shisa::diag::{Diagnostic, Place, Severity, line_column};
use shisa::ir::Stage;
use shisa::{File, Isa, Language, Listing, Settings};

/// Assembles every source, and compares with the bytes of the same name. The set has programs that are
/// wrong for players on purpose, so rules are not checked.
pub(crate) fn asm(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for path in data.list("agal/asm", ".agal")? {
        let name = stem(&path);
        tally.row(name, assembles(data, &path, &format!("agal/bin/{name}.agalb")));
    }
    Ok(())
}

fn assembles(data: &Data, source: &str, expected: &str) -> Result<(), String> {
    let text = data.text(source).map_err(|e| e.to_string())?;
    let expected = data.read(expected).map_err(|e| e.to_string())?;
    let mut settings = Settings::new();
    settings.unchecked = true;
    let done = shisa::assemble(&text, Language::Agal, &settings).map_err(|e| e.to_string())?;
    same(&hex(&expected), &hex(&done.bytes))
}

/// Disassembles every program of `judged.tsv`: the listing assembles to the same bytes, and is Adobe's
/// where that is given.
pub(crate) fn dis(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "agal/bin/judged.tsv")?.rows() {
        tally.row(row.get("file"), disassembles(data, row));
    }
    Ok(())
}

fn disassembles(data: &Data, row: Row<'_>) -> Result<(), String> {
    let bytes = data.read(&format!("agal/bin/{}", row.get("file"))).map_err(|e| e.to_string())?;
    let settings = Settings::new().isa(Isa::Agal);
    let file = File::open(&bytes, &settings).map_err(|e| e.to_string())?;
    let list = |syntax| file.listing(&Listing::new().syntax(syntax)).map_err(|e| e.to_string());
    let done = shisa::assemble(&list(Syntax::Default)?, Language::Agal, &settings);
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

/// Assembles every wrong source: an error's location covers the word in quotes of `must_say`, on the line
/// that it names.
pub(crate) fn errors(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "agal/text-errors.tsv")?.rows() {
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

/// Whether an error says what it must: its label covers the stated word (or begins at the stated
/// line and column), and what is stated is in its texts.
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
