//! Explains AGX's instructions, special registers, hardware terms, and codes.

mod abi;
mod code;
mod concept;
mod instruction;
mod special;

use crate::explain::{Explanation, option};
use shisa_agx::Options;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let mut found: Vec<Explanation> = instruction::explain(word).into_iter().collect();
    found.extend(special::explain(word));
    found.extend(concept::explain(word));
    found.extend(abi::explain(word));
    found.extend(code::explain(word));
    found.extend(option::explain(Options::CHOICES, "AGX option", word));
    found
}

pub(super) fn words() -> Vec<String> {
    let language = instruction::words().chain(special::words());
    let options = Options::CHOICES.iter().map(|c| c.key.to_owned());
    language.chain(concept::words()).chain(abi::words()).chain(code::words()).chain(options).collect()
}
