//! What an explanation says.

use serde::Serialize;
use std::fmt;

/// What a word means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
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
