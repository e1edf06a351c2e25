//! What is wrong with containers and words.

use super::super::Explanation;
use shisa_maxwell::{REFUSALS, container};

/// Codes of what the verbs themselves refuse.
const VERBS: &[(&str, &str)] =
    &[("maxwell-replace", "One program of a container is replaced, so the source must have one program.")];

fn codes() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    container::CODES.iter().chain(REFUSALS).chain(VERBS)
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
