//! No test is left out: where one binary has all tests of a crate, cargo does not look for further files, and where a crate
//! states that its documentation has no examples, cargo does not look for examples.

use crate::modules::parents;
use crate::sources::{Crate, File, crates, root};
use std::fs;

/// The folder of a binary's tests, if the file is its root.
fn folder(file: &File) -> Option<&str> {
    file.path.strip_suffix("main.rs").filter(|folder| folder.starts_with("tests/"))
}

/// The files of tests in the folder of a binary that no file declares.
fn forgotten(files: &[File]) -> Vec<&str> {
    let folders: Vec<&str> = files.iter().filter_map(folder).collect();
    let parents = parents(files);
    let lost = |(file, parent): &(&File, &Option<usize>)| {
        parent.is_none() && folder(file).is_none() && folders.iter().any(|f| file.path.starts_with(f))
    };
    files.iter().zip(&parents).filter(lost).map(|(file, _)| file.path.as_str()).collect()
}

/// Whether the documentation in a source has an example that rustdoc would compile.
fn has_example(source: &str) -> bool {
    let comments = source.lines().map(str::trim_start);
    let comments = comments.filter_map(|l| l.strip_prefix("///").or_else(|| l.strip_prefix("//!")));
    let fences = comments.filter_map(|l| l.trim_start().strip_prefix("```"));
    let opening = fences.step_by(2);
    opening.map(str::trim).any(|language| !["text", "sh", "json", "toml", "ignore"].contains(&language))
}

#[test]
fn every_example_is_tested() {
    let mut without = 0;
    for Crate { name, files } in crates().into_iter().filter(|c| c.name != "xtask") {
        let manifest = fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml"));
        if manifest.expect("a manifest").lines().any(|line| line == "doctest = false") {
            without += 1;
            let examples: Vec<&File> =
                files.iter().filter(|f| f.path.starts_with("src/") && has_example(&f.source)).collect();
            let examples: Vec<&str> = examples.iter().map(|f| f.path.as_str()).collect();
            assert_eq!(examples, [""; 0], "crates/{name}/Cargo.toml has `doctest = false`");
        }
    }
    assert!(without >= 10, "only {without} crates without examples were found");
}

#[test]
fn an_example_is_found() {
    assert!(has_example("/// Adds.\n///\n/// ```\n/// add(1, 2);\n/// ```\n"));
    assert!(has_example("//! ```text\n//! a\n//! ```\n//! ```no_run\n//! ```\n"));
    assert!(!has_example("//! ```text\n//! a\n//! ```\nlet a = \"```\";"));
}

#[test]
fn every_file_of_tests_is_declared() {
    for Crate { name, files } in crates() {
        assert_eq!(forgotten(&files), [""; 0], "a main.rs in crates/{name}/tests lacks a `mod` for these");
    }
}

#[test]
fn a_file_without_declaration_is_found() {
    let file = |path: &str, source: &str| File::new(path, source);
    let one = [file("tests/main.rs", "mod a;"), file("tests/a.rs", ""), file("tests/b.rs", "")];
    assert_eq!(forgotten(&one), ["tests/b.rs"]);
    let each = [file("tests/a.rs", ""), file("tests/b.rs", "")];
    assert_eq!(forgotten(&each), [""; 0]);
}
