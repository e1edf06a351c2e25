//! The natural loops of a reducible graph, and the values that leave them.

use crate::graph::{DominatorTree, Graph};
use crate::{Block, BlockId, Edge, End, Func, Op, Value, map_operands};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// No loop.
const NONE: u32 = u32::MAX;

/// The loops; each is identified by the position of its header.
pub(super) struct Loops {
    /// The innermost loop of each position; a header belongs to its own loop.
    inner: Vec<u32>,
    /// For each header, the enclosing loop.
    outer: Vec<u32>,
    /// For each position that is entered from inside loops that it does not belong to: the outermost of these loops.
    /// The block is placed after that loop.
    leaves: Vec<u32>,
    any: bool,
}

impl Loops {
    /// `None` if the graph is irreducible or loops nest deeper than `depth`.
    pub(super) fn new(graph: &Graph, tree: &DominatorTree, depth: usize) -> Option<Loops> {
        let n = graph.len();
        let mut loops =
            Loops { inner: vec![NONE; n], outer: vec![NONE; n], leaves: vec![NONE; n], any: false };
        let mut todo = Vec::new();
        // Inner loops come first; a finished loop counts as one block, its header.
        let mut top: Vec<u32> = (0..n as u32).collect();
        for header in (0..n).rev() {
            let back = graph.sources(header).filter(|&s| s >= header);
            if back.clone().any(|s| !tree.dominates(header, s)) {
                return None;
            }
            todo.extend(back);
            if todo.is_empty() {
                continue;
            }
            loops.any = true;
            loops.inner[header] = header as u32;
            while let Some(p) = todo.pop() {
                let root = find(&mut top, p);
                if root == header {
                    continue;
                }
                match loops.inner[root] {
                    NONE => loops.inner[root] = header as u32,
                    _ => loops.outer[root] = header as u32,
                }
                top[root] = header as u32;
                todo.extend(graph.sources(root).filter(|&s| s < root || !tree.dominates(root, s)));
            }
        }
        let mut depths = vec![0; n];
        for p in 0..n {
            if loops.inner[p] == p as u32 {
                depths[p] = if loops.outer[p] == NONE { 1 } else { depths[loops.outer[p] as usize] + 1 };
                if depths[p] > depth {
                    return None;
                }
            }
        }
        for p in 1..n {
            let mut around = loops.inner[tree.idom[p] as usize];
            while around != NONE && !loops.contains(around, p) {
                loops.leaves[p] = around;
                around = loops.outer[around as usize];
            }
        }
        Some(loops)
    }

    pub(super) fn is_header(&self, p: usize) -> bool {
        self.inner[p] == p as u32
    }

    /// The header of the loop that this block is placed after.
    pub(super) fn left_by(&self, p: usize) -> Option<usize> {
        (self.leaves[p] != NONE).then_some(self.leaves[p] as usize)
    }

    fn contains(&self, header: u32, p: usize) -> bool {
        let mut at = self.inner[p];
        while at != NONE && at != header {
            at = self.outer[at as usize];
        }
        at == header
    }

    /// Inserts an empty block before every loop header that another loop exits to directly, so that values that leave
    /// the first loop are not defined in the second. Returns whether there were any.
    pub(super) fn part(&self, func: &mut Func, graph: &Graph) -> bool {
        let mut any = false;
        for p in (0..graph.len()).filter(|&p| self.is_header(p) && self.leaves[p] != NONE) {
            any = true;
            let (header, between) = (graph.order[p], BlockId(func.blocks.len() as u32));
            for source in graph.sources(p).filter(|&s| s < p) {
                let end = &mut func.blocks[graph.order[source].index()].end;
                end.edges_mut().filter(|e| e.to == header).for_each(|e| e.to = between);
            }
            let params: Vec<Value> = func.blocks[header.index()].params.clone();
            let copy = |v: &Value| {
                let node = func.nodes.list[v.index()];
                func.nodes.push(Op::Param, node.ty, node.origin)
            };
            let params: Vec<Value> = params.iter().map(copy).collect();
            let end = End::Jump(Edge { to: header, args: params.clone() });
            func.blocks.push(Block { params, body: Vec::new(), end });
        }
        any
    }

    /// Gives the blocks after loops parameters for the values that they use from inside the loop.
    pub(super) fn close(
        &self,
        func: &mut Func,
        graph: &Graph,
        tree: &DominatorTree,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        if !self.any {
            return Ok(());
        }
        let mut closer = Closer {
            loops: self,
            graph,
            tree,
            home: vec![0; func.nodes.list.len()],
            near: vec![NONE; graph.len()],
            carried: BTreeMap::new(),
            todo: Vec::new(),
            path: Vec::new(),
            steps: 0,
        };
        for (p, id) in graph.order.iter().enumerate() {
            let block = &func.blocks[id.index()];
            block.params.iter().chain(&block.body).for_each(|v| closer.home[v.index()] = p as u32);
            closer.near[p] = match self.leaves[p] {
                NONE if p == 0 => NONE,
                NONE => closer.near[tree.idom[p] as usize],
                _ => p as u32,
            };
        }
        for (p, id) in graph.order.iter().enumerate() {
            if closer.near[p] == NONE {
                // Control has left no loop before the block: its values are as they were.
                continue;
            }
            let body = core::mem::take(&mut func.blocks[id.index()].body);
            for v in &body {
                let mut node = func.nodes.list[v.index()];
                let mut texture =
                    node.op.texture().and_then(|t| func.nodes.textures.get(t as usize).copied());
                map_operands(&mut node, texture.as_mut(), |v| closer.version(func, v, p));
                if let (Some(t), Some(texture)) = (node.op.texture(), texture) {
                    func.nodes.textures[t as usize] = texture;
                }
                func.nodes.list[v.index()] = node;
            }
            func.blocks[id.index()].body = body;
            let mut end = func.blocks[id.index()].end.clone();
            if let End::Branch { cond, .. } = &mut end {
                *cond = closer.version(func, *cond, p);
            }
            end.edges_mut().flat_map(|e| &mut e.args).for_each(|a| *a = closer.version(func, *a, p));
            func.blocks[id.index()].end = end;
            limits.check(Limit::Fuel, "values carried out of loops", closer.steps)?;
        }
        // In creation order, which is the parameter order; handling one parameter can add more.
        let mut served = 0;
        while let Some(&(at, value)) = closer.todo.get(served) {
            served += 1;
            let target = graph.order[at];
            for (i, source) in graph.sources(at).enumerate() {
                // A branch whose two edges lead to the same block counts as two sources, one after the other.
                let nth = graph.sources(at).take(i).filter(|&s| s == source).count();
                let arg = closer.version(func, value, source);
                let ends = func.blocks[graph.order[source].index()].end.edges_mut();
                if let Some(edge) = ends.filter(|e| e.to == target).nth(nth) {
                    edge.args.push(arg);
                }
            }
            limits.check(Limit::Fuel, "values carried out of loops", closer.steps)?;
        }
        Ok(())
    }
}

fn find(top: &mut [u32], mut p: usize) -> usize {
    while top[p] as usize != p {
        top[p] = top[top[p] as usize];
        p = top[p] as usize;
    }
    p
}

struct Closer<'a> {
    loops: &'a Loops,
    graph: &'a Graph,
    tree: &'a DominatorTree,
    /// The position that defines each value.
    home: Vec<u32>,
    /// The nearest block after a loop on the path up the dominator tree, the position itself included.
    near: Vec<u32>,
    /// The parameter that carries a value into a block.
    carried: BTreeMap<(u32, Value), Value>,
    /// Parameters that do not have their arguments yet.
    todo: Vec<(usize, Value)>,
    path: Vec<u32>,
    steps: usize,
}

impl Closer<'_> {
    /// The version of a value at position `at`, which the value's own position dominates.
    fn version(&mut self, func: &mut Func, mut v: Value, at: usize) -> Value {
        let level = self.tree.level[self.home[v.index()] as usize];
        let mut near = self.near[at];
        while near != NONE && self.tree.level[near as usize] > level {
            self.steps += 1;
            self.path.push(near);
            near = self.near[self.tree.idom[near as usize] as usize];
        }
        // From the outermost loop to the innermost: a parameter may itself be defined in a loop that is left later.
        while let Some(near) = self.path.pop() {
            if self.loops.contains(self.loops.leaves[near as usize], self.home[v.index()] as usize) {
                v = self.carry(func, v, near);
            }
        }
        v
    }

    fn carry(&mut self, func: &mut Func, v: Value, into: u32) -> Value {
        if let Some(&param) = self.carried.get(&(into, v)) {
            return param;
        }
        let node = func.nodes.list[v.index()];
        let param = func.nodes.push(Op::Param, node.ty, node.origin);
        func.blocks[self.graph.order[into as usize].index()].params.push(param);
        self.home.push(into);
        self.carried.insert((into, v), param);
        self.todo.push((into as usize, v));
        param
    }
}
