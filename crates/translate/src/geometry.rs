//! The primitives that a geometry stage accepts.

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

/// Why a geometry stage does not accept the program's primitives, or `None` if it does.
pub(crate) fn stage_refuses(geometry: Geometry) -> Option<String> {
    match geometry.vertices {
        n if primitive(n).is_some() => None,
        0 => Some("a geometry stage takes no primitive whose number of vertices varies".to_owned()),
        n => Some(format!("a geometry stage takes no primitive of {n} vertices")),
    }
}
