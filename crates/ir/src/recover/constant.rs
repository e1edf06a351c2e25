//! Constants at the point of use, before any pass has run.

use crate::{Convert, File, Nodes, Op, Reg, Type, Value};

/// The constant that a value of a step holds: it is a constant itself, or a register that the preceding operations of
/// its block (`body`) assign a constant.
pub(super) fn constant(files: &[File], v: Value, nodes: &Nodes, body: &[Value]) -> Option<u64> {
    let (mut v, mut body) = (v, body);
    loop {
        match nodes.op(v) {
            Op::Const(bits) => return Some(bits),
            Op::Convert { op: Convert::ZeroExtend, a, .. } => v = a,
            Op::Read { reg, .. } => {
                let file = files.get(usize::from(reg.file.0))?;
                let (at, written) = last_write(file, nodes, body, reg, nodes.ty(v))?;
                (v, body) = (written, body.get(..at)?);
            }
            _ => return None,
        }
    }
}

/// The last write to a scalar register: its index and value. `None` if the last write is to another register that
/// overlaps it.
fn last_write(file: &File, nodes: &Nodes, body: &[Value], reg: Reg, ty: Type) -> Option<(usize, Value)> {
    let units = |ty: Type, count: u16| count * u16::from(ty.scalar.bits() / file.unit_bits.max(1)).max(1);
    let end = reg.unit + units(ty, ty.count.into());
    let touches = |(at, v): (usize, &Value)| match nodes.op(*v) {
        Op::Write { reg: to, mask, value } if to.file == reg.file => {
            let step = units(nodes.ty(value), 1);
            let overlaps = |c: u8| {
                let first = to.unit + u16::from(c) * step;
                first < end && reg.unit < first + step
            };
            mask.iter().any(overlaps).then_some((at, to, value))
        }
        _ => None,
    };
    let (at, to, value) = body.iter().enumerate().rev().find_map(touches)?;
    (to == reg && nodes.ty(value) == ty && ty.count == 1).then_some((at, value))
}

#[cfg(test)]
mod tests;
