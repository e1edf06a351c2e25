//! Which units of a register file are live, for display: no pass depends on it.

use crate::{End, FileId, Func, Op, Reg, Type};
use alloc::{vec, vec::Vec};

/// A set of register units, one bit each; no register file has more than 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units([u64; 4]);

impl Units {
    const ALL: Units = Units([u64::MAX; 4]);

    /// The set of units with these numbers.
    pub fn of(numbers: impl Iterator<Item = usize>) -> Units {
        numbers.fold(Units::default(), |all, n| all.or(Units::run(n as u32, 1)))
    }

    /// The units in the set from `first`, at most `count`.
    fn run(first: u32, count: u32) -> Units {
        let mut units = Units::default();
        for n in first..first.saturating_add(count).min(256) {
            units.0[n as usize / 64] |= 1 << (n % 64);
        }
        units
    }

    /// Whether the set has a unit.
    pub fn has(&self, n: u32) -> bool {
        self.0.get(n as usize / 64).is_some_and(|w| w >> (n % 64) & 1 != 0)
    }

    fn or(self, other: Units) -> Units {
        Units(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn without(self, other: Units) -> Units {
        Units(core::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

/// The units of a register file that are live after each of `count` instructions of a function whose registers are not
/// values yet; `None` for an instruction that is in no block. `left` are the units that are read after the function
/// ends.
pub fn live_units(func: &Func, file: FileId, left: Units, count: usize) -> Vec<Option<Units>> {
    let walk = Walk { func, file, left };
    let mut before = vec![Units::default(); func.blocks.len()];
    // The sets only grow, so this ends; programs without loops take two iterations.
    loop {
        let old = before.clone();
        for number in (0..before.len()).rev() {
            let set = walk.block(number, &before, |_, _| ());
            if let Some(entry) = before.get_mut(number) {
                *entry = set;
            }
        }
        if before == old {
            break;
        }
    }
    let mut sets: Vec<Option<Units>> = vec![None; count];
    for number in 0..before.len() {
        walk.block(number, &before, |instruction, set| {
            if let Some(entry) = sets.get_mut(instruction) {
                *entry = Some(entry.unwrap_or_default().or(set));
            }
        });
    }
    sets
}

struct Walk<'f> {
    func: &'f Func,
    file: FileId,
    left: Units,
}

impl Walk<'_> {
    /// The units live at the start of a block. Calls `each` with those live after each of its instructions, from the
    /// last.
    fn block(&self, number: usize, before: &[Units], mut each: impl FnMut(usize, Units)) -> Units {
        let block = self.func.blocks.get(number);
        let at = |edge: &crate::Edge| before.get(edge.to.index()).copied().unwrap_or_default();
        let mut live = match block.map(|b| &b.end) {
            None | Some(End::Exit) => self.left,
            Some(End::Jump(edge)) => at(edge),
            Some(End::Branch { yes, no, .. }) => at(yes).or(at(no)),
        };
        let mut instruction = None;
        let body = block.map_or(&[][..], |b| &b.body);
        for node in body.iter().rev().filter_map(|v| self.func.nodes.list.get(v.index())) {
            if instruction.replace(node.origin) != Some(node.origin) {
                each(node.origin as usize, live);
            }
            match node.op {
                Op::Write { reg, mask, value } => {
                    let written = self.units(reg, self.func.nodes.ty(value), mask.iter());
                    live = live.without(written);
                }
                Op::Read { reg, swizzle } => {
                    live = live.or(self.units(reg, node.ty, (0..4).map(|i| swizzle.get(i))));
                }
                Op::ReadAt { file, .. } if file == self.file => live = Units::ALL,
                _ => {}
            }
        }
        live
    }

    /// The units that an access to some components of a value of type `ty` covers.
    fn units(&self, reg: Reg, ty: Type, components: impl Iterator<Item = u8>) -> Units {
        if reg.file != self.file {
            return Units::default();
        }
        let step = self.func.files.get(usize::from(reg.file.0)).map_or(1, |f| f.units_of(ty.scalar));
        let run = |c: u8| Units::run(u32::from(reg.unit) + u32::from(c) * u32::from(step), step.into());
        components.take(ty.count.into()).map(run).fold(Units::default(), Units::or)
    }
}

#[cfg(test)]
mod tests;
