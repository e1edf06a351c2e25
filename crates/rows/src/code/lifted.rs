//! The registers that an instruction reads and writes, component by component, computed from its lift.

use super::{Effects, RegisterSet};
use crate::Registers;
use alloc::{vec, vec::Vec};
use shisa_ir::{Binary, Lifted, Mask, Op, Reg, Step, Ternary, Value};

/// The registers that the operations of a step read and write; of vectors, only the components that a result depends
/// on.
///
/// A step that reads registers of a file by a computed number reads the whole file ([`RegisterSet::insert_file`]).
pub fn lifted_effects<S: RegisterSet>(lifted: &Lifted, step: &Step) -> Effects<S> {
    let mut all = Effects::<S>::default();
    let mut needs = Needs { lifted, start: step.nodes.start, needed: vec![Mask(0); step.nodes.len()] };
    for cond in [step.guard, step.control.cond].into_iter().flatten() {
        needs.add(cond, Mask::first(1));
    }
    needs.settle(step, false, &mut all.guard);
    needs.settle(step, true, &mut all.reads);
    for v in step.nodes.clone() {
        if let Op::Write { reg, mask, value } = lifted.nodes.op(Value(v)) {
            let units = needs.units(reg, lifted.nodes.ty(value).scalar.bits());
            mask.iter().for_each(|i| insert(&mut all.writes, reg, i, units, false));
        }
    }
    all
}

fn insert(set: &mut impl RegisterSet, reg: Reg, component: u8, units: u8, read: bool) {
    let first = Reg { unit: reg.unit + u16::from(component) * u16::from(units), ..reg };
    set.insert(&Registers { first, units, read, written: !read });
}

/// The components of a value.
fn components(count: u8) -> impl Iterator<Item = u8> {
    0..count.min(4)
}

/// The components of each value of one step that are needed.
struct Needs<'a> {
    lifted: &'a Lifted,
    start: u32,
    needed: Vec<Mask>,
}

impl Needs<'_> {
    /// Number of register units that one component takes.
    fn units(&self, reg: Reg, bits: u8) -> u8 {
        let unit = self.lifted.files.get(usize::from(reg.file.0)).map_or(32, |f| f.unit_bits);
        bits.div_ceil(unit.max(1)).max(1)
    }

    fn add(&mut self, v: Value, mask: Mask) {
        let count = self.lifted.nodes.ty(v).count;
        let mask = match count {
            0 | 1 => Mask(u8::from(mask.0 != 0)),
            _ => Mask(mask.0 & Mask::first(count.min(4)).0),
        };
        if let Some(slot) = v.0.checked_sub(self.start).and_then(|i| self.needed.get_mut(i as usize)) {
            slot.0 |= mask.0;
        }
    }

    /// Adds what the needed components depend on, and inserts the registers that they read. `effects`: whether the
    /// operands of effects are needed, too.
    fn settle(&mut self, step: &Step, effects: bool, reads: &mut impl RegisterSet) {
        // From the last operation to the first: all needs of a value are known before its operands are visited.
        for v in step.nodes.clone().rev() {
            let op = self.lifted.nodes.op(Value(v));
            let needed = match v.checked_sub(self.start).and_then(|i| self.needed.get(i as usize)) {
                _ if effects && op.has_effect() => Mask::ALL,
                Some(needed) if needed.0 != 0 => *needed,
                _ => continue,
            };
            self.operands(v, needed);
            let ty = self.lifted.nodes.ty(Value(v));
            match op {
                Op::Read { reg, swizzle } => {
                    let units = self.units(reg, ty.scalar.bits());
                    let read = components(ty.count).filter(|i| needed.0 >> i & 1 != 0);
                    read.for_each(|i| insert(reads, reg, swizzle.get(i), units, true));
                }
                Op::ReadAt { file, .. } => reads.insert_file(file),
                _ => {}
            }
        }
    }

    /// Adds the components of operands that these components of `v` depend on.
    fn operands(&mut self, v: u32, mask: Mask) {
        let lifted = self.lifted;
        match lifted.nodes.op(Value(v)) {
            Op::Write { value, .. } => self.add(value, Mask::ALL),
            Op::ReadAt { index, .. } => self.add(index, Mask::first(1)),
            Op::Swizzle { a, swizzle } => {
                let picked = components(4).filter(|i| mask.0 >> i & 1 != 0).map(|i| 1 << swizzle.get(i));
                self.add(a, Mask(picked.fold(0, |m, bit| m | bit)));
            }
            Op::Join { parts } => {
                let used = components(4).zip(parts).filter(|(i, _)| mask.0 >> i & 1 != 0);
                used.for_each(|(_, part)| self.add(part, Mask::first(1)));
            }
            Op::Binary { op: Binary::FDot, a, b, .. } => {
                [a, b].into_iter().for_each(|v| self.add(v, Mask::ALL));
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                [a, b, c].into_iter().for_each(|v| self.add(v, mask));
            }
            _ => lifted.nodes.operands(Value(v), |operand| self.add(operand, mask)),
        }
    }
}
