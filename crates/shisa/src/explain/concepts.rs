//! Concepts that do not belong to a single instruction set.

use super::Explanation;
use shisa_ir::CONCEPTS;

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let (names, text) = CONCEPTS.iter().find(|(names, _)| names.contains(&word))?;
    Some(Explanation::new(names.join(", "), "concept", *text))
}

pub(super) fn words() -> impl Iterator<Item = &'static str> {
    CONCEPTS.iter().flat_map(|(names, _)| names.iter().copied())
}
