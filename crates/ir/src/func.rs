//! Programs as control flow graphs.

use crate::{Builder, File, Nodes, Op, Value};
use alloc::vec::Vec;

/// Index of a block; block 0 is the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    /// As an index into [`Func::blocks`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge into a block, with a value for each of the block's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block entered.
    pub to: BlockId,
    /// One value for each parameter.
    pub args: Vec<Value>,
}

impl Edge {
    /// An edge to a block without parameters.
    pub const fn to(to: BlockId) -> Self {
        Edge { to, args: Vec::new() }
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Continues in a block.
    Jump(Edge),
    /// Continues in one of two blocks, each lane separately.
    Branch {
        /// `i1` scalar.
        cond: Value,
        /// Taken where `cond` holds.
        yes: Edge,
        /// Taken where `cond` does not hold.
        no: Edge,
    },
    /// The lane has ended.
    Exit,
}

impl End {
    /// Replaces every value `v` that it uses by `f(v)`: the condition and the arguments.
    pub(crate) fn map(&mut self, mut f: impl FnMut(Value) -> Value) {
        if let End::Branch { cond, .. } = self {
            *cond = f(*cond);
        }
        self.edges_mut().flat_map(|e| &mut e.args).for_each(|a| *a = f(*a));
    }

    /// The outgoing edges.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (a, b) = match self {
            End::Jump(e) => (Some(e), None),
            End::Branch { yes, no, .. } => (Some(yes), Some(no)),
            End::Exit => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The outgoing edges, mutable.
    pub fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (a, b) = match self {
            End::Jump(e) => (Some(e), None),
            End::Branch { yes, no, .. } => (Some(yes), Some(no)),
            End::Exit => (None, None),
        };
        a.into_iter().chain(b)
    }
}

/// A basic block: operations that run in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Values passed in by the incoming edges; each is an [`crate::Op::Param`] node.
    pub params: Vec<Value>,
    /// Operations in order.
    pub body: Vec<Value>,
    /// How the block ends.
    pub end: End,
}

/// A program (or one of its parts) as one lane sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// The register files that reads and writes refer to.
    pub files: &'static [File],
    /// All operations of all blocks.
    pub nodes: Nodes,
    /// The blocks; the first is the entry.
    pub blocks: Vec<Block>,
}

impl Func {
    /// Applies `to` to every use of a value.
    pub(crate) fn rename(&mut self, mut to: impl FnMut(Value) -> Value) {
        for block in &mut self.blocks {
            for &v in &block.body {
                self.nodes.map(v, &mut to);
            }
            block.end.map(&mut to);
        }
    }

    /// Whether a block has such an operation.
    pub fn has(&self, mut wanted: impl FnMut(&Op) -> bool) -> bool {
        self.blocks.iter().flat_map(|b| &b.body).any(|v| wanted(&self.nodes.list[v.index()].op))
    }

    /// Calls `f` with every operation. Operations that `f` appends are inserted before that operation. If `f` returns a
    /// value, it replaces the operation.
    pub fn rewrite(&mut self, mut f: impl FnMut(&mut Builder<'_>, Value) -> Option<Value>) {
        let mut replaced = Vec::new();
        for block in &mut self.blocks {
            // Most blocks stay as they are: the body is copied at its first change.
            let mut changed: Option<Vec<Value>> = None;
            for (i, &v) in block.body.iter().enumerate() {
                let (start, origin) = (self.nodes.list.len() as u32, self.nodes.list[v.index()].origin);
                let instead = f(&mut Builder::new(&mut self.nodes, origin), v);
                let end = self.nodes.list.len() as u32;
                if start != end || instead.is_some() {
                    let body = changed.get_or_insert_with(|| block.body[..i].to_vec());
                    body.extend((start..end).map(Value));
                }
                match (instead, &mut changed) {
                    (Some(other), _) => replaced.push((v, other)),
                    (None, Some(body)) => body.push(v),
                    (None, None) => {}
                }
            }
            if let Some(body) = changed {
                block.body = body;
            }
        }
        if !replaced.is_empty() {
            let mut instead: Vec<Value> = (0..self.nodes.list.len() as u32).map(Value).collect();
            replaced.into_iter().for_each(|(v, other)| instead[v.index()] = other);
            self.rename(|mut v| {
                // A replacement may have been replaced itself.
                while instead[v.index()] != v {
                    v = instead[v.index()];
                }
                v
            });
        }
    }

    /// The number of edges into each block; the entry counts one more.
    pub fn entries(&self) -> Vec<u32> {
        let mut n = alloc::vec![0; self.blocks.len()];
        if let Some(first) = n.first_mut() {
            *first = 1;
        }
        for e in self.blocks.iter().flat_map(|b| b.end.edges()) {
            n[e.to.index()] += 1;
        }
        n
    }

    /// Merges chains: an empty block that only jumps is skipped, and a block with a single incoming edge and no
    /// parameters is appended to its predecessor. Unreachable blocks are removed; the rest are numbered in reverse
    /// postorder.
    pub fn tidy(&mut self) {
        if self.blocks.len() <= 1 {
            return;
        }
        self.skip_empty();
        let mut entries = self.entries();
        for i in 0..self.blocks.len() {
            while let End::Jump(e) = &self.blocks[i].end {
                let j = e.to.index();
                if j == i || entries[j] != 1 || !self.blocks[j].params.is_empty() {
                    break;
                }
                let tail = core::mem::replace(
                    &mut self.blocks[j],
                    Block { params: Vec::new(), body: Vec::new(), end: End::Exit },
                );
                entries[j] = 0;
                self.blocks[i].body.extend(tail.body);
                self.blocks[i].end = tail.end;
            }
        }
        self.renumber();
    }

    fn skip_empty(&mut self) {
        const UNKNOWN: u32 = u32::MAX;
        let next = |blocks: &[Block], i: usize| match &blocks[i] {
            Block { params, body, end: End::Jump(e) } if params.is_empty() && body.is_empty() => {
                Some(e.to.index())
            }
            _ => None,
        };
        // The last empty block of each chain; the chain leads to the target of its jump. A cycle of empty blocks is an
        // endless loop and stays one.
        let mut last = alloc::vec![UNKNOWN; self.blocks.len()];
        let mut chain = Vec::new();
        for i in 0..self.blocks.len() {
            let mut at = i;
            let end = loop {
                let Some(to) = next(&self.blocks, at) else { break chain.last().copied() };
                if last[at] != UNKNOWN {
                    break Some(last[at] as usize);
                }
                last[at] = at as u32;
                chain.push(at);
                at = to;
            };
            if let Some(end) = end {
                chain.drain(..).for_each(|c: usize| last[c] = end as u32);
            }
        }
        for i in 0..self.blocks.len() {
            let mut end = core::mem::replace(&mut self.blocks[i].end, End::Exit);
            for e in end.edges_mut().filter(|e| last[e.to.index()] != UNKNOWN && e.to.index() != i) {
                if let End::Jump(way) = &self.blocks[last[e.to.index()] as usize].end {
                    *e = way.clone();
                }
            }
            if let End::Branch { yes, no, .. } = &end
                && yes == no
            {
                end = End::Jump(yes.clone());
            }
            self.blocks[i].end = end;
        }
    }

    /// The blocks reachable from the entry in reverse postorder.
    pub fn reverse_postorder(&self) -> Vec<BlockId> {
        if self.blocks.len() == 1 {
            return alloc::vec![BlockId(0)];
        }
        let mut seen = alloc::vec![false; self.blocks.len()];
        let mut order = Vec::with_capacity(self.blocks.len());
        // The successors that are still to be visited, from the last one on: `yes` after `no`, so that it comes first in the
        // reversed order.
        let left = |b: BlockId| match &self.blocks[b.index()].end {
            End::Jump(e) => [None, Some(e.to)],
            End::Branch { yes, no, .. } => [Some(yes.to), Some(no.to)],
            End::Exit => [None; 2],
        };
        let mut stack = Vec::with_capacity(self.blocks.len());
        stack.push((BlockId(0), left(BlockId(0))));
        seen[0] = true;
        while let Some((b, [first, last])) = stack.last_mut() {
            match last.take().or_else(|| first.take()) {
                Some(to) if !core::mem::replace(&mut seen[to.index()], true) => stack.push((to, left(to))),
                Some(_) => {}
                None => {
                    order.push(*b);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    pub(crate) fn renumber(&mut self) {
        let order = self.reverse_postorder();
        let in_order = order.iter().zip(0..).all(|(b, i)| b.0 == i);
        if in_order && order.len() == self.blocks.len() {
            return;
        }
        let mut new = alloc::vec![BlockId(u32::MAX); self.blocks.len()];
        for (i, b) in order.iter().enumerate() {
            new[b.index()] = BlockId(i as u32);
        }
        let mut old: Vec<Option<Block>> = core::mem::take(&mut self.blocks).into_iter().map(Some).collect();
        self.blocks.reserve_exact(order.len());
        for b in order {
            if let Some(mut block) = old[b.index()].take() {
                block.end.edges_mut().for_each(|e| e.to = new[e.to.index()]);
                self.blocks.push(block);
            }
        }
    }
}
