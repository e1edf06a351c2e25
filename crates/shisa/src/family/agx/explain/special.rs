//! Special registers.

use crate::explain::{Explanation, Section};
use shisa_agx::SPECIAL_NAMES;

/// Explains a special register by name or by number, `sr80`.
pub(super) fn explain(word: &str) -> Option<Explanation> {
    let number = word.strip_prefix("sr").and_then(|n| n.parse::<u8>().ok());
    let (n, name) = SPECIAL_NAMES.iter().find(|(n, name)| *name == word || number == Some(*n))?;
    Some(Explanation {
        word: (*name).into(),
        kind: "AGX special register",
        summary: format!("Hardware value that `mov` reads: {}.", name.replace('_', " ")),
        sections: vec![Section { heading: "Number", lines: vec![n.to_string()] }],
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    SPECIAL_NAMES.iter().map(|(_, name)| (*name).to_owned())
}
