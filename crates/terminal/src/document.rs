//! Texts beside the listing.

use std::collections::BTreeMap;

/// A text whose lines belong to instructions, such as a source or a translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    title: String,
    lines: Vec<String>,
    /// The program counters of the lines' instructions.
    counters: BTreeMap<usize, u32>,
}

/// Columns between the stops of a tabulator.
const TAB: usize = 4;

impl Document {
    /// A document with a title, its text, and the program counters of instructions by the numbers of their lines, from 0.
    pub fn new(title: impl Into<String>, text: &str, counters: &BTreeMap<usize, u32>) -> Document {
        let lines: Vec<String> = text.lines().map(|line| line.replace('\t', &" ".repeat(TAB))).collect();
        Document { title: title.into(), lines, counters: counters.clone() }
    }

    /// The title.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The lines.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Whether a line belongs to an instruction.
    pub(crate) fn is_of(&self, line: usize, counter: Option<u32>) -> bool {
        counter.is_some() && self.counters.get(&line).copied() == counter
    }

    /// The first line of an instruction.
    pub(crate) fn line_of(&self, counter: u32) -> Option<usize> {
        self.counters.iter().find(|(_, own)| **own == counter).map(|(line, _)| *line)
    }
}
