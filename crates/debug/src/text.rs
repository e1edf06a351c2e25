//! The text of a program, in which lines and labels are positions.

use shisa_rows::source::{directive, quoted, split_labels};
use std::collections::BTreeMap;
use std::path::Path;

/// Directives whose argument names the instructions after them.
const NAMING: [&str; 2] = ["proc", "code"];

/// An instruction of the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its program counter.
    pub counter: u32,
    /// Its text.
    pub text: String,
}

/// A text of a program: the source that was assembled to it, or a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramText {
    name: String,
    path: Option<String>,
    text: String,
    /// The lines of all instructions, counted from 0, in order. Those of other programs in the same text have no program
    /// counter.
    starts: Vec<(usize, Option<u32>)>,
    lines: BTreeMap<u32, usize>,
    labels: BTreeMap<String, u32>,
}

impl ProgramText {
    /// A text with a name to show and, if it is a file, its path. `instructions` are the offsets in bytes at which
    /// instructions begin in the text, in order, each with its program counter if it belongs to the program.
    pub fn new(
        name: impl Into<String>,
        path: Option<String>,
        text: String,
        instructions: impl IntoIterator<Item = (usize, Option<u32>)>,
    ) -> ProgramText {
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let starts: Vec<(usize, Option<u32>)> = instructions
            .into_iter()
            .map(|(at, counter)| (ends.partition_point(|end| *end < at), counter))
            .collect();
        let mut lines = BTreeMap::new();
        for (line, counter) in starts.iter().rev() {
            lines.extend(counter.map(|counter| (counter, *line)));
        }
        let mut program =
            ProgramText { name: name.into(), path, text, starts, lines, labels: BTreeMap::new() };
        program.labels = program.labelled();
        program
    }

    /// The instructions of a listing, each in a line with its program counter.
    pub fn of_lines(lines: &[Line]) -> ProgramText {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for line in lines {
            starts.push((text.len(), Some(line.counter)));
            text += &format!("{:#06x}  {}\n", line.counter, line.text.trim());
        }
        ProgramText::new("listing", None, text, starts)
    }

    fn labelled(&self) -> BTreeMap<String, u32> {
        let mut labels = BTreeMap::new();
        for (number, line) in self.text.lines().enumerate() {
            let (before, rest) = split_labels(line);
            let mut names: Vec<String> = before.iter().map(|label| label.name.to_owned()).collect();
            if let Some((word, argument)) = directive(rest)
                && NAMING.contains(&word)
            {
                let argument = argument.trim();
                names.push(quoted(argument).unwrap_or_else(|| argument.to_owned()));
            }
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                if let Some((_, counter)) = self.instruction(number) {
                    labels.entry(name).or_insert(counter);
                }
            }
        }
        labels
    }

    /// The name to show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of the file; `None` if the text was made.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a file name means this text: its name, or a path of which one is the end of the other. An empty name means any text.
    pub fn is_named(&self, file: &str) -> bool {
        let ends = |long: &str, short: &str| Path::new(long).ends_with(short);
        let own = self.path.as_ref();
        file.is_empty() || file == self.name || own.is_some_and(|own| ends(own, file) || ends(file, own))
    }

    /// The line of an instruction, counted from 0.
    pub fn line(&self, counter: u32) -> Option<usize> {
        self.lines.get(&counter).copied()
    }

    /// The first instruction in a line or after it: its line and its program counter. `None` if there is none, or if it belongs
    /// to another program.
    pub fn instruction(&self, line: usize) -> Option<(usize, u32)> {
        let at = self.starts.partition_point(|(start, _)| *start < line);
        let (line, counter) = *self.starts.get(at)?;
        Some((line, counter?))
    }

    /// The lines with instructions of the program, in order.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.starts.iter().filter(|(_, counter)| counter.is_some()).map(|(line, _)| *line)
    }

    /// The program counter that a label names.
    pub fn label(&self, name: &str) -> Option<u32> {
        self.labels.get(name).copied()
    }

    /// All labels.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.labels.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::ProgramText;

    const TEXT: &str = "// a loop\n.code \"main\"\n    mov r0, 1\nnext: again:\n    add r0, r0, 1 // next:\n\n    jmp next\nother:\n    stop\n";

    fn text() -> ProgramText {
        let at = |word: &str| TEXT.find(word).unwrap();
        let starts = [(at("mov"), Some(0)), (at("add"), Some(4)), (at("jmp"), Some(12)), (at("stop"), None)];
        ProgramText::new("loop.agx", Some("/a/b/loop.agx".into()), TEXT.into(), starts)
    }

    #[test]
    fn lines_lead_to_the_next_instruction() {
        let text = text();
        assert_eq!(text.instruction(0), Some((2, 0)));
        assert_eq!(text.instruction(5), Some((6, 12)));
        assert_eq!((text.instruction(7), text.instruction(9)), (None, None));
        assert_eq!((text.line(4), text.line(5)), (Some(4), None));
        assert_eq!(text.lines().collect::<Vec<_>>(), [2, 4, 6]);
    }

    #[test]
    fn labels_name_the_instruction_after_them() {
        let text = text();
        assert_eq!(text.labels().collect::<Vec<_>>(), ["again", "main", "next"]);
        assert_eq!((text.label("next"), text.label("main"), text.label("other")), (Some(4), Some(0), None));
    }

    #[test]
    fn files_are_named_by_the_end_of_their_path() {
        let text = text();
        for file in ["", "loop.agx", "b/loop.agx", "/a/b/loop.agx"] {
            assert!(text.is_named(file), "{file}");
        }
        for file in ["oop.agx", "/b/loop.agx", "c/b/loop.agx", "loop", "/"] {
            assert!(!text.is_named(file), "{file}");
        }
        let relative = ProgramText::new("loop.agx", Some("b/loop.agx".into()), String::new(), []);
        assert!(relative.is_named("/a/b/loop.agx") && !relative.is_named("/a/c/loop.agx"));
    }
}
