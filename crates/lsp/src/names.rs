//! Definitions and uses of names, and renaming.

use crate::message::{Answer, Wrong};
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;
use shisa::rows::editing::{Outline, Statement, Symbol};

/// A name of the source at a position.
struct Named<'r> {
    /// The word at the position.
    span: Span,
    number: usize,
    symbol: &'r Symbol,
    /// The other occurrences of the name.
    uses: Vec<Span>,
}

/// The name at the position of a request; `None` if there is none.
fn named<'r>(request: &'r Request<'_>) -> Result<Option<Named<'r>>, Wrong> {
    let offset = request.document.text().offset(&request.params["position"])?;
    let find = || {
        let source = request.document.source()?;
        let (span, number) = source.name_at(offset)?;
        Some(Named { span, number, symbol: source.outline.symbols.get(number)?, uses: source.uses(number) })
    };
    Ok(find())
}

/// The definition of a name.
pub(crate) fn definition(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let found = named(request)?;
    Ok(found.map(|found| json!({"uri": request.uri, "range": text.range(found.symbol.span)})).into())
}

/// The uses of a name, with its definition if that is wanted.
pub(crate) fn references(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let defined = request.params["context"]["includeDeclaration"] == true;
    let all = |found: Named<'_>| {
        let definition = defined.then_some(found.symbol.span).into_iter();
        let all = definition.chain(found.uses);
        all.map(|span| json!({"uri": request.uri, "range": text.range(span)})).collect::<Vec<_>>()
    };
    Ok(named(request)?.map(all).into())
}

/// All occurrences of a name; its definition is a write.
pub(crate) fn highlights(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let all = |found: Named<'_>| {
        let definition = json!({"range": text.range(found.symbol.span), "kind": 3});
        let uses = found.uses.into_iter().map(|span| json!({"range": text.range(span), "kind": 2}));
        std::iter::once(definition).chain(uses).collect::<Vec<Value>>()
    };
    Ok(named(request)?.map(all).into())
}

/// The name that would be renamed.
pub(crate) fn prepare_rename(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let placed =
        |found: Named<'_>| json!({"range": text.range(found.span), "placeholder": found.symbol.name});
    Ok(named(request)?.map(placed).into())
}

/// For each token the number of the symbol that it denotes.
fn denoted(source: &str, outline: &Outline) -> Vec<Option<usize>> {
    let tokens = |statement: &Statement| outline.tokens.get(statement.tokens.clone());
    let all = outline.statements.iter().flat_map(|statement| {
        let tokens = tokens(statement).into_iter().flatten();
        tokens.map(move |token| outline.denoted(source, statement, *token))
    });
    all.collect()
}

/// The changes that rename a name.
pub(crate) fn rename(request: &Request<'_>) -> Answer {
    let new = request.params["newName"].as_str();
    let new = new.ok_or_else(|| Wrong::parameters("there is no \"newName\""))?;
    let text = request.document.text();
    let (Some(Named { number, symbol, uses, .. }), Some(source)) =
        (named(request)?, request.document.source())
    else {
        return Err(Wrong::failed("there is no name at the position"));
    };
    let mut all = uses;
    all.push(symbol.span);
    all.sort_unstable();
    // The changed text must have the same names, but for this one.
    let mut changed = String::new();
    let mut at = 0;
    for span in &all {
        changed += source.str(Span::new(at, span.start));
        changed += new;
        at = span.end;
    }
    changed += source.str(Span::new(at, text.as_str().len()));
    let outline = source.editing.outline(&changed);
    let renamed = outline.symbols.get(number);
    let same = renamed.is_some_and(|other| other.name == new && other.kind == symbol.kind)
        && denoted(&changed, &outline) == denoted(text.as_str(), source.outline);
    let free = new == symbol.name || !source.outline.symbols.iter().any(|s| s.name == new);
    // No language has names that begin with a digit.
    let begins = !new.starts_with(|c: char| c.is_ascii_digit());
    if !same || !free || !begins || new.contains(['\n', '\r']) {
        let new = shisa::diag::escape(new);
        return Err(Wrong::failed(format!("\"{new}\" cannot be the name of this {}", symbol.kind.name())));
    }
    let edits: Vec<Value> =
        all.iter().map(|span| json!({"range": text.range(*span), "newText": new})).collect();
    Ok(json!({"changes": {request.uri: edits}}))
}
