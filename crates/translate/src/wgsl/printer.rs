//! The state of printing a module.

use super::facts::Fact;
use super::labels::{Label, Labels};
use super::text::Text;
use crate::syntax::{Function, Module};
use crate::{Mapping, Source};

/// What is known while a module is printed. Its memory serves the next one.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) labels: Labels,
    /// The names of the members of the structure.
    pub(super) members: Vec<Label>,
    pub(super) globals: Vec<Label>,
    pub(super) functions: Vec<Label>,
    /// Facts about the expressions of the function that is being printed, then its arguments and variables.
    pub(super) facts: Vec<Fact>,
    pub(super) arguments: Vec<Label>,
    pub(super) locals: Vec<Label>,
    /// Memory for the text: only a copy of the finished text leaves the printer.
    text: Text,
}

impl Tables {
    /// Takes the memory of a text that was copied.
    pub(super) fn take(&mut self, text: Text) {
        self.text = text;
    }

    /// Before a module.
    fn begin(&mut self, module: &Module) {
        self.labels.clear();
        self.members.clear();
        self.globals.clear();
        self.globals.reserve(module.globals.len());
        self.functions.clear();
        self.functions.resize(module.functions.len(), Label::default());
    }
}

/// A text under construction.
pub(super) struct Printer<'a> {
    pub(super) module: &'a Module<'a>,
    comments: &'a [Source<'a>],
    pub(super) out: Text,
    /// The line that is being printed, counted from 1.
    pub(super) line: u32,
    pub(super) indent: usize,
    pub(super) map: Vec<Mapping>,
    /// The instruction that was last written as a comment.
    commented: Option<u32>,
    /// The name of the structure.
    pub(super) structure: Label,
    /// The function that is being printed.
    pub(super) fun: &'a Function<'a>,
    pub(super) tables: &'a mut Tables,
}

impl<'a> Printer<'a> {
    /// An empty text.
    pub(super) fn new(
        module: &'a Module<'a>,
        comments: &'a [Source<'a>],
        tables: &'a mut Tables,
    ) -> Printer<'a> {
        tables.begin(module);
        let mut out = std::mem::take(&mut tables.text);
        out.0.clear();
        out.0.reserve(2048);
        Printer {
            module,
            comments,
            out,
            line: 1,
            indent: 0,
            map: Vec::with_capacity(32),
            commented: None,
            structure: Label::default(),
            fun: &module.entry.function,
            tables,
        }
    }

    /// Begins a line that comes from an instruction, or from none.
    pub(super) fn begin(&mut self, instruction: Option<u32>) {
        if let Some(instruction) = instruction {
            if !self.comments.is_empty()
                && self.commented.replace(instruction) != Some(instruction)
                && let Some(s) = self.comments.get(instruction as usize).filter(|s| !s.text.is_empty())
            {
                self.blanks();
                self.out.push_str("// ");
                self.out.push_str(&shisa_diag::escape(s.text));
                self.end();
            }
            match self.map.last_mut() {
                Some(m) if m.instruction == instruction && m.end == self.line => m.end += 1,
                _ => self.map.push(Mapping { start: self.line, end: self.line + 1, instruction }),
            }
        }
        self.blanks();
    }

    /// Indents a line.
    fn blanks(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// Ends a line.
    pub(super) fn end(&mut self) {
        self.out.push('\n');
        self.line += 1;
    }

    /// Appends a name.
    #[inline]
    pub(super) fn push_label(&mut self, label: Label) {
        self.tables.labels.write(label, &mut self.out);
    }
}
