//! No engine identifies an instruction by its name.
//!
//! A mnemonic is a string literal that a family's rows state as a name. A breach is the same literal in the
//! family's code outside of `forms/`, operand kinds and tests, or in the family's folder of the library. `applegpu/` is part of AGX's rows: it holds their
//! spellings for the second tool.

use crate::positions::is_table;
use crate::ratchet::{Breach, check};
use crate::sources::{Crate, File, families, library, of_family};
use std::collections::BTreeSet;

/// Literals that are spelled like a mnemonic and name something else: the crate, the file, the literal.
const OTHERS: [(&str, &str, &str); 13] = [
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
    // Functions that return defaults of inputs as JSON.
    ("shisa", "src/family/agx/running/compute_json.rs", "one"),
    ("shisa", "src/family/agx/running/textures.rs", "one"),
    // A field of results as JSON.
    ("shisa", "src/family/pica200/running/json.rs", "end"),
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

/// The breaches of a file, where a family's instructions have these names.
fn breaches<'f>(
    krate: &str,
    file: &'f File,
    names: &BTreeSet<&str>,
) -> impl Iterator<Item = Breach> + use<'f> {
    let is_name = |(at, text): &&(std::ops::Range<usize>, String)| {
        let other = OTHERS.contains(&(krate, file.path.as_str(), text.as_str()));
        !file.in_tests(at.start) && names.contains(text.as_str()) && !other
    };
    let found: Vec<_> = file.lexed.strings.iter().filter(is_name).collect();
    found.into_iter().map(|(at, text)| Breach {
        path: file.path.clone(),
        line: file.line(at.start),
        what: format!("{text:?}"),
    })
}

#[test]
fn engines_name_no_instruction() {
    let (families, library) = (families(), library());
    let mut of_library = Vec::new();
    let mut found: Vec<(&str, Vec<Breach>)> = Vec::new();
    for krate in &families {
        let names = names(krate);
        let own = krate.files.iter().filter(|f| !is_table(&krate.name, f));
        found.push((&krate.name, own.flat_map(|file| breaches(&krate.name, file, &names)).collect()));
        let files = of_family(&library, &krate.name);
        of_library.extend(files.flat_map(|file| breaches(&library.name, file, &names)));
    }
    found.push((&library.name, of_library));
    check("mnemonics", &found);
}
