//! No lookup that finds nothing is answered with a default.
//!
//! A breach is, outside of tests:
//! * `.get(…)`, `.get_mut(…)`, `.first()`, `.last()` or `.pop()`, and on the same value `.unwrap_or…(…)` or
//!   `.map_or…(…)`: an index that is out of range gives a value that the caller takes for the element;
//! * `let _ = …;`, which drops the error of a call. Writing into a string does not fail and is no breach.
//!
//! Most that are left state a rule of the format or the language, such as that an argument may be absent. A state that
//! the code rules out is an error with a code `internal-…`.

use crate::ratchet::{Breach, check};
use crate::sources::{File, crates};

/// Crates that only test others.
const TOOLS: [&str; 3] = ["conformance", "fuzz-targets", "xtask"];

const LOOKUPS: [&str; 5] = [".get(", ".get_mut(", ".first(", ".last(", ".pop("];
/// Methods that pass on whether there was an element.
const PASSING: [&str; 4] = [".copied()", ".cloned()", ".flatten()", ".as_deref()"];
const DEFAULTS: [&str; 2] = [".unwrap_or", ".map_or"];

/// The text after the bracket that closes the one that was just opened.
fn closed(text: &str) -> Option<&str> {
    let mut open = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return text.get(at + 1..);
        }
    }
    None
}

/// Whether the value before `text` is answered with a default.
fn has_default(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        match PASSING.iter().find_map(|name| text.strip_prefix(name)) {
            Some(rest) => text = rest,
            None => return DEFAULTS.iter().any(|name| text.starts_with(name)),
        }
    }
}

/// The offsets of the breaches of a file.
fn breaches(file: &File) -> Vec<usize> {
    let code = &file.lexed.code;
    let mut found = Vec::new();
    for lookup in LOOKUPS {
        let all = code.match_indices(lookup).map(|(at, _)| (at, &code[at + lookup.len()..]));
        found.extend(all.filter(|(_, rest)| closed(rest).is_some_and(has_default)).map(|(at, _)| at));
    }
    let writes = |rest: &str| rest.starts_with("write!") || rest.starts_with("writeln!");
    let dropped = code.match_indices("let _ = ").filter(|(at, text)| {
        let rest = &code[at + text.len()..];
        // One statement: a match whose arms write.
        let statement = rest.split(';').next().unwrap_or(rest);
        !writes(rest) && !statement.contains("write")
    });
    found.extend(dropped.map(|(at, _)| at));
    found.sort_unstable();
    found.retain(|at| !file.in_tests(*at));
    found
}

#[test]
fn lookups_have_no_defaults() {
    let all = crates();
    let mut found = Vec::new();
    for krate in all.iter().filter(|krate| !TOOLS.contains(&krate.name.as_str())) {
        let mut list = Vec::new();
        for file in &krate.files {
            let line = |at: usize| {
                let start = file.lexed.code[..at].rfind('\n').map_or(0, |i| i + 1);
                file.source[start..].lines().next().unwrap_or("").trim().to_string()
            };
            let breach = |at| Breach { path: file.path.clone(), line: file.line(at), what: line(at) };
            list.extend(breaches(file).into_iter().map(breach));
        }
        found.push((krate.name.as_str(), list));
    }
    check("defaults", &found);
}

#[test]
fn lookups_are_recognised() {
    let count = |code: &str| breaches(&File::new("src/a.rs", code)).len();
    for breach in [
        "fn f() { list.get(i).copied().unwrap_or(0) }",
        "fn f() { list.get(g(i))\n    .cloned()\n    .unwrap_or_default() }",
        "fn f() { list.get_mut(a..b).map_or(&[], |x| x) }",
        "fn f() { list.last().map_or_else(String::new, |x| x) }",
        "fn f() { let _ = run(); }",
    ] {
        assert_eq!(count(breach), 1, "{breach}");
    }
    for sound in [
        "fn f() { list.get(i).copied().ok_or(Stop)?; }",
        "fn f() { list.get(i).is_some_and(|x| x.unwrap_or(0) > 1) }",
        "fn f() { let _ = write!(out, \"\"); let _ = match a { _ => writeln!(out) }; }",
        "#[cfg(test)] mod tests { fn f() { list.get(i).copied().unwrap_or(0) } }",
    ] {
        assert_eq!(count(sound), 0, "{sound}");
    }
}
