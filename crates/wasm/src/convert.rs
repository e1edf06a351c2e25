//! Objects of JavaScript from results, and options from objects.

use crate::failure::Failure;
use crate::glue::{json_text, parse_json};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shisa::diag::Diagnostic;
use wasm_bindgen::JsValue;

/// A result as an object.
///
/// # Errors
/// `internal-json` if it cannot be written as JSON.
pub(crate) fn object(value: &(impl Serialize + ?Sized)) -> Result<JsValue, Failure> {
    let failed = |what: String| Failure::of(Diagnostic::internal("internal-json", what));
    let text = serde_json::to_string(value).map_err(|e| failed(e.to_string()))?;
    parse_json(&text).map_err(|_| failed("the engine does not parse the result".into()))
}

/// The options in an object; `undefined` and `null` are the defaults.
///
/// # Errors
/// `usage` for options that do not exist or have another form.
pub(crate) fn options<T: DeserializeOwned + Default>(object: &JsValue) -> Result<T, Failure> {
    if object.is_undefined() || object.is_null() {
        return Ok(T::default());
    }
    serde_json::from_str(&text(object)?).map_err(|e| Failure::usage(format!("options: {e}")))
}

/// The JSON of an input, which is that text or an object.
///
/// # Errors
/// `usage` for what has no JSON.
pub(crate) fn text(input: &JsValue) -> Result<String, Failure> {
    if let Some(text) = input.as_string() {
        return Ok(text);
    }
    json_text(input).ok().flatten().ok_or_else(|| Failure::usage("the argument has no form as JSON"))
}

/// The value that a text names; `undefined` and `null` are no value.
///
/// # Errors
/// `usage` for a text that names none.
pub(crate) fn name<T: DeserializeOwned>(text: &JsValue) -> Result<Option<T>, Failure> {
    if text.is_undefined() || text.is_null() {
        return Ok(None);
    }
    let name = text.as_string().ok_or_else(|| Failure::usage("the argument is no text"))?;
    serde_json::from_value(name.into()).map(Some).map_err(|e| Failure::usage(e.to_string()))
}
