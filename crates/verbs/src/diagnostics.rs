//! Diagnostics as JSON.

use serde_json::{Value, json};
use shisa::diag::{Diagnostic, Place, Source};

/// A diagnostic in the form of `docs/schema/diagnostic.schema.json`, about a file with a name, and its source if it is
/// text. Lines and columns count from 1.
pub fn as_json(d: &Diagnostic, name: &str, source: Option<&Source<'_>>) -> Value {
    let line_of = |place: Place, offset| match (place, source) {
        (Place::Text, Some(source)) => Some(source.line_column(offset)),
        _ => None,
    };
    let labels: Vec<Value> = d
        .labels
        .iter()
        .map(|l| {
            let place = match l.place {
                Place::Text => "text",
                Place::Bytes => "bytes",
            };
            let at = line_of(l.place, l.span.start);
            json!({
                "place": place, "start": l.span.start, "end": l.span.end,
                "line": at.map(|a| a.0), "column": at.map(|a| a.1), "text": l.text,
            })
        })
        .collect();
    let line = d.labels.first().and_then(|l| line_of(l.place, l.span.start)).map(|a| a.0);
    json!({
        "version": 1, "code": d.code, "severity": d.severity.name(), "message": d.message, "file": name,
        "offset": d.offset(), "line": line, "labels": labels, "notes": d.notes, "help": d.help,
    })
}
