//! Pages of registers, codes, options, concepts and other words.

use super::shelf::{Entry, Part};
use super::text::{escaped, lines, prose, relative};
use std::fmt::Write as _;

/// The page of a word.
pub(super) fn page(part: &Part<'_>, entry: &Entry<'_>) -> String {
    let word = entry.word;
    let mut text = format!("# {}\n\n*{}*\n\n{}\n", escaped(&word.word), word.kind, prose(&word.summary));
    for section in &word.sections {
        let _ = write!(text, "\n## {}\n\n", section.heading);
        text += &linked(part, entry, &section.lines).unwrap_or_else(|| lines(&section.lines));
    }
    let users = users(part, entry);
    if !users.is_empty() {
        let _ = write!(text, "\n## Instructions with this rule\n\n{}\n", users.join(", "));
    }
    text
}

/// Lines that each begin with an instruction, as a list with links to the instructions.
fn linked(part: &Part<'_>, entry: &Entry<'_>, list: &[String]) -> Option<String> {
    let line = |line: &String| {
        let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
        let (name, rest) = line.split_at_checked(end)?;
        part.family?.forms.iter().find(|form| form.name == name)?;
        let link = relative(&entry.path, &part.find(name)?.path);
        Some(format!("- [{}]({link}){}\n", escaped(name), prose(rest)))
    };
    list.iter().map(line).collect()
}

/// Links to the instructions that can be refused with this code.
fn users(part: &Part<'_>, entry: &Entry<'_>) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let forms = part.family.iter().flat_map(|family| &family.forms);
    for form in forms.filter(|form| form.rules.contains(&&entry.word.word[..])) {
        if names.last() != Some(&form.name) {
            names.push(form.name);
        }
    }
    let link =
        |name: &&str| Some(format!("[{}]({})", escaped(name), relative(&entry.path, &part.find(name)?.path)));
    names.iter().filter_map(link).collect()
}
