//! Inputs and outputs of graphics programs: accesses at computed addresses, and reads of what is no input.

use crate::ShaderStage;
use crate::container::sph::common;
use crate::drawing::{COMPONENTS, Drawing};
use crate::registers::{ATTRIBUTES, OUTPUTS, PATCH, PIXEL, PixelRegister};
use alloc::{collections::BTreeSet, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Builder, FileId, Func, Io, LaneOp, Op, Reg, Swizzle, Type, Value};

/// Replaces reads at computed addresses by choices among the components that the header has, or that the program writes.
pub(super) fn choose(func: &mut Func, drawing: &Drawing) {
    let operations = func.blocks.iter().flat_map(|b| &b.body).map(|v| func.nodes.op(*v));
    if !operations.clone().any(|op| matches!(op, Op::ReadAt { .. })) {
        return;
    }
    let written: BTreeSet<u16> = operations
        .filter_map(|op| match op {
            Op::Write { reg, mask, .. } if reg.file == OUTPUTS => Some((reg, mask)),
            _ => None,
        })
        .flat_map(|(reg, mask)| mask.iter().map(move |c| reg.unit + u16::from(c)))
        .collect();
    let mapped = |component: u16| match drawing.header {
        Some(header) => header.input(4 * component).is_some_and(|mapped| mapped.value != 0),
        None => true,
    };
    let read: Vec<u16> = (0..COMPONENTS).filter(|component| mapped(*component)).collect();
    let of_patch = drawing.field(const { common("PerPatchAttributeCount") }).unwrap_or(0) as u16;
    let patch: Vec<u16> = (0..of_patch.min(COMPONENTS)).collect();
    func.rewrite(|b, v| {
        let Op::ReadAt { file, base, index, swizzle, .. } = b.nodes.op(v) else { return None };
        let existing: Vec<u16> = match file {
            ATTRIBUTES if drawing.stage.reads_vertices() => return None,
            ATTRIBUTES => read.clone(),
            PATCH => patch.clone(),
            OUTPUTS if drawing.stage == ShaderStage::TessellationControl => return None,
            OUTPUTS => written.iter().copied().collect(),
            _ => return None,
        };
        let parts: Vec<Value> = (0..b.ty(v).count)
            .map(|i| chosen(b, file, index, base + u16::from(swizzle.get(i)), &existing))
            .collect();
        Some(b.join(&parts))
    });
}

/// The component whose number is the sum of a value and a constant; 0 if it is none of those.
fn chosen(b: &mut Builder<'_>, file: FileId, index: Value, first: u16, components: &[u16]) -> Value {
    let mut value = b.i32(0);
    for component in components {
        let at = b.i32(i32::from(*component) - i32::from(first));
        let here = b.ieq(index, at);
        let found = b.read(Reg::new(file, *component), Swizzle::IDENTITY, Type::I32);
        value = b.select(here, found, value);
    }
    value
}

/// Reads inputs one component at a time where a read does not stay within one of them. Components that no input has are
/// zero.
pub(super) fn split(func: &mut Func, inputs: &[Io]) {
    let holder = |reg: Reg| {
        inputs.iter().position(|io| {
            io.reg.file == reg.file
                && reg.unit.checked_sub(io.reg.unit).is_some_and(|n| n < u16::from(io.count))
        })
    };
    func.rewrite(|b, v| {
        let Op::Read { reg, swizzle } = b.nodes.op(v) else { return None };
        if !matches!(reg.file, ATTRIBUTES | PATCH) {
            return None;
        }
        let ty = b.ty(v);
        let units: Vec<Reg> = (0..ty.count)
            .map(|i| Reg::new(reg.file, reg.unit.saturating_add(swizzle.get(i).into())))
            .collect();
        let holders: BTreeSet<Option<usize>> = units.iter().map(|unit| holder(*unit)).collect();
        if holders.len() == 1 && !holders.contains(&None) {
            return None;
        }
        let one = ty.with_count(1);
        let parts: Vec<Value> = units
            .into_iter()
            .map(|unit| match holder(unit) {
                Some(_) => b.read(unit, Swizzle::IDENTITY, one),
                None => b.constant(one, 0),
            })
            .collect();
        Some(b.join(&parts))
    });
}

/// A value that a lane fetches from itself, as compilers read the position in the domain of a patch.
pub(super) fn own_lane(func: &mut Func, lane: Reg) {
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Lane { op: LaneOp::Fetch, a, b: from } => {
            matches!(b.nodes.op(from), Op::Read { reg, .. } if reg == lane).then_some(a)
        }
        _ => None,
    });
}

/// The number of samples and their positions, which languages do not know, are those of pixels with one sample. Returns a
/// warning if there were any.
pub(super) fn one_sample(func: &mut Func) -> Option<Diagnostic> {
    const COVERAGE: u16 = PixelRegister::Coverage.unit();
    const SAMPLE: u16 = PixelRegister::Sample.unit();
    const SAMPLES: u16 = PixelRegister::Samples.unit();
    let mut met = false;
    func.rewrite(|b, v| {
        let value = match b.nodes.op(v) {
            Op::Read { reg, .. } if reg.file == PIXEL => match reg.unit {
                COVERAGE | SAMPLE => return None,
                SAMPLES => 1,
                _ => 0,
            },
            Op::ReadAt { file: PIXEL, .. } => 0,
            _ => return None,
        };
        met = true;
        let ty = b.ty(v);
        Some(b.constant(ty, value))
    });
    let text =
        "the number or the positions of samples are read, and pixels are translated as having one sample";
    met.then(|| Diagnostic::warning("translate-samples", text))
}
