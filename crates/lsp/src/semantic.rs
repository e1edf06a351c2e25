//! Semantic tokens.

use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;
use shisa::rows::editing::{Class, SymbolKind};

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
    let outline = source.outline;
    let first = outline.tokens.partition_point(|token| token.span.end <= wanted.start);
    let (mut data, mut before) = (Vec::new(), (0, 0));
    let mut statements = outline.statements.iter().peekable();
    for (at, token) in outline.tokens.iter().enumerate().skip(first) {
        if token.span.start >= wanted.end {
            break;
        }
        while statements.next_if(|statement| statement.tokens.end <= at).is_some() {}
        let statement = statements.peek().filter(|statement| statement.tokens.contains(&at));
        let denoted = statement.and_then(|statement| outline.denoted(text.as_str(), statement, *token));
        let symbol = denoted.and_then(|number| outline.symbols.get(number));
        let name = symbol.map(|symbol| (symbol.kind, symbol.span == token.span));
        let class = match (token.class, name) {
            (_, Some((kind, _))) => named(kind),
            (Class::Comment, None) => "comment",
            (Class::Text, None) => "string",
            (Class::Number, None) => "number",
            (Class::Directive, None) => "macro",
            (Class::Mnemonic, None) => "keyword",
            (Class::Suffix, None) => "modifier",
            (Class::Register, None) => "variable",
            (Class::Name | Class::Word, None) => "enumMember",
            (Class::Sign, None) => continue,
        };
        let Some(class) = number(class) else { continue };
        let read_only = |kind: SymbolKind| matches!(kind, SymbolKind::Uniform | SymbolKind::Constant);
        let modifiers =
            name.map_or(0, |(kind, defined)| u32::from(defined) | u32::from(read_only(kind)) << 1);
        let (line, character) = text.line_character(token.span.start);
        let same = line == before.0;
        let length = text.encoding().length(source.str(token.span));
        data.extend([line - before.0, if same { character - before.1 } else { character }, length, class]);
        data.push(modifiers as usize);
        before = (line, character);
    }
    Ok(json!({"data": data}))
}
