//! Pictures.

use crate::convert;
use crate::errors::findings;
use crate::failure::Failure;
use crate::glue::with_member;
use crate::opened::Opened;
use serde_json::json;
use shisa::data::pictures::{Heat, Picture as Pixels};
use shisa::diag::Diagnostic;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A picture. `free` releases its memory.
#[wasm_bindgen]
pub struct Picture {
    /// Pixels of a row.
    #[wasm_bindgen(readonly)]
    pub width: usize,
    /// Rows.
    #[wasm_bindgen(readonly)]
    pub height: usize,
    /// Instructions that all lanes executed together.
    #[wasm_bindgen(readonly)]
    pub executed: f64,
    rgba: JsValue,
    maps: JsValue,
    floats: JsValue,
    notes: JsValue,
}

#[wasm_bindgen]
impl Picture {
    /// Red, green, blue and alpha of each pixel, row by row from the top.
    #[wasm_bindgen(getter, unchecked_return_type = "Uint8Array")]
    pub fn rgba(&self) -> JsValue {
        self.rgba.clone()
    }

    /// Maps of what pixels cost, in the form of `rgba`: from black for 0 to almost white for the largest number.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ cost: Uint8Array; divergence: Uint8Array; nan: Uint8Array } | undefined"
    )]
    pub fn maps(&self) -> JsValue {
        self.maps.clone()
    }

    /// The colours without a range, in the order of `rgba`.
    #[wasm_bindgen(getter, unchecked_return_type = "Float32Array | undefined")]
    pub fn floats(&self) -> JsValue {
        self.floats.clone()
    }

    /// A note on inputs that have defaults, if there are any.
    #[wasm_bindgen(getter, unchecked_return_type = "Diagnostic[]")]
    pub fn notes(&self) -> JsValue {
        self.notes.clone()
    }
}

/// What a picture shows of its pixels.
pub(crate) struct Shown {
    /// Whether the alpha of the program is shown.
    pub(crate) alpha: bool,
    /// Whether maps of what pixels cost are drawn, too.
    pub(crate) maps: bool,
    /// Whether the result has the colours as floats, too.
    pub(crate) floats: bool,
}

impl Picture {
    /// The picture of drawn pixels, with a note on the inputs of a program of the file.
    ///
    /// # Errors
    /// `internal-json` if the note cannot be converted.
    pub(crate) fn of(
        pixels: &Pixels,
        note: Option<Diagnostic>,
        file: &Opened,
        shown: &Shown,
    ) -> Result<Picture, Failure> {
        let maps = [("cost", Heat::Cost), ("divergence", Heat::Divergence), ("nan", Heat::Nan)];
        let maps = maps.into_iter().filter_map(|(name, heat)| Some((name, heat.map(pixels)?)));
        let maps = maps.fold(convert::object(&json!({}))?, |all, (name, map)| {
            with_member(all, name, map.bytes().to_vec().into())
        });
        let floats = shown.floats.then(|| pixels.pixels.as_flattened().to_vec().into());
        Ok(Picture {
            width: pixels.width,
            height: pixels.height,
            executed: pixels.executed as f64,
            rgba: pixels.image(shown.alpha).bytes().to_vec().into(),
            maps: if shown.maps { maps } else { JsValue::UNDEFINED },
            floats: floats.unwrap_or(JsValue::UNDEFINED),
            notes: findings(note.as_slice(), file.name(), None)?,
        })
    }
}
