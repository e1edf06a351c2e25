//! Comments, documentation and messages have the field's words (see the style guide).
//!
//! A breach is one of [`WORDS`] in a comment or a string literal of a crate's sources, tests included, or in a
//! document (`counts/docs.txt`), but for [`PHRASES`], which are plain English.

use crate::ratchet::{Breach, check};
use crate::sources::{crates, documents};

/// Words of our own, and what stands there in the field's language.
const WORDS: &[(&str, &str)] = &[
    ("behind", "after, below, next, past"),
    ("tell", "report, state, determine, distinguish"),
    ("tells", "reports, states, determines, distinguishes"),
    ("told", "reported, stated, determined"),
    ("way", "path, edge"),
    ("ways", "paths, edges"),
    ("place", "offset, location, position, slot"),
    ("places", "offsets, locations, positions, slots"),
    ("stand", "be, be at, be stored in"),
    ("stands", "is, is at, is stored in"),
    ("stood", "was, was at, was stored in"),
    ("the machine", "the hardware, the GPU, the target"),
    ("turn", "iteration"),
    ("turns", "iterations"),
    ("held back", "masked off, inactive"),
    ("hold back", "mask off"),
    ("holds back", "masks off"),
    ("kept", "cached, preserved"),
    ("gives on", "outputs, passes"),
    ("hands on", "outputs, passes, forwards"),
    ("handed on", "output, passed, forwarded"),
    ("comes out as", "is emitted as, lowers to"),
    ("come out as", "are emitted as, lower to"),
    ("ask", "query, call, look up"),
    ("asks", "queries, calls, looks up"),
    ("asked", "queried, called, looked up"),
    ("lead through", "post-dominate"),
    ("leads through", "post-dominates"),
];

/// Plain English with one of these words.
const PHRASES: &[&str] = &[
    "in place of",
    "in place",
    "take place",
    "takes place",
    "takes the place of",
    "stands for",
    "stand for",
    "in turn",
    "turns into",
    "turn into",
    "turns on",
    "turns off",
    "ask for",
    "asks for",
    "asked for",
    "decimal places",
    "the machine code",
];

/// The document that lists the words.
const STYLE_GUIDE: &str = "docs/STYLE.md";

/// Every occurrence of a word in lower-case text, as a whole word. Hyphens join: codes such as `pica-output-kept` are
/// one word.
fn occurrences<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    text.match_indices(word).map(|m| m.0).filter(move |at| {
        !letter(text[..*at].chars().next_back()) && !letter(text[at + word.len()..].chars().next())
    })
}

/// The words of a text that the field has others for: the offset, and what to write.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut text = text.to_ascii_lowercase();
    for phrase in PHRASES {
        let found: Vec<usize> = occurrences(&text, phrase).collect();
        for at in found {
            text.replace_range(at..at + phrase.len(), &"-".repeat(phrase.len()));
        }
    }
    let mut found = Vec::new();
    for (word, instead) in WORDS {
        found.extend(occurrences(&text, word).map(|at| (at, format!("`{word}`: {instead}"))));
    }
    found
}

#[test]
fn whole_words_are_found() {
    let text = "It stands behind the place; always in place, which tells Wayne.";
    let found: Vec<String> = words(text).into_iter().map(|w| w.1.split(':').next().unwrap().into()).collect();
    assert_eq!(found, ["`behind`", "`tells`", "`place`", "`stands`"]);
}

#[test]
fn comments_and_messages_have_the_fields_words() {
    let all = crates();
    let mut found: Vec<_> = all
        .iter()
        .map(|krate| {
            let mut breaches = Vec::new();
            for file in &krate.files {
                for (at, text) in file.lexed.comments.iter().chain(&file.lexed.strings) {
                    for (offset, what) in words(text) {
                        let line = file.line(at.start + offset);
                        breaches.push(Breach { path: file.path.clone(), line, what });
                    }
                }
            }
            breaches.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
            (krate.name.as_str(), breaches)
        })
        .collect();
    let mut breaches = Vec::new();
    for (path, text) in documents().into_iter().filter(|d| d.0 != STYLE_GUIDE) {
        for (at, what) in words(&text) {
            breaches.push(Breach { path: path.clone(), line: 1 + text[..at].matches('\n').count(), what });
        }
    }
    found.push(("docs", breaches));
    check("words", &found);
}
