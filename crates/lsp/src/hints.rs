//! Facts that are shown within the text.

use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;

/// The bytes and the live registers of each instruction, and the cost of each program, at the ends of lines.
pub(crate) fn hints(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let wanted = text.span(&request.params["range"])?;
    let options = request.options;
    // The client repeats the request when it is requested to.
    let Some(code) = request.document.known_code() else { return Ok(json!([])) };
    let inside = |span: Span| wanted.start <= span.end && span.end <= wanted.end;
    let hint = |span: Span, label: String| {
        let end = text.line_span(text.line(span.start)).map_or(span.end, |line| line.end);
        json!({"position": text.position(end), "label": label, "paddingLeft": true})
    };
    let mut found: Vec<Value> = Vec::new();
    for line in code.lines.iter().filter(|line| inside(line.span)) {
        if options.bytes {
            found.push(hint(line.span, line.instruction.bytes.clone()));
        }
        if let Some(live) = line.live.as_ref().filter(|live| options.live && !live.is_empty()) {
            found.push(hint(line.span, format!("live: {}", live.join(" "))));
        }
    }
    if options.cost {
        found.extend(
            code.costs.iter().filter(|(span, _)| inside(*span)).map(|(span, cost)| hint(*span, cost.clone())),
        );
    }
    Ok(found.into())
}
