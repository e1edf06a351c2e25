//! Finds the parts of a file that must be written literally.

use super::style::{Owner, Style};
use super::{Columns, Text, code, tables};
use crate::container::Shbin;
use crate::picasso::{self, Source};
use alloc::{string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits, Severity};

/// Attempts before everything is written literally. Every attempt writes something more literally, most of them many
/// things; files of assemblers need one to five.
const ATTEMPTS: usize = 16;

/// The text that assembles to the file.
pub(super) fn text(file: &Shbin, columns: &Columns<'_>, limits: &Limits) -> Result<String, Diagnostic> {
    let mut style = Style::plain(file);
    // The layout is compared with the assembler's default.
    let bare = Shbin { layout: None, ..file.clone() };
    let trial = trial_limits(limits);
    for _ in 0..ATTEMPTS {
        let said = say(&bare, &style, &Columns::NONE, &trial)?;
        let source = Source { name: "", text: &said.text };
        let done = picasso::assemble(&[source], &picasso::Options::default(), &trial);
        let changed = match &done.shbin {
            Some(back) if *back == bare => return finish(file, &style, columns, limits),
            Some(back) => style.differs(&bare, back),
            None => {
                let errors = done.findings.iter().map(|f| &f.diagnostic);
                let errors = errors.filter(|d| d.severity == Severity::Error);
                let owners = errors.map(|d| match d.code {
                    "pica-program-length" => Owner::Length,
                    _ => said.owner(d.offset().unwrap_or(0)),
                });
                style.refused(&owners.collect::<Vec<_>>())
            }
        };
        if !changed {
            break;
        }
    }
    finish(file, &Style::literal(file), columns, limits)
}

/// The text of each word with the names that the file gives; empty for words outside of all programs.
pub(super) fn words(file: &Shbin, limits: &Limits) -> Result<Vec<String>, Diagnostic> {
    let said = say(file, &Style::plain(file), &Columns::NONE, limits)?;
    let mut texts = alloc::vec![String::new(); file.code.len()];
    for &(start, owner) in &said.lines {
        if let Owner::Word(n) = owner
            && let (Some(text), Some(line)) = (texts.get_mut(n), said.text[start..].lines().next())
        {
            *text = line.trim().into();
        }
    }
    Ok(texts)
}

/// Every error counts, and a file that was read is not refused because its text is longer.
fn trial_limits(limits: &Limits) -> Limits {
    Limits { file: usize::MAX, diagnostics: usize::MAX, text_out: usize::MAX, ..limits.clone() }
}

fn finish(file: &Shbin, style: &Style, columns: &Columns<'_>, limits: &Limits) -> Result<String, Diagnostic> {
    let mut said = say(file, style, columns, limits)?;
    if let Some(layout) = &file.layout {
        tables::layout(layout, &mut said);
    }
    Ok(said.text)
}

fn say(file: &Shbin, style: &Style, columns: &Columns<'_>, limits: &Limits) -> Result<Text, Diagnostic> {
    let mut out = Text::default();
    tables::file(file, style, &mut out);
    code::programs(file, style, columns, limits, &mut out)?;
    tables::lines_apart(file, style, &mut out);
    Ok(out)
}
