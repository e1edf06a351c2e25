//! Diagnostic codes of containers, words, text and runs.

use crate::explain::Explanation;
use shisa_maxwell::{REFUSALS, container, hazards, rules};

/// Codes of the verbs themselves.
const VERBS: &[(&str, &str)] =
    &[("maxwell-replace", "One program of a container is replaced, so the source must have one program.")];

/// Codes of text, of semantics that are not stated yet, and of runs.
#[rustfmt::skip]
const OTHERS: &[(&str, &str)] = &[
    ("asm-control", "Control bits are written {wait:read:write:yield:stall}, as in {--:-:0:Y:2}."),
    ("asm-label", "A label is unknown, is defined twice, or marks an address where no instruction begins."),
    ("lift-codes", "The condition codes after the instruction are not stated yet, or no codes are known for them: the carry of three subtrahends."),
    ("lift-compare", "The operation that joins truth values has an undefined number."),
    ("lift-components", "The texture read selects a set of components that does not exist."),
    ("lift-condition", "The condition tests the coverage of a pixel, which nothing public describes."),
    ("lift-convert", "A conversion between these sizes, or of this part, is read and written, but its meaning is not stated yet."),
    ("lift-multiply", "A source of the product has a mode or a type with an undefined number."),
    ("lift-parts", "A part of a source, an order of bytes or a shift of a sum has an undefined number."),
    ("lift-permute", "The mode of the permutation has an undefined number."),
    ("lift-scale", "A scaled product (.D2, .M8) is read and written, but when it is rounded is not stated yet; or the scale of a video product has an undefined number."),
    ("lift-shift", "Nothing public describes this suffix of a shift (.X, .XHI), or the hardware rejects it (SHF.L.HI)."),
    ("lift-size", "A memory access of this size is read and written, but its meaning is not stated yet."),
    ("lift-target", "The target of a branch is before the code."),
    ("lift-unstated", "The instruction is read and written, but its meaning is not stated yet."),
    ("maxwell-run-stack", "The divergence stack is full."),
    ("maxwell-run-token", "The divergence stack does not have the token that the instruction needs."),
    ("maxwell-unaligned", "An instruction is marked to issue with the next one, which its bundle does not hold."),
];

fn codes() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let found = hazards::CODES.iter().chain(rules::CODES);
    container::CODES.iter().chain(REFUSALS).chain(found).chain(VERBS).chain(OTHERS)
}

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let found = codes().filter(|(code, _)| *code == word);
    let explained = found.map(|(code, text)| Explanation {
        word: (*code).into(),
        kind: "Maxwell error code",
        summary: (*text).into(),
        sections: Vec::new(),
    });
    explained.collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    codes().map(|(code, _)| (*code).into())
}
