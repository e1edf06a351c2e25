//! Ranges of lines that an editor can fold.

use crate::message::Answer;
use crate::position::Text;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::rows::editing::{Class, Outline};

/// Blocks, and comments of several lines.
pub(crate) fn folding(request: &Request<'_>) -> Answer {
    let Some(source) = request.document.source() else { return Ok(json!([])) };
    let text = source.text;
    let blocks =
        source.outline.blocks().into_iter().map(|block| (text.line(block.start), text.line(block.end)));
    let blocks = blocks.filter(|(first, last)| first < last);
    let mut found: Vec<Value> =
        blocks.map(|(first, last)| json!({"startLine": first, "endLine": last})).collect();
    let comments = comments(text, source.outline).into_iter();
    found.extend(
        comments.map(|(first, last)| json!({"startLine": first, "endLine": last, "kind": "comment"})),
    );
    Ok(found.into())
}

/// The first and the last line of each run of lines that are only comments.
fn comments(text: &Text, outline: &Outline) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for token in outline.tokens.iter().filter(|token| token.class == Class::Comment) {
        let line = text.line(token.span.start);
        let start = text.line_span(line).map(|span| span.start);
        let before = start.and_then(|start| text.as_str().get(start..token.span.start));
        if before.is_none_or(|before| !before.trim().is_empty()) {
            continue;
        }
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs.retain(|(first, last)| first < last);
    runs
}
