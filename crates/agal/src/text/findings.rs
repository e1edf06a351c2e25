//! Findings of the rules about a program, moved to its text.

use super::assembler::Assembler;
use super::headline::{self, Subject};
use super::statement::{self, Statement};
use crate::options::Rules;
use crate::rules::{self, Finding, Part};
use crate::token::TOKEN_BYTES;
use alloc::{string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits, Place, Severity, Span};
use shisa_rows::Scan;

/// Numbers that depend on earlier instructions: unknown after an instruction that could not be read.
const REMEMBERS: &[u16] = &[3623, 3624, 3647, 3648, 3696, 3739, 3741, 3742, 3744, 3748, 3751, 3752, 3775];

/// Numbers about names that every published assembler accepts in every version (`sgn`, `3d`, filters, wrap modes,
/// flags), although Adobe's validator of AGAL 1 does not: real programs use them.
const SPOKEN: &[u16] = &[3621, 3664, 3665, 3667, 3668];

/// Checks the rules of the program and reports the findings.
pub(super) fn check(asm: &mut Assembler<'_>, rules: Rules, limits: &Limits) {
    if asm.program.tokens.is_empty() && asm.broken.is_none() {
        let end = asm.source.len();
        asm.sink.push(
            Diagnostic::error("agal-3615", "there is no instruction (#3615)")
                .at_text(end..end, "")
                .help("a program has at least one instruction"),
        );
    }
    for finding in rules::check_program(&asm.program, limits) {
        let known = |broken| finding.token.is_some_and(|t| t as usize <= broken);
        let unclosed = matches!(finding.number, 3739 | 3775);
        if asm.broken.is_some_and(|b| unclosed || REMEMBERS.contains(&finding.number) && !known(b)) {
            continue;
        }
        let finding = in_text(asm, finding);
        asm.sink.push(finding.weighed(rules));
    }
}

/// Whether bytes are a program that breaks no rule.
pub(super) fn obeys(bytes: &[u8], limits: &Limits) -> bool {
    matches!(rules::first(bytes, limits), Ok(None))
}

/// Converts a finding about tokens to one about text.
fn in_text(asm: &Assembler<'_>, finding: Finding) -> Finding {
    let mut d = finding.diagnostic;
    let index = finding.token.map_or(0, |t| t.saturating_sub(1) as usize);
    let spans = Spans { asm };
    let labels = core::mem::take(&mut d.labels);
    let mut lines = Vec::new();
    for mut label in labels {
        if label.place == Place::Bytes {
            let Some((token, part)) = rules::locate(label.span.start) else { continue };
            let whole = label.span.end.saturating_sub(label.span.start) >= TOKEN_BYTES;
            let token = token.saturating_sub(1) as usize;
            label.span = spans.of(token, (!whole).then_some(part));
            label.place = Place::Text;
            lines.push(asm.lines.get(token).map_or(0, |l| l.line));
        }
        d.labels.push(label);
    }
    if let Some(primary) = d.labels.first_mut() {
        // The excerpt shows the operand.
        primary.text = String::new();
    }
    let statement = spans.statement(index);
    let subject = Subject {
        number: finding.number,
        program: &asm.program,
        token: asm.program.tokens.get(index).copied().unwrap_or_default(),
        form: statement.as_ref().and_then(|s| s.form),
        operand: asm.source.get(spans.of(index, finding.part).range()).unwrap_or_default(),
        part: finding.part,
        second_line: lines.get(1).copied(),
    };
    if let Some(headline) = headline::write(&subject) {
        let flash = core::mem::replace(&mut d.message, headline);
        d.notes.insert(0, flash);
    }
    if SPOKEN.contains(&finding.number) && subject.form.is_some() {
        d.severity = Severity::Warning;
    }
    Finding { diagnostic: d, ..finding }
}

struct Spans<'a, 's> {
    asm: &'a Assembler<'s>,
}

impl Spans<'_, '_> {
    /// The instruction of a token, read again; `None` for a token without text.
    fn statement(&self, token: usize) -> Option<Statement> {
        let line = self.asm.lines.get(token)?;
        let code = self.asm.source.get(line.start as usize..line.end as usize)?;
        if code.starts_with('.') || code.contains('{') {
            return None;
        }
        let mut text = Scan::new(code, line.start as usize);
        Some(statement::read(&mut text, self.asm.ctx, &mut Vec::new()))
    }

    /// The range in the text of a part of a token, or of all of it.
    fn of(&self, token: usize, part: Option<Part>) -> Span {
        let Some(line) = self.asm.lines.get(token) else { return Span::default() };
        let all = Span::new(line.start as usize, line.end as usize);
        let Some(statement) = self.statement(token) else { return all };
        let [dest, first, second] = statement.operands;
        let span = match part {
            None => return statement.whole,
            Some(Part::Opcode) => statement.opcode,
            Some(Part::Destination) => dest,
            Some(Part::Source1) => first,
            Some(Part::Source2) => second,
        };
        if span == Span::default() { statement.whole } else { span }
    }
}
