//! Pictures of fragment programs.

use crate::failure::Failure;
use crate::given;
use crate::opened::Opened;
use crate::picture::{Picture, Shown};
use serde::Deserialize;
use serde_json::Value;
use shisa::Error;
use shisa::data::pictures::{Preview, preview as draw};
use shisa_verbs::{NamedCorners, set_defaults, set_values};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;

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

/// Draws a program over a rectangle.
///
/// # Errors
/// `usage` for options that do not exist; `picture-stage` for a program of another stage; what it refuses to draw.
pub(crate) fn preview(file: &Opened, number: usize, options: &JsValue) -> Result<Picture, Failure> {
    let (how, textures) = given::options::<PreviewOptions>(options, file)?;
    let corners = how.varyings.iter().map(|(name, list)| format!("{name}={list}").parse());
    let corners: Vec<NamedCorners> = corners.collect::<Result<_, _>>().map_err(Failure::usage)?;
    let constants = given::constants(&how.constants)?;
    let rectangle = Preview {
        size: [how.width, how.height],
        corners: corners.into_iter().map(|one| (one.name, one.corners)).collect(),
        target: how.target,
        counts: how.maps,
        ..Preview::default()
    };
    let input = how.input.as_ref().map(Value::to_string);
    let drawn = file.program(number)?.shader(input.as_deref()).and_then(|mut shader| {
        set_values(&mut [&mut *shader], &constants, &textures)?;
        let note = set_defaults(&mut *shader)?;
        let pixels = draw(&mut *shader, &rectangle, &file.settings().limits).map_err(Error::from)?;
        Ok((pixels, note))
    });
    let (pixels, note) = drawn.map_err(|e| file.failed(e))?;
    Picture::of(&pixels, note, file, &Shown { alpha: how.alpha, maps: how.maps, floats: how.floats })
}
