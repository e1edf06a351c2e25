//! No file of tests is left out: where one binary has all tests of a crate, cargo does not look for further files.

use crate::modules::parents;
use crate::sources::{Crate, File, crates};

const ROOT: &str = "tests/main.rs";

/// The files of tests that no file declares.
fn forgotten(files: &[File]) -> Vec<&str> {
    if !files.iter().any(|f| f.path == ROOT) {
        return Vec::new();
    }
    let parents = parents(files);
    let lost = |(file, parent): &(&File, &Option<usize>)| {
        file.path.starts_with("tests/") && file.path != ROOT && parent.is_none()
    };
    files.iter().zip(&parents).filter(lost).map(|(file, _)| file.path.as_str()).collect()
}

#[test]
fn every_file_of_tests_is_declared() {
    for Crate { name, files } in crates() {
        assert_eq!(forgotten(&files), [""; 0], "crates/{name}/tests/main.rs lacks a `mod` for these");
    }
}

#[test]
fn a_file_without_declaration_is_found() {
    let file = |path: &str, source: &str| File::new(path, source);
    let one = [file(ROOT, "mod a;"), file("tests/a.rs", ""), file("tests/b.rs", "")];
    assert_eq!(forgotten(&one), ["tests/b.rs"]);
    let each = [file("tests/a.rs", ""), file("tests/b.rs", "")];
    assert_eq!(forgotten(&each), [""; 0]);
}
