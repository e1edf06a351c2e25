//! Replaces register reads and writes by values: static single assignment with block parameters.
//!
//! Works on units, so overlapping registers need no special case: [`units`] tracks the value of each unit inside a
//! block and assembles reads from these values; [`joins`] decides which blocks need parameters because their
//! predecessors pass different values.

mod joins;
mod layout;
#[cfg(test)]
mod tests;
mod units;

use crate::graph::{DominatorTree, Graph};
use crate::{BlockId, Edge, End, Func, Op, Swizzle, Type, Value};
use alloc::vec::Vec;
use joins::Joins;
use layout::{Layout, Output};
use shisa_diag::{Diagnostic, Limit, Limits};
use units::Tracker;

/// Replaces reads and writes of registers by values.
///
/// Afterwards no temporary register is read or written, and no output is read. Every block that exits writes each
/// output register once, at its end, with all components that the program writes anywhere (zero if no path to this exit
/// writes them); outputs are also written before each [`Op::Emit`] and [`Op::EmitVertex`]. Reads of inputs and uniforms stay. A temporary or
/// output file that is read by a computed index stays in registers completely. Units that are never written hold zero.
/// Unreachable blocks become empty.
///
/// Existing block parameters stay and come first.
///
/// # Errors
/// `limit-exceeded` if the number of blocks times the number of registers exceeds the fuel.
pub fn registers_to_values(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    if func.blocks.iter().flat_map(|b| b.end.edges()).any(|e| e.to.0 == 0) {
        detach_entry(func);
    }
    let layout = Layout::new(func);
    limits.check(Limit::Fuel, "blocks × registers", func.blocks.len().saturating_mul(layout.slots))?;
    let values = func.nodes.list.len();
    if let [_] = &func.blocks[..] {
        let tracker = Tracker::new(values, 1, layout.slots);
        Pass { func, layout, tracker, spare: Vec::new() }.block(BlockId(0));
    } else if !func.blocks.is_empty() {
        let graph = Graph::new(func);
        let tracker = Tracker::new(values, graph.len(), layout.slots);
        Pass { func, layout, tracker, spare: Vec::new() }.graph(&graph);
    }
    Ok(())
}

/// Gives the function an entry block without incoming edges.
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
    /// Spare allocation for the next body.
    spare: Vec<Value>,
}

impl Pass<'_> {
    /// Several blocks: the state flows along the edges.
    fn graph(&mut self, graph: &Graph) {
        let tree = DominatorTree::new(graph);
        let mut joins = Joins::new(self.func, &self.layout, graph, &tree);
        for (p, &id) in graph.order.iter().enumerate() {
            joins.enter(self, graph, &tree, p);
            self.block(id);
        }
        for (p, &id) in graph.order.iter().enumerate() {
            if joins.leads_to_any(self.func, id) {
                self.tracker.at(p);
                joins.leave(self, id);
            }
        }
        for b in 0..self.func.blocks.len() {
            if graph.position(BlockId(b as u32)).is_none() {
                self.func.blocks[b] = crate::Block { params: Vec::new(), body: Vec::new(), end: End::Exit };
            }
        }
    }

    /// Rewrites one block, starting from the tracker's state; afterwards the tracker has the state at the block's end.
    fn block(&mut self, id: BlockId) {
        let mut old = core::mem::take(&mut self.func.blocks[id.index()].body);
        let mut body = core::mem::take(&mut self.spare);
        body.reserve(old.len());
        let mut origin = 0;
        for v in old.drain(..) {
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
                Op::Emit | Op::EmitVertex { .. } => self.write_outputs(origin, &mut body),
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
        self.spare = old;
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
