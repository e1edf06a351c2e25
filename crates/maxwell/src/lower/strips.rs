//! What geometry programs output.

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
/// what the OUT before it wrote.
///
/// # Errors
/// `translate-stage` for fast programs; `translate-emission` if the state may be another one.
pub(super) fn orderly(code: &[u128], drawing: &Drawing) -> Result<Drawing, Vec<Diagnostic>> {
    if drawing.field(const { common("IsFastGs") }) == Some(1) {
        let text = "a fast geometry program outputs its input primitive without OUT, which no language has";
        let d = Diagnostic::error("translate-stage", text);
        return Err(alloc::vec![d.note("other geometry programs are translated to all languages")]);
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

/// The primitives of a geometry program; `None` in other stages.
pub(super) fn geometry(drawing: &Drawing, vertices: &Vertices) -> Option<Geometry> {
    if drawing.stage != ShaderStage::Geometry {
        return None;
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
    Some(Geometry {
        vertices: vertices.count,
        attributes: vertices.inputs.len() as u8,
        start: Some(0),
        strips: Some(strips),
    })
}
