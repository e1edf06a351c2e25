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
}
