//! Explores every path that control may take, with the state that decides the path.

use super::Graph;
use alloc::{collections::BTreeMap, vec, vec::Vec};

/// What a family states about control, for [`explore`].
pub trait Paths {
    /// Everything other than the instruction that decides where control goes: a stack of marks, open blocks, or `()` if
    /// the instruction alone decides.
    type State: Clone + Ord;

    /// Whether control always continues with the next instruction after instruction `at`, in the same state.
    fn is_straight(&self, at: usize) -> bool;

    /// Appends to `to` the successors of instruction `at` in `state`: indices of instructions, each with the state
    /// there. Called once for each reachable pair of instruction and state, unless the instruction is straight.
    fn follow(&mut self, at: usize, state: &Self::State, to: &mut Vec<(usize, Self::State)>);
}

/// Bounds the work of [`explore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most pairs of instruction and state that are distinguished.
    pub states: usize,
    /// The most edges that are followed before states are merged.
    pub edges: usize,
}

impl Budget {
    /// A budget for code of `count` instructions: `factor` states and four times as many edges for each instruction,
    /// and at least a thousand states.
    pub const fn of(count: usize, factor: usize) -> Budget {
        let states = count.saturating_mul(factor).saturating_add(1024);
        Budget { states, edges: states.saturating_mul(4) }
    }
}

/// The states in which paths reach instructions, and the edges between them.
#[derive(Clone, Debug)]
pub struct Walk<S> {
    /// An instruction and the state in which paths reach it. Of a straight run, only the first instruction and the one
    /// after the run are nodes. The entries come first.
    pub nodes: Vec<(usize, S)>,
    /// The edges between nodes.
    pub graph: Graph,
    /// For each node, the instruction that was followed from it: the first one at or after it that is not straight.
    pub ends: Vec<usize>,
    /// Number of nodes that are reachable from the entries: the first ones. The other nodes come from instructions that
    /// no path reaches ([`explore_all`]).
    pub entered: usize,
    /// Whether all paths were followed, each in its own state. If not, the budget was used up and states were merged.
    pub complete: bool,
}

/// Follows all paths from `entries` through code of `count` instructions; index `count` is the end of the code.
///
/// Each pair of instruction and state is followed once. When the budget is used up, states are merged: a new pair leads
/// to the first pair of the same instruction, and an instruction that was already followed in some state is not
/// followed again. There are then at most [`Budget::states`] + `count` nodes and [`Budget::edges`] edges, plus the
/// edges of `count` calls of [`Paths::follow`], one for each instruction. If a dropped state is the only one that leads
/// to some code, that code may not be found; [`Walk::complete`] is then false.
pub fn explore<P: Paths>(
    paths: &mut P,
    count: usize,
    entries: impl IntoIterator<Item = (usize, P::State)>,
    budget: Budget,
) -> Walk<P::State> {
    let mut explorer = Explorer::new(paths, count, budget);
    explorer.enter(entries);
    explorer.follow(paths);
    explorer.finish()
}

/// As [`explore`], and then follows the instructions that no path reaches, in order, in state `rest`.
pub fn explore_all<P: Paths>(
    paths: &mut P,
    count: usize,
    entries: impl IntoIterator<Item = (usize, P::State)>,
    rest: P::State,
    budget: Budget,
) -> Walk<P::State> {
    let mut explorer = Explorer::new(paths, count, budget);
    explorer.enter(entries);
    explorer.follow(paths);
    explorer.walk.entered = explorer.walk.nodes.len();
    for at in 0..count {
        if !explorer.passed[at] {
            explorer.enter([(at, rest.clone())]);
            explorer.follow(paths);
        }
    }
    let entered = explorer.walk.entered;
    Walk { entered, ..explorer.finish() }
}

/// The state of [`explore`].
struct Explorer<S> {
    walk: Walk<S>,
    /// For each instruction, the first one at or after it that is not straight.
    bends: Vec<usize>,
    numbers: BTreeMap<(usize, S), u32>,
    /// The first node of each instruction that has one.
    first: Vec<Option<u32>>,
    /// The instructions that were passed or followed in some state.
    passed: Vec<bool>,
    edges: Vec<(u32, u32)>,
    /// The next node to follow.
    next: usize,
    budget: Budget,
}

impl<S: Clone + Ord> Explorer<S> {
    fn new<P: Paths>(paths: &P, count: usize, budget: Budget) -> Explorer<S> {
        let mut bends = vec![count; count + 1];
        for at in (0..count).rev() {
            bends[at] = if paths.is_straight(at) { bends[at + 1] } else { at };
        }
        let graph = Graph::default();
        Explorer {
            walk: Walk { nodes: Vec::new(), graph, ends: Vec::new(), entered: 0, complete: true },
            bends,
            numbers: BTreeMap::new(),
            first: vec![None; count + 1],
            passed: vec![false; count + 1],
            edges: Vec::new(),
            next: 0,
            budget,
        }
    }

    /// The node of an instruction and a state; when the budget is used up, the first node of the instruction.
    fn node(&mut self, at: usize, state: S) -> Option<u32> {
        let at = at.min(self.bends.len() - 1);
        let key = (at, state);
        if let Some(number) = self.numbers.get(&key) {
            return Some(*number);
        }
        let next = self.walk.nodes.len();
        if next >= self.budget.states || self.is_spent() {
            self.walk.complete = false;
            if let Some(first) = self.first[at] {
                return Some(first);
            }
        }
        let Ok(number) = u32::try_from(next) else {
            self.walk.complete = false;
            return None;
        };
        self.walk.nodes.push(key.clone());
        self.walk.ends.push(self.bends[at]);
        self.first[at].get_or_insert(number);
        self.numbers.insert(key, number);
        Some(number)
    }

    fn is_spent(&self) -> bool {
        self.edges.len() >= self.budget.edges
    }

    fn enter(&mut self, entries: impl IntoIterator<Item = (usize, S)>) {
        for (at, state) in entries {
            self.node(at, state);
        }
    }

    /// Follows all nodes that have not been followed yet.
    fn follow<P: Paths<State = S>>(&mut self, paths: &mut P) {
        let mut to = Vec::new();
        let count = self.bends.len() - 1;
        while let Some((at, state)) = self.walk.nodes.get(self.next).cloned() {
            let (from, end) = (self.next, self.bends[at]);
            self.next += 1;
            let again = self.passed[end];
            // A straight run that was entered earlier was passed to its end.
            for passed in self.passed[at..=end].iter_mut().take_while(|passed| !**passed) {
                *passed = true;
            }
            if end == count {
                continue;
            }
            if again && self.is_spent() {
                self.walk.complete = false;
                continue;
            }
            paths.follow(end, &state, &mut to);
            for (at, state) in to.drain(..) {
                if let Some(number) = self.node(at, state) {
                    self.edges.push((from as u32, number));
                }
            }
        }
    }

    fn finish(mut self) -> Walk<S> {
        self.walk.entered = self.walk.nodes.len();
        self.walk.graph = Graph::new(self.walk.nodes.len(), self.edges);
        self.walk
    }
}

impl<S> Walk<S> {
    /// For each of `count` instructions, and last for the end of the code, whether it is reachable from the entries.
    pub fn reached(&self, count: usize) -> Vec<bool> {
        let mut reached = vec![false; count + 1];
        for ((at, _), end) in self.nodes.iter().zip(&self.ends).take(self.entered) {
            let run = reached.get_mut(*at..=*end).unwrap_or_default();
            for reached in run.iter_mut().take_while(|reached| !**reached) {
                *reached = true;
            }
        }
        reached
    }

    /// The edges between instructions, for all states together: a graph with a node for each of `count` instructions
    /// and one for the end of the code. Only reachable instructions have edges.
    pub fn instructions(&self, count: usize) -> Graph {
        let mut edges = Vec::new();
        let mut followed = vec![false; count + 1];
        for (from, ((at, _), end)) in self.nodes.iter().zip(&self.ends).enumerate() {
            // A straight run that was entered earlier is already present, to its end.
            for step in *at..*end {
                if followed.get(step).copied().unwrap_or(true) {
                    break;
                }
                followed[step] = true;
                edges.push((step as u32, step as u32 + 1));
            }
            edges.extend(
                self.graph.next(from).filter_map(|to| Some((*end as u32, self.nodes.get(to)?.0 as u32))),
            );
        }
        Graph::new(count + 1, edges)
    }
}
