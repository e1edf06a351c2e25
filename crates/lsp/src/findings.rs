//! Findings as diagnostics of the protocol.

use crate::position::Text;
use serde_json::{Value, json};
use shisa::diag::{Diagnostic, Label, Limit, Place, Severity, Span};
use shisa::{File, Settings};

/// What a check of a text finds.
pub(crate) fn findings(text: &str, settings: &Settings) -> Vec<Diagnostic> {
    if let Err(large) = settings.limits.check(Limit::File, "bytes of the document", text.len()) {
        return vec![large];
    }
    if settings.language.is_none() {
        return Vec::new();
    }
    let checked = File::open(text.as_bytes(), settings).and_then(|file| file.check());
    match checked {
        Ok(found) => found.into_iter().map(|finding| finding.diagnostic).collect(),
        Err(error) => error.diagnostics,
    }
}

/// The part of the source that a finding is about; the start of the source if it is about none.
pub(crate) fn span(finding: &Diagnostic) -> Span {
    finding
        .labels
        .first()
        .filter(|label| label.place == Place::Text)
        .map_or(Span::default(), |label| label.span)
}

/// A finding as a diagnostic of the protocol.
pub(crate) fn diagnostic(uri: &str, text: &Text, finding: &Diagnostic) -> Value {
    let severity = match finding.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let primary = finding.labels.iter().take(1).map(|label| label.text.as_str());
    let details = finding.notes.iter().chain(&finding.help).map(String::as_str);
    let lines = std::iter::once(finding.message.as_str())
        .chain(primary)
        .chain(details)
        .filter(|line| !line.is_empty());
    let related = |label: &Label| {
        let message = if label.text.is_empty() { finding.message.as_str() } else { &label.text };
        json!({"location": {"uri": uri, "range": text.range(label.span)}, "message": message})
    };
    let others = finding.labels.iter().skip(1).filter(|label| label.place == Place::Text);
    let mut diagnostic = json!({
        "range": text.range(span(finding)), "severity": severity, "code": finding.code, "source": "shisa",
        "message": lines.collect::<Vec<_>>().join("\n"),
    });
    let related: Vec<Value> = others.map(related).collect();
    if !related.is_empty() {
        diagnostic["relatedInformation"] = related.into();
    }
    diagnostic
}
