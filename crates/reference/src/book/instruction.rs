//! Pages of instructions.

use super::diagram::diagram;
use super::related::related;
use super::shelf::{Entry, Part};
use super::text::{code, escaped, lines, prose, relative, row};
use crate::data::{Example, Family, FormData, Isa};
use crate::{links, sections};
use std::fmt::Write as _;
use std::io;

/// The page of an instruction: each of its forms, what concerns all of them, and related instructions.
///
/// # Errors
/// An example whose link cannot be written.
pub(super) fn page(
    isa: &Isa,
    parts: &[Part<'_>],
    part: &Part<'_>,
    family: &Family,
    entry: &Entry<'_>,
) -> io::Result<String> {
    let word = entry.word;
    let mut text = format!("# {}\n\n*{}*\n\n{}\n", escaped(&word.word), word.kind, prose(&word.summary));
    let forms: Vec<&FormData> = family.forms.iter().filter(|form| form.name == word.word).collect();
    if forms.len() > 1 {
        text += "\n| form | written | effect |\n|---|---|---|\n";
        for (number, form) in (1..).zip(&forms) {
            let link = format!("[{number}](#form-{number})");
            text += &row(&[&link, &code(&form.written), &prose(form.summary)]);
        }
    }
    for (number, form) in (1..).zip(&forms) {
        let written = code(&form.written);
        let (heading, level) = match forms.len() {
            1 => (String::new(), "##"),
            _ => (format!("## Form {number}\n\n{}\n\n", prose(form.summary)), "###"),
        };
        let _ = write!(text, "\n{heading}{written}\n");
        of_form(&mut text, part, family, entry, form, level)?;
    }
    for section in sections::others(word) {
        let _ = write!(text, "\n## {}\n\n{}", section.heading, lines(&section.lines));
    }
    of_relatives(&mut text, isa, parts, family, &forms, &entry.path);
    Ok(text)
}

/// The sections of a form, with headings of a level.
fn of_form(
    text: &mut String,
    part: &Part<'_>,
    family: &Family,
    entry: &Entry<'_>,
    form: &FormData,
    level: &str,
) -> io::Result<()> {
    let _ = write!(text, "\n{level} Bits\n\n");
    bits(text, family, form);
    let _ = write!(text, "\n{level} Effect\n\n");
    effect(text, form);
    let _ = write!(text, "\n{level} Facts\n\n| fact | value |\n|---|---|\n");
    facts(text, part, entry, form);
    let _ = write!(text, "\n{level} Examples\n\n| text | word | page |\n|---|---|---|\n");
    for example in &form.examples {
        let link = format!("[open]({})", program(family, example, &entry.path)?);
        *text += &row(&[&code(example.text), &code(&example.digits), &link]);
    }
    Ok(())
}

fn bits(text: &mut String, family: &Family, form: &FormData) {
    if let Some(length) = form.length {
        let _ = match length.short == length.long {
            true => writeln!(text, "The instruction has {} bytes.\n", length.short),
            false => writeln!(
                text,
                "The instruction has {} bytes, or {} where bit {} is set. In the short form all bits from {} on are zero.\n",
                length.short,
                length.long,
                length.bit,
                u32::from(length.short) * 8
            ),
        };
    }
    *text += &diagram(family, form);
    let changed = (1..).zip(&form.modifiers).filter_map(|(n, modifier)| Some((n, modifier.older?)));
    for (number, names) in changed {
        let names: Vec<String> =
            names.iter().map(|name| code(if name.is_empty() { "nothing" } else { name })).collect();
        let _ =
            writeln!(text, "\nOn the oldest chip the values of modifier {number} are {}.", names.join(", "));
    }
}

fn effect(text: &mut String, form: &FormData) {
    match &form.pseudocode {
        Some(pseudocode) => {
            let (of, lines) = (code(&pseudocode.of), pseudocode.lines.join("\n"));
            let _ = writeln!(text, "{of}\n\n```text\n{lines}\n```");
        }
        None if form.unstated.is_empty() => *text += "None.\n",
        None => {
            let reasons: Vec<String> = form.unstated.iter().map(|reason| prose(reason)).collect();
            let _ = writeln!(text, "The effect is not stated: {}.", reasons.join("; "));
        }
    }
}

/// Rows of a table; facts without a value are left out.
fn facts(text: &mut String, part: &Part<'_>, entry: &Entry<'_>, form: &FormData) {
    let rule = |rule: &&str| match part.find(rule) {
        Some(found) => format!("[{rule}]({})", relative(&entry.path, &found.path)),
        None => (*rule).to_owned(),
    };
    let rules: Vec<String> = form.rules.iter().map(rule).collect();
    let timing: Vec<String> = form.timing.iter().map(|timing| prose(timing)).collect();
    let facts = [
        ("Group", format!("[{}]({})", form.group, relative(&entry.path, &part.index("groups")))),
        ("Also written", prose(&form.also.join("; "))),
        ("Available", form.chips.join(", ")),
        ("Stages", form.stages.join(", ")),
        ("Timing", timing.concat()),
        ("Besides its registers", form.effects.join("; ")),
        ("Refused with", rules.join(", ")),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        *text += &row(&[name, value]);
    }
}

/// The link that opens an example in the page, whose folder contains the book's.
fn program(family: &Family, example: &Example, path: &str) -> io::Result<String> {
    let up = "../".repeat(path.matches('/').count() + 1);
    Ok(format!("{up}{}", links::fragment(family, example)?))
}

fn of_relatives(
    text: &mut String,
    isa: &Isa,
    parts: &[Part<'_>],
    family: &Family,
    forms: &[&FormData],
    path: &str,
) {
    let related = related(isa, family, forms);
    if related.is_empty() {
        return;
    }
    *text += "\n## Related\n\n";
    for (relation, list) in related {
        let link = |(other, name): &(&Family, &'static str)| {
            let found = parts.iter().find(|part| part.name == other.name)?.find(name)?;
            let family = if other.name == family.name { String::new() } else { format!("{} ", other.name) };
            Some(format!("{family}[{}]({})", escaped(name), relative(path, &found.path)))
        };
        let names: Vec<String> = list.iter().filter_map(link).collect();
        let _ = writeln!(text, "- {}: {}", relation.title(), names.join(", "));
    }
}
