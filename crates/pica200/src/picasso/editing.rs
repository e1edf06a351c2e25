//! Sources as editors see them.

use super::directives::DIRECTIVES;
use super::register::Bank;
use crate::{Options, Pica200, Role};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use shisa_rows::editing::{Dialect, Editing, Editor, Fold, Grammar};
use shisa_rows::{Form, Symbols};

static GRAMMAR: Grammar = Grammar {
    comment: ";",
    block_comments: false,
    labels: true,
    label_stands_for: Some("0"),
    separator: None,
    expressions: false,
    caseless: true,
    directives: DIRECTIVES,
    indent: "    ",
    control_column: None,
};

/// Sources of picasso.
#[derive(PartialEq)]
struct Sources;

/// Reads sources for editors.
pub fn editing() -> Box<dyn Editing> {
    Editor::boxed(Sources)
}

impl Dialect for Sources {
    type Isa = Pica200;

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn context<'a>(&'a self, _: &'a Symbols) -> &'a Options {
        &Options::DEFAULT
    }

    fn registers(&self) -> Vec<String> {
        let numbered = Bank::ALL
            .iter()
            .flat_map(|(_, letter, _, count)| (0..*count).map(move |number| format!("{letter}{number}")));
        numbered.chain(["a0", "aL", "cmp"].map(String::from)).collect()
    }

    fn fold(&self, form: &'static Form<Pica200>) -> Fold {
        match form.attr.role {
            Role::Condition | Role::Loop => Fold::Opens,
            _ => Fold::Nothing,
        }
    }
}
