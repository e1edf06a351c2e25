//! Replaces register reads and writes by values: static single assignment with block parameters.
//!
//! Works on units, so overlapping registers need no special case: [`units`] tracks the value of each unit inside a
//! block and assembles reads from these values; [`joins`] decides which blocks need parameters because their
//! predecessors pass different values. New operations can be simplified as they are appended, which saves a walk.

mod joins;
mod layout;
mod units;

use crate::fold::{Banks, Folder, decide};
use crate::graph::{DominatorTree, Graph};
use crate::share::Firsts;
use crate::{BlockId, Edge, End, Func, Nodes, Op, Swizzle, Type, Value};
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
/// Existing block parameters stay and come first. Operations get new numbers; operations that no block has disappear.
///
/// # Errors
/// `limit-exceeded` if the number of blocks times the number of registers exceeds the fuel.
pub fn registers_to_values(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    let (mut tables, mut graph, mut dominators) = Default::default();
    let (mut nodes, mut body) = Default::default();
    let memory = Memory {
        tables: &mut tables,
        graph: &mut graph,
        dominators: &mut dominators,
        nodes: &mut nodes,
        body: &mut body,
    };
    walk(func, None, memory, limits)
}

/// As [`registers_to_values`], and simplifies each operation as [`crate::fold`] does; also shares address computations, and
/// replaces loads of what constant banks are known to hold.
///
/// # Errors
/// As [`registers_to_values`].
pub(crate) fn fold_registers(
    func: &mut Func,
    known: Option<Banks<'_>>,
    memory: Memory<'_>,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let folder = Folder::sharing(func, core::mem::take(&mut memory.tables.firsts), known);
    walk(func, Some(folder), memory, limits)
}

/// The memory that the pass works in.
pub(crate) struct Memory<'s> {
    pub(crate) tables: &'s mut Tables,
    pub(crate) graph: &'s mut Graph,
    pub(crate) dominators: &'s mut DominatorTree,
    /// An empty arena; afterwards it has the operations before the pass.
    pub(crate) nodes: &'s mut Nodes,
    /// An empty list.
    pub(crate) body: &'s mut Vec<Value>,
}

/// The memory of the pass alone. It serves the next function.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    layout: Layout,
    tracker: Tracker,
    firsts: Firsts,
}

fn walk(
    func: &mut Func,
    folder: Option<Folder<'_>>,
    memory: Memory<'_>,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    if func.blocks.is_empty() {
        return Ok(());
    }
    if func.blocks.iter().flat_map(|b| b.end.edges()).any(|e| e.to.0 == 0) {
        detach_entry(func);
    }
    let Memory { tables, graph, dominators, nodes: old, body } = memory;
    let Tables { mut layout, mut tracker, .. } = core::mem::take(tables);
    layout.begin(func);
    limits.check(Limit::Fuel, "blocks × registers", func.blocks.len().saturating_mul(layout.slots))?;
    let joins = (func.blocks.len() > 1).then(|| {
        *graph = Graph::new_in(func, core::mem::take(graph));
        *dominators = DominatorTree::new_in(graph, core::mem::take(dominators));
        Joins::new(func, &layout, graph, dominators)
    });
    core::mem::swap(&mut func.nodes, old);
    func.nodes.list.reserve(old.list.len());
    func.nodes.textures.reserve(old.textures.len());
    tracker.begin(old.list.len(), joins.as_ref().map_or(1, |_| graph.len()), layout.slots);
    let mut pass = Pass { func, old, layout, tracker, folder, spare: core::mem::take(body) };
    match joins {
        None => {
            pass.adopt_params(BlockId(0));
            pass.block(BlockId(0));
        }
        Some(joins) => pass.graph(graph, dominators, joins),
    }
    let Pass { layout, tracker, folder, spare, .. } = pass;
    *body = spare;
    *tables = Tables { layout, tracker, firsts: folder.map(Folder::into_firsts).unwrap_or_default() };
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
    /// The function; the new operations are in its arena.
    func: &'a mut Func,
    /// The operations before the pass.
    old: &'a Nodes,
    layout: Layout,
    tracker: Tracker,
    /// Simplifies operations.
    folder: Option<Folder<'a>>,
    /// Spare allocation for the next body.
    spare: Vec<Value>,
}

impl Pass<'_> {
    /// Several blocks: the state flows along the edges.
    fn graph(&mut self, graph: &Graph, tree: &DominatorTree, mut joins: Joins) {
        for (p, &id) in graph.order.iter().enumerate() {
            self.adopt_params(id);
            joins.enter(self, graph, tree, p);
            self.block(id);
        }
        // The argument of a back edge may be defined after the block that the edge enters.
        self.func.blocks.iter_mut().for_each(|block| block.end.map(|v| self.tracker.resolve(v)));
        for (p, &id) in graph.order.iter().enumerate() {
            if joins.leads_to_any(self.func, id) {
                self.tracker.at(p);
                self.begin(0);
                joins.leave(self, id);
            }
        }
        if self.folder.is_some() {
            let Func { nodes, blocks, .. } = &mut *self.func;
            blocks.iter_mut().for_each(|block| decide(nodes, &mut block.end));
        }
        for b in 0..self.func.blocks.len() {
            if graph.position(BlockId(b as u32)).is_none() {
                self.func.blocks[b] = crate::Block { params: Vec::new(), body: Vec::new(), end: End::Exit };
            }
        }
    }

    /// Copies the parameters that a block already has.
    fn adopt_params(&mut self, id: BlockId) {
        let Func { nodes, blocks, .. } = &mut *self.func;
        for p in &mut blocks[id.index()].params {
            let param = nodes.adopt(self.old, *p, |o| o);
            self.tracker.replace(*p, param);
            *p = param;
        }
    }

    /// Rewrites one block, starting from the tracker's state; afterwards the tracker has the state at the block's end.
    fn block(&mut self, id: BlockId) {
        let mut old = core::mem::take(&mut self.func.blocks[id.index()].body);
        let mut body = core::mem::take(&mut self.spare);
        body.reserve(old.len());
        self.begin(old.len());
        let mut origin = 0;
        for v in old.drain(..) {
            let node = &self.old.list[v.index()];
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
            let copy = self.func.nodes.adopt(self.old, v, |o| self.tracker.resolve(o));
            let value = self.append(copy, &mut body);
            self.tracker.replace(v, value);
        }
        if self.func.blocks[id.index()].end == End::Exit {
            self.write_outputs(origin, &mut body);
        }
        self.func.blocks[id.index()].body = body;
        self.spare = old;
    }

    /// Starts to append to a block; operations appended to other blocks are not shared.
    fn begin(&mut self, operations: usize) {
        if let Some(folder) = &mut self.folder {
            folder.begin(operations);
        }
    }

    /// Appends an operation, or a simpler one; returns the value that replaces it.
    #[inline(always)]
    fn append(&mut self, v: Value, body: &mut Vec<Value>) -> Value {
        let Some(folder) = &mut self.folder else {
            body.push(v);
            return v;
        };
        let value = folder.append(self.func, v, body);
        let list = &mut self.func.nodes.list;
        if value != v && v.index() + 1 == list.len() {
            // Nothing refers to the operation that was replaced.
            list.pop();
        }
        value
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
