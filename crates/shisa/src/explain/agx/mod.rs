//! AGX's instructions, special registers, words about the machine, and codes.

mod abi;
mod code;
mod concept;
mod instruction;
mod special;

use super::Explanation;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let mut found: Vec<Explanation> = instruction::explain(word).into_iter().collect();
    found.extend(special::explain(word));
    found.extend(concept::explain(word));
    found.extend(abi::explain(word));
    found.extend(code::explain(word));
    found
}

pub(super) fn words() -> Vec<String> {
    let language = instruction::words().chain(special::words());
    language.chain(concept::words()).chain(abi::words()).chain(code::words()).collect()
}
