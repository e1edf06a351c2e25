//! The edges between instructions.

use alloc::{vec, vec::Vec};
use core::ops::Range;

/// A directed graph over nodes that are numbered from 0; the edges of each node are consecutive in one array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Index of the first edge of each node in `targets`, and one more at the end.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph with `nodes` nodes and these edges. Duplicate edges are merged; edges from or to a node that does not
    /// exist are dropped.
    pub fn new(nodes: usize, mut edges: Vec<(u32, u32)>) -> Graph {
        edges.retain(|(from, to)| (*from as usize) < nodes && (*to as usize) < nodes);
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; nodes + 1];
        for (from, _) in &edges {
            if let Some(count) = starts.get_mut(*from as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Graph { starts, targets: edges.into_iter().map(|(_, to)| to).collect() }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn row(&self, node: usize) -> Range<usize> {
        match (self.starts.get(node), self.starts.get(node + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// The successors of `node` in ascending order; none for a node that does not exist.
    pub fn next(&self, node: usize) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.targets.get(self.row(node)).unwrap_or_default().iter().map(|to| *to as usize)
    }

    /// The same nodes with every edge reversed.
    pub fn reversed(&self) -> Graph {
        let edges = (0..self.len()).flat_map(|from| self.next(from).map(move |to| (to as u32, from as u32)));
        Graph::new(self.len(), edges.collect())
    }

    /// The nodes reachable from `roots` in reverse post-order: every node before its successors, except along back
    /// edges.
    pub fn reverse_post_order(&self, roots: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::with_capacity(self.len());
        let mut open = Vec::new();
        for root in roots {
            if seen.get(root) == Some(&false) {
                seen[root] = true;
                open.push((root as u32, 0u32));
            }
            while let Some((node, passed)) = open.last_mut() {
                let edge = self.row(*node as usize).nth(*passed as usize);
                *passed += 1;
                let Some(edge) = edge else {
                    order.push(*node);
                    open.pop();
                    continue;
                };
                let to = self.targets.get(edge).map_or(usize::MAX, |to| *to as usize);
                if seen.get(to) == Some(&false) {
                    seen[to] = true;
                    open.push((to as u32, 0));
                }
            }
        }
        order.reverse();
        order
    }

    /// For each node, whether it is reachable from `roots`.
    pub fn reached(&self, roots: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        for node in self.reverse_post_order(roots) {
            reached[node as usize] = true;
        }
        reached
    }
}
