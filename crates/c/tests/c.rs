//! A C program against the header and the library, and a C++ compiler on the header.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of this test's program, where cargo puts the library, too.
fn folder() -> PathBuf {
    let own = std::env::current_exe().expect("a test has a path");
    own.parent().expect("a test is in a folder").to_path_buf()
}

/// The static library, which cargo builds with the tests.
fn library() -> PathBuf {
    folder().join("libshisa_c.a")
}

/// Runs a compiler; `None`, with the reason printed, if there is none.
fn compile(compiler: &str, arguments: &[&Path]) -> Option<Output> {
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    match command.args(arguments).output() {
        Ok(output) => Some(output),
        Err(e) => {
            println!("skipped: {compiler} does not run: {e}");
            None
        }
    }
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn assert_success(output: &Output) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{out}\n{err}", output.status);
}

#[test]
fn a_c_program_runs_shaders() {
    let program = folder().join(format!("shisa-c-test-{}", std::process::id()));
    let (include, library) = (source("include"), library());
    let c = source("tests/run.c");
    let arguments = ["-std=c99", "-I"].map(Path::new);
    let rest = [
        "-o".as_ref(),
        program.as_path(),
        &c,
        &library,
        "-lm".as_ref(),
        "-lpthread".as_ref(),
        "-ldl".as_ref(),
    ];
    let Some(compiled) = compile("cc", &[&arguments[..], &[&include], &rest].concat()) else { return };
    assert_success(&compiled);
    let ran = Command::new(&program).output();
    std::fs::remove_file(&program).expect("the program can be removed");
    assert_success(&ran.expect("the program runs"));
}

#[test]
fn the_header_is_cplusplus() {
    let header = source("include/shisa.h");
    let arguments = ["-std=c++11", "-fsyntax-only", "-x", "c++"].map(Path::new);
    let Some(compiled) = compile("c++", &[&arguments[..], &[&header]].concat()) else { return };
    assert_success(&compiled);
}

/// Every function of the header is a function of the library, and has as many arguments; the library has no others.
#[test]
fn the_header_has_all_functions() {
    let header = std::fs::read_to_string(source("include/shisa.h")).expect("the header");
    let code = ["src/cache.rs", "src/program.rs", "src/runner.rs"]
        .map(|file| std::fs::read_to_string(source(file)).expect("a source"))
        .concat();
    let functions = |text: &str, before: &str, end: &str| -> Vec<(String, usize)> {
        let mut list: Vec<(String, usize)> = text
            .match_indices(before)
            .filter_map(|(at, _)| {
                let from = at + before.len() - "shisa_".len();
                let (name, rest) = text[from..].split_once('(')?;
                let arguments = rest.split_once(end)?.0.trim().trim_end_matches(',');
                let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
                let none = arguments.is_empty() || arguments == "void";
                plain.then(|| (name.to_owned(), if none { 0 } else { arguments.split(',').count() }))
            })
            .collect();
        list.sort();
        list.dedup();
        list
    };
    let without_comments: String =
        header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect();
    let declared = functions(&without_comments, "shisa_", ");");
    let defined = functions(&code, "extern \"C\" fn shisa_", ") ");
    assert!(declared.len() > 10, "{declared:?}");
    assert_eq!(declared, defined);
}
