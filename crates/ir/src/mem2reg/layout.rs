//! Which registers are promoted, and where the state keeps them.

use crate::{FileId, FileKind, Func, Mask, Op, Reg, Type};
use alloc::{vec, vec::Vec};

/// No slot: the program does not touch the unit.
const NO_SLOT: u32 = u32::MAX;

/// An output register, or the part of one that is a vector: what one write covers.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) reg: Reg,
    pub(super) mask: Mask,
}

/// The promoted units, each with a slot of the state.
pub(super) struct Layout {
    /// First entry and number of units of each file; no units for files that stay in registers.
    files: Vec<(u32, u32)>,
    /// The slot of each entry; empty when each entry is its own slot.
    slots_of: Vec<u32>,
    /// File and unit of each slot in rising order; known only when `slots_of` is.
    pub(super) regs: Vec<Reg>,
    /// How many slots there are.
    pub(super) slots: usize,
    /// The output registers that the program writes.
    pub(super) outputs: Vec<Output>,
}

impl Layout {
    /// With several blocks, which each keep a state, only units that the program touches get slots.
    pub(super) fn new(func: &Func) -> Layout {
        let mut files = Vec::with_capacity(func.files.len());
        let mut total = 0;
        for f in func.files {
            let promoted = matches!(f.kind, FileKind::Temp | FileKind::Output);
            let units = if promoted { u32::from(f.units) } else { 0 };
            files.push((total, units));
            total += units;
        }
        let nodes = || func.blocks.iter().flat_map(|b| &b.body).map(|&v| &func.nodes.list[v.index()]);
        for n in nodes() {
            if let Op::ReadAt { file, .. } = n.op
                && let Some(f) = files.get_mut(file.0 as usize)
            {
                f.1 = 0;
            }
        }
        let mut layout = Layout {
            files,
            slots_of: Vec::new(),
            regs: Vec::new(),
            slots: total as usize,
            outputs: Vec::new(),
        };
        let several = func.blocks.len() > 1;
        // A mark for each entry: 1 for read, 2 for written.
        let mut marks = vec![0u8; total as usize];
        for n in nodes() {
            let (reg, ty, mark) = match n.op {
                Op::Read { reg, .. } if several => (reg, n.ty, 1),
                Op::Write { reg, value, .. } => (reg, func.nodes.ty(value), 2),
                _ => continue,
            };
            for_units(func, &n.op, ty, |_, _, unit| {
                if let Some(i) = layout.entry(reg.file, unit) {
                    marks[i] |= mark;
                }
            });
        }
        layout.list_outputs(func, &marks);
        if several {
            layout.compact(&marks);
        }
        layout
    }

    fn list_outputs(&mut self, func: &Func, marks: &[u8]) {
        for (id, f) in func.files.iter().enumerate().filter(|(_, f)| f.kind == FileKind::Output) {
            let file = FileId(id as u8);
            let step = u32::from(f.units_of(f.scalar));
            // Components of one write: those of a register, at most four.
            let room = (u32::from(f.units_per_register) / step).clamp(1, 4);
            let (base, units) = self.files[id];
            for unit in (0..units).step_by((room * step) as usize) {
                let written = |c: &u32| {
                    let from = (base + unit + c * step) as usize;
                    (from..from + step as usize).any(|i| marks.get(i).is_some_and(|m| m & 2 != 0))
                };
                let mask = (0..room).filter(written).fold(0, |mask, c| mask | 1 << c);
                if mask != 0 {
                    self.outputs.push(Output { reg: Reg::new(file, unit as u16), mask: Mask(mask) });
                }
            }
        }
    }

    fn compact(&mut self, marks: &[u8]) {
        self.slots_of.resize(marks.len(), NO_SLOT);
        self.slots = 0;
        for (id, &(base, units)) in self.files.iter().enumerate() {
            for unit in (0..units).filter(|u| marks[(base + u) as usize] != 0) {
                self.slots_of[(base + unit) as usize] = self.slots as u32;
                self.slots += 1;
                self.regs.push(Reg::new(FileId(id as u8), unit as u16));
            }
        }
    }

    fn entry(&self, file: FileId, unit: u32) -> Option<usize> {
        let &(base, units) = self.files.get(file.0 as usize)?;
        (unit < units).then(|| (base + unit) as usize)
    }

    /// The slot of a unit, if it is promoted, inside its file and touched.
    pub(super) fn slot(&self, file: FileId, unit: u32) -> Option<usize> {
        let entry = self.entry(file, unit)?;
        match self.slots_of.get(entry) {
            None => Some(entry),
            Some(&NO_SLOT) => None,
            Some(&slot) => Some(slot as usize),
        }
    }

    /// The units that the writes of outputs at an exit read.
    pub(super) fn output_units(&self, func: &Func) -> impl Iterator<Item = (Reg, u32)> {
        self.outputs.iter().flat_map(move |o| {
            let file = &func.files[o.reg.file.0 as usize];
            let step = u32::from(file.units_of(file.scalar));
            let units = o.mask.iter().flat_map(move |c| (0..step).map(move |u| u32::from(c) * step + u));
            units.map(|u| (o.reg, u32::from(o.reg.unit) + u))
        })
    }

    /// Whether accesses to the file become values.
    pub(super) fn promotes(&self, file: FileId) -> bool {
        self.files.get(file.0 as usize).is_some_and(|&(_, units)| units > 0)
    }
}

/// Calls `f` with component, piece and unit for every unit that a read of type `ty`, or a write of a value
/// of that type, touches.
pub(super) fn for_units(func: &Func, op: &Op, ty: Type, mut f: impl FnMut(u8, u8, u32)) {
    let mut component = |reg: Reg, i: u8, place: u8| {
        let step = func.files.get(reg.file.0 as usize).map_or(1, |f| f.units_of(ty.scalar));
        for piece in 0..step {
            f(i, piece, u32::from(reg.unit) + u32::from(place) * u32::from(step) + u32::from(piece));
        }
    };
    match *op {
        Op::Read { reg, swizzle } => (0..ty.count).for_each(|i| component(reg, i, swizzle.get(i))),
        Op::Write { reg, mask, .. } => mask.iter().zip(0..ty.count).for_each(|(c, i)| component(reg, i, c)),
        _ => {}
    }
}
