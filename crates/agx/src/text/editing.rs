//! Sources as editors see them.

use crate::{Agx, Ctx, Revision, SPECIAL_NAMES};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use shisa_rows::Symbols;
use shisa_rows::editing::{Dialect, Directive, Editing, Editor, Fold, Grammar, Position, SymbolKind};

/// The directives.
pub(super) const DIRECTIVES: &[Directive] = &[
    Directive::new(".isa", "mesa25.2 | mesa26", "How stores of texture and sampler states are encoded."),
    Directive::new(".code", "\"NAME\"", "Code of this name in the file begins here.")
        .naming(SymbolKind::Program, Position::Quoted, Some("0"))
        .fold(Fold::Section),
    Directive::new(".data", "\"NAME\"", "Bytes that are not code begin here.")
        .naming(SymbolKind::Program, Position::Quoted, Some("0"))
        .fold(Fold::Section),
    Directive::new(".bytes", "BYTES", "Bytes as they are, in hexadecimal."),
    Directive::new(".zero", "COUNT", "This many bytes that are zero."),
];

static GRAMMAR: Grammar = Grammar {
    comment: "//",
    block_comments: true,
    labels: true,
    label_stands_for: None,
    separator: None,
    expressions: false,
    caseless: false,
    directives: DIRECTIVES,
    indent: "    ",
    control_column: None,
};

/// Sources of one revision.
#[derive(PartialEq)]
struct Sources(Revision);

/// Reads sources for editors.
pub fn editing(revision: Revision) -> Box<dyn Editing> {
    Editor::boxed(Sources(revision))
}

impl Dialect for Sources {
    type Isa = Agx;

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn context<'a>(&'a self, symbols: &'a Symbols) -> Ctx<'a> {
        Ctx { revision: self.0, symbols: Some(symbols), ..Ctx::default() }
    }

    fn registers(&self) -> Vec<String> {
        let halves = |letter: char, count: u16| {
            (0..count).flat_map(move |n| ["", "l", "h"].map(|half| format!("{letter}{n}{half}")))
        };
        let specials = SPECIAL_NAMES.iter().map(|(_, name)| String::from(*name));
        halves('r', 128).chain(halves('u', 256)).chain(specials).collect()
    }
}
