//! The names of a document as a tree.

use crate::document::Source;
use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;
use shisa::rows::editing::{Symbol, SymbolKind};

/// The number of a kind in the protocol.
const fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Program => 2,
        SymbolKind::Procedure | SymbolKind::Macro => 12,
        SymbolKind::Constant => 14,
        SymbolKind::Label => 20,
        SymbolKind::Input | SymbolKind::Output => 8,
        SymbolKind::Uniform | SymbolKind::Alias => 13,
    }
}

/// The names of a document: those within a program or a procedure are its children.
pub(crate) fn symbols(request: &Request<'_>) -> Answer {
    let Some(source) = request.document.source() else { return Ok(json!([])) };
    let all: Vec<(&Symbol, Span)> = source.outline.symbols.iter().zip(source.outline.extents()).collect();
    Ok(within(&source, &all).into())
}

/// A list of names with their extents, of which each that encloses those after it has them as its children.
fn within(source: &Source<'_>, mut list: &[(&Symbol, Span)]) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some(((symbol, extent), rest)) = list.split_first() {
        let encloses = matches!(symbol.kind, SymbolKind::Program | SymbolKind::Procedure | SymbolKind::Macro);
        let inside = |(other, _): &&(&Symbol, Span)| encloses && other.span.end <= extent.end;
        let (children, after) = rest.split_at(rest.iter().take_while(inside).count());
        found.push(json!({
            "name": symbol.name, "detail": symbol.kind.name(), "kind": kind(symbol.kind),
            "range": source.text.range(*extent), "selectionRange": source.text.range(symbol.span),
            "children": within(source, children),
        }));
        list = after;
    }
    found
}
