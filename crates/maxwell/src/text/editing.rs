//! Sources as editors see them.

use crate::{Chip, Ctx, Maxwell, SPECIAL_REGISTERS};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use shisa_rows::Symbols;
use shisa_rows::editing::{Dialect, Directive, Editing, Editor, Fold, Grammar, Position, SymbolKind};

/// The directives.
pub(super) const DIRECTIVES: &[Directive] = &[
    Directive::new(".chip", "sm_50 | sm_52 | sm_53", "The chip that the code is for."),
    Directive::new(
        ".code",
        "\"NAME\"",
        "Begins a program: its addresses count from 0, its labels are its own.",
    )
    .naming(SymbolKind::Program, Position::Quoted, Some("0"))
    .fold(Fold::Scope),
    Directive::new(".word", "0xDIGITS", "An instruction word as it is."),
    Directive::new(
        ".targets",
        "LABEL, …",
        "The targets of the branch through a register that follows, for `--schedule`. It adds no bytes.",
    ),
    Directive::new(
        ".spare",
        "",
        "Sets the highest bit of the next bundle's control word, which has no meaning.",
    ),
    Directive::new(
        ".sph",
        "FIELD VALUE",
        "A field of the Shader Program Header that begins here. The fields that are not stated are zero.",
    ),
    Directive::new(".bytes", "BYTES", "Bytes between programs, in hexadecimal. It ends a program."),
    Directive::new(".zero", "COUNT", "This many bytes between programs that are zero. It ends a program."),
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
    control_column: Some(super::listing::COLUMN + 1),
};

/// Sources for one chip.
#[derive(PartialEq)]
struct Sources(Chip);

/// Reads sources for editors. The chip is the stated one, else that of `.chip` in `source`, else the newest.
pub fn editing(source: &str, chip: Option<Chip>) -> Box<dyn Editing> {
    let stated = || {
        let line = source.lines().find_map(|line| line.trim_ascii_start().strip_prefix(".chip"))?;
        let name = line.split_ascii_whitespace().next()?;
        Chip::of(name.strip_prefix("sm_")?.parse().ok()?)
    };
    Editor::boxed(Sources(chip.or_else(stated).unwrap_or_default()))
}

impl Dialect for Sources {
    type Isa = Maxwell;

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn context<'a>(&'a self, symbols: &'a Symbols) -> Ctx<'a> {
        Ctx { chip: self.0, symbols: Some(symbols), ..Ctx::default() }
    }

    fn registers(&self) -> Vec<String> {
        let general = (0..255).map(|n| format!("R{n}"));
        let predicates = (0..7).map(|n| format!("P{n}"));
        let others = ["RZ", "PT", "CC"].into_iter().chain(SPECIAL_REGISTERS.iter().map(|s| s.name));
        general.chain(predicates).chain(others.map(String::from)).collect()
    }
}
