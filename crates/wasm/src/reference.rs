//! The reference and the gallery.

use crate::call::call;
use crate::convert;
use crate::failure::Failure;
use serde_json::{Value, json};
use shisa::Isa;
use shisa_verbs::{EXAMPLES, IsaName, explained};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the library.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// Explains an opcode, a modifier, a register, an error code, a limit or a concept: what `shisa explain --json` writes.
#[wasm_bindgen(unchecked_return_type = "Explanation[]")]
pub fn explain(
    word: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "Isa")] isa: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| {
        let found = shisa::explain(word, of(&isa)?).map_err(|e| Failure::about(e, "", &[]))?;
        convert::object(&found.iter().map(explained).collect::<Vec<_>>())
    })
}

/// Every word that `explain` explains, in the order of the alphabet.
#[wasm_bindgen(unchecked_return_type = "string[]")]
pub fn words(
    #[wasm_bindgen(unchecked_optional_param_type = "Isa")] isa: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| convert::object(&shisa::explain::words(of(&isa)?)))
}

/// The programs of the gallery.
#[wasm_bindgen(unchecked_return_type = "Example[]")]
pub fn examples() -> Result<JsValue, JsValue> {
    call(|| {
        let list = EXAMPLES.iter().map(|example| {
            let input = example.input.map(serde_json::from_str::<Value>).transpose();
            let input = input.map_err(|e| Failure::usage(format!("{}: {e}", example.name)))?;
            Ok(json!({
                "name": example.name, "isa": example.isa, "title": example.title, "source": example.source,
                "input": input,
            }))
        });
        convert::object(&list.collect::<Result<Vec<_>, Failure>>()?)
    })
}

/// The instruction set that an argument names.
fn of(isa: &JsValue) -> Result<Option<Isa>, Failure> {
    let name: Option<IsaName> = convert::name(isa)?;
    Ok(name.map(|name| name.0))
}
