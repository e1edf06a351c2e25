//! Flash Player's numbers and texts, 3600 to 3805. Both are part of its API: programs match on them.

mod interface;
mod program;

use shisa_diag::Code;

/// The evidence for a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confirmed {
    /// Flash Player printed it in a recorded trace.
    FlashTrace,
    /// Adobe's own validator for AGAL 1 applies it.
    AdobeValidator,
    /// The number and its text are known; when players apply it was inferred from the text.
    MessageTableOnly,
}

impl Confirmed {
    /// The evidence in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Confirmed::FlashTrace => "confirmed by a trace of Flash Player",
            Confirmed::AdobeValidator => "confirmed by Adobe's validator for AGAL 1",
            Confirmed::MessageTableOnly => "known from the table of messages only",
        }
    }
}

/// When a player reports a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// While it checks the bytes of one program.
    Program,
    /// While it links a vertex and a fragment program.
    Linkage,
    /// While it draws.
    Draw,
    /// While it creates or uploads something, for reasons outside of the program.
    Interface,
}

impl Scope {
    /// The time in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Scope::Program => "Reported while the bytes of a program are checked.",
            Scope::Linkage => "Reported while a vertex and a fragment program are linked.",
            Scope::Draw => {
                "Reported while drawing, about state outside of the program; no bytes of a program cause it."
            }
            Scope::Interface => "Reported by a call of the player's API; no bytes of a program cause it.",
        }
    }
}

/// A number with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The number, 3600 to 3805.
    pub number: u16,
    /// The code of its diagnostics: `agal-` and the number.
    pub code: Code,
    /// When a player reports it.
    pub scope: Scope,
    /// The evidence for it.
    pub confirmed: Confirmed,
    /// Whether it is about an operand whose register the instruction or the stage does not allow, whatever the rest of the
    /// program is.
    pub refuses_register: bool,
    /// Flash's text. In the texts of [`Scope::Program`] `%1` is the stage, `%3` the token counted from 1, `%2` and
    /// `%4` what the text names (3625 has the token in `%2`).
    pub text: &'static str,
    /// Its meaning in a sentence or two; empty if the text says everything.
    pub meaning: &'static str,
}

macro_rules! rule {
    ($number:literal, $scope:ident, $confirmed:ident, $text:literal, $meaning:literal $(, $register:ident)?) => {
        Rule {
            number: $number,
            code: concat!("agal-", $number),
            scope: $scope,
            confirmed: $confirmed,
            refuses_register: rule!(@is $($register)?),
            text: $text,
            meaning: $meaning,
        }
    };
    (@is) => { false };
    (@is refuses_register) => { true };
}
use rule;

/// Every number with its text: first those that a program's bytes can cause, then the others, each group ascending.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    program::RULES.iter().chain(interface::RULES)
}

/// The rule of a number; `None` for a number that Flash does not have.
pub fn message(number: u16) -> Option<&'static Rule> {
    let find = |list: &'static [Rule]| {
        list.binary_search_by_key(&number, |r| r.number).ok().and_then(|i| list.get(i))
    };
    find(program::RULES).or_else(|| find(interface::RULES))
}

/// The rule of a number that the checks report. Each of these numbers is in the table, as the tests of the checks
/// show; the first rule is the fallback.
pub(super) fn given(number: u16) -> &'static Rule {
    message(number).unwrap_or(const { &program::RULES[0] })
}
