//! The reference: the meaning of each word of the toolchain's language, generated from the rows.

pub(crate) mod codes;
mod concepts;
mod explanation;
mod limits;
pub(crate) mod option;
pub(crate) mod row;

pub use explanation::{Explanation, Section};

use crate::family::{FAMILIES, Family};
use crate::{Error, Isa, Result};
use shisa_diag::Diagnostic;

/// Explains an opcode, a modifier, a register, a field, an error code, an option, a limit or a concept. A word with several
/// meanings has several explanations, of all instruction sets or only of one.
///
/// # Errors
/// `explain-unknown`, with the nearest words that exist.
pub fn explain(word: &str, isa: Option<Isa>) -> Result<Vec<Explanation>> {
    let mut found: Vec<Explanation> = families(isa).flat_map(|family| family.explain(word)).collect();
    found.extend(concepts::explain(word));
    found.extend(limits::explain(word));
    found.extend(codes::explain(word));
    if !found.is_empty() {
        return Ok(found);
    }
    let mut d = Diagnostic::error("explain-unknown", format!("\"{word}\" is not a word of the reference"));
    let near = shisa_rows::several_nearest(word, words(isa));
    if !near.is_empty() {
        d = d.help(format!("near words: {}", near.join(", ")));
    }
    Err(Error::from(
        d.help("opcodes, modifiers, registers, error codes, options, limits and concepts are explained"),
    ))
}

/// The requested instruction sets.
fn families(isa: Option<Isa>) -> impl Iterator<Item = &'static dyn Family> {
    FAMILIES.iter().copied().filter(move |f| isa.is_none_or(|i| i == f.isa()))
}

/// Every word that [`explain()`] explains for all instruction sets or only for one, in the order of the alphabet: for
/// indexes, and for completion of what a user types.
pub fn words(isa: Option<Isa>) -> Vec<String> {
    let mut list: Vec<String> =
        concepts::words().chain(limits::words()).chain(codes::words()).map(String::from).collect();
    list.extend(families(isa).flat_map(|f| f.words()));
    list.sort_unstable();
    list.dedup();
    list
}
