//! What distinguishes one language of sources from another.

use super::symbol::SymbolKind;
use crate::nearest;
use alloc::{borrow::Cow, format, vec::Vec};
use shisa_diag::Diagnostic;

/// The language of a source, as far as editors need it.
#[derive(Debug, PartialEq, Eq)]
pub struct Grammar {
    /// What begins a comment up to the end of the line.
    pub comment: &'static str,
    /// Whether text from `/*` to `*/` is a comment.
    pub block_comments: bool,
    /// Whether a statement may begin with labels.
    pub labels: bool,
    /// The text of an operand that is allowed wherever a label is; `None` if the operands' kinds read labels.
    pub label_stands_for: Option<&'static str>,
    /// The character that ends a statement within a line.
    pub separator: Option<u8>,
    /// Whether expressions with calls are statements, and braces enclose bodies.
    pub expressions: bool,
    /// Whether the case of mnemonics and directives has no meaning.
    pub caseless: bool,
    /// The directives.
    pub directives: &'static [Directive],
    /// The text before an instruction in a listing.
    pub indent: &'static str,
    /// The column of the control bits in a listing, counted from 0; `None` if the language has none.
    pub control_column: Option<usize>,
}

/// A directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its name with the dot or number sign that it begins with.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: &'static str,
    /// What it does, in a sentence.
    pub says: &'static str,
    /// What it names.
    pub names: Option<Names>,
    /// The lines that it encloses.
    pub fold: Fold,
}

/// The names that a directive defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// The kind of the names.
    pub kind: SymbolKind,
    /// Where they are.
    pub position: Position,
    /// The text of an operand that is allowed wherever the names are; `None` for the argument after the name.
    pub stands_for: Option<&'static str>,
}

/// The position of the names that a directive defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The first argument.
    First,
    /// The first word of each argument between commas.
    Each,
    /// The second argument, after a comma.
    Second,
    /// The first argument, in quotes.
    Quoted,
}

/// The lines that a statement encloses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// None.
    Nothing,
    /// Those up to the statement that closes it.
    Opens,
    /// It ends the innermost open block.
    Closes,
    /// It ends the innermost open block and opens another.
    Divides,
    /// Those up to the next section or the end.
    Section,
    /// As a section, and labels before it are unknown after it.
    Scope,
}

impl Directive {
    /// A directive that names nothing and encloses nothing.
    pub const fn new(name: &'static str, arguments: &'static str, says: &'static str) -> Directive {
        Directive { name, arguments, says, names: None, fold: Fold::Nothing }
    }

    /// States what it names. `stands_for` is the text of an operand that is allowed wherever the names are; `None` for
    /// the argument after the name.
    pub const fn naming(
        mut self,
        kind: SymbolKind,
        position: Position,
        stands_for: Option<&'static str>,
    ) -> Directive {
        self.names = Some(Names { kind, position, stands_for });
        self
    }

    /// States which lines it encloses.
    pub const fn fold(mut self, fold: Fold) -> Directive {
        self.fold = fold;
        self
    }

    /// Its name without the dot.
    pub fn bare(&self) -> &'static str {
        self.name.trim_start_matches('.')
    }
}

impl Grammar {
    /// The spelling of a mnemonic in the rows.
    pub(super) fn canonical<'w>(&self, word: &'w str) -> Cow<'w, str> {
        match self.caseless {
            true => word.to_ascii_lowercase().into(),
            false => word.into(),
        }
    }

    /// The directive with this name.
    pub fn directive(&self, name: &str) -> Option<&'static Directive> {
        let same = |d: &&Directive| d.name == name || self.caseless && d.name.eq_ignore_ascii_case(name);
        self.directives.iter().find(same)
    }
}

/// Adds help to the finding that no directive has a name, which is without the dot: a similar directive, or all of them.
pub fn suggest(directives: &[Directive], name: &str, finding: Diagnostic) -> Diagnostic {
    let names: Vec<&str> = directives.iter().map(|directive| directive.name).collect();
    match nearest(&format!(".{name}"), names.iter().copied()) {
        Some(near) => finding.did_you_mean(near),
        None => finding.help(format!("there are {}", names.join(" "))),
    }
}
