//! Errors as objects of JavaScript.

use crate::convert;
use crate::failure::Failure;
use shisa::diag::{Diagnostic, Source};
use shisa_verbs::as_json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./glue.js")]
extern "C" {
    /// The class of errors, whose constructor receives the message and the list of diagnostics.
    type ShisaError;

    #[wasm_bindgen(constructor)]
    fn new(message: &str, diagnostics: JsValue) -> ShisaError;
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        let Failure { diagnostics, name, source } = failure;
        let first = diagnostics.iter().max_by_key(|d| d.severity);
        let message = first.map_or_else(String::new, |d| format!("{}: {}", d.code, d.message));
        match findings(&diagnostics, &name, source.as_deref()) {
            Ok(list) => ShisaError::new(&message, list).into(),
            Err(failure) => failure.into(),
        }
    }
}

/// Findings about a file as a list of objects.
///
/// # Errors
/// `internal-json` if they cannot be converted.
pub(crate) fn findings(list: &[Diagnostic], name: &str, source: Option<&str>) -> Result<JsValue, Failure> {
    let source = source.map(Source::new);
    let list: Vec<_> = list.iter().map(|d| as_json(d, name, source.as_ref())).collect();
    convert::object(&list)
}
