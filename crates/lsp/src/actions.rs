//! Fixes of findings.

use crate::findings::{diagnostic, span};
use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::{Diagnostic, Label, escape};

/// The fixes of the findings in a range.
pub(crate) fn actions(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let wanted = text.span(&request.params["range"])?;
    let touches = |finding: &&Diagnostic| {
        let at = span(finding);
        at.start <= wanted.end && wanted.start <= at.end
    };
    let action = |finding: &Diagnostic, label: &Label| -> Option<Value> {
        let fix = label.fix.as_deref()?;
        let edit = json!({"range": text.range(label.span), "newText": fix});
        Some(json!({
            "title": format!("Write {}", escape(fix)), "kind": "quickfix", "isPreferred": true,
            "diagnostics": [diagnostic(request.uri, text, finding)], "edit": {"changes": {request.uri: [edit]}},
        }))
    };
    let found = request.document.known_findings().into_iter().flatten().filter(touches);
    let all: Vec<Value> = found
        .flat_map(|finding| finding.labels.iter().filter_map(move |label| action(finding, label)))
        .collect();
    Ok(all.into())
}
