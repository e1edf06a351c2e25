//! Turns register traffic into values: static single assignment with block parameters where ways join.
//!
//! Works on units, so registers that overlap need no special care: [`units`] follows which value each
//! unit holds inside a block and puts reads together from that, [`joins`] decides where ways that bring
//! different values meet and gives those blocks parameters.

mod joins;
mod layout;
#[cfg(test)]
mod tests;
mod units;

use crate::graph::{DominatorTree, Graph};
use crate::{BlockId, Edge, End, Func, Op, Swizzle, Type, Value};
use alloc::{vec, vec::Vec};
use joins::Joins;
use layout::{Layout, Output};
use shisa_diag::{Diagnostic, Limit, Limits};
use units::{Def, Tracker};

/// Replaces reads and writes of registers by values.
///
/// Afterwards no temporary register is read or written, no output is read, and every block that exits
/// writes each output register once, at its end, with all components that the program writes anywhere
/// (zero where this way did not); before an [`Op::Emit`] outputs are written likewise. Reads of inputs
/// and uniforms stay. A temporary or output file that is read by a computed index stays in registers as
/// a whole. Units never written hold zero. Blocks that cannot be reached become empty.
///
/// Parameters that blocks have already stay and come first.
///
/// # Errors
/// `limit-exceeded` when blocks times registers exceed the fuel.
pub fn registers_to_values(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    if func.blocks.iter().flat_map(|b| b.end.edges()).any(|e| e.to.0 == 0) {
        detach_entry(func);
    }
    let layout = Layout::new(func);
    limits.check(Limit::Fuel, "blocks × registers", func.blocks.len().saturating_mul(layout.slots))?;
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
            if joins.leads_to_any(self.func, graph.order[p]) {
                self.tracker.defs.copy_from_slice(&outs[state_of(p)]);
                self.tracker.begin();
                joins.leave(self, graph.order[p]);
            }
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
            let node = &self.func.nodes.list[v.index()];
            origin = node.origin;
            match node.op {
                Op::Read { reg, swizzle } if self.layout.promotes(reg.file) => {
                    let ty = node.ty;
                    let value = self.read(reg, swizzle, ty, origin, &mut body);
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
            let tracker = &self.tracker;
            self.func.nodes.map(v, |v| tracker.resolve(v));
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
