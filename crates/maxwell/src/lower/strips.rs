//! What geometry programs output.

use super::fast;
use super::vertices::Vertices;
use crate::code::Graph;
use crate::container::sph::common;
use crate::flow::Targets;
use crate::{Ctx, Drawing, ShaderStage, rules};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Geometry, Strips, Topology};

/// The most vertices that any header allows.
const MOST: u32 = 0xfff;
/// The most runs of a geometry program for a primitive.
const RUNS: u32 = 32;

/// The context of a geometry program whose state of emission needs not be computed, because each OUT and each AST takes
/// what the OUT before it wrote. Fast programs have no state.
///
/// # Errors
/// `translate-emission` if the state may be another one.
pub(super) fn orderly(code: &[u128], drawing: &Drawing) -> Result<Drawing, Vec<Diagnostic>> {
    if drawing.is_fast() {
        return Ok(*drawing);
    }
    let graph = Graph::new(code, &Targets::default(), Ctx::default());
    let lost = rules::without_state(&graph);
    if lost.is_empty() {
        return Ok(Drawing { keeps_state: true, ..*drawing });
    }
    let refused = |(i, d): (usize, Diagnostic)| {
        let text = alloc::format!("other languages have no state of emission, and {}", d.message);
        Diagnostic::error("translate-emission", text).note(alloc::format!("instruction {i}"))
    };
    Err(lost.into_iter().map(refused).collect())
}

/// The primitives of a geometry program; `None` in other stages. `stated` is how many vertices the host states for the
/// input primitive.
pub(super) fn geometry(drawing: &Drawing, vertices: &Vertices, stated: Option<u8>) -> Option<Geometry> {
    if drawing.stage != ShaderStage::Geometry {
        return None;
    }
    let geometry = |strips| Geometry {
        vertices: vertices.count,
        attributes: vertices.inputs.len() as u8,
        start: Some(0),
        strips: Some(strips),
    };
    if drawing.is_fast() {
        let (most, topology) = fast::primitive(stated);
        return Some(geometry(Strips { topology, most: most.into(), invocations: 1, streams: 1 }));
    }
    let topology = match drawing.field(const { common("OutputTopology") }) {
        Some(6) => Topology::Lines,
        Some(7) => Topology::Triangles,
        _ => Topology::Points,
    };
    let strips = Strips {
        topology,
        most: drawing.field(const { common("MaxOutputVertexCount") }).unwrap_or(MOST).min(MOST) as u16,
        invocations: drawing.invocations().min(RUNS) as u8,
        streams: drawing.field(const { common("StreamOutMask") }).filter(|mask| *mask != 0).unwrap_or(0xf)
            as u8,
    };
    Some(geometry(strips))
}
