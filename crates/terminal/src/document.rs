//! Texts beside the listing.

/// A text whose lines belong to instructions, such as a source or a translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    title: String,
    lines: Vec<String>,
    /// The program counter of each line's instruction, if the line has one.
    counters: Vec<Option<u32>>,
}

/// Columns between the stops of a tabulator.
const TAB: usize = 4;

impl Document {
    /// A document with a title. `counter` returns the program counter of the instruction of a line, by the line's number
    /// from 0.
    pub fn new(title: impl Into<String>, text: &str, counter: impl Fn(usize) -> Option<u32>) -> Document {
        let lines: Vec<String> = text.lines().map(|line| line.replace('\t', &" ".repeat(TAB))).collect();
        let counters = (0..lines.len()).map(counter).collect();
        Document { title: title.into(), lines, counters }
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
        counter.is_some() && self.counters.get(line).copied().flatten() == counter
    }

    /// The first line of an instruction.
    pub(crate) fn line_of(&self, counter: u32) -> Option<usize> {
        self.counters.iter().position(|own| *own == Some(counter))
    }
}
