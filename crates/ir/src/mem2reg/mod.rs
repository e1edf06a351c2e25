//! Turns register traffic into values: static single assignment with block parameters where ways join.
//!
//! Works on units, so registers that overlap need no special care: [`units`] follows which value each
//! unit holds inside a block and puts reads together from that, [`joins`] decides where ways that bring
//! different values meet and gives those blocks parameters.

mod joins;
#[cfg(test)]
mod tests;
mod units;

use crate::graph::{DominatorTree, Graph};
use crate::{BlockId, Edge, End, FileId, FileKind, Func, Mask, Op, Reg, Swizzle, Type, Value, map_operands};
use alloc::{vec, vec::Vec};
use joins::Joins;
use shisa_diag::{Diagnostic, Limits};
use units::{Def, Tracker};

/// No slot: the unit is not promoted.
const NO_SLOT: u32 = u32::MAX;

/// Replaces reads and writes of registers by values.
///
/// Afterwards no temporary register is read or written, no output is read, and every block that exits
/// writes each output register once, at its end, with all components that the program writes anywhere
/// (zero where this way did not); before an [`Op::Emit`] outputs are written likewise. Reads of inputs
/// and uniforms stay. A temporary or output file that is read by a computed index stays in registers as
/// a whole. Units never written hold zero. Blocks that cannot be reached become empty.
///
/// Blocks must not have parameters yet.
///
/// # Errors
/// `limit-exceeded` when blocks times registers exceed the fuel.
pub fn registers_to_values(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    if func.entries().first().is_some_and(|&n| n > 1) {
        detach_entry(func);
    }
    let layout = Layout::new(func);
    Limits::check(
        "blocks × registers",
        func.blocks.len().saturating_mul(layout.slots),
        limits.fuel as usize,
    )?;
    let mut pass = Pass { tracker: Tracker::new(func.nodes.list.len(), layout.slots), layout, func };
    if pass.func.blocks.len() == 1 {
        pass.block(BlockId(0));
    } else if !pass.func.blocks.is_empty() {
        pass.graph();
    }
    Ok(())
}

/// Gives the function an entry that no edge leads to.
fn detach_entry(func: &mut Func) {
    let moved = BlockId(func.blocks.len() as u32);
    func.blocks.iter_mut().flat_map(|b| b.end.edges_mut()).filter(|e| e.to.0 == 0).for_each(|e| e.to = moved);
    let entry = crate::Block { params: Vec::new(), body: Vec::new(), end: End::Jump(Edge::to(moved)) };
    let old = core::mem::replace(&mut func.blocks[0], entry);
    func.blocks.push(old);
}

/// An output register, or the part of one that is a vector: what one write covers.
struct Output {
    reg: Reg,
    mask: Mask,
}

/// The promoted units that the program touches, each with a slot.
struct Layout {
    /// First entry of each file in `slots_of`; [`NO_SLOT`] for files that stay in registers.
    bases: Vec<u32>,
    /// The slot of each unit of the promoted files.
    slots_of: Vec<u32>,
    /// File and unit of each slot, in rising order.
    regs: Vec<Reg>,
    slots: usize,
    outputs: Vec<Output>,
}

impl Layout {
    fn new(func: &Func) -> Layout {
        let mut bases = Vec::with_capacity(func.files.len());
        let mut total = 0;
        for f in func.files {
            let promoted = matches!(f.kind, FileKind::Temp | FileKind::Output);
            bases.push(if promoted { total } else { NO_SLOT });
            total += if promoted { u32::from(f.units) } else { 0 };
        }
        let nodes = || func.blocks.iter().flat_map(|b| &b.body).map(|&v| func.nodes.list[v.index()]);
        for n in nodes() {
            if let Op::ReadAt { file, .. } = n.op
                && let Some(base) = bases.get_mut(file.0 as usize)
            {
                *base = NO_SLOT;
            }
        }
        let mut layout = Layout {
            bases,
            slots_of: vec![0; total as usize],
            regs: Vec::new(),
            slots: 0,
            outputs: Vec::new(),
        };
        // First a mark for each unit: 1 for read, 2 for written.
        for n in nodes() {
            let (reg, ty, mark) = match n.op {
                Op::Read { reg, .. } => (reg, n.ty, 1),
                Op::Write { reg, value, .. } => (reg, func.nodes.ty(value), 2),
                _ => continue,
            };
            for_units(func, &n.op, ty, |_, _, unit| {
                if let Some(i) = layout.entry(func, reg.file, unit) {
                    layout.slots_of[i] |= mark;
                }
            });
        }
        layout.list_outputs(func);
        for (id, f) in func.files.iter().enumerate() {
            let Some(base) = layout.bases.get(id).copied().filter(|&b| b != NO_SLOT) else { continue };
            for unit in 0..f.units {
                let slot = &mut layout.slots_of[base as usize + usize::from(unit)];
                if *slot == 0 {
                    *slot = NO_SLOT;
                } else {
                    *slot = layout.slots as u32;
                    layout.slots += 1;
                    layout.regs.push(Reg::new(FileId(id as u8), unit));
                }
            }
        }
        layout
    }

    /// Output registers with their written components, while `slots_of` still holds marks.
    fn list_outputs(&mut self, func: &Func) {
        for (id, f) in func.files.iter().enumerate().filter(|(_, f)| f.kind == FileKind::Output) {
            let file = FileId(id as u8);
            let step = self.units_of(func, file, f.scalar.by(1));
            let register = u32::from(f.units_per_register.max(1)).max(step);
            let mut unit = 0;
            while unit < u32::from(f.units) {
                let room = (register / step).min(4);
                let written = |c: &u32| {
                    let mut units = (0..step).filter_map(|u| self.entry(func, file, unit + c * step + u));
                    units.any(|i| self.slots_of[i] & 2 != 0)
                };
                let mask = (0..room).filter(written).fold(0, |mask, c| mask | 1 << c);
                if mask != 0 {
                    self.outputs.push(Output { reg: Reg::new(file, unit as u16), mask: Mask(mask) });
                }
                unit += room * step;
            }
        }
    }

    /// Units that one component of `ty` takes in `file`.
    fn units_of(&self, func: &Func, file: FileId, ty: Type) -> u32 {
        func.files.get(file.0 as usize).map_or(1, |f| f.units_of(ty.scalar).into())
    }

    fn entry(&self, func: &Func, file: FileId, unit: u32) -> Option<usize> {
        let base = *self.bases.get(file.0 as usize)?;
        let inside = base != NO_SLOT && unit < u32::from(func.files.get(file.0 as usize)?.units);
        inside.then(|| (base + unit) as usize)
    }

    /// The slot of a unit, if it is promoted, inside its file and touched.
    fn slot(&self, func: &Func, file: FileId, unit: u32) -> Option<usize> {
        let slot = self.slots_of[self.entry(func, file, unit)?];
        (slot != NO_SLOT).then_some(slot as usize)
    }

    /// The units that the writes of outputs at an exit read.
    fn output_units(&self, func: &Func) -> impl Iterator<Item = (Reg, u32)> {
        self.outputs.iter().flat_map(move |o| {
            let file = &func.files[o.reg.file.0 as usize];
            let step = u32::from(file.units_of(file.scalar));
            let units = o.mask.iter().flat_map(move |c| (0..step).map(move |u| u32::from(c) * step + u));
            units.map(|u| (o.reg, u32::from(o.reg.unit) + u))
        })
    }

    fn promotes(&self, file: FileId) -> bool {
        self.bases.get(file.0 as usize).is_some_and(|&b| b != NO_SLOT)
    }
}

/// Calls `f` with component, piece and unit for every unit that a read of type `ty`, or a write of a value
/// of that type, touches.
fn for_units(func: &Func, op: &Op, ty: Type, mut f: impl FnMut(u8, u8, u32)) {
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

struct Pass<'a> {
    func: &'a mut Func,
    layout: Layout,
    tracker: Tracker,
}

impl Pass<'_> {
    /// Several blocks: state flows along the edges.
    fn graph(&mut self) {
        let graph = Graph::new(self.func);
        let slots = self.layout.slots;
        let tree = DominatorTree::new(&graph);
        let mut joins = Joins::new(self.func, &self.layout, &graph, &tree);
        let mut outs: Vec<Def> = vec![Def::ZERO; graph.len() * slots];
        let state_of = |p: usize| p * slots..(p + 1) * slots;
        for p in 0..graph.len() {
            let id = graph.order[p];
            joins.enter(self, &graph, &tree, p, &outs);
            self.block(id);
            outs[state_of(p)].copy_from_slice(&self.tracker.defs);
        }
        for p in 0..graph.len() {
            self.tracker.defs.copy_from_slice(&outs[state_of(p)]);
            self.tracker.begin();
            joins.leave(self, graph.order[p]);
        }
        for b in 0..self.func.blocks.len() {
            if graph.position(BlockId(b as u32)).is_none() {
                self.func.blocks[b] = crate::Block { params: Vec::new(), body: Vec::new(), end: End::Exit };
            }
        }
    }

    /// Rewrites one block from the state in the tracker; afterwards the tracker holds the state at its end.
    fn block(&mut self, id: BlockId) {
        self.tracker.begin();
        let old = core::mem::take(&mut self.func.blocks[id.index()].body);
        let mut body = Vec::with_capacity(old.len());
        let mut origin = 0;
        for v in old {
            let mut node = self.func.nodes.list[v.index()];
            origin = node.origin;
            match node.op {
                Op::Read { reg, swizzle } if self.layout.promotes(reg.file) => {
                    let value = self.read(reg, swizzle, node.ty, origin, &mut body);
                    self.tracker.replace(v, value);
                    continue;
                }
                Op::Write { reg, mask, value } if self.layout.promotes(reg.file) => {
                    let value = self.tracker.resolve(value);
                    self.write(reg, mask, value);
                    continue;
                }
                Op::Emit => self.write_outputs(origin, &mut body),
                _ => {}
            }
            let (tracker, nodes) = (&self.tracker, &mut self.func.nodes);
            let texture = match node.op {
                Op::Texture(t) => nodes.textures.get_mut(t as usize),
                _ => None,
            };
            map_operands(&mut node, texture, |v| tracker.resolve(v));
            nodes.list[v.index()] = node;
            body.push(v);
        }
        if let End::Branch { cond, .. } = &mut self.func.blocks[id.index()].end {
            *cond = self.tracker.resolve(*cond);
        }
        if self.func.blocks[id.index()].end == End::Exit {
            self.write_outputs(origin, &mut body);
        }
        self.func.blocks[id.index()].body = body;
    }

    fn write_outputs(&mut self, origin: u32, body: &mut Vec<Value>) {
        for i in 0..self.layout.outputs.len() {
            let Output { reg, mask } = self.layout.outputs[i];
            let ty = self.func.files[reg.file.0 as usize].scalar.by(mask.count());
            let value = self.read(reg, Swizzle::IDENTITY.under(mask), ty, origin, body);
            body.push(self.func.nodes.push(Op::Write { reg, mask, value }, Type::NONE, origin));
        }
    }
}
