//! Definitions and uses of names, and renaming.

use crate::message::{Answer, Wrong};
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;
use shisa::rows::editing::Symbol;

/// The name at the position of a request; `None` if there is none.
fn symbol<T>(request: &Request<'_>, with: impl FnOnce(Span, &Symbol) -> T) -> Result<Option<T>, Wrong> {
    let offset = request.document.text().offset(&request.params["position"])?;
    let source = request.document.source();
    Ok(source.as_ref().and_then(|s| s.symbol(offset)).map(|(span, symbol)| with(span, symbol)))
}

/// The definition of a name.
pub(crate) fn definition(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let found = symbol(request, |_, symbol| json!({"uri": request.uri, "range": text.range(symbol.span)}))?;
    Ok(found.into())
}

/// The uses of a name, with its definition if that is wanted.
pub(crate) fn references(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let defined = request.params["context"]["includeDeclaration"] == true;
    let found = symbol(request, |_, symbol| {
        let definition = defined.then_some(symbol.span).into_iter();
        let all = definition.chain(symbol.uses.iter().copied());
        all.map(|span| json!({"uri": request.uri, "range": text.range(span)})).collect::<Vec<_>>()
    })?;
    Ok(found.into())
}

/// All occurrences of a name; its definition is a write.
pub(crate) fn highlights(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let found = symbol(request, |_, symbol| {
        let definition = json!({"range": text.range(symbol.span), "kind": 3});
        let uses = symbol.uses.iter().map(|span| json!({"range": text.range(*span), "kind": 2}));
        std::iter::once(definition).chain(uses).collect::<Vec<Value>>()
    })?;
    Ok(found.into())
}

/// The name that would be renamed.
pub(crate) fn prepare_rename(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let found =
        symbol(request, |span, symbol| json!({"range": text.range(span), "placeholder": symbol.name}))?;
    Ok(found.into())
}

/// The changes that rename a name.
pub(crate) fn rename(request: &Request<'_>) -> Answer {
    let new = request.params["newName"].as_str();
    let new = new.ok_or_else(|| Wrong::parameters("there is no \"newName\""))?;
    let text = request.document.text();
    let occurrences = symbol(request, |_, symbol| {
        let mut all: Vec<Span> = std::iter::once(symbol.span).chain(symbol.uses.iter().copied()).collect();
        all.sort_unstable();
        (symbol.clone(), all)
    })?;
    let (Some((symbol, all)), Some(source)) = (occurrences, request.document.source()) else {
        return Err(Wrong::failed("there is no name at the position"));
    };
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
    let number = source.outline.symbols.iter().position(|other| *other == symbol);
    let renamed = number.and_then(|number| outline.symbols.get(number));
    let others = |list: &[Symbol]| list.iter().map(|s| s.uses.len()).collect::<Vec<_>>();
    let same = renamed.is_some_and(|other| other.name == new && other.kind == symbol.kind)
        && others(&outline.symbols) == others(&source.outline.symbols);
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
