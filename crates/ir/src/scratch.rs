//! Memory that passes use again.

use crate::{Block, Func, Nodes, Step, Value};
use alloc::vec::Vec;

/// Memory of programs that were lowered, for the next one. Lifting, [`crate::recover_in`] and [`crate::simplify_in`] take
/// lists from it, and [`Scratch::take`] returns those of a function that is no longer needed.
#[derive(Debug, Default)]
pub struct Scratch {
    arenas: Vec<Nodes>,
    values: Vec<Vec<Value>>,
    steps: Vec<Step>,
    blocks: Vec<Block>,
    /// The table of the values that replace others.
    pub(crate) replaced: Vec<Value>,
    /// The table of the values that are live.
    pub(crate) live: Vec<bool>,
    /// Values that are live, and whose operands are not marked yet.
    pub(crate) live_todo: Vec<Value>,
    /// The block and the index of each parameter.
    pub(crate) parameters: Vec<(usize, usize)>,
    /// The graph of a function.
    pub(crate) graph: crate::graph::Graph,
    /// The dominators of its blocks.
    pub(crate) dominators: crate::graph::DominatorTree,
    pub(crate) registers: crate::mem2reg::Tables,
    pub(crate) folding: crate::fold::Tables,
}

impl Scratch {
    /// Without any memory yet.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// An empty arena.
    pub fn nodes(&mut self) -> Nodes {
        self.arenas.pop().unwrap_or_default()
    }

    /// An empty list of steps.
    pub fn steps(&mut self) -> Vec<Step> {
        core::mem::take(&mut self.steps)
    }

    /// Takes the memory of a function that is no longer needed.
    pub fn take(&mut self, func: Func) {
        let Func { nodes, mut blocks, .. } = func;
        self.take_nodes(nodes);
        blocks.drain(..).for_each(|block| self.take_values(block.body));
        self.blocks = blocks;
    }

    /// The number of values for which there is memory: what it takes grows with this number.
    pub fn value_memory(&self) -> usize {
        self.arenas.iter().map(|nodes| nodes.list.capacity()).sum()
    }

    /// An empty list of blocks.
    pub(crate) fn blocks(&mut self) -> Vec<Block> {
        core::mem::take(&mut self.blocks)
    }

    pub(crate) fn take_nodes(&mut self, mut nodes: Nodes) {
        if self.arenas.len() < MOST {
            nodes.clear();
            self.arenas.push(nodes);
        }
    }

    pub(crate) fn take_steps(&mut self, mut steps: Vec<Step>) {
        steps.clear();
        self.steps = steps;
    }

    /// An empty list of values.
    pub(crate) fn values(&mut self) -> Vec<Value> {
        self.values.pop().unwrap_or_default()
    }

    pub(crate) fn take_values(&mut self, mut values: Vec<Value>) {
        if self.values.len() < MOST {
            values.clear();
            self.values.push(values);
        }
    }
}

/// The most lists of a kind: no pass needs more at a time for a program of one block.
const MOST: usize = 4;
