//! What the explanation of an instruction says about each of its forms.

use crate::data::Pseudocode;
use shisa::explain::{Explanation, Section};

/// The heading of the first section of a form.
const FIRST: &str = "Written";
/// The heading of the last section of a form.
const LAST: &str = "Examples";
/// The heading of pseudocode.
const EFFECT: &str = "What it does";

/// The part of an explanation that describes one form.
pub(crate) struct Part<'e> {
    /// The mnemonic with its operands.
    pub(crate) written: &'e str,
    /// The lines after it.
    pub(crate) also: &'e [String],
    /// The words of the examples.
    pub(crate) digits: Vec<&'e str>,
    /// The pseudocode, or the reason why there is none.
    pub(crate) effect: Result<Pseudocode, Vec<String>>,
}

/// The part of each form in the explanation of an instruction, in the order of the table.
pub(crate) fn forms(explanation: &Explanation) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), &explanation.sections[..]);
    while let Some((part, others)) = next(rest) {
        parts.push(part);
        rest = others;
    }
    parts
}

/// The first part, and the sections after it.
fn next(sections: &[Section]) -> Option<(Part<'_>, &[Section])> {
    let first = sections.iter().position(|section| section.heading == FIRST)?;
    let (_, from) = sections.split_at(first);
    let last = from.iter().position(|section| section.heading == LAST)?;
    let (form, others) = from.split_at(last + 1);
    let examples = form.last()?;
    let (written, also) = form.first()?.lines.split_first()?;
    Some((
        Part {
            written,
            also,
            digits: examples
                .lines
                .iter()
                .filter_map(|line| line.split_once('\n'))
                .map(|(_, word)| word.trim())
                .collect(),
            effect: effect(form),
        },
        others,
    ))
}

fn effect(form: &[Section]) -> Result<Pseudocode, Vec<String>> {
    let Some(section) = form.iter().find(|section| section.heading == EFFECT) else { return Err(Vec::new()) };
    match section.lines.split_first() {
        Some((of, statements)) if of.ends_with(':') && !statements.is_empty() => Ok(Pseudocode {
            of: of.trim_end_matches(':').to_owned(),
            lines: statements.iter().map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned()).collect(),
        }),
        _ => Err(section.lines.clone()),
    }
}

/// The sections that belong to no form: rules, and where sources disagree.
pub(crate) fn others(explanation: &Explanation) -> impl Iterator<Item = &Section> {
    let last = explanation.sections.iter().rposition(|section| section.heading == LAST);
    explanation.sections.iter().skip(last.map_or(0, |last| last + 1))
}
