//! Inputs of vertex programs in registers, and outputs whose number only the host knows.

use super::first;
use super::io::{GROUPS, NAMED, components, io};
use crate::registers::{ATTRIBUTES, INSTANCE, VERTEX};
use crate::{REGISTERS, UNIFORMS, VARYINGS};
use alloc::{collections::BTreeSet, format, vec::Vec};
use core::ops::Range;
use shisa_ir::{
    Binary, Binding, Convert, Func, Io, Mask, Nodes, Op, Reg, Scalar, Space, Swizzle, Type, Value,
};

/// Components of attributes that fit in registers.
const ATTRIBUTE_COMPONENTS: u16 = 120;

/// Writes the inputs of a vertex program to its registers.
pub(super) fn begin(func: &mut Func) {
    first(func, |b| {
        for (register, input) in [(5, VERTEX), (6, INSTANCE)] {
            let v = b.read(input, Swizzle::IDENTITY, Type::I32);
            b.write(Reg::new(REGISTERS, 2 * register), Mask::first(1), v);
        }
        for i in 0..ATTRIBUTE_COMPONENTS {
            let v = b.read(Reg::new(ATTRIBUTES, i), Swizzle::IDENTITY, Type::F32);
            let v = b.convert(Convert::Bits, v, Scalar::I32);
            b.write(Reg::new(REGISTERS, 2 * (8 + i)), Mask::first(1), v);
        }
    });
}

/// Outputs whose number is a uniform plus a constant become registers after those with known numbers: only the host
/// knows which they are. Returns the half of the uniforms of each group of four, and the group's offset from it.
pub(super) fn place_outputs(func: &mut Func) -> Vec<(u16, u16)> {
    let nodes = &func.nodes;
    let number = |v: Value| match nodes.op(v) {
        Op::Store { space: Space::Outputs, address, .. } => numbered(nodes, address, 8),
        _ => None,
    };
    let all = func.blocks.iter().flat_map(|b| &b.body).filter_map(|v| number(*v));
    let groups: BTreeSet<(u16, u16)> = all.map(|(uniform, n)| (uniform, n / 4)).collect();
    let groups: Vec<(u16, u16)> = groups.into_iter().take(usize::from(GROUPS - NAMED)).collect();
    func.rewrite(|b, v| {
        let Op::Store { space: Space::Outputs, address, value } = b.nodes.op(v) else { return None };
        let (uniform, n) = numbered(b.nodes, address, 8)?;
        let group = groups.iter().position(|g| *g == (uniform, n / 4))? as u16;
        let reg = Reg::new(VARYINGS, 4 * (NAMED + group) + n % 4);
        let value = b.convert(Convert::Bits, value, Scalar::F32);
        b.write(reg, Mask::first(1), value);
        Some(value)
    });
    groups
}

/// The half of the uniforms and the offset that a byte address of outputs is computed from.
fn numbered(nodes: &Nodes, v: Value, depth: u8) -> Option<(u16, u16)> {
    let constant = |v: Value| match nodes.op(v) {
        Op::Const(n) => Some(n),
        _ => None,
    };
    let depth = depth.checked_sub(1)?;
    match nodes.op(v) {
        Op::Read { reg, .. } if reg.file == UNIFORMS && nodes.ty(v) == Scalar::I16.by(1) => {
            Some((reg.unit, 0))
        }
        Op::Convert { op: Convert::Truncate | Convert::ZeroExtend | Convert::SignExtend, a, .. } => {
            numbered(nodes, a, depth)
        }
        // Four bytes for each output.
        Op::Binary { op: Binary::Shl, a, b, .. } if constant(b) == Some(2) => numbered(nodes, a, depth),
        Op::Binary { op: Binary::IAdd, a, b, .. } => {
            let (of, more) = match (constant(a), constant(b)) {
                (_, Some(n)) => (a, n),
                (Some(n), _) => (b, n),
                _ => return None,
            };
            let (unit, n) = numbered(nodes, of, depth)?;
            Some((unit, n.checked_add(u16::try_from(more).ok()?)?))
        }
        _ => None,
    }
}

/// The inputs of a vertex program that reads these registers.
pub(super) fn inputs(
    ids: impl Iterator<Item = Range<u16>>,
    attributes: impl Iterator<Item = Range<u16>>,
) -> Vec<Io> {
    let (ids, attributes): (BTreeSet<u16>, BTreeSet<u16>) =
        (ids.flatten().collect(), attributes.flatten().collect());
    let mut all = Vec::new();
    for n in 0..ATTRIBUTE_COMPONENTS / 4 {
        let used = components(|c| attributes.contains(&(4 * n + c)));
        if used != Mask(0) {
            let reg = Reg::new(ATTRIBUTES, 4 * n);
            let attribute = io(format!("attribute{n}"), reg, Scalar::F32, 4, Binding::Location(n.into()));
            all.push(Io { used, ..attribute });
        }
    }
    for (name, reg, binding) in
        [("vertex", VERTEX, Binding::VertexIndex), ("instance", INSTANCE, Binding::InstanceIndex)]
    {
        if ids.contains(&reg.unit) {
            all.push(io(name.into(), reg, Scalar::I32, 1, binding));
        }
    }
    all
}
