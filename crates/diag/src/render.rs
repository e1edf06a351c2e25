//! Human-readable diagnostics.

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Source;
use crate::span::{Label, Place};
use crate::text::escape;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use core::ops::Range;
use std::borrow::Cow;
use std::{format, string::String, vec::Vec};

/// Renders a diagnostic as human-readable text: message, source excerpts, notes, help.
///
/// `name` is the file name, empty if there is none. `source` is the file's text, `None` for a binary, whose labels are
/// printed as byte offsets. Text from the input is escaped for the terminal.
pub fn render(d: &Diagnostic, name: &str, source: Option<&str>, colour: bool) -> String {
    render_in(d, name, source.map(Source::new).as_ref(), colour)
}

/// Renders a diagnostic as [`render`] does, in time that does not depend on the size of the source.
pub fn render_in(d: &Diagnostic, name: &str, source: Option<&Source<'_>>, colour: bool) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let name = escape(name);
    let message = escape(&d.message);
    let mut group = Group::with_title(level.primary_title(&message).id(d.code));
    let labels: Vec<String> = d.labels.iter().map(|l| escape(&l.text)).collect();
    let source = source.filter(|_| d.labels.iter().any(|l| l.place == Place::Text));
    let excerpts = source.and_then(|source| Some((source, excerpts(source, &d.labels)?)));
    if let Some((source, excerpts)) = excerpts {
        for excerpt in excerpts {
            let text = harmless(source.text().get(excerpt.range.clone()).unwrap_or_default());
            let mut snippet = Snippet::source(text).line_start(excerpt.line + 1).path(name.as_str());
            for n in excerpt.labels {
                let (Some(label), Some(text)) = (d.labels.get(n), labels.get(n)) else { continue };
                let kind = if n == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let span = spanned(source.text(), label);
                let span = span.start - excerpt.range.start..span.end - excerpt.range.start;
                snippet =
                    snippet.annotation(kind.span(span).label((!text.is_empty()).then_some(text.as_str())));
            }
            group = group.element(snippet);
        }
    } else {
        if d.labels.is_empty() && !name.is_empty() {
            group = group.element(Origin::path(name.as_str()));
        }
        for (l, text) in d.labels.iter().zip(&labels) {
            let sep = if text.is_empty() { "" } else { ": " };
            let text = format!("at {name}, bytes {:#x} to {:#x}{sep}{text}", l.span.start, l.span.end);
            group = group.element(Level::NOTE.with_name("location").message(text));
        }
    }
    for n in &d.notes {
        group = group.element(Level::NOTE.message(escape(n)));
    }
    for h in &d.help {
        group = group.element(Level::HELP.message(escape(h)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The most bytes of an excerpt.
const EXCERPT: usize = 1 << 14;

/// Whole lines of a source, with the labels in them.
struct Excerpt {
    range: Range<usize>,
    /// The number of the first line, from 0.
    line: usize,
    /// The numbers of the labels.
    labels: Vec<usize>,
}

/// The lines with labels; `None` if lines are too long to show. Labels that are far from each other are in different
/// excerpts.
fn excerpts(source: &Source<'_>, labels: &[Label]) -> Option<Vec<Excerpt>> {
    let mut all: Vec<Excerpt> = Vec::new();
    for (n, label) in labels.iter().enumerate() {
        let span = spanned(source.text(), label);
        // A label at the end of the text belongs to the line before it.
        let at_end = usize::from(span.start == source.text().len());
        let lines = source.line(span.start).saturating_sub(at_end)..source.line(span.end) + 1;
        let joined = all.iter_mut().find_map(|excerpt| {
            let first = lines.start.min(excerpt.line);
            let end = source.range(lines.clone()).end.max(excerpt.range.end);
            let range = source.range(first..first).start..end;
            (range.len() <= EXCERPT).then_some((excerpt, range, first))
        });
        match joined {
            Some((excerpt, range, first)) => {
                (excerpt.range, excerpt.line) = (range, first);
                excerpt.labels.push(n);
            }
            None => {
                let range = source.range(lines.clone());
                all.push(Excerpt { range, line: lines.start, labels: Vec::from([n]) });
            }
        }
    }
    all.iter().all(|excerpt| excerpt.range.len() <= EXCERPT).then_some(all)
}

/// A source without what a terminal would obey: a space of the same length replaces each control character, so that
/// spans stay valid.
fn harmless(source: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if !source.contains(obeyed) {
        return source.into();
    }
    let space = |c: char| if c.is_ascii() { ' ' } else { '\u{a0}' };
    source.chars().map(|c| if obeyed(c) { space(c) } else { c }).collect()
}

/// The bytes of a label, within a text and at characters' boundaries.
fn spanned(text: &str, label: &Label) -> Range<usize> {
    let end = label.span.end.min(text.len());
    floor(text, label.span.start.min(end))..floor(text, end)
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
