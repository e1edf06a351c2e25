//! naga's output.

use crate::syntax::part_of_name;
use shisa_diag::Diagnostic;

/// A text that naga printed, and the changes still to make in it.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) text: String,
    /// Identifiers to replace, each with its replacement.
    renames: Vec<(String, String)>,
    /// Sampler variables with register and space, for HLSL.
    pub(super) samplers: Vec<(String, u32, u32)>,
}

impl Printed {
    /// No text yet.
    pub(super) fn new() -> Printed {
        Printed { text: String::with_capacity(2048), renames: Vec::new(), samplers: Vec::new() }
    }

    /// Replaces an identifier by another.
    pub(super) fn rename(&mut self, from: String, to: String) -> Result<(), Diagnostic> {
        if !is_identifier(&to) {
            return Err(crate::internal("a name in the text would not be an identifier"));
        }
        self.renames.push((from, to));
        Ok(())
    }

    /// Identifiers to replace, each with its replacement.
    pub(super) fn renames(&self) -> &[(String, String)] {
        &self.renames
    }
}

/// Whether a word is an identifier of all target languages.
fn is_identifier(word: &str) -> bool {
    !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()) && word.bytes().all(part_of_name)
}
