//! Invented instructions: one row each, and nothing else.

use super::edit::list;
use super::suite::{COPY, Tests};
use crate::copied::copy;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// The list of rows, below the root of the workspace.
pub(super) const LIST: &str = "xtask/rows/rows.txt";
/// The folder of the rows' file tests, which only succeed with the rows.
const FOLDER: &str = "xtask/rows";
/// The folder in the copy, among the other file tests.
const COPIED: &str = "tests/rows";
/// Tests that run for any row, besides those of its family: file tests.
const TESTS: (&str, &[&str]) = ("cli", &["--test", "files"]);

/// Adds all rows, then runs the tests; returns whether all succeed. With `BLESS=1`, what the rows' file tests print is
/// written as expected, and nothing is compared.
pub(super) fn run() -> Result<bool, Box<dyn Error>> {
    let rows = list(Path::new(LIST))?;
    copy(Path::new(COPY), &BTreeMap::new())?;
    for row in &rows {
        let path = Path::new(COPY).join(&row.file);
        let changed = row.apply(&fs::read_to_string(&path)?);
        fs::write(&path, changed.ok_or_else(|| format!("{}: its text does not occur once", row.name))?)?;
        println!("added {}: {}", row.name, row.what);
    }
    let copied = Path::new(COPY).join(COPIED);
    fs::create_dir_all(&copied)?;
    for entry in fs::read_dir(FOLDER)? {
        let entry = entry?;
        fs::copy(entry.path(), copied.join(entry.file_name()))?;
    }
    let families: BTreeSet<&str> = rows.iter().map(|row| row.group()).collect();
    let families = families.into_iter().map(|family| (family, &[][..]));
    let mut failed = Vec::new();
    for (group, options) in families.chain([TESTS]) {
        let tests = Tests { group, options, shown: true };
        if !(tests.compile()? && tests.succeed()?) {
            failed.push(group);
        }
    }
    if std::env::var_os("BLESS").is_some_and(|v| v == "1") {
        write_back(&copied)?;
        println!("rows: the expected results are written; run it again to compare all file tests");
        return Ok(failed.is_empty());
    }
    match failed.as_slice() {
        [] => println!("rows: {} need nothing else", rows.len()),
        _ => println!("rows: FAILED tests of {}", failed.join(" ")),
    }
    Ok(failed.is_empty())
}

/// Copies what the file tests printed back beside them.
fn write_back(copied: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(copied)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "out" || e == "err") {
            fs::copy(&path, Path::new(FOLDER).join(path.file_name().unwrap_or(OsStr::new(""))))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_shows_a_row_that_is_added() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let rows = list(&root.join(LIST)).unwrap();
        let row = rows.iter().find(|row| row.name == "agal/cub").expect("the row of the book");
        let added = row.new.strip_prefix(&row.old).expect("the row follows what was there");
        let added: Vec<&str> =
            added.trim_start().lines().map(|l| l.strip_prefix("    ").unwrap_or(l)).collect();
        let page = fs::read_to_string(root.join("docs/book/src/contributing.md")).unwrap();
        assert!(
            page.contains(&format!("```rust\n{}\n```", added.join("\n"))),
            "the page has other lines than\n{added:#?}"
        );
    }
}
