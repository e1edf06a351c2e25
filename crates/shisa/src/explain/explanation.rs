//! The type of an explanation.

use serde::Serialize;
use std::fmt;

/// The meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The word, in the reference's spelling.
    pub word: String,
    /// The kind of the word, such as `AGAL opcode`.
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

impl Explanation {
    /// An explanation without details.
    pub fn new(word: impl Into<String>, kind: &'static str, summary: impl Into<String>) -> Explanation {
        Explanation { word: word.into(), kind, summary: summary.into(), sections: Vec::new() }
    }

    /// Adds a part.
    pub fn section(mut self, heading: &'static str, lines: Vec<String>) -> Explanation {
        self.sections.push(Section { heading, lines });
        self
    }
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
