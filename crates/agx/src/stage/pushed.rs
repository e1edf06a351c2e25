//! Uniforms that the program itself writes: constants, and the results of the preamble.

use super::{Staged, first};
use crate::registers::{PUSHED, UNIFORMS};
use crate::sequencer::{JUMP, STOP};
use alloc::collections::BTreeSet;
use shisa_ir::{Control, ControlOp, Func, Lifted, Mask, Op, Reg, Scalar, Space, Swizzle, Type};

/// Halves of all uniforms.
const HALVES: u16 = 512;

/// The halves that hold constants.
fn constants(staged: &Staged) -> impl Iterator<Item = (u16, u64)> + '_ {
    let (first, bytes) = &staged.constants;
    let half = |b: &[u8]| u64::from(b[0]) | u64::from(b[1]) << 8;
    (*first..HALVES).zip(bytes.chunks_exact(2).map(half))
}

/// Moves uniforms that the program writes to a register file of their own, and continues from the preamble to the
/// program. Returns the halves of that file that begin as the uniforms of the same number.
pub(super) fn within(staged: &Staged, lifted: &mut Lifted) -> BTreeSet<u16> {
    let end = staged.preamble as u32;
    for step in lifted.steps.iter_mut().filter(|s| s.pc < end && s.control.op == STOP) {
        step.control = match step.next == end {
            true => Control { op: ControlOp::Next, ..Control::default() },
            // Taken whether lanes are active or not: if none is, none runs the program either.
            false => Control { op: JUMP, target: end, extra: 1, ..Control::default() },
        };
    }
    let mut given: BTreeSet<u16> = constants(staged).map(|(unit, _)| unit).collect();
    for i in 0..lifted.nodes.list.len() {
        if let Op::Store { space: Space::Uniforms, address, value } = lifted.nodes.list[i].op
            && let Op::Const(address) = lifted.nodes.op(address)
            && let ty = lifted.nodes.ty(value)
            && let unit = (address / 2) as u16
            && unit.saturating_add(units(ty)) <= HALVES
        {
            given.extend(unit..unit + units(ty));
            let reg = Reg::new(PUSHED, unit);
            lifted.nodes.list[i].op = Op::Write { reg, mask: Mask::first(ty.count), value };
        }
    }
    let mut copied = BTreeSet::new();
    for node in &mut lifted.nodes.list {
        if let Op::Read { reg, .. } = &mut node.op
            && reg.file == UNIFORMS
        {
            let read = reg.unit..reg.unit + units(node.ty);
            if read.clone().any(|unit| given.contains(&unit)) {
                reg.file = PUSHED;
                copied.extend(read);
            }
        }
    }
    copied
}

fn units(ty: Type) -> u16 {
    u16::from(ty.scalar.bits()).div_ceil(16) * u16::from(ty.count)
}

/// Writes the initial values of the file at the start of the function.
pub(super) fn begin(staged: &Staged, func: &mut Func, copied: BTreeSet<u16>) {
    let half = Scalar::I16.by(1);
    first(func, |b| {
        for unit in copied {
            let v = b.read(Reg::new(UNIFORMS, unit), Swizzle::IDENTITY, half);
            b.write(Reg::new(PUSHED, unit), Mask::first(1), v);
        }
        for (unit, bits) in constants(staged) {
            let v = b.constant(half, bits);
            b.write(Reg::new(PUSHED, unit), Mask::first(1), v);
        }
    });
}
