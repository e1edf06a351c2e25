//! Runs of straight code.

use crate::code::Graph;
use alloc::vec::Vec;
use core::ops::Range;

/// The runs of nodes of which each has only the next one as successor, and that is entered from nowhere else. What
/// analyses store about each run takes little memory in code with few branches.
pub(super) struct Runs {
    /// The first node of each run, ascending.
    starts: Vec<u32>,
    /// The run that begins at each node; [`Runs::NONE`] for nodes that are not the first of theirs.
    numbers: Vec<u32>,
}

impl Runs {
    const NONE: u32 = u32::MAX;

    /// The runs of a program whose nodes are entered from so many others.
    pub(super) fn new(graph: &Graph, entries: impl Fn(usize) -> u32) -> Runs {
        let mut starts = Vec::new();
        let mut number = |at: usize| {
            if at > 0 && entries(at) == 1 && graph.next(at - 1).eq([at]) {
                return Runs::NONE;
            }
            starts.push(at as u32);
            starts.len() as u32 - 1
        };
        let numbers = (0..=graph.len()).map(&mut number).collect();
        Runs { starts, numbers }
    }

    /// How many runs there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The number of the run that begins at a node.
    pub(super) fn number(&self, at: usize) -> Option<usize> {
        self.numbers.get(at).filter(|number| **number != Runs::NONE).map(|number| *number as usize)
    }

    /// The nodes of a run.
    pub(super) fn nodes(&self, run: usize) -> Range<usize> {
        let bound = |run: usize| self.starts.get(run).map_or(self.numbers.len(), |start| *start as usize);
        bound(run)..bound(run + 1)
    }

    /// The edges between runs.
    pub(super) fn edges(&self, graph: &Graph) -> shisa_rows::code::Graph {
        let mut edges = Vec::new();
        for run in 0..self.len() {
            let last = self.nodes(run).end.saturating_sub(1);
            let next = graph.next(last).filter_map(|to| self.number(to));
            edges.extend(next.map(|to| (run as u32, to as u32)));
        }
        shisa_rows::code::Graph::new(self.len(), edges)
    }
}
