//! The reference: what a word of the toolchain's language means, told from the rows alone.

#[cfg(feature = "agal")]
mod agal;
mod concepts;
mod near;
#[cfg(feature = "agal")]
mod row;

use crate::{Error, Result};
use serde::Serialize;
use shisa_diag::Diagnostic;
use std::fmt;

/// What a word means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The word as the reference spells it.
    pub word: String,
    /// What kind of thing it is, such as `AGAL opcode`.
    pub kind: &'static str,
    /// One or a few sentences.
    pub summary: String,
    /// The details.
    pub sections: Vec<Section>,
}

/// A part of an [`Explanation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its heading, such as `Bits`.
    pub heading: &'static str,
    /// Its lines.
    pub lines: Vec<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})\n\n{}", self.word, self.kind, self.summary)?;
        for s in &self.sections {
            writeln!(f, "\n{}", s.heading)?;
            s.lines.iter().try_for_each(|l| writeln!(f, "  {l}"))?;
        }
        Ok(())
    }
}

/// Explains an opcode, a register, an error code, an option or a concept. A word with several meanings
/// has several explanations.
///
/// # Errors
/// `explain-unknown`, with the nearest words that exist.
pub fn explain(word: &str) -> Result<Vec<Explanation>> {
    let mut found = Vec::new();
    #[cfg(feature = "agal")]
    found.extend(agal::explain(word));
    found.extend(concepts::explain(word));
    if !found.is_empty() {
        return Ok(found);
    }
    let mut d = Diagnostic::error("explain-unknown", format!("nothing is known about \"{word}\""));
    let near = near::nearest(word, words());
    if !near.is_empty() {
        d = d.help(format!("near words: {}", near.join(", ")));
    }
    Err(Error::from(d.help("opcodes, registers, error codes, options and concepts are explained")))
}

/// Every word that [`explain()`] knows.
fn words() -> Vec<String> {
    let mut list: Vec<String> = concepts::words().map(String::from).collect();
    #[cfg(feature = "agal")]
    list.extend(agal::words());
    list.sort_unstable();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_explained() {
        for word in words() {
            let found = explain(&word).unwrap_or_else(|e| panic!("{word}: {e}"));
            assert!(found.iter().all(|e| !e.summary.is_empty()), "{word}");
        }
    }

    #[test]
    fn unknown_words_suggest_near_ones() {
        let e = explain("swizle").unwrap_err();
        assert_eq!(e.diagnostics[0].code, "explain-unknown");
        assert!(e.diagnostics[0].help[0].contains("swizzle"), "{e:?}");
        assert!(explain("").is_err());
    }
}
