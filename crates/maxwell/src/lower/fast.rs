//! Fast geometry programs. OUT does nothing in them: the hardware outputs the vertices of the input primitive, each with
//! what the program stored in place of its own. Other languages get a program that does the same with every vertex.

use crate::Drawing;
use crate::drawing::COMPONENTS;
use crate::linkage::passed;
use crate::registers::{ATTRIBUTES, OUTPUTS};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Builder, End, Func, Mask, Op, Reg, Swizzle, Topology, Type, Value};

/// What the vertices of an input primitive form when they are output; `stated` is their number. Without one it is a
/// triangle.
pub(super) fn primitive(stated: Option<u8>) -> (u8, Topology) {
    match stated {
        Some(1) => (1, Topology::Points),
        Some(2) => (2, Topology::Lines),
        _ => (3, Topology::Triangles),
    }
}

/// Outputs the vertices of the input primitive wherever the program ends.
///
/// # Errors
/// `translate-geometry-input` for a primitive with adjacent vertices.
pub(super) fn pass_vertices(
    func: &mut Func,
    drawing: &Drawing,
    stated: Option<u8>,
) -> Result<(), Vec<Diagnostic>> {
    let (vertices, _) = primitive(stated);
    if let Some(n) = stated.filter(|n| *n != vertices) {
        let text =
            alloc::format!("a fast geometry program outputs its input primitive, which has {n} vertices");
        let d = Diagnostic::error("translate-geometry-input", text);
        return Err(alloc::vec![d.note("it can be a point, a line or a triangle: 1, 2 or 3 vertices")]);
    }
    let operations = func.blocks.iter().flat_map(|b| &b.body).map(|v| func.nodes.op(*v));
    let stored: BTreeSet<u16> = operations
        .filter_map(|op| match op {
            Op::Write { reg, mask, .. } if reg.file == OUTPUTS => Some((reg, mask)),
            _ => None,
        })
        .flat_map(|(reg, mask)| mask.iter().map(move |c| reg.unit + u16::from(c)))
        .collect();
    let components: Vec<u16> = passed(drawing).into_iter().filter(|c| !stored.contains(c)).collect();
    for block in func.blocks.iter_mut().filter(|block| block.end == End::Exit) {
        let start = func.nodes.list.len() as u32;
        let mut b = Builder::new(&mut func.nodes, 0);
        let (always, none) = (b.constant(Type::BOOL, 1), b.i32(0));
        for vertex in 0..u16::from(vertices) {
            for component in &components {
                let from = Reg::new(ATTRIBUTES, vertex * COMPONENTS + component);
                let value = b.read(from, Swizzle::IDENTITY, Type::I32);
                let (reg, mask) = (Reg::new(OUTPUTS, *component), Mask::first(1));
                b.push(Op::Write { reg, mask, value }, Type::NONE);
            }
            b.push(Op::EmitVertex { cond: always, vertex: none, stream: none }, Type::NONE);
        }
        b.push(Op::EndStrip { cond: always, vertex: none }, Type::NONE);
        block.body.extend((start..func.nodes.list.len() as u32).map(Value));
    }
    Ok(())
}
