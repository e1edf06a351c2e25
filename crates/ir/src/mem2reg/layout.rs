//! Which registers are promoted, and which slots of the state they use.

use crate::{File, FileId, FileKind, Func, Mask, Node, Op, Reg, Type};
use alloc::vec::Vec;
use core::ops::Range;

/// No slot: the program does not access the unit.
const NO_SLOT: u32 = u32::MAX;
/// The most slots, in the states of all blocks together, that entries which the program does not access may have, too: that
/// takes less time than finding the others.
const SMALL: usize = 1 << 13;

/// An output register, or the part of it that one vector write covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    pub(super) reg: Reg,
    pub(super) mask: Mask,
}

/// The entries of a file in the state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Whether accesses to the file are turned into values.
    promoted: bool,
    /// Index of its first entry.
    base: u32,
    /// Number of units with an entry: those up to the last register written, or more. All other units hold zero.
    units: u32,
}

impl Held {
    /// The entry of a unit.
    fn entry(self, unit: u32) -> Option<usize> {
        (unit < self.units).then(|| (self.base + unit) as usize)
    }
}

/// The promoted units, each with a slot of the state.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// By file.
    files: Vec<Held>,
    /// The slot of each entry; empty if each entry is its own slot.
    slots_of: Vec<u32>,
    /// File and unit of each slot in ascending order; empty for a function of one block.
    pub(super) regs: Vec<Reg>,
    /// Number of slots.
    pub(super) slots: usize,
    /// The output registers that the program writes.
    pub(super) outputs: Vec<Output>,
}

impl Layout {
    /// Lays out a function. In one with many blocks, each with a state, only units that the program accesses get slots.
    pub(super) fn begin(&mut self, func: &Func) {
        let promoted = |f: &File| matches!(f.kind, FileKind::Temp | FileKind::Output);
        self.files.clear();
        self.files.extend(func.files.iter().map(|f| Held { promoted: promoted(f), base: 0, units: 0 }));
        self.slots_of.clear();
        self.regs.clear();
        self.outputs.clear();
        for n in nodes(func) {
            match n.op {
                Op::Write { reg, mask, value } => self.note_write(func, reg, mask, func.nodes.ty(value)),
                Op::ReadAt { file, .. } => {
                    if let Some(held) = self.files.get_mut(file.0 as usize) {
                        held.promoted = false;
                    }
                }
                _ => {}
            }
        }
        let mut base = 0;
        for (held, file) in self.files.iter_mut().zip(func.files) {
            let whole = held.units.next_multiple_of(u32::from(file.units_per_register.max(1)));
            held.base = base;
            held.units = if held.promoted { whole.min(file.units.into()) } else { 0 };
            base += held.units;
        }
        self.slots = base as usize;
        let files = &self.files;
        self.outputs.retain(|o| files.get(usize::from(o.reg.file.0)).is_some_and(|held| held.promoted));
        self.outputs.sort_unstable_by_key(|o| o.reg);
        match func.blocks.len() {
            ..=1 => {}
            blocks if blocks.saturating_mul(self.slots) > SMALL => self.compact(func),
            _ => {
                for (id, held) in self.files.iter().enumerate() {
                    let units = 0..held.units as u16;
                    self.regs.extend(units.map(|unit| Reg::new(FileId(id as u8), unit)));
                }
            }
        }
    }

    fn note_write(&mut self, func: &Func, reg: Reg, mask: Mask, ty: Type) {
        let id = reg.file.0 as usize;
        let (Some(file), Some(held)) = (func.files.get(id), self.files.get_mut(id)) else { return };
        if file.kind != FileKind::Output && func.blocks.len() == 1 {
            // One state holds all units of a file.
            held.units = file.units.into();
            return;
        }
        let step = u32::from(file.units_of(ty.scalar));
        let end = u32::from(reg.unit) + (u8::BITS - mask.0.leading_zeros()) * step;
        held.units = held.units.max(end);
        if file.kind != FileKind::Output {
            return;
        }
        // The components that one write of an output covers: those of a register, at most four.
        let own = u32::from(file.units_of(file.scalar));
        let room = own * (u32::from(file.units_per_register) / own).clamp(1, 4);
        let whole = reg.unit.is_multiple_of(4) && reg.unit + 4 <= file.units && mask.count() <= ty.count;
        if (own, step, room) == (1, 1, 4) && whole {
            return self.note_output(reg, Mask(mask.0 & Mask::ALL.0));
        }
        for c in mask.iter().take(ty.count.into()) {
            let first = u32::from(reg.unit) + u32::from(c) * step;
            for unit in (first..first + step).filter(|&u| u < u32::from(file.units)) {
                let reg = Reg::new(reg.file, (unit - unit % room) as u16);
                self.note_output(reg, Mask(1 << (unit % room / own)));
            }
        }
    }

    fn note_output(&mut self, reg: Reg, mask: Mask) {
        match self.outputs.iter_mut().find(|o| o.reg == reg) {
            Some(output) => output.mask.0 |= mask.0,
            None => self.outputs.push(Output { reg, mask }),
        }
    }

    fn compact(&mut self, func: &Func) {
        self.slots_of.resize(self.slots, NO_SLOT);
        for n in nodes(func) {
            let (reg, ty) = match n.op {
                Op::Read { reg, .. } => (reg, n.ty),
                Op::Write { reg, value, .. } => (reg, func.nodes.ty(value)),
                _ => continue,
            };
            let held = self.held(reg.file);
            if held.promoted {
                for_units(func, &n.op, ty, |_, _, unit| {
                    if let Some(i) = held.entry(unit) {
                        self.slots_of[i] = 0;
                    }
                });
            }
        }
        self.slots = 0;
        for (id, &Held { base, units, .. }) in self.files.iter().enumerate() {
            for unit in 0..units {
                let slot = &mut self.slots_of[(base + unit) as usize];
                if *slot != NO_SLOT {
                    *slot = self.slots as u32;
                    self.slots += 1;
                    self.regs.push(Reg::new(FileId(id as u8), unit as u16));
                }
            }
        }
    }

    /// The entries of a file; none for a file that does not exist.
    pub(super) fn held(&self, file: FileId) -> Held {
        self.files.get(file.0 as usize).copied().unwrap_or_default()
    }

    /// The slot of a unit, if it is promoted, inside its file and accessed.
    pub(super) fn slot(&self, file: FileId, unit: u32) -> Option<usize> {
        self.slot_of(self.held(file), unit)
    }

    /// As [`Layout::slot`], of a unit of the file with these entries.
    pub(super) fn slot_of(&self, held: Held, unit: u32) -> Option<usize> {
        let entry = held.entry(unit)?;
        match self.slots_of.get(entry) {
            None => Some(entry),
            Some(&NO_SLOT) => None,
            Some(&slot) => Some(slot as usize),
        }
    }

    /// The slots from a register's unit to the last entry of its file, if every entry is its own slot.
    #[inline]
    pub(super) fn run(&self, reg: Reg) -> Option<Range<usize>> {
        let held = self.held(reg.file);
        let start = held.base + u32::from(reg.unit).min(held.units);
        self.slots_of.is_empty().then_some(start as usize..(held.base + held.units) as usize)
    }

    /// The units that the output writes at an exit read.
    pub(super) fn output_units(&self, func: &Func) -> impl Iterator<Item = (Reg, u32)> {
        self.outputs.iter().flat_map(move |o| {
            let file = &func.files[o.reg.file.0 as usize];
            let step = u32::from(file.units_of(file.scalar));
            let units = o.mask.iter().flat_map(move |c| (0..step).map(move |u| u32::from(c) * step + u));
            units.map(|u| (o.reg, u32::from(o.reg.unit) + u))
        })
    }

    /// Whether accesses to the file are turned into values.
    pub(super) fn promotes(&self, file: FileId) -> bool {
        self.held(file).promoted
    }
}

/// The operations of all blocks.
fn nodes(func: &Func) -> impl Iterator<Item = &Node> {
    func.blocks.iter().flat_map(|b| &b.body).map(|&v| &func.nodes.list[v.index()])
}

/// Calls `f` with component, piece and unit for every unit that a write of a value of type `ty` accesses, or a read of that
/// type: for a read, each unit once, with the component of the register.
#[inline]
pub(super) fn for_units(func: &Func, op: &Op, ty: Type, mut f: impl FnMut(u8, u8, u32)) {
    let (Op::Read { reg, .. } | Op::Write { reg, .. }) = *op else { return };
    let step = func.files.get(reg.file.0 as usize).map_or(1, |f| f.units_of(ty.scalar));
    let mut component = |i: u8, place: u8| {
        for piece in 0..step {
            f(i, piece, u32::from(reg.unit) + u32::from(place) * u32::from(step) + u32::from(piece));
        }
    };
    match *op {
        Op::Read { swizzle, .. } => swizzle.sources(ty.count).iter().for_each(|c| component(c, c)),
        Op::Write { mask, .. } => mask.iter().zip(0..ty.count).for_each(|(c, i)| component(i, c)),
        _ => {}
    }
}
