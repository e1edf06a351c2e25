//! Human-readable diagnostics.

use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Place;
use crate::text::escape;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::{format, string::String, vec::Vec};

/// Renders a diagnostic as human-readable text: message, source excerpts, notes, help.
///
/// `name` is the file name, empty if there is none. `source` is the file's text, `None` for a binary, whose labels are
/// printed as byte offsets. Text from the input is escaped for the terminal.
pub fn render(d: &Diagnostic, name: &str, source: Option<&str>, colour: bool) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let name = escape(name);
    let message = escape(&d.message);
    let mut group = Group::with_title(level.primary_title(&message).id(d.code));
    // An excerpt is shown only if it is harmless on a terminal without escaping.
    let clean = source.filter(|s| s.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')));
    let labels: Vec<String> = d.labels.iter().map(|l| escape(&l.text)).collect();
    if let (Some(source), true) = (clean, d.labels.iter().any(|l| l.place == Place::Text)) {
        let mut snippet = Snippet::source(source).line_start(1).path(name.as_str());
        for (i, (l, text)) in d.labels.iter().zip(&labels).enumerate() {
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let end = l.span.end.min(source.len());
            let range = floor(source, l.span.start.min(end))..floor(source, end);
            snippet = snippet.annotation(kind.span(range).label((!text.is_empty()).then_some(text.as_str())));
        }
        group = group.element(snippet);
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

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
