//! Errors as objects of JavaScript.

use crate::convert;
use shisa::Error;
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

/// Findings, and the file that they are about.
pub(crate) struct Failure {
    diagnostics: Vec<Diagnostic>,
    name: String,
    /// The file, if it is text.
    source: Option<String>,
}

impl Failure {
    /// A failure that is about no file.
    pub(crate) fn of(diagnostic: Diagnostic) -> Failure {
        Failure { diagnostics: vec![diagnostic], name: String::new(), source: None }
    }

    /// A fault in the arguments of a call.
    pub(crate) fn usage(text: impl Into<String>) -> Failure {
        Failure::of(Diagnostic::error("usage", text))
    }

    /// An error about a file.
    pub(crate) fn about(error: Error, name: &str, bytes: &[u8]) -> Failure {
        let source = std::str::from_utf8(bytes).ok().map(str::to_owned);
        Failure { diagnostics: error.diagnostics, name: name.to_owned(), source }
    }
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
