//! Sources of AGAL, and of the macro language, as editors see them.

use crate::operand::{A, Role};
use crate::rules::{self, Part};
use crate::text::{AsmOptions, FirstLine};
use crate::{Agal, Ctx, Effect, Options, Program, RegType, Token};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::Stage;
use shisa_rows::editing::{Dialect, Directive, Editing, Editor, Fold, Grammar, Position, SymbolKind};
use shisa_rows::{Form, Operand, Symbols};

/// What both languages have in common.
const COMMON: Grammar = Grammar {
    comment: "//",
    block_comments: false,
    labels: false,
    label_stands_for: None,
    separator: None,
    expressions: false,
    caseless: false,
    directives: &[],
    indent: "",
    control_column: None,
};

/// AGALMiniAssembler's language, and the directives of listings.
static PLAIN: Grammar = Grammar {
    directives: &[
        Directive::new(".token", "BYTES", "A token as it is: 24 bytes in hexadecimal."),
        Directive::new(".bytes", "BYTES", "Bytes after the last token, fewer than a token has."),
        Directive::new(
            ".header",
            "BYTES",
            "The header as it is, for one that is not valid: at most 7 bytes.",
        ),
    ],
    ..COMMON
};

/// AGALMacroAssembler's language.
static MACROS: Grammar = Grammar {
    block_comments: true,
    separator: Some(b';'),
    expressions: true,
    directives: &[
        Directive::new("alias", "REGISTER, NAME", "Names a register or some of its components. Numbers in parentheses after the name of a constant are its components.")
            .naming(SymbolKind::Alias, Position::Second, None),
        Directive::new("macro", "NAME(PARAMETER, …) { … }", "Begins a macro. Its result is assigned to `out`.")
            .naming(SymbolKind::Macro, Position::First, Some("0")),
        Directive::new("#define", "NAME VALUE", "Defines a value for conditions.")
            .naming(SymbolKind::Macro, Position::First, Some("0")),
        Directive::new("#undef", "NAME", "Removes a value for conditions."),
        Directive::new("#if", "CONDITION", "Begins statements that are assembled only if the condition is not 0.").fold(Fold::Opens),
        Directive::new("#elif", "CONDITION", "Begins the statements for another condition.").fold(Fold::Divides),
        Directive::new("#else", "", "Begins the statements for the other outcome.").fold(Fold::Divides),
        Directive::new("#endif", "", "Ends a condition.").fold(Fold::Closes),
    ],
    ..COMMON
};

/// Sources of one version and stage.
#[derive(PartialEq)]
struct Sources {
    version: u32,
    stage: Stage,
    grammar: &'static Grammar,
}

/// Reads sources for editors. The version and stage are those of the options, else of the first line of `source`, else
/// those of an AGAL 1 vertex program.
pub fn editing(source: &str, options: &AsmOptions, macros: bool) -> Box<dyn Editing> {
    let first = FirstLine::of(source);
    Editor::boxed(Sources {
        version: options.version.or(first.map(|f| f.version)).unwrap_or(1),
        stage: options.stage.or(first.map(|f| f.stage)).unwrap_or(Stage::Vertex),
        grammar: if macros { &MACROS } else { &PLAIN },
    })
}

impl Dialect for Sources {
    type Isa = Agal;

    fn grammar(&self) -> &'static Grammar {
        self.grammar
    }

    fn context<'a>(&'a self, _: &'a Symbols) -> Ctx<'a> {
        Ctx { version: self.version, stage: self.stage, options: &Options::DEFAULT }
    }

    fn registers(&self) -> Vec<String> {
        let mut list = Vec::new();
        for kind in (0..8).map(RegType) {
            let Some(name) = kind.name(self.stage) else { continue };
            match kind.count(self.version, self.stage) {
                1 => list.push(name.into()),
                count => list.extend((0..count).map(|number| format!("{name}{number}"))),
            }
        }
        if self.stage == Stage::Fragment {
            list.push("oc".into());
        }
        list
    }

    /// The rules of the program decide, for a program of this token alone.
    fn allows(&self, op: &Operand<Agal>, token: Token) -> bool {
        let part = match Role::of(op) {
            Role::Destination => Part::Destination,
            _ if op.slot == A => Part::Source1,
            _ => Part::Source2,
        };
        let program = Program { tokens: Vec::from([token]), ..Program::new(self.version, self.stage) };
        let found = rules::check_program(&program, &Limits::default());
        !found.iter().any(|finding| {
            let rule = rules::message(finding.number);
            finding.part == Some(part) && rule.is_some_and(|rule| rule.refuses_register)
        })
    }

    fn fold(&self, form: &'static Form<Agal>) -> Fold {
        match form.attr.effect {
            Effect::If => Fold::Opens,
            Effect::Else => Fold::Divides,
            Effect::EndIf => Fold::Closes,
            _ => Fold::Nothing,
        }
    }
}
