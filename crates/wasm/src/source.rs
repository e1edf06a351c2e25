//! Sources.

use crate::call::call;
use crate::choices::Choices;
use crate::convert;
use crate::errors::findings;
use crate::failure::Failure;
use crate::glue::with_member;
use serde_json::{Value, json};
use shisa::data::Line;
use shisa::diag::Source;
use shisa_verbs::as_json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Assembles a source to a file.
#[wasm_bindgen(unchecked_return_type = "Assembly")]
pub fn assemble(
    source: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| {
        let choices: Choices = convert::options(&settings)?;
        let settings = choices.settings()?;
        let name = settings.name.as_deref().unwrap_or_default();
        let done = shisa::assemble(source, choices.language(source, &settings), &settings)
            .map_err(|e| Failure::about(e, name, source.as_bytes()))?;
        let object = convert::object(&json!({ "lines": lines(source, &done.lines) }))?;
        let object = with_member(object, "diagnostics", findings(&done.diagnostics, name, Some(source))?);
        Ok(with_member(object, "bytes", done.bytes.into()))
    })
}

/// The line of each instruction, from 1, and its offset in the file.
fn lines(source: &str, lines: &[Line]) -> Vec<Value> {
    let source = Source::new(source);
    let line = |line: &Line| json!({ "line": source.line_column(line.span.start).0, "offset": line.offset });
    lines.iter().map(line).collect()
}

/// The findings about a source, errors and warnings, as `shisa check` reports them.
#[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
pub fn diagnose(
    source: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| {
        let choices: Choices = convert::options(&settings)?;
        let mut settings = choices.settings()?;
        settings.language = Some(choices.language(source, &settings));
        settings.unchecked = true;
        let name = settings.name.as_deref().unwrap_or_default();
        let found = shisa::File::open(source.as_bytes(), &settings).and_then(|file| {
            shisa_verbs::check(&file, None).map(|found| found.into_iter().map(|one| one.diagnostic).collect())
        });
        let found: Vec<_> = found.unwrap_or_else(|e| e.diagnostics);
        let lines = Source::new(source);
        let list: Vec<_> = found.iter().map(|d| as_json(d, name, Some(&lines))).collect();
        convert::object(&list)
    })
}
