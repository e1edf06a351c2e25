//! Pictures of fragment programs.

use crate::convert;
use crate::failure::Failure;
use crate::glue::{self, Texture, with_member};
use crate::opened::Opened;
use serde::Deserialize;
use serde_json::{Value, json};
use shisa::Error;
use shisa::data::pictures::{Heat, Image, Preview, preview as draw};
use shisa::diag::Limits;
use shisa_verbs::{NamedCorners, NamedNumbers, set_defaults};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What is drawn.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct PreviewOptions {
    /// Pixels of a row.
    width: usize,
    /// Rows.
    height: usize,
    /// Constants and textures, as an input of a run.
    input: Option<Value>,
    /// Values of varyings at the corners, by name: `A/B/C/D`.
    varyings: BTreeMap<String, String>,
    /// Values of constants, by name: `X,Y,Z,W`.
    constants: BTreeMap<String, String>,
    /// The number of the colour that is shown.
    target: u32,
    /// Whether the alpha of the program is shown.
    alpha: bool,
    /// Whether maps of what pixels cost are drawn, too.
    maps: bool,
    /// Whether the result has the colours as floats, too.
    floats: bool,
}

impl Default for PreviewOptions {
    fn default() -> PreviewOptions {
        let Preview { size: [width, height], target, .. } = Preview::default();
        PreviewOptions {
            width,
            height,
            input: None,
            varyings: BTreeMap::new(),
            constants: BTreeMap::new(),
            target,
            alpha: false,
            maps: false,
            floats: false,
        }
    }
}

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

/// Draws a program over a rectangle.
///
/// # Errors
/// `usage` for options that do not exist; `picture-stage` for a program of another stage; what it refuses to draw.
pub(crate) fn preview(file: &Opened, number: usize, options: &JsValue) -> Result<Picture, Failure> {
    let limits = &file.settings().limits;
    let wrong = |_| Failure::usage("textures are images, each with `width`, `height` and `rgba`");
    let textures = glue::textures(options).map_err(wrong)?;
    let textures =
        textures.iter().map(|one| Ok((one.name(), image(one, limits).map_err(|e| file.failed(e))?)));
    let textures: Vec<(String, Image)> = textures.collect::<Result<_, Failure>>()?;
    let how: PreviewOptions = convert::options(&glue::without_textures(options).map_err(wrong)?)?;
    let corners = how.varyings.iter().map(|(name, list)| format!("{name}={list}").parse());
    let corners: Vec<NamedCorners> = corners.collect::<Result<_, _>>().map_err(Failure::usage)?;
    let constants = how.constants.iter().map(|(name, list)| format!("{name}={list}").parse());
    let constants: Vec<NamedNumbers> = constants.collect::<Result<_, _>>().map_err(Failure::usage)?;
    let rectangle = Preview {
        size: [how.width, how.height],
        corners: corners.into_iter().map(|one| (one.name, one.corners)).collect(),
        target: how.target,
        counts: how.maps,
        ..Preview::default()
    };
    let input = how.input.as_ref().map(Value::to_string);
    let drawn = file.program(number)?.shader(input.as_deref()).and_then(|mut shader| {
        for NamedNumbers { name, first, numbers } in &constants {
            shader.set_constant(name, *first, numbers)?;
        }
        for (name, image) in &textures {
            shader.set_texture(name, image)?;
        }
        let note = set_defaults(&mut *shader)?;
        let picture = draw(&mut *shader, &rectangle, limits).map_err(Error::from)?;
        Ok((picture, note))
    });
    let (picture, note) = drawn.map_err(|e| file.failed(e))?;
    let maps = [("cost", Heat::Cost), ("divergence", Heat::Divergence), ("nan", Heat::Nan)];
    let maps = maps.into_iter().filter_map(|(name, heat)| Some((name, heat.map(&picture)?)));
    let maps = maps.fold(convert::object(&json!({}))?, |all, (name, map)| {
        with_member(all, name, map.bytes().to_vec().into())
    });
    let floats = how.floats.then(|| picture.pixels.as_flattened().to_vec().into());
    Ok(Picture {
        width: picture.width,
        height: picture.height,
        executed: picture.executed as f64,
        rgba: picture.image(how.alpha).bytes().to_vec().into(),
        maps: if how.maps { maps } else { JsValue::UNDEFINED },
        floats: floats.unwrap_or(JsValue::UNDEFINED),
        notes: crate::errors::findings(note.as_slice(), file.name(), None)?,
    })
}

/// The image of a texture.
fn image(texture: &Texture, limits: &Limits) -> shisa::Result<Image> {
    // A number that is no size has as little bytes as no image.
    let size = [texture.width(), texture.height()].map(|size| size as usize);
    Ok(Image::new(size[0], size[1], texture.rgba(), limits)?)
}
