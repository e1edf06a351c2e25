//! Semantic tokens.

use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;
use shisa::rows::editing::{Class, Symbol, SymbolKind};
use std::collections::BTreeMap;

/// The types of tokens, as the legend lists them.
pub(crate) const TYPES: [&str; 10] = [
    "comment",
    "string",
    "number",
    "macro",
    "keyword",
    "modifier",
    "variable",
    "enumMember",
    "function",
    "parameter",
];

/// The modifiers of tokens, as the legend lists them.
pub(crate) const MODIFIERS: [&str; 2] = ["declaration", "readonly"];

/// The number of a type.
fn number(name: &str) -> Option<usize> {
    TYPES.iter().position(|known| *known == name)
}

/// The type of a name.
const fn named(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Label | SymbolKind::Procedure | SymbolKind::Program => "function",
        SymbolKind::Macro => "macro",
        _ => "parameter",
    }
}

/// The tokens of a document, or of a range of it.
pub(crate) fn tokens(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let wanted = match &request.params["range"] {
        Value::Null => Span::new(0, text.as_str().len()),
        range => text.span(range)?,
    };
    let Some(source) = request.document.source() else { return Ok(json!({"data": []})) };
    let occurrences = |symbol: &'_ Symbol| {
        let kind = symbol.kind;
        let definition = std::iter::once((symbol.span, (kind, true)));
        definition.chain(symbol.uses.iter().map(|span| (*span, (kind, false)))).collect::<Vec<_>>()
    };
    let names: BTreeMap<Span, (SymbolKind, bool)> =
        source.outline.symbols.iter().flat_map(occurrences).collect();
    let (mut data, mut before) = (Vec::new(), (0, 0));
    for token in
        source.outline.tokens.iter().filter(|t| t.span.end > wanted.start && t.span.start < wanted.end)
    {
        let name = names.get(&token.span);
        let class = match (token.class, name) {
            (Class::Comment, _) => "comment",
            (Class::Text, _) => "string",
            (Class::Number, _) => "number",
            (Class::Directive, _) => "macro",
            (Class::Mnemonic, _) => "keyword",
            (Class::Suffix, _) => "modifier",
            (Class::Register, _) => "variable",
            (Class::Name, Some((kind, _))) => named(*kind),
            (Class::Name | Class::Word, _) => "enumMember",
            (Class::Sign, _) => continue,
        };
        let Some(class) = number(class) else { continue };
        let read_only = |kind: SymbolKind| matches!(kind, SymbolKind::Uniform | SymbolKind::Constant);
        let modifiers =
            name.map_or(0, |(kind, defined)| u32::from(*defined) | u32::from(read_only(*kind)) << 1);
        let (line, character) = text.line_character(token.span.start);
        let same = line == before.0;
        let length = text.encoding().length(source.str(token.span));
        data.extend([line - before.0, if same { character - before.1 } else { character }, length, class]);
        data.push(modifiers as usize);
        before = (line, character);
    }
    Ok(json!({"data": data}))
}
