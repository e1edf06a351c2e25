//! Codes of what is wrong with code.

use super::super::Explanation;

/// Each code with what it means.
#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("asm-length", "The short form of the instruction cannot hold these operands."),
    ("lift-condition", "The comparison has a number that means nothing."),
    ("lift-mask", "No component is chosen."),
    ("lift-shift", "A sum shifts its second source by at most 4."),
    ("lift-texture", "The meaning of textures of this shape is not stated yet."),
];

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let found = CODES.iter().filter(|(code, _)| *code == word);
    let explained = found.map(|(code, text)| Explanation {
        word: (*code).into(),
        kind: "AGX error code",
        summary: (*text).into(),
        sections: Vec::new(),
    });
    explained.collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    CODES.iter().map(|(code, _)| (*code).to_owned())
}
