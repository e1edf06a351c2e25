//! Questions about single words.

use super::grammar::{Fold, Grammar};

/// What the reader of tokens looks up.
pub(super) trait Lookup {
    /// The language.
    fn grammar(&self) -> &'static Grammar;
    /// Whether a row has this name.
    fn is_mnemonic(&self, word: &str) -> bool;
    /// Whether it is a register.
    fn is_register(&self, word: &str) -> bool;
    /// The lines that an instruction encloses.
    fn fold(&self, mnemonic: &str) -> Fold;
}
