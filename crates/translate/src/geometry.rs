//! Which primitives a geometry stage takes.

use shisa_ir::Geometry;

/// The name in GLSL of the primitive that so many vertices are.
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

/// Why a geometry stage does not take the program's primitives, if it does not.
pub(crate) fn stage_refuses(geometry: Geometry) -> Option<String> {
    match geometry.vertices {
        n if primitive(n).is_some() => None,
        0 => Some("a geometry stage takes no primitive whose number of vertices varies".to_owned()),
        n => Some(format!("a geometry stage takes no primitive of {n} vertices")),
    }
}
