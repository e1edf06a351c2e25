//! The primitives that a geometry stage accepts.

use crate::Program;
use shisa_ir::{Geometry, Op};

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
pub(crate) fn stage_refuses(program: &Program, geometry: Geometry) -> Option<(&'static str, String)> {
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
    let strips = geometry.strips?;
    let nodes = &program.func.nodes;
    let other = nodes.list.iter().find_map(|node| match node.op {
        Op::EmitVertex { stream, .. } => match nodes.list.get(stream.index()).map(|n| n.op) {
            Some(Op::Const(0)) if strips.streams & 1 != 0 => None,
            Some(Op::Const(0)) => Some("stream 0, which is not enabled".to_owned()),
            Some(Op::Const(n)) => Some(format!("stream {n}")),
            _ => Some("a stream with a computed number".to_owned()),
        },
        _ => None,
    })?;
    let text = format!("vertices go to {other}, and a geometry stage here has stream 0 only");
    Some(("translate-geometry-stream", text))
}
