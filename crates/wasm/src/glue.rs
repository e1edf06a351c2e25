//! Functions of `glue.js` and of the engine.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./glue.js")]
extern "C" {
    /// The object with a further member.
    #[wasm_bindgen(js_name = withMember)]
    pub(crate) fn with_member(object: JsValue, key: &str, value: JsValue) -> JsValue;

    /// The options without the images of textures.
    #[wasm_bindgen(catch, js_name = withoutTextures)]
    pub(crate) fn without_textures(options: &JsValue) -> Result<JsValue, JsValue>;

    /// The images of textures.
    #[wasm_bindgen(catch)]
    pub(crate) fn textures(options: &JsValue) -> Result<Vec<Texture>, JsValue>;

    /// The bytes at an index of a list; `None` past its end.
    #[wasm_bindgen(catch, js_name = bytesAt)]
    pub(crate) fn bytes_at(list: &JsValue, index: usize) -> Result<Option<Vec<u8>>, JsValue>;

    /// An image of a texture.
    pub(crate) type Texture;

    /// The name of the texture.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn name(this: &Texture) -> String;

    /// Pixels of a row.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn width(this: &Texture) -> f64;

    /// Rows.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn height(this: &Texture) -> f64;

    /// The bytes, four a pixel.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn rgba(this: &Texture) -> Vec<u8>;
}

#[wasm_bindgen]
extern "C" {
    /// The object of a text.
    #[wasm_bindgen(catch, js_namespace = JSON, js_name = parse)]
    pub(crate) fn parse_json(text: &str) -> Result<JsValue, JsValue>;

    /// The text of an object; `undefined` has none.
    #[wasm_bindgen(catch, js_namespace = JSON, js_name = stringify)]
    pub(crate) fn json_text(object: &JsValue) -> Result<Option<String>, JsValue>;
}
