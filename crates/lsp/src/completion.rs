//! What may be written at a position.

use crate::message::{Answer, Wrong};
use crate::reference::explained;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::Isa;
use shisa::diag::Span;
use shisa::rows::editing::{Candidate, Class, SymbolKind};

/// The number of a kind in the protocol.
const fn kind(candidate: &Candidate) -> u32 {
    match (candidate.class, candidate.symbol) {
        (_, Some(SymbolKind::Label | SymbolKind::Program)) => 18,
        (_, Some(SymbolKind::Procedure | SymbolKind::Macro)) => 3,
        (_, Some(SymbolKind::Constant)) => 21,
        (_, Some(_)) => 6,
        (Class::Mnemonic | Class::Directive, None) => 14,
        (Class::Suffix, None) => 10,
        (Class::Register, None) => 6,
        _ => 12,
    }
}

/// The largest number of texts in a response: a longer list takes longer than an answer may.
const MOST_ITEMS: usize = 384;

/// The texts that may be written at a position. If there are too many, they are those that begin as the word there does, and the
/// client must query them again when the word changes.
pub(crate) fn completion(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let offset = text.offset(&request.params["position"])?;
    let none = || json!({"isIncomplete": false, "items": []});
    let Some(source) = request.document.source() else { return Ok(none()) };
    let isa = source.language.isa().name();
    let mut candidates = source.editing.candidates(text.as_str(), source.outline, offset);
    // All replace the same part.
    let Some(replaces) = candidates.first().map(|candidate| candidate.replaces) else { return Ok(none()) };
    let incomplete = candidates.len() > MOST_ITEMS;
    if incomplete {
        let typed = source.str(Span::new(replaces.start, offset)).to_ascii_lowercase();
        candidates.retain(|candidate| candidate.text.to_ascii_lowercase().starts_with(&typed));
        candidates.truncate(MOST_ITEMS);
    }
    let range = text.range(replaces);
    let item = |(order, candidate): (usize, &Candidate)| {
        let mut item = json!({
            "label": candidate.text, "kind": kind(candidate), "sortText": format!("{order:05}"),
            "textEdit": {"range": range, "newText": candidate.text},
        });
        if !candidate.detail.is_empty() {
            item["detail"] = candidate.detail.as_str().into();
        }
        if candidate.symbol.is_none() && candidate.class != Class::Directive {
            item["data"] = isa.into();
        }
        item
    };
    let items: Vec<Value> = candidates.iter().enumerate().map(item).collect();
    Ok(json!({"isIncomplete": incomplete, "items": items}))
}

/// Adds the explanation of a text to it.
pub(crate) fn resolve(item: &Value) -> Answer {
    let label = item["label"].as_str().ok_or_else(|| Wrong::parameters("the item has no \"label\""))?;
    let isa = Isa::ALL.iter().copied().find(|isa| item["data"] == isa.name());
    let mut resolved = item.clone();
    if let Some(text) = isa.and_then(|isa| explained(label.trim_start_matches('.'), isa)) {
        resolved["documentation"] = json!({"kind": "markdown", "value": text});
    }
    Ok(resolved)
}
