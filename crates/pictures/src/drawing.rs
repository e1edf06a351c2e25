//! How a mesh is drawn.

use crate::attributes::Attribute;
use shisa_eval::draw::{Blend, DepthTest};
use shisa_eval::{Compare, TargetFormat};
use std::collections::BTreeMap;

/// Triangles that are not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cull {
    /// All are drawn.
    #[default]
    Nothing,
    /// Those whose corners are in counterclockwise order, where y points up.
    Counterclockwise,
    /// Those whose corners are in clockwise order.
    Clockwise,
}

/// How a mesh is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Render {
    /// Pixels of a row, and rows.
    pub size: [usize; 2],
    /// What inputs of the vertex program get, by name; others have what their name or their number suggests.
    pub attributes: BTreeMap<String, Attribute>,
    /// The first constant of the matrix to clip space; `None` is the first one that nothing states.
    pub matrix: Option<String>,
    /// Whether the constants of the matrix are its columns.
    pub columns: bool,
    /// Samples of a pixel: 1 or 4. The program runs once for each pixel.
    pub samples: usize,
    /// Triangles that are not drawn.
    pub cull: Cull,
    /// The depth test, by default the one that draws what is nearer; `None` draws what is hidden, too.
    pub depth: Option<DepthTest>,
    /// The depth of all pixels before anything is drawn, from 0 to 1.
    pub cleared_depth: f32,
    /// How colours are combined with those before them; `None` replaces them. The colour before anything is drawn is 0.
    pub blend: Option<Blend>,
    /// The constant colour among the factors of blending.
    pub constant: [f32; 4],
    /// The number of the colour that is shown.
    pub target: u32,
    /// Its format; `None` keeps the floats of the program. Normalised colours are clamped before they are blended.
    pub format: Option<TargetFormat>,
    /// Whether to count what pixels cost.
    pub counts: bool,
}

impl Default for Render {
    fn default() -> Render {
        Render {
            size: [256; 2],
            attributes: BTreeMap::new(),
            matrix: None,
            columns: false,
            samples: 1,
            cull: Cull::Nothing,
            depth: Some(DepthTest { compare: Compare::Less, writes: true }),
            cleared_depth: 1.0,
            blend: None,
            constant: [0.0; 4],
            target: 0,
            format: None,
            counts: false,
        }
    }
}
