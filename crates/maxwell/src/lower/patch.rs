//! Tessellation programs: the outputs of a control program, which all its runs for a patch share.

use super::specials::INVOCATION;
use super::vertices::Vertices;
use crate::linkage;
use crate::registers::{OUTPUTS, PATCH, SPECIALS};
use crate::{Drawing, ShaderStage};
use alloc::collections::BTreeSet;
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Builder, Division, Func, Io, LaneOp, Op, PATCH_BYTES, PatchPlace, Reg, Space, Swizzle, Tessellation,
    Type, Value, patch_place,
};

/// The address of a component of a vertex of the output patch.
fn address(b: &mut Builder<'_>, vertex: Value, unit: u16) -> Value {
    let bits = b.i32(PATCH_BYTES.trailing_zeros() as i32);
    let (base, offset) = (b.shl(vertex, bits), b.i32(PATCH_BYTES as i32 + 4 * i32::from(unit)));
    b.iadd(base, offset)
}

/// The vertex that the run writes.
fn own(b: &mut Builder<'_>) -> Value {
    b.read(Reg::new(SPECIALS, INVOCATION), Swizzle::IDENTITY, Type::I32)
}

/// Loads components of a vertex.
fn load(b: &mut Builder<'_>, vertex: Value, (reg, swizzle): (Reg, Swizzle), ty: Type) -> Value {
    let parts: Vec<Value> = (0..ty.count)
        .map(|i| {
            let at = address(b, vertex, reg.unit + u16::from(swizzle.get(i)));
            b.load(Space::Shared, at, ty.with_count(1))
        })
        .collect();
    b.join(&parts)
}

/// Makes the outputs of a control program memory that all runs for the patch share. A run that loads outputs of another
/// one waits for all stores before, which the hardware's lanes have done, since they run together.
///
/// # Errors
/// `translate-lanes` for a load of an output with a computed number.
pub(super) fn share_outputs(func: &mut Func) -> Result<(), Vec<Diagnostic>> {
    let mut computed = None;
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Write { reg, mask, value } if reg.file == OUTPUTS => {
            let mut last = None;
            for (i, c) in (0..).zip(mask.iter()) {
                let (vertex, part) = (own(b), b.component(value, i));
                let at = address(b, vertex, reg.unit + u16::from(c));
                last = Some(b.push(Op::Store { space: Space::Shared, address: at, value: part }, Type::NONE));
            }
            last
        }
        Op::Read { reg, swizzle } if reg.file == OUTPUTS => {
            let (vertex, ty) = (own(b), b.ty(v));
            Some(load(b, vertex, (reg, swizzle), ty))
        }
        Op::Lane { op: LaneOp::Fetch, a, b: lane } => match b.nodes.op(a) {
            Op::Read { reg, swizzle } if reg.file == OUTPUTS => {
                let ty = b.ty(v);
                b.push(Op::Barrier, Type::NONE);
                Some(load(b, lane, (reg, swizzle), ty))
            }
            _ => None,
        },
        Op::ReadAt { file: OUTPUTS, .. } => {
            computed = Some(b.nodes.list[v.index()].origin);
            None
        }
        _ => None,
    });
    match computed {
        None => Ok(()),
        Some(origin) => {
            let text = "a tessellation control program loads an output with a computed number";
            Err(vec![Diagnostic::error("translate-lanes", text).note(format!("instruction {origin}"))])
        }
    }
}

/// Makes accesses of the patch's own components accesses of those that a patch has: the others load zero, and nothing
/// stores them.
pub(super) fn only_existing(func: &mut Func) {
    let all = (0..(PATCH_BYTES / 4) as u16).collect();
    let known: BTreeSet<u16> = linkage::of_patch(&all, PATCH)
        .iter()
        .flat_map(|io| (0..u16::from(io.count)).map(|i| io.reg.unit + i))
        .collect();
    let mut gone = BTreeSet::new();
    func.rewrite(|b, v| {
        let (address, count) = match b.nodes.op(v) {
            Op::Load { space: Space::Shared, address } => (address, b.ty(v).count),
            Op::Store { space: Space::Shared, address, value } => (address, b.ty(value).count),
            _ => return None,
        };
        let Some(PatchPlace::Patch(first)) = patch_place(b.nodes, address) else { return None };
        let units: Vec<u16> = (0..count).map(|i| first + u16::from(i)).collect();
        if units.iter().all(|unit| known.contains(unit)) {
            return None;
        }
        let at = |b: &mut Builder<'_>, unit: u16| b.i32(4 * i32::from(unit));
        if let Op::Store { value, .. } = b.nodes.op(v) {
            let mut last = None;
            for (i, unit) in (0..).zip(&units).filter(|(_, unit)| known.contains(unit)) {
                let (address, part) = (at(b, *unit), b.component(value, i));
                last = Some(b.push(Op::Store { space: Space::Shared, address, value: part }, Type::NONE));
            }
            gone.extend(last.is_none().then_some(v));
            return last;
        }
        let one = b.ty(v).with_count(1);
        let part = |b: &mut Builder<'_>, unit: &u16| match known.contains(unit) {
            true => {
                let address = at(b, *unit);
                b.load(Space::Shared, address, one)
            }
            false => b.constant(one, 0),
        };
        let parts: Vec<Value> = units.iter().map(|unit| part(b, unit)).collect();
        Some(b.join(&parts))
    });
    func.blocks.iter_mut().for_each(|block| block.body.retain(|v| !gone.contains(v)));
}

/// Removes barriers that no store precedes since the one before.
pub(super) fn drop_barriers(func: &mut Func) {
    for block in &mut func.blocks {
        // What ran before the block is not known.
        let mut stored = true;
        let nodes = &func.nodes;
        block.body.retain(|v| match nodes.op(*v) {
            Op::Barrier => core::mem::take(&mut stored),
            Op::Store { space: Space::Shared, .. } => {
                stored = true;
                true
            }
            _ => true,
        });
    }
}

/// The outputs of a control program: those of its vertices, and those of the patch.
///
/// # Errors
/// `translate-lanes` for an output with a computed number.
pub(super) fn outputs(func: &Func) -> Result<(Vec<Io>, Vec<Io>), Vec<Diagnostic>> {
    let (mut of_vertex, mut of_patch) = (BTreeSet::new(), BTreeSet::new());
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        let (address, count) = match func.nodes.op(*v) {
            Op::Load { space: Space::Shared, address } => (address, func.nodes.ty(*v).count),
            Op::Store { space: Space::Shared, address, value } => (address, func.nodes.ty(value).count),
            _ => continue,
        };
        let (set, first) = match patch_place(&func.nodes, address) {
            Some(PatchPlace::Patch(unit)) => (&mut of_patch, unit),
            Some(PatchPlace::Vertex(_, unit)) => (&mut of_vertex, unit),
            None => {
                let text = "an attribute of a patch has a computed number";
                let origin = func.nodes.list[v.index()].origin;
                let d = Diagnostic::error("translate-lanes", text);
                return Err(vec![d.note(format!("instruction {origin}"))]);
            }
        };
        set.extend((0..count).map(|i| first + u16::from(i)));
    }
    Ok((linkage::vertex_outputs(&of_vertex), linkage::of_patch(&of_patch, PATCH)))
}

/// Bytes of the outputs of a patch.
pub(super) const SHARED: u32 = PATCH_BYTES * (1 + crate::MOST_VERTICES as u32);

/// The tessellation of a program; `None` in other stages.
pub(super) fn tessellation(
    drawing: &Drawing,
    vertices: &Vertices,
    division: Option<Division>,
) -> Option<Tessellation> {
    use ShaderStage::{TessellationControl, TessellationEvaluation};
    matches!(drawing.stage, TessellationControl | TessellationEvaluation).then(|| Tessellation {
        vertices: vertices.count,
        attributes: vertices.inputs.len() as u8,
        outputs: drawing.invocations().min(crate::MOST_VERTICES.into()) as u8,
        division: division.unwrap_or_default(),
    })
}
