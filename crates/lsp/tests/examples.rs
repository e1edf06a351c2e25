//! Properties of all examples, and of their listings.

use crate::client::{Client, edited};
use serde_json::json;
use shisa::{File, Language, Listing, Settings, assemble};
use std::fs;
use std::path::Path;

/// The sources of the repository's examples and tests: file name, language, text.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in [
        "examples",
        "tests/agal",
        "tests/agal/macro",
        "tests/asm",
        "tests/check",
        "tests/translate",
        "tests/run",
        "tests/dis",
    ] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let known = ["agal", "agalm", "pica", "maxwell", "agx"];
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if known.contains(&extension) {
                let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
                found.push((name, fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    assert!(found.len() > 150, "{}", found.len());
    found
}

fn settings(name: &str) -> Settings {
    let mut settings = Settings::new();
    settings.name = Some(name.to_owned());
    settings
}

/// The bytes of a source, if it has no faults.
fn bytes(name: &str, text: &str) -> Option<Vec<u8>> {
    let settings = settings(name);
    let language = Language::of(text.as_bytes(), &settings)?;
    assemble(text, language, &settings).ok().map(|done| done.bytes)
}

/// The document formatted.
fn formatted(name: &str, text: &str) -> String {
    let mut client = Client::new();
    let uri = format!("file:///{name}");
    client.open(&uri, "", text);
    let edits = client.ask("textDocument/formatting", json!({"textDocument": {"uri": uri}}));
    let bytes: Vec<u8> = text.bytes().map(|b| if b.is_ascii() { b } else { b'?' }).collect();
    let ascii = String::from_utf8(bytes).expect("ASCII");
    if ascii.len() == text.chars().count() { edited(text, &edits) } else { text.to_owned() }
}

#[test]
fn formatting_keeps_the_bytes_and_is_done_once() {
    let mut sound = 0;
    for (name, text) in sources() {
        let once = formatted(&name, &text);
        assert_eq!(formatted(&name, &once), once, "{name}");
        assert_eq!(bytes(&name, &once), bytes(&name, &text), "{name}:\n{once}");
        let words = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(words(&once), words(&text), "{name}");
        sound += usize::from(bytes(&name, &text).is_some());
    }
    assert!(sound > 100, "{sound}");
}

#[test]
fn listings_are_formatted_already() {
    let mut listed = 0;
    for (name, text) in sources() {
        let settings = settings(&name);
        let Ok(file) = File::open(text.as_bytes(), &settings) else { continue };
        let Ok(listing) = file.listing(&Listing::new()) else { continue };
        let name = name.replace(".agalm", ".agal");
        assert_eq!(formatted(&name, &listing), listing, "{name}");
        listed += 1;
    }
    assert!(listed > 100, "{listed}");
}

#[test]
fn every_word_of_every_source_has_an_answer() {
    for (name, text) in sources() {
        let mut client = Client::new();
        let uri = format!("file:///{name}");
        client.open(&uri, "", &text);
        client.findings();
        for (line, content) in text.split('\n').enumerate().step_by(11) {
            for character in (0..=content.len()).step_by(3) {
                let params =
                    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
                for method in ["hover", "completion", "signatureHelp", "definition"] {
                    client.ask(&format!("textDocument/{method}"), params.clone());
                }
            }
        }
        let tokens = client.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
        assert_eq!(tokens["data"].as_array().map(|data| data.len() % 5), Some(0), "{name}");
    }
}

/// Every instruction of a sound source has its bytes as a hint.
#[test]
fn instructions_have_hints() {
    for (name, text) in sources().into_iter().filter(|(name, text)| bytes(name, text).is_some()) {
        let mut client = Client::new();
        let uri = format!("file:///{name}");
        client.open(&uri, "", &text);
        let end = json!({"line": text.split('\n').count() - 1, "character": 0});
        let all = json!({"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": end}});
        let hints = client.ask("textDocument/inlayHint", all);
        let hints = hints.as_array().expect("a list").len();
        let settings = settings(&name);
        let language = Language::of(text.as_bytes(), &settings).expect("a language");
        let lines = assemble(&text, language, &settings).expect("sound").lines.len();
        assert!(hints > 0 || lines == 0, "{name}: {hints} hints, {lines} instructions");
    }
}
