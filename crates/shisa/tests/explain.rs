//! The reference: similar words, words with several meanings, and every code that the sources use.

use shisa::{Isa, explain};

#[test]
fn unknown_words_suggest_near_ones() {
    let e = explain("swizle", None).unwrap_err();
    assert_eq!(e.diagnostics[0].code, "explain-unknown");
    assert!(e.diagnostics[0].help[0].contains("swizzle"), "{e:?}");
    assert!(explain("", None).is_err());
}

#[test]
fn a_word_of_two_instruction_sets_has_two_explanations() {
    let kinds = |isa| explain("mov", isa).unwrap().iter().map(|e| e.kind).collect::<Vec<_>>();
    assert_eq!(kinds(None)[..2], ["AGAL opcode", "PICA200 opcode"]);
    assert_eq!(kinds(Some(Isa::Pica200)), ["PICA200 opcode"]);
}

/// The codes that the sources give to diagnostics.
#[test]
fn every_code_is_explained() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in
        ["agal", "agx", "diag", "eval", "ir", "maxwell", "pica200", "rows", "shisa", "swf", "translate"]
    {
        sources(&crates.join(name).join("src"), &mut files);
    }
    let mut missing = std::collections::BTreeSet::new();
    let mut seen = 0;
    for text in files {
        for code in codes_in(&text) {
            seen += 1;
            if explain(code, None).is_err() {
                missing.insert(code.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(seen > 20, "codes are found: {seen}");
}

fn sources(dir: &std::path::Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        // Nobody sees the diagnostics of tests.
        if path.is_dir() {
            sources(&path, into);
        } else if path.file_name().is_some_and(|n| n != "tests.rs" && n != "testing.rs") {
            into.extend(std::fs::read_to_string(&path));
        }
    }
}

/// The literals that are the first argument of a call that makes a diagnostic, and those that look like codes of
/// translation, which some functions take.
fn codes_in(text: &str) -> Vec<&str> {
    let calls = ["Diagnostic::error(", "Diagnostic::warning("];
    let behind = calls.iter().flat_map(|call| text.split(call).skip(1));
    let literals = behind.filter_map(|t| t.trim_start().strip_prefix('"'));
    let given = text.match_indices("\"translate-").map(|(at, _)| &text[at + 1..]);
    let plain = |code: &&str| {
        let letter = |b: u8| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit();
        code.bytes().all(letter) && !code.ends_with('-')
    };
    literals.chain(given).filter_map(|t| t.split('"').next()).filter(plain).collect()
}

/// The keys of a schema's object, with the names that each may have.
fn keys(schema: &serde_json::Value, above: &str, all: &mut Vec<(String, Vec<String>)>) {
    for inner in [&schema["items"], &schema["anyOf"][1]] {
        if inner.is_object() {
            keys(inner, above, all);
        }
    }
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{above}.{key}");
        let names = value["enum"].as_array().into_iter().flatten();
        all.push((path.clone(), names.filter_map(|name| Some(name.as_str()?.to_owned())).collect()));
        keys(value, &path, all);
    }
}

/// The keys of a draw call in the schema are those of the reference, with the same values.
#[cfg(feature = "maxwell")]
#[test]
fn draw_calls_are_explained_as_their_schema_has_them() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../docs/schema/maxwell-run.schema.json")).unwrap();
    let mut all = Vec::new();
    keys(&schema["properties"]["draw"], "draw", &mut all);
    let listed = &explain("draw", Some(Isa::Maxwell)).unwrap()[0].sections[0].lines;
    let listed: Vec<&str> = listed.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(listed.len(), all.len());
    for (path, names) in all {
        assert!(listed.contains(&&*path), "{path}");
        let page = &explain(&path, Some(Isa::Maxwell)).unwrap()[0];
        let values = page.sections.iter().find(|section| section.heading == "Values");
        let lines = values.iter().flat_map(|section| &section.lines);
        let explained: Vec<&str> = lines.map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(explained, names, "{path}");
    }
}
