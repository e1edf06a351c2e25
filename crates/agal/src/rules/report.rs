//! Describes a breach: Flash's text and the bytes concerned.

use super::advice::advise;
use super::finding::{Finding, Part, span};
use super::messages::{Confirmed, given};
use super::operand_text::operand_text;
use super::state::{Go, Walk};
use super::tokens::{after_gap, open_condition};
use crate::{Effect, SamplerBits, token};
use alloc::format;
use alloc::string::{String, ToString};
use core::ops::ControlFlow::{Break, Continue};
use shisa_diag::Diagnostic;

/// The note on rules that no known tool has been observed to apply.
pub(super) const UNCONFIRMED: &str =
    "not confirmed: the number and its text are Flash's; when players apply it was inferred from the text";

impl Walk<'_> {
    /// Records a finding about a part of the token, or about all of it.
    pub(super) fn report(&mut self, number: u16, part: Option<Part>) -> Go {
        let finding = finding(self, number, part);
        self.found.push(finding);
        if self.once { Break(()) } else { Continue(()) }
    }
}

/// Describes a breach of the current token.
#[cold]
fn finding(walk: &Walk<'_>, number: u16, part: Option<Part>) -> Finding {
    let rule = given(number);
    // A finding at the end of the program points at the token that caused it.
    let token = match number {
        3739 => open_condition(walk).unwrap_or(walk.number),
        3775 => after_gap(walk).unwrap_or(walk.number),
        _ => walk.number,
    };
    let label = part.map_or(String::new(), |p| operand_text(walk, p));
    let text = fill(walk, number, rule.text, part);
    let mut d = Diagnostic::error(rule.code, text).at_bytes(span(token, part), label);
    if rule.confirmed == Confirmed::MessageTableOnly {
        d = d.note(UNCONFIRMED);
    } else if walk.version > 1 {
        d = d.note(format!(
            "confirmed for AGAL 1; that players apply it alike to AGAL {} is not",
            walk.version
        ));
    }
    // Advice takes time for each token before, and findings past the limit are hardly ever shown.
    let diagnostic = if walk.found.len() < walk.limit { advise(walk, number, part, d) } else { d };
    Finding { number, token: Some(token), part, doubtful: is_doubtful(walk, number), diagnostic }
}

/// Whether a number restricts programs that engines could run, and is known from the table of messages only. Two
/// constants are confirmed for AGAL 1, which has no conditions.
fn is_doubtful(walk: &Walk<'_>, number: u16) -> bool {
    match number {
        3624 | 3740..=3744 | 3748 | 3751 | 3758 | 3804 => true,
        3625 => walk.form.is_some_and(|f| f.attr.effect == Effect::If),
        _ => false,
    }
}

/// Flash's text with its parameters filled in.
fn fill(walk: &Walk<'_>, number: u16, text: &str, part: Option<Part>) -> String {
    let opcode = token::opcode(walk.word);
    let second = match number {
        3620 => opcode.to_string(),
        3621 | 3622 | 3626..=3628 | 3726 | 3803 => {
            walk.form.map_or_else(|| opcode.to_string(), |f| f.name.to_string())
        }
        3625 => walk.number.to_string(),
        3629 => walk.program.tokens.len().to_string(),
        _ => part.map_or("", Part::name).to_string(),
    };
    let sampler = SamplerBits(walk.word[2]);
    let fourth = match number {
        3664 => sampler.dimension(),
        3665 => sampler.filter(),
        3666 => sampler.mip(),
        3667 => sampler.wrap(),
        _ => sampler.special(),
    };
    text.replace("%1", walk.stage.name())
        .replace("%2", &second)
        .replace("%3", &walk.number.to_string())
        .replace("%4", &fourth.to_string())
}
