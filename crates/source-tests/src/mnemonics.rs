//! No engine identifies an instruction by its name.
//!
//! A mnemonic is a string literal that a family's rows state as a name. A breach is the same literal in the
//! family's code outside of `forms/`, operand kinds and tests. `applegpu/` is part of AGX's rows: it holds their
//! spellings for the second tool.

use crate::positions::is_table;
use crate::ratchet::{Breach, check};
use crate::sources::{Crate, File, families};
use std::collections::BTreeSet;

/// Literals that are spelled like a mnemonic and name something else: the crate, the file, the literal.
const OTHERS: [(&str, &str, &str); 10] = [
    // Names of options and of their values.
    ("agal", "src/options.rs", "ifg"),
    ("agal", "src/options.rs", "abs"),
    ("pica200", "src/options.rs", "add"),
    ("pica200", "src/options.rs", "mul"),
    ("pica200", "src/options.rs", "mova"),
    ("pica200", "src/options.rs", "end"),
    // A field of the encoding.
    ("pica200", "src/format.rs", "dst"),
    // The directive `.zero`.
    ("agx", "src/text/assemble.rs", "zero"),
    // An input of a fragment program.
    ("agx", "src/stage/pixels.rs", "sample_mask"),
    // The directive `.end`.
    ("pica200", "src/picasso/directive.rs", "end"),
];

/// The functions of `forms/` that make a row and take its name as their first parameter.
fn makers(krate: &Crate) -> BTreeSet<&str> {
    let mut makers = BTreeSet::new();
    for file in krate.files.iter().filter(|f| f.below("forms")) {
        let code = &file.lexed.code;
        for (at, _) in code.match_indices("fn ") {
            let rest = &code[at + 3..];
            let Some((name, rest)) = rest.split_once('(') else { continue };
            let first = rest.split(',').next().unwrap_or("");
            let signature = rest.split('{').next().unwrap_or("");
            if first.contains("&'static str") && signature.contains("-> Form<") {
                makers.insert(name.trim());
            }
        }
    }
    makers
}

/// The name of the function of which the literal at `at` is the first argument.
fn callee(file: &File, at: usize) -> &str {
    let before = file.lexed.code[..at - 1].trim_end();
    let Some(before) = before.strip_suffix('(') else { return "" };
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    &before[start..]
}

/// The names of a family's rows.
fn names(krate: &Crate) -> BTreeSet<&str> {
    let makers = makers(krate);
    let mut names = BTreeSet::new();
    for file in krate.files.iter().filter(|f| f.below("forms")) {
        for (at, text) in &file.lexed.strings {
            let row = !file.in_tests(at.start) && makers.contains(callee(file, at.start));
            if row && !text.is_empty() {
                names.insert(text.as_str());
            }
        }
    }
    assert!(names.len() > 30, "{}: {names:?}", krate.name);
    names
}

#[test]
fn engines_name_no_instruction() {
    let families = families();
    let found: Vec<_> = families
        .iter()
        .map(|krate| {
            let names = names(krate);
            let mut breaches = Vec::new();
            for file in krate.files.iter().filter(|f| !is_table(&krate.name, f)) {
                for (at, text) in &file.lexed.strings {
                    let other = OTHERS.contains(&(&krate.name, &file.path, text));
                    if !file.in_tests(at.start) && names.contains(text.as_str()) && !other {
                        let what = format!("{text:?}");
                        breaches.push(Breach { path: file.path.clone(), line: file.line(at.start), what });
                    }
                }
            }
            (krate.name.as_str(), breaches)
        })
        .collect();
    check("mnemonics", &found);
}
