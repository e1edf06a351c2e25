//! Names that a source defines.

use alloc::string::String;
use core::ops::Range;
use shisa_diag::Span;

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// The offset of an instruction.
    Label,
    /// A sequence of instructions that others call.
    Procedure,
    /// A program or a section of the file.
    Program,
    /// A value that is the same for a draw call.
    Uniform,
    /// A constant.
    Constant,
    /// An input.
    Input,
    /// An output.
    Output,
    /// Another name for a register.
    Alias,
    /// A macro, or a value for conditions.
    Macro,
}

impl SymbolKind {
    /// The kind in words: `label`.
    pub const fn name(self) -> &'static str {
        match self {
            SymbolKind::Label => "label",
            SymbolKind::Procedure => "procedure",
            SymbolKind::Program => "program",
            SymbolKind::Uniform => "uniform",
            SymbolKind::Constant => "constant",
            SymbolKind::Input => "input",
            SymbolKind::Output => "output",
            SymbolKind::Alias => "alias",
            SymbolKind::Macro => "macro",
        }
    }
}

/// A name with its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The name in its definition.
    pub span: Span,
    /// The text of an operand that is allowed wherever the name is; `None` if the operand's kind reads the name itself.
    pub stands_for: Option<String>,
}

impl Symbol {
    /// Whether words can denote it. The names of programs are in quotes, where nothing refers to them.
    pub(super) fn is_denoted(&self) -> bool {
        self.kind != SymbolKind::Program
    }

    /// Whether it is known in a part of the source: procedures are known everywhere, all else in its own part.
    pub(super) fn is_known_in(&self, scope: &Range<usize>) -> bool {
        self.kind == SymbolKind::Procedure || scope.contains(&self.span.start)
    }
}
