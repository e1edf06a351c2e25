//! The files of `tests/agal`: a program in the macro language (`macro/*.agalm`) or in AGALMiniAssembler's
//! (`text/*.agal`). The file with the same name and `.expected` has the findings and the listing. `BLESS=1` writes
//! the actual results.

use shisa_agal::{AsmOptions, Assembly, DisOptions, assemble, assemble_macros, disassemble};
use shisa_diag::{Limits, line_column};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/agal").join(folder);
    let entries = std::fs::read_dir(root).expect("the folder of the tests");
    let mut files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

fn outcome(source: &str, assembly: &Assembly) -> String {
    let mut out = String::new();
    for d in &assembly.diagnostics {
        writeln!(out, "{d}").expect("a string");
        for label in &d.labels {
            let (line, column) = line_column(source, label.span.start);
            let words = source.get(label.span.range()).unwrap_or("?");
            writeln!(out, "  {line}:{column} {words:?} {}", label.text).expect("a string");
        }
        for help in &d.help {
            writeln!(out, "  help: {help}").expect("a string");
        }
    }
    match assembly.bytes() {
        Some(bytes) => {
            out + &disassemble(&bytes, &DisOptions::default(), &Limits::default()).expect("a listing")
        }
        None => out,
    }
}

fn compare(folder: &str, extension: &str, at_least: usize, assemble: impl Fn(&str) -> Assembly) {
    let (mut wrong, files) = (Vec::new(), files(folder, extension));
    assert!(files.len() >= at_least, "{} files", files.len());
    for path in &files {
        let source = std::fs::read_to_string(path).expect("a readable file");
        let expected_at = path.with_extension(format!("{extension}.expected"));
        let got = outcome(&source, &assemble(&source));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected_at, &got).expect("a writable file");
        } else if std::fs::read_to_string(&expected_at).ok().as_deref() != Some(&got) {
            wrong.push(format!("{}:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn macro_programs_become_what_is_expected() {
    compare("macro", "agalm", 60, |s| assemble_macros(s, &options(s), &Limits::default()));
}

#[test]
fn programs_become_what_is_expected() {
    compare("text", "agal", 40, |s| assemble(s, &options(s), &Limits::default()));
}

/// A second comment of the file selects Adobe's leniency.
fn options(source: &str) -> AsmOptions {
    let lenient = source.lines().nth(1) == Some("// lenient");
    AsmOptions { lenient, ..AsmOptions::default() }
}
