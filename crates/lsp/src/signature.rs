//! The operands of an instruction while they are typed.

use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::rows::editing::Usage;

/// The mnemonic with the kinds of its operands; those in brackets may be left out.
pub(crate) fn written(usage: &Usage) -> (String, Vec<String>) {
    let operand = |argument: &shisa::rows::editing::Argument| match argument.optional {
        true => format!("[<{}>]", argument.kind),
        false => format!("<{}>", argument.kind),
    };
    let operands: Vec<String> = usage.operands.iter().map(operand).collect();
    (format!("{} {}", usage.name, operands.join(", ")).trim_end().to_owned(), operands)
}

/// The operands of the instruction at a position, and which of them is typed.
pub(crate) fn signature(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let offset = text.offset(&request.params["position"])?;
    let Some(source) = request.document.source() else { return Ok(Value::Null) };
    let number = source.outline.statement_at(text.as_str(), offset);
    let Some(statement) = number.and_then(|number| source.outline.statements.get(number)) else {
        return Ok(Value::Null);
    };
    let Some(usage) = source.editing.usage(text.as_str(), source.outline, statement) else {
        return Ok(Value::Null);
    };
    let reached = |a: &&shisa::rows::editing::Argument| a.span.is_some_and(|span| span.end < offset);
    let active = usage.operands.iter().filter(reached).count();
    let (label, operands) = written(&usage);
    let parameters: Vec<Value> = operands.into_iter().map(|label| json!({"label": label})).collect();
    let signature = json!({"label": label, "documentation": usage.summary, "parameters": parameters});
    Ok(json!({"signatures": [signature], "activeSignature": 0, "activeParameter": active}))
}
