//! Diagnostics as JSON.

use serde::Serialize;
use serde_json::{Value, json};
use shisa::diag::{Diagnostic, Label, Place, Source};

/// A label with its position in a text.
#[derive(Serialize)]
struct Located<'a> {
    place: &'static str,
    start: usize,
    end: usize,
    line: Option<usize>,
    column: Option<usize>,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a str>,
}

/// A diagnostic in the form of `docs/schema/diagnostic.schema.json`, about a file with a name, and its source if it is
/// text. Lines and columns count from 1.
pub fn as_json(d: &Diagnostic, name: &str, source: Option<&Source<'_>>) -> Value {
    let line_of = |place: Place, offset| match (place, source) {
        (Place::Text, Some(source)) => Some(source.line_column(offset)),
        _ => None,
    };
    let label = |Label { place: space, span, text, fix }: &'_ Label| {
        let at = line_of(*space, span.start);
        let place = match space {
            Place::Text => "text",
            Place::Bytes => "bytes",
        };
        let (line, column) = (at.map(|a| a.0), at.map(|a| a.1));
        let (start, end, fix) = (span.start, span.end, fix.as_deref());
        json!(Located { place, start, end, line, column, text, fix })
    };
    let labels: Vec<Value> = d.labels.iter().map(label).collect();
    let line = d.labels.first().and_then(|l| line_of(l.place, l.span.start)).map(|a| a.0);
    json!({
        "version": 1, "code": d.code, "severity": d.severity.name(), "message": d.message, "file": name,
        "offset": d.offset(), "line": line, "labels": labels, "notes": d.notes, "help": d.help,
    })
}
