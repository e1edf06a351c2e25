//! Joins: which units need a parameter in which blocks, and of which type.

use super::Pass;
use super::layout::{Layout, for_units};
use super::units::Def;
use crate::graph::{DominatorTree, Graph};
use crate::{BlockId, End, Func, Op, Reg, Scalar, Swizzle, Type, Value};
use alloc::{vec, vec::Vec};

/// A set of slots for each position of the graph.
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn new(positions: usize, slots: usize) -> Sets {
        let words = slots.div_ceil(64);
        Sets { words, bits: vec![0; positions * words] }
    }

    fn row(&self, position: usize) -> &[u64] {
        &self.bits[position * self.words..(position + 1) * self.words]
    }

    fn has(&self, position: usize, slot: usize) -> bool {
        self.bits[position * self.words + slot / 64] >> (slot % 64) & 1 != 0
    }

    fn add(&mut self, position: usize, slot: usize) {
        self.bits[position * self.words + slot / 64] |= 1 << (slot % 64);
    }

    fn row_mut(&mut self, position: usize) -> &mut [u64] {
        &mut self.bits[position * self.words..(position + 1) * self.words]
    }

    /// The first slot of a set, from `from` on.
    fn next(&self, position: usize, from: usize) -> Option<usize> {
        let row = self.row(position);
        let mut word = row.get(from / 64)? & (u64::MAX << (from % 64));
        let mut at = from / 64;
        while word == 0 {
            at += 1;
            word = *row.get(at)?;
        }
        Some(64 * at + word.trailing_zeros() as usize)
    }
}

/// A parameter: a vector of adjacent units.
struct Param {
    value: Value,
    reg: Reg,
    ty: Type,
}

pub(super) struct Joins {
    /// The slots that need a parameter at each position.
    needs: Sets,
    slots: usize,
    /// For each slot: the kind and piece of the first write to it in the program.
    kinds: Vec<(Scalar, u8)>,
    /// For each slot: whether all its writes have the same kind.
    uniform: Vec<bool>,
    /// By block.
    params: Vec<Vec<Param>>,
}

impl Joins {
    pub(super) fn new(func: &Func, layout: &Layout, graph: &Graph, tree: &DominatorTree) -> Joins {
        let slots = layout.slots;
        let mut joins = Joins {
            needs: Sets::new(graph.len(), slots),
            slots,
            kinds: vec![(Scalar::I1, u8::MAX); slots],
            uniform: vec![true; slots],
            params: (0..func.blocks.len()).map(|_| Vec::new()).collect(),
        };
        let (live, written) = joins.liveness(func, layout, graph);
        joins.place(graph, tree, &live, &written);
        joins
    }

    /// Liveness: the slots that are live at the beginning of each block, and the slots that each block writes.
    fn liveness(&mut self, func: &Func, layout: &Layout, graph: &Graph) -> (Sets, Sets) {
        let mut live = Sets::new(graph.len(), self.slots);
        let mut written = Sets::new(graph.len(), self.slots);
        for (p, id) in graph.order.iter().enumerate() {
            let block = &func.blocks[id.index()];
            let use_outputs = |live: &mut Sets, written: &Sets| {
                for (reg, unit) in layout.output_units(func) {
                    if let Some(s) = layout.slot(reg.file, unit).filter(|&s| !written.has(p, s)) {
                        live.add(p, s);
                    }
                }
            };
            for &v in &block.body {
                let node = &func.nodes.list[v.index()];
                match node.op {
                    Op::Read { reg, .. } if layout.promotes(reg.file) => {
                        let held = layout.held(reg.file);
                        for_units(func, &node.op, node.ty, |_, _, unit| {
                            if let Some(s) = layout.slot_of(held, unit).filter(|&s| !written.has(p, s)) {
                                live.add(p, s);
                            }
                        });
                    }
                    Op::Write { reg, value, .. } => {
                        let (ty, held) = (func.nodes.ty(value), layout.held(reg.file));
                        for_units(func, &node.op, ty, |_, piece, unit| {
                            if let Some(s) = layout.slot_of(held, unit) {
                                written.add(p, s);
                                if self.kinds[s].1 == u8::MAX {
                                    self.kinds[s] = (ty.scalar, piece);
                                }
                                self.uniform[s] &= self.kinds[s] == (ty.scalar, piece);
                            }
                        });
                    }
                    Op::Emit | Op::EmitVertex { .. } => use_outputs(&mut live, &written),
                    _ => {}
                }
            }
            if block.end == End::Exit {
                use_outputs(&mut live, &written);
            }
        }
        let mut todo: Vec<u32> = (0..graph.len() as u32).collect();
        let mut queued = vec![true; graph.len()];
        while let Some(p) = todo.pop() {
            let p = p as usize;
            queued[p] = false;
            for source in graph.sources(p) {
                let mut grew = false;
                for w in 0..live.words {
                    let add = live.row(p)[w] & !written.row(source)[w];
                    let old = &mut live.bits[source * live.words + w];
                    grew |= add & !*old != 0;
                    *old |= add;
                }
                if grew && !core::mem::replace(&mut queued[source], true) {
                    todo.push(source as u32);
                }
            }
        }
        (live, written)
    }

    /// Marks the iterated dominance frontier of each slot's writes, where the slot is live. (Cooper, Harvey and
    /// Kennedy's walk: a block is in the frontier of every block on the paths up the dominator tree from its
    /// predecessors to its immediate dominator. All slots are walked at once.)
    fn place(&mut self, graph: &Graph, tree: &DominatorTree, live: &Sets, written: &Sets) {
        let some = |p: &u32| live.row(*p as usize).iter().any(|word| *word != 0);
        let mut joins: Vec<u32> =
            (0..graph.len() as u32).filter(|p| graph.sources(*p as usize).len() > 1).filter(some).collect();
        // A frontier is never deeper than its blocks, so one round is enough for most graphs.
        joins.sort_by_key(|p| core::cmp::Reverse(tree.level[*p as usize]));
        let mut walked = vec![u32::MAX; graph.len()];
        let mut brought = vec![0; live.words];
        let mut grew = true;
        while core::mem::take(&mut grew) {
            walked.fill(u32::MAX);
            for &t in &joins {
                brought.fill(0);
                for source in graph.sources(t as usize) {
                    let mut at = source;
                    while at != tree.idom[t as usize] as usize && core::mem::replace(&mut walked[at], t) != t
                    {
                        let rows = written.row(at).iter().zip(self.needs.row(at));
                        brought.iter_mut().zip(rows).for_each(|(all, (w, n))| *all |= w | n);
                        at = tree.idom[at] as usize;
                    }
                }
                for ((need, brought), live) in
                    self.needs.row_mut(t as usize).iter_mut().zip(&brought).zip(live.row(t as usize))
                {
                    grew |= brought & live & !*need != 0;
                    *need |= brought & live;
                }
            }
        }
    }

    /// Sets the tracker to the state at the beginning of a block and creates the block's parameters.
    pub(super) fn enter(&mut self, pass: &mut Pass<'_>, graph: &Graph, tree: &DominatorTree, p: usize) {
        if p == 0 {
            return;
        }
        // A unit without a parameter has the value that it has at the end of the immediate dominator.
        pass.tracker.enter(p, tree.idom[p] as usize);
        let needs = |s: usize| self.needs.has(p, s);
        let id = graph.order[p];
        let origin = pass.func.blocks[id.index()].body.first().map_or(0, |v| pass.old.list[v.index()].origin);
        let mut groups: Vec<Param> = Vec::new();
        let mut slot = self.needs.next(p, 0);
        while let Some(s) = slot {
            let done = graph.sources(p).filter(|&q| q < p).map(|q| pass.tracker.state(q));
            let (scalar, step) = self.kind(pass, s, &needs, done);
            let reg = pass.layout.regs[s];
            match groups.last_mut() {
                Some(g) if extends(pass.func, g, reg, scalar) => g.ty.count += 1,
                _ => groups.push(Param { value: Value(0), reg, ty: scalar.by(1) }),
            }
            slot = self.needs.next(p, s + step);
        }
        for g in &mut groups {
            g.value = pass.func.nodes.push(Op::Param, g.ty, origin);
            pass.func.blocks[id.index()].params.push(g.value);
            pass.write(g.reg, crate::Mask::first(g.ty.count), g.value);
        }
        self.params[id.index()] = groups;
    }

    /// The kind of the component that begins at slot `s`, and its size in slots: taken from the value that a finished
    /// predecessor passes, else from the first write.
    fn kind<'a>(
        &self,
        pass: &Pass<'_>,
        s: usize,
        needs: &impl Fn(usize) -> bool,
        mut done: impl Iterator<Item = &'a [Def]>,
    ) -> (Scalar, usize) {
        let reg = pass.layout.regs[s];
        let file = &pass.func.files[reg.file.0 as usize];
        let brought = done.find(|state| !state[s].is_zero());
        let (scalar, first_piece) = match brought {
            Some(state) => (pass.func.nodes.ty(state[s].value).scalar, state[s].piece),
            None => self.kinds[s],
        };
        let step = usize::from(file.units_of(scalar));
        let follows = |i: usize| {
            let next = Reg { unit: reg.unit + i as u16, ..reg };
            let together = brought.is_none_or(|b| b[s + i] == Def { piece: i as u8, ..b[s] });
            pass.layout.regs.get(s + i) == Some(&next) && needs(s + i) && together
        };
        let whole = first_piece == 0 && (1..step).all(follows);
        if whole && (scalar.bits() >= file.unit_bits || self.uniform[s]) {
            return (scalar, step);
        }
        let unit = match file.unit_bits {
            1 => Scalar::I1,
            2..=8 => Scalar::I8,
            9..=16 => Scalar::I16,
            _ => Scalar::I32,
        };
        (unit, 1)
    }

    /// Whether an edge from a block leads to a parameter.
    pub(super) fn leads_to_any(&self, func: &Func, id: BlockId) -> bool {
        func.blocks[id.index()].end.edges().any(|e| !self.params[e.to.index()].is_empty())
    }

    /// Passes the values of the parameters along the edges from a block. The tracker has the state at the end of the
    /// block.
    pub(super) fn leave(&self, pass: &mut Pass<'_>, id: BlockId) {
        let block = &mut pass.func.blocks[id.index()];
        let mut body = core::mem::take(&mut block.body);
        let mut end = core::mem::replace(&mut block.end, End::Exit);
        let origin = body.last().map_or(0, |v| pass.func.nodes.list[v.index()].origin);
        for edge in end.edges_mut() {
            for p in &self.params[edge.to.index()] {
                edge.args.push(pass.read(p.reg, Swizzle::IDENTITY, p.ty, origin, &mut body));
            }
        }
        let block = &mut pass.func.blocks[id.index()];
        (block.body, block.end) = (body, end);
    }
}

/// Whether a component of kind `scalar` at `reg` directly follows the group's last one in the same register.
fn extends(func: &Func, group: &Param, reg: Reg, scalar: Scalar) -> bool {
    let file = &func.files[reg.file.0 as usize];
    let register = |r: Reg| r.unit / u16::from(file.units_per_register.max(1));
    let next = group.reg.unit + u16::from(group.ty.count) * u16::from(file.units_of(scalar));
    group.ty.count < 4
        && group.ty.scalar == scalar
        && group.reg.file == reg.file
        && reg.unit == next
        && register(group.reg) == register(reg)
}
