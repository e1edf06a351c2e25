//! Joining parts to programs.

use crate::call::call;
use crate::choices::Choices;
use crate::convert;
use crate::errors::findings;
use crate::failure::Failure;
use crate::glue::{bytes_at, with_member};
use serde_json::json;
use shisa::agx::{PartFile, link};
use shisa::pica200::link_files;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Joins the parts of a program of AGX, as `shisa link` does. `samples` is the number of samples of a pixel that are shaded
/// one by one; by default, and with 0, all at once.
#[wasm_bindgen(js_name = linkParts, unchecked_return_type = "LinkedProgram")]
pub fn link_parts(
    main: &[u8],
    prolog: Option<Vec<u8>>,
    epilog: Option<Vec<u8>>,
    samples: Option<u32>,
    #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| {
        let settings = convert::options::<Choices>(&settings)?.settings()?;
        let read = |bytes: &[u8]| {
            PartFile::read(bytes, &settings).map_err(|e| Failure::about(e, name(&settings), bytes))
        };
        let main = read(main)?;
        let prolog = prolog.as_deref().map(read).transpose()?;
        let epilog = epilog.as_deref().map(read).transpose()?;
        let linked = link(prolog.as_ref(), &main, epilog.as_ref(), samples.unwrap_or(0), &settings);
        let (program, warnings) = linked.map_err(|e| Failure::about(e, name(&settings), &[]))?;
        let object = convert::object(&json!({ "program": program.to_json() }))?;
        let object = with_member(object, "diagnostics", findings(&warnings, name(&settings), None)?);
        Ok(with_member(object, "bytes", program.linked.code.into()))
    })
}

/// Links objects of PICA200 (DVOJ) to a shader binary, which has a program for each.
#[wasm_bindgen(js_name = linkObjects, unchecked_return_type = "LinkedBinary")]
pub fn link_objects(
    #[wasm_bindgen(unchecked_param_type = "readonly Uint8Array[]")] objects: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Settings")] settings: JsValue,
) -> Result<JsValue, JsValue> {
    call(|| {
        let settings = convert::options::<Choices>(&settings)?.settings()?;
        let mut list = Vec::new();
        while let Some(bytes) =
            bytes_at(&objects, list.len()).map_err(|_| Failure::usage("objects are a list of bytes"))?
        {
            list.push(bytes);
        }
        let slices: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
        let (bytes, warnings) =
            link_files(&slices, &settings).map_err(|e| Failure::about(e, name(&settings), &[]))?;
        let object = convert::object(&json!({}))?;
        let object = with_member(object, "diagnostics", findings(&warnings, name(&settings), None)?);
        Ok(with_member(object, "bytes", bytes.into()))
    })
}

/// The name in settings; empty if there is none.
fn name(settings: &shisa::Settings) -> &str {
    settings.name.as_deref().unwrap_or_default()
}
