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
        text += "\n| form | written | |\n|---|---|---|\n";
        for (number, form) in (1..).zip(&forms) {
            let link = format!("[{number}](#form-{number})");
            text += &row(&[&link, &code(&form.written), &prose(form.summary)]);
        }
    }
    for (number, form) in (1..).zip(&forms) {
        if forms.len() > 1 {
            let _ =
                write!(text, "\n## Form {number}\n\n{}\n\n{}\n", prose(form.summary), code(&form.written));
        } else {
            let _ = write!(text, "\n{}\n", code(&form.written));
        }
        of_form(&mut text, part, family, entry, form)?;
    }
    for section in sections::others(word) {
        let _ = write!(text, "\n## {}\n\n{}", section.heading, lines(&section.lines));
    }
    of_relatives(&mut text, isa, parts, family, &forms, &entry.path);
    Ok(text)
}

fn of_form(
    text: &mut String,
    part: &Part<'_>,
    family: &Family,
    entry: &Entry<'_>,
    form: &FormData,
) -> io::Result<()> {
    *text += "\n### Bits\n\n";
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
    *text += "\n### Effect\n\n";
    match &form.pseudocode {
        Some(pseudocode) => {
            let _ =
                writeln!(text, "{}\n\n```text\n{}\n```", code(&pseudocode.of), pseudocode.lines.join("\n"));
        }
        None if form.unstated.is_empty() => *text += "None.\n",
        None => {
            let reasons: Vec<String> = form.unstated.iter().map(|reason| prose(reason)).collect();
            let _ = writeln!(text, "The effect is not stated: {}.", reasons.join("; "));
        }
    }
    *text += "\n### Facts\n\n| | |\n|---|---|\n";
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            *text += &row(&[name, &value]);
        }
    };
    fact("Group", format!("[{}]({})", form.group, relative(&entry.path, &part.index("groups"))));
    fact("Also written", prose(&form.also.join("; ")));
    fact("Available", form.chips.join(", "));
    fact("Stages", form.stages.join(", "));
    fact("Timing", form.timing.clone().map(|timing| prose(&timing)).unwrap_or_default());
    fact("Besides its registers", form.effects.join("; "));
    let rules = form.rules.iter().map(|rule| match part.find(rule) {
        Some(found) => format!("[{rule}]({})", relative(&entry.path, &found.path)),
        None => (*rule).to_owned(),
    });
    fact("Refused with", rules.collect::<Vec<_>>().join(", "));
    *text += "\n### Examples\n\n| text | word | |\n|---|---|---|\n";
    for example in &form.examples {
        let link = format!("[open]({})", program(family, example, &entry.path)?);
        *text += &row(&[&code(example.text), &code(&example.digits), &link]);
    }
    Ok(())
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
