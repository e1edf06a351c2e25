//! Fixes of findings.

use crate::findings::{diagnostic, span};
use crate::message::Answer;
use crate::server::Request;
use serde_json::{Value, json};
use shisa::diag::{Diagnostic, Fix, escape};

/// The fixes of the findings in a range.
pub(crate) fn actions(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let wanted = text.span(&request.params["range"])?;
    let touches = |finding: &&Diagnostic| {
        let at = span(finding);
        at.start <= wanted.end && wanted.start <= at.end
    };
    let action = |finding: &Diagnostic, fix: &Fix| -> Value {
        let edit = json!({"range": text.range(fix.span), "newText": fix.text});
        json!({
            "title": format!("Write {}", escape(&fix.text)), "kind": "quickfix", "isPreferred": finding.fixes.len() == 1,
            "diagnostics": [diagnostic(request.uri, text, finding)], "edit": {"changes": {request.uri: [edit]}},
        })
    };
    let found = request.document.findings().iter().filter(touches);
    let all: Vec<Value> =
        found.flat_map(|finding| finding.fixes.iter().map(move |fix| action(finding, fix))).collect();
    Ok(all.into())
}
