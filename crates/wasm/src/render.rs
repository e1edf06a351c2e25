//! Pictures of meshes.

use crate::failure::Failure;
use crate::given;
use crate::opened::Opened;
use crate::picture::{Picture, Shown};
use serde::Deserialize;
use serde_json::Value;
use shisa::data::pictures::{Mesh, Render, Shader};
use shisa_verbs::{Blending, NamedAttribute, Order, Rendering, rendered, set_values};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;

/// What is drawn.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct RenderOptions {
    /// Pixels of a row.
    width: usize,
    /// Rows.
    height: usize,
    /// Constants and textures of the vertex program, as an input of a run.
    input: Option<Value>,
    /// Constants and textures of the fragment program, as an input of a run.
    fragment_input: Option<Value>,
    /// Values of constants, by name: `X,Y,Z,W`.
    constants: BTreeMap<String, String>,
    attribute: Vec<NamedAttribute>,
    matrix: Option<String>,
    columns: bool,
    samples: usize,
    cull: Option<Order>,
    blend: Option<Blending>,
    no_depth: bool,
    target: u32,
    /// Whether the alpha of the program is shown.
    alpha: bool,
    /// Whether maps of what pixels cost are drawn, too.
    maps: bool,
    /// Whether the result has the colours as floats, too.
    floats: bool,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        let Render { size: [width, height], .. } = Render::default();
        let Rendering { attribute, matrix, columns, samples, cull, blend, no_depth, target } =
            Rendering::default();
        RenderOptions {
            width,
            height,
            input: None,
            fragment_input: None,
            constants: BTreeMap::new(),
            attribute,
            matrix,
            columns,
            samples,
            cull,
            blend,
            no_depth,
            target,
            alpha: false,
            maps: false,
            floats: false,
        }
    }
}

impl RenderOptions {
    /// The drawing with these options.
    fn drawing(&self) -> Render {
        let RenderOptions { columns, samples, cull, blend, no_depth, target, .. } = *self;
        let (attribute, matrix) = (self.attribute.clone(), self.matrix.clone());
        let options = Rendering { attribute, matrix, columns, samples, cull, blend, no_depth, target };
        Render { size: [self.width, self.height], counts: self.maps, ..options.drawing() }
    }
}

/// Draws a mesh with a vertex program and perhaps a fragment program, each of a file.
///
/// # Errors
/// `usage` for options that do not exist, and for programs of different instruction sets; the faults of the mesh; what the
/// programs refuse to draw.
pub(crate) fn render(
    (file, number): (&Opened, usize),
    fragment: Option<(&Opened, usize)>,
    mesh: &[u8],
    options: &JsValue,
) -> Result<Picture, Failure> {
    let (how, textures) = given::options::<RenderOptions>(options, file)?;
    let constants = given::constants(&how.constants)?;
    let limits = &file.settings().limits;
    let mesh = Mesh::read(mesh, limits).map_err(|faults| Failure::about(faults.into(), "", mesh))?;
    let program = file.program(number)?;
    let text = how.input.as_ref().map(Value::to_string);
    let mut vertex = program.shader(text.as_deref()).map_err(|e| file.failed(e))?;
    let text = how.fragment_input.as_ref().map(Value::to_string);
    let mut pixels = fragment
        .map(|(other, number)| {
            let fragment = other.program(number)?;
            if fragment.isa() != program.isa() {
                return Err(Failure::usage("the fragment program is of another instruction set"));
            }
            fragment.shader(text.as_deref()).map_err(|e| other.failed(e))
        })
        .transpose()?;
    let mut shaders: Vec<&mut dyn Shader> = vec![&mut *vertex];
    shaders.extend(pixels.as_deref_mut().map(|pixels| pixels as &mut dyn Shader));
    let drawn = set_values(&mut shaders, &constants, &textures)
        .and_then(|()| rendered(&mut *vertex, pixels.as_deref_mut(), &mesh, &how.drawing(), limits));
    let (drawn, note) = drawn.map_err(|e| file.failed(e))?;
    let about = fragment.map_or(file, |(file, _)| file);
    Picture::of(&drawn, note, about, &Shown { alpha: how.alpha, maps: how.maps, floats: how.floats })
}
