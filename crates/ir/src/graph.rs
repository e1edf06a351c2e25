//! Graph analyses of a function: block order, predecessors, dominators, post-dominators.

use crate::order::Order;
use crate::{BlockId, Edge, End, Func};
use alloc::{vec, vec::Vec};

/// No position: the block is unreachable.
const NOWHERE: u32 = u32::MAX;

/// The reachable blocks of a function by position in reverse postorder (the entry is position 0).
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The blocks in order.
    pub(crate) order: Order,
    targets: Vec<[u32; 2]>,
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Graph {
    pub(crate) fn new(func: &Func) -> Graph {
        Graph::new_in(func, Graph::default())
    }

    /// As [`Graph::new`], in the memory of another graph.
    pub(crate) fn new_in(func: &Func, spare: Graph) -> Graph {
        let Graph { mut order, mut targets, mut starts, mut sources } = spare;
        order.find(func);
        let position = |e: &Edge| order.position(e.to).unwrap_or(NOWHERE);
        let pair = |b: &BlockId| match &func.blocks[b.index()].end {
            End::Exit => [NOWHERE; 2],
            End::Jump(e) => [position(e), NOWHERE],
            End::Branch { yes, no, .. } => [position(yes), position(no)],
        };
        targets.clear();
        targets.extend(order.iter().map(pair));
        // Counting sort of the edges by target.
        let edges = || {
            let one = |(i, pair): (usize, &[u32; 2])| pair.map(|to| (i as u32, to));
            targets.iter().enumerate().flat_map(one).filter(|&(_, to)| to != NOWHERE)
        };
        // The sources of a block start at the number of edges to blocks before it. While they are filled in, that number is
        // in the entry after the block's, and grows to the start of the next block.
        starts.clear();
        starts.resize(order.len() + 2, 0);
        edges().for_each(|(_, to)| starts[to as usize + 2] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        sources.clear();
        sources.resize(starts[order.len() + 1] as usize, 0);
        for (from, to) in edges() {
            let at = &mut starts[to as usize + 1];
            sources[*at as usize] = from;
            *at += 1;
        }
        Graph { order, targets, starts, sources }
    }

    /// Number of reachable blocks.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The position of a block; `None` if it is unreachable.
    pub(crate) fn position(&self, b: BlockId) -> Option<usize> {
        self.order.position(b).map(|p| p as usize)
    }

    /// The positions of the predecessors of the block at `position`, one for each edge.
    pub(crate) fn sources(&self, position: usize) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        let range = self.starts[position] as usize..self.starts[position + 1] as usize;
        self.sources[range].iter().map(|&p| p as usize)
    }

    /// The positions of the successors of the block at `position`.
    pub(crate) fn targets(&self, position: usize) -> impl Iterator<Item = usize> + '_ {
        self.targets[position].iter().filter(|&&p| p != NOWHERE).map(|&p| p as usize)
    }
}

/// A graph whose nodes are numbers, all reachable from node 0.
trait Directed {
    fn len(&self) -> usize;
    fn targets(&self, node: usize) -> impl Iterator<Item = usize>;
    fn sources(&self, node: usize) -> impl Iterator<Item = usize>;
}

impl Directed for Graph {
    fn len(&self) -> usize {
        Graph::len(self)
    }

    fn targets(&self, node: usize) -> impl Iterator<Item = usize> {
        Graph::targets(self, node)
    }

    fn sources(&self, node: usize) -> impl Iterator<Item = usize> {
        Graph::sources(self, node)
    }
}

/// Finds the immediate dominator of each node; the root's is itself. Lengauer and Tarjan's simple algorithm: near-linear on
/// any graph.
fn dominators(graph: &impl Directed, forest: &mut Forest, result: &mut Vec<u32>) {
    let n = graph.len();
    // Number nodes in preorder of a depth-first walk; the rest of the algorithm works on these numbers.
    let number = result;
    number.clear();
    number.resize(n, NOWHERE);
    forest.vertices.clear();
    forest.vertices.reserve(n);
    forest.open.push((0, 0));
    while let Some((node, parent)) = forest.open.pop() {
        if number[node] == NOWHERE {
            number[node] = forest.vertices.len() as u32;
            forest.vertices.push(Vertex::new(node, parent, number[node]));
            forest.open.extend(graph.targets(node).map(|t| (t, number[node])));
        }
    }
    for w in (1..n as u32).rev() {
        for source in graph.sources(forest.at(w).node as usize) {
            let u = forest.lowest(number[source]);
            forest.at(w).semi = forest.at(w).semi.min(forest.at(u).semi);
        }
        let semi = forest.at(w).semi;
        forest.at(w).next = core::mem::replace(&mut forest.at(semi).first, w);
        let up = forest.at(w).parent;
        forest.at(w).ancestor = up;
        let mut v = core::mem::replace(&mut forest.at(up).first, NOWHERE);
        while v != NOWHERE {
            let u = forest.lowest(v);
            let lower = forest.at(u).semi < forest.at(v).semi;
            forest.at(v).idom = if lower { u } else { up };
            v = forest.at(v).next;
        }
    }
    let result = number;
    for w in 0..n as u32 {
        let Vertex { node, semi, idom, .. } = *forest.at(w);
        let idom = if idom == semi { idom } else { forest.at(idom).idom };
        forest.at(w).idom = idom;
        result[node as usize] = forest.at(idom).node;
    }
}

/// A node with what the algorithm knows about it. The other nodes are given by their numbers.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    node: u32,
    /// Its parent in the depth-first tree.
    parent: u32,
    /// A node above it in the part of that tree that has been processed.
    ancestor: u32,
    /// Its semidominator.
    semi: u32,
    /// The node with the lowest semidominator on the path to `ancestor`.
    label: u32,
    idom: u32,
    /// The nodes whose semidominator it is, as a linked list: the first one.
    first: u32,
    /// The node after it in such a list.
    next: u32,
}

impl Vertex {
    fn new(node: usize, parent: u32, number: u32) -> Vertex {
        Vertex {
            node: node as u32,
            parent,
            ancestor: NOWHERE,
            semi: number,
            label: number,
            idom: 0,
            first: NOWHERE,
            next: NOWHERE,
        }
    }
}

/// The part of the depth-first tree that has been processed, with compressed paths.
#[derive(Debug, Default)]
struct Forest {
    /// By number.
    vertices: Vec<Vertex>,
    path: Vec<u32>,
    /// The nodes that the depth-first walk has yet to visit, with the numbers of their parents.
    open: Vec<(usize, u32)>,
}

impl Forest {
    fn at(&mut self, number: u32) -> &mut Vertex {
        &mut self.vertices[number as usize]
    }

    /// The number with the lowest semidominator on the path from `v` to its root, the root excluded.
    fn lowest(&mut self, v: u32) -> u32 {
        let mut at = v;
        while self.at(at).ancestor != NOWHERE {
            self.path.push(at);
            at = self.at(at).ancestor;
        }
        let root = at;
        let mut above = self.path.pop().unwrap_or(root);
        while let Some(v) = self.path.pop() {
            let (this, that) = (self.at(v).label, self.at(above).label);
            if self.at(that).semi < self.at(this).semi {
                self.at(v).label = that;
            }
            self.at(v).ancestor = root;
            above = v;
        }
        self.at(v).label
    }
}

/// The tree of immediate dominators, by position.
#[derive(Debug, Default)]
pub(crate) struct DominatorTree {
    /// The immediate dominator of each position; the entry's is itself.
    pub(crate) idom: Vec<u32>,
    /// Depth in the tree; the entry is at 0.
    pub(crate) level: Vec<u32>,
    /// The range of each position's subtree, in the preorder of the tree.
    spans: Vec<(u32, u32)>,
    /// The start of what is left of that range for children.
    free: Vec<u32>,
    forest: Forest,
}

impl DominatorTree {
    pub(crate) fn new(graph: &Graph) -> DominatorTree {
        DominatorTree::new_in(graph, DominatorTree::default())
    }

    /// As [`DominatorTree::new`], in the memory of another tree.
    pub(crate) fn new_in(graph: &Graph, spare: DominatorTree) -> DominatorTree {
        let DominatorTree { mut idom, mut level, mut spans, mut free, mut forest } = spare;
        dominators(graph, &mut forest, &mut idom);
        let n = idom.len();
        // Children come after their parents in reverse postorder: sizes are summed from the last position, and each
        // child gets the next free range inside its parent's.
        spans.clear();
        spans.resize(n, (0, 1));
        for i in (1..n).rev() {
            spans[idom[i] as usize].1 += spans[i].1;
        }
        level.clear();
        free.clear();
        for i in 0..n {
            let (parent, size) = (idom[i] as usize, spans[i].1);
            let (mut start, mut depth) = (0, 0);
            if i > 0 {
                (start, depth) = (free[parent], level[parent] + 1);
                free[parent] += size;
            }
            level.push(depth);
            spans[i] = (start, start + size);
            free.push(start + 1);
        }
        DominatorTree { idom, level, spans, free, forest }
    }

    /// Whether every path to position `b` contains position `a`; a position dominates itself.
    pub(crate) fn dominates(&self, a: usize, b: usize) -> bool {
        let (start, end) = self.spans[a];
        (start..end).contains(&self.spans[b].0)
    }
}

/// The reversed graph, with one end node (node 0) after all exits; position `p` is node `p + 1`.
struct Backwards<'a> {
    graph: &'a Graph,
    /// Positions with an edge to the end node: exits, and blocks from which no exit is reachable, because nothing
    /// determines where lanes in an endless loop would meet again.
    last: Vec<u32>,
    is_last: Vec<bool>,
}

impl<'a> Backwards<'a> {
    fn new(graph: &'a Graph) -> Self {
        let n = graph.len();
        let mut ends = vec![false; n];
        let mut todo: Vec<usize> = (0..n).filter(|&p| graph.targets(p).next().is_none()).collect();
        while let Some(p) = todo.pop() {
            if !core::mem::replace(&mut ends[p], true) {
                todo.extend(graph.sources(p));
            }
        }
        let is_last: Vec<bool> = (0..n).map(|p| !ends[p] || graph.targets(p).next().is_none()).collect();
        let last = (0..n).filter(|&p| is_last[p]).map(|p| p as u32).collect();
        Backwards { graph, last, is_last }
    }
}

impl Directed for Backwards<'_> {
    fn len(&self) -> usize {
        self.graph.len() + 1
    }

    fn targets(&self, node: usize) -> impl Iterator<Item = usize> {
        let ends = self.last.iter().filter(move |_| node == 0).map(|&p| p as usize + 1);
        ends.chain(node.checked_sub(1).into_iter().flat_map(|p| self.graph.sources(p)).map(|p| p + 1))
    }

    fn sources(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = node.checked_sub(1).filter(|&p| self.is_last[p]).map(|_| 0);
        let on = node.checked_sub(1).into_iter().flat_map(|p| self.graph.targets(p)).map(|p| p + 1);
        end.into_iter().chain(on)
    }
}

/// The immediate post-dominator of each block.
#[derive(Debug)]
pub(crate) struct PostDominators {
    /// Immediate post-dominator, indexed by node of [`Backwards`].
    next: Vec<u32>,
    level: Vec<u32>,
    /// The node where a walk from each node begins: past everything that was already visited.
    skip: Vec<u32>,
}

impl PostDominators {
    pub(crate) fn new(graph: &Graph) -> PostDominators {
        let mut next = Vec::new();
        dominators(&Backwards::new(graph), &mut Forest::default(), &mut next);
        let mut level = vec![NOWHERE; next.len()];
        level[0] = 0;
        let mut path = Vec::new();
        for node in 1..next.len() {
            let mut at = node;
            while level[at] == NOWHERE {
                path.push(at);
                at = next[at] as usize;
            }
            let mut above = level[at];
            while let Some(at) = path.pop() {
                above += 1;
                level[at] = above;
            }
        }
        PostDominators { skip: (0..next.len() as u32).collect(), next, level }
    }

    /// The immediate post-dominator of `p`; `None` if the paths from `p` only meet at the end node.
    pub(crate) fn after(&self, p: usize) -> Option<usize> {
        (self.next[p + 1] as usize).checked_sub(1)
    }

    /// Visits the post-dominators of `to` up to the immediate post-dominator of `from` (the blocks that are
    /// control-dependent on the edge from `from` to `to`), each at most once over all calls.
    pub(crate) fn walk(&mut self, to: usize, from: usize, mut f: impl FnMut(usize)) {
        let end = self.level[self.next[from + 1] as usize];
        let mut at = self.unwalked(to as u32 + 1);
        while self.level[at as usize] > end {
            f(at as usize - 1);
            self.skip[at as usize] = self.next[at as usize];
            at = self.unwalked(at);
        }
    }

    /// The first node on the path from `node` that no walk has visited.
    fn unwalked(&mut self, node: u32) -> u32 {
        let mut root = node;
        while self.skip[root as usize] != root {
            root = self.skip[root as usize];
        }
        let mut at = node;
        while at != root {
            at = core::mem::replace(&mut self.skip[at as usize], root);
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, random_graph};

    #[test]
    fn dominators_are_those_of_the_definition() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let func = random_graph(&mut random, 12);
            let graph = Graph::new(&func);
            let dominance = DominatorTree::new(&graph);
            for a in 0..graph.len() {
                // A node reached without passing `a` is not dominated by `a`.
                let mut seen = vec![false; graph.len()];
                let mut todo = if a == 0 { vec![] } else { vec![0] };
                while let Some(i) = todo.pop() {
                    if core::mem::replace(&mut seen[i], true) {
                        continue;
                    }
                    let ends = func.blocks[graph.order[i].index()].end.edges();
                    todo.extend(ends.filter_map(|e| graph.position(e.to)).filter(|&t| t != a));
                }
                for (b, &seen) in seen.iter().enumerate() {
                    assert_eq!(dominance.dominates(a, b), a == b || !seen, "{a} {b} {func:?}");
                    let child = b != 0 && dominance.idom[b] as usize == a;
                    assert!(!child || dominance.level[b] == dominance.level[a] + 1);
                }
            }
        }
    }

    #[test]
    fn unreachable_blocks_have_no_position() {
        let func = random_graph(&mut Random::new(1), 1);
        let graph = Graph::new(&func);
        assert_eq!(graph.position(BlockId(7)), None);
        assert_eq!(graph.len(), 1);
    }

    #[test]
    fn post_dominators_match_their_definition() {
        let mut random = Random::new(6);
        for _ in 0..300 {
            let func = random_graph(&mut random, 12);
            let graph = Graph::new(&func);
            let post = PostDominators::new(&graph);
            let ends = Backwards::new(&graph);
            // Whether an exit is reachable from `from` without passing `without`.
            let escapes = |from: usize, without: usize| {
                let (mut seen, mut todo) = (vec![false; graph.len()], vec![from]);
                while let Some(p) = todo.pop() {
                    if p == without || core::mem::replace(&mut seen[p], true) {
                        continue;
                    }
                    if ends.is_last[p] {
                        return true;
                    }
                    todo.extend(graph.targets(p));
                }
                false
            };
            for p in 0..graph.len() {
                let all: Vec<usize> = (0..graph.len()).filter(|&q| q != p && !escapes(p, q)).collect();
                // The nearest is the one after which all others still follow.
                let nearest = all.iter().copied().find(|&q| all.iter().all(|&r| r == q || !escapes(q, r)));
                assert_eq!(post.after(p), nearest, "{p} of {func:?}");
            }
        }
    }
}
