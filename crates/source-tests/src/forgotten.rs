//! No test is left out: where one binary has all tests of a crate, cargo does not look for further files, and where a crate
//! states that its documentation has no examples, or its library no tests, cargo does not look for them.

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

/// Whether a source has tests.
fn has_tests(source: &str) -> bool {
    let attributes = source.lines().map(str::trim).filter(|line| line.starts_with("#["));
    attributes.into_iter().any(|line| line.starts_with("#[test]") || line.starts_with("#[cfg(test)]"))
}

/// Whether `shisa-unit-tests` compiles a file of a crate.
fn is_compiled_elsewhere(name: &str, file: &str) -> bool {
    let manifest = fs::read_to_string(root().join("crates/unit-tests/Cargo.toml")).unwrap();
    manifest.lines().any(|line| line == format!("path = \"../{name}/{file}\""))
}

/// The manifest of a crate. The chores are not among the crates: theirs is empty.
fn manifest(name: &str) -> String {
    fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap_or_default()
}

/// Fails if a library whose manifest has this line has a source of which `has` is true, except for those that are
/// excused. Returns the number of such libraries.
fn libraries_without(line: &str, has: fn(&str) -> bool, is_excused: fn(&str) -> bool) -> usize {
    let mut without = 0;
    for Crate { name, files } in crates() {
        let manifest = manifest(&name);
        let library = manifest.split("\n[").find(|section| section.starts_with("lib]"));
        if library.is_some_and(|library| library.lines().any(|l| l == line)) {
            without += 1;
            let found = files.iter().filter(|f| f.path.starts_with("src/") && has(&f.source));
            let found: Vec<&str> = found.map(|f| f.path.as_str()).collect();
            assert!(
                found.is_empty() || is_excused(&name),
                "crates/{name}/Cargo.toml has `{line}`: {found:?}"
            );
        }
    }
    without
}

#[test]
fn every_example_is_tested() {
    assert!(libraries_without("doctest = false", has_example, |_| false) >= 10);
}

#[test]
fn every_test_of_a_library_is_run() {
    let elsewhere = |name: &str| is_compiled_elsewhere(name, "src/lib.rs");
    assert!(libraries_without("test = false", has_tests, elsewhere) >= 9);
}

/// Tests of a crate's folder that cargo does not run in its package are run in another.
#[test]
fn every_folder_of_tests_is_run() {
    let mut elsewhere = 0;
    for Crate { name, .. } in crates() {
        let manifest = manifest(&name);
        let tests = manifest.split("\n[").filter(|section| section.starts_with("[test]]"));
        for section in tests.filter(|section| section.lines().any(|line| line == "test = false")) {
            let path = section.lines().find_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
            assert!(path.is_some_and(|path| is_compiled_elsewhere(&name, path)), "crates/{name}: {section}");
            elsewhere += 1;
        }
    }
    assert!(elsewhere >= 3);
}

#[test]
fn tests_are_found() {
    assert!(
        has_tests("fn a() {}\n\n#[test]\nfn b() {}\n") && has_tests("    #[cfg(test)]\n    mod tests;\n")
    );
    assert!(!has_tests("//! #[test]\nfn test() {}\n#[cfg(feature = \"test\")]\nmod a;\n"));
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
