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

    /// Code without a container, with members of the types that the module expects.
    #[wasm_bindgen(catch, js_name = bareCode)]
    pub(crate) fn bare_code(object: &JsValue) -> Result<BareCode, JsValue>;

    /// Code without a container.
    pub(crate) type BareCode;

    /// The name of its instruction set.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn isa(this: &BareCode) -> JsValue;

    /// The bytes of its instructions.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn code(this: &BareCode) -> Vec<u8>;

    /// The operand descriptors of PICA200.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn descriptors(this: &BareCode) -> Vec<u32>;

    /// The name of its stage.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn stage(this: &BareCode) -> Option<String>;

    /// The index of the instruction that runs first.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn entry(this: &BareCode) -> f64;

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
