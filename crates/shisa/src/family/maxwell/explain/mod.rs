//! Explains instructions, their suffixes, and hardware terms; the contents of containers of Maxwell code; codes about
//! containers and words; special registers.

mod code;
mod concept;
mod container;
pub(super) mod draw;
mod instruction;
mod modifier;
mod note;
mod special;
mod sph;
mod value;

pub(super) use value::bit_names;

use crate::explain::{Explanation, option};
use shisa_maxwell::Options;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let mut found: Vec<Explanation> = instruction::explain(word).into_iter().collect();
    found.extend(modifier::explain(word));
    found.extend(concept::explain(word));
    found.extend(code::explain(word));
    found.extend(container::explain(word));
    found.extend(sph::explain(word));
    found.extend(special::explain(word));
    found.extend(draw::explain(word));
    found.extend(option::explain(Options::CHOICES, "Maxwell option", word));
    if found.is_empty() {
        found = with_suffixes(word);
    }
    found
}

/// A mnemonic with suffixes, such as `LDG.E.64`: the instruction, then the effect of each suffix on it.
fn with_suffixes(word: &str) -> Vec<Explanation> {
    let mut parts = word.split('.');
    let mnemonic = parts.next().unwrap_or_default();
    let suffixes: Option<Vec<_>> = parts.map(|suffix| modifier::explain_of(mnemonic, suffix)).collect();
    let Some((instruction, suffixes)) = instruction::explain(mnemonic).zip(suffixes) else {
        return Vec::new();
    };
    [vec![instruction], suffixes].concat()
}

pub(super) fn words() -> Vec<String> {
    let language = instruction::words().chain(modifier::words()).chain(concept::words());
    let rest = code::words().chain(container::words()).chain(sph::words()).chain(special::words());
    let rest = rest.chain(draw::words());
    let options = Options::CHOICES.iter().map(|c| c.key.to_owned());
    language.chain(rest).chain(options).collect()
}
