//! The primitives that a geometry stage accepts.

use crate::streams::Streams;
use crate::{Program, Target};
use shisa_ir::Geometry;

/// The GLSL name of the primitive with this number of vertices.
pub(crate) const fn primitive(vertices: u8) -> Option<&'static str> {
    Some(match vertices {
        1 => "points",
        2 => "lines",
        3 => "triangles",
        4 => "lines_adjacency",
        6 => "triangles_adjacency",
        _ => return None,
    })
}

/// Why a language's geometry stage does not accept the program's primitives, or `None` if it does.
pub(crate) fn stage_refuses(
    program: &Program,
    geometry: Geometry,
    target: Target,
) -> Option<(&'static str, String)> {
    match geometry.vertices {
        n if primitive(n).is_some() => {}
        0 => {
            let text = "a geometry stage takes no primitive whose number of vertices varies".to_owned();
            return Some(("translate-geometry-input", text));
        }
        n => {
            let text = format!("a geometry stage takes no primitive of {n} vertices");
            return Some(("translate-geometry-input", text));
        }
    }
    let why = Streams::of(program)?.refusal(target)?;
    Some(("translate-geometry-stream", why))
}
