//! Follows the paths from an instruction until its effects are complete.
//!
//! The states of paths are merged where paths join, and nodes are visited in reverse post-order, so that code without
//! loops is visited once for each instruction whose effects reach it. A path ends where no later instruction needs
//! what is pending on it. Work is bounded by fuel.

use super::ahead::Ahead;
use super::bounds::{SURE, is_ordered, signals, unit};
use super::dependence::{Dependence, Kind};
use super::open::Open;
use super::pending::Pending;
use super::wait::{Signal, drain, mask, schedule};
use crate::PlainControl;
use crate::class::Class;
use crate::code::Graph;
use crate::control::Schedule;
use crate::guard::{self, Guarded};
use crate::operand::holds_always;
use crate::registers::Set;
use crate::role::Drain;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use shisa_rows::code::OutOfFuel;

/// What a walk must know about an instruction besides its registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its control bits; those of [`Schedule::PLAIN`] for a word that is not an instruction.
    pub(super) schedule: Schedule,
    /// What it waits for by itself.
    drain: Drain,
    /// Its class, if it is an instruction.
    class: Option<Class>,
    /// Whether its latency is variable.
    pub(super) is_variable: bool,
    /// Whether all results must be available before it, and all sources read.
    needs_all: bool,
    /// The number of instructions that control comes from.
    entries: u32,
}

impl Node {
    /// The barriers that it waits for.
    pub(super) fn waits(&self) -> Drain {
        self.drain.with(self.schedule)
    }
}

/// What a step takes of the fuel: it lasts as long as that many of the operations for which the limit is made.
const STEP: u64 = 4;

/// The dependences that a walk met: for each second instruction and kind the one with the fewest cycles.
pub(super) type Met = BTreeMap<(usize, Kind), Dependence>;

/// Follows paths through one program.
pub(super) struct Walker<'a> {
    pub(super) graph: &'a Graph,
    pub(super) nodes: Vec<Node>,
    plain: PlainControl,
    /// The rest of the limit, of which a step takes [`STEP`].
    fuel: u64,
    /// The states that have not been followed yet.
    open: Open,
    /// The largest number of instructions that a wait by count leaves in progress.
    most: u8,
    /// Whether the order of a unit protects; otherwise what it protects is a dependence, too.
    ordered: bool,
    /// What instructions need of the first ones of a class, once there is such a walk.
    ahead: BTreeMap<Option<Class>, Ahead>,
    /// The class of the current walk, if its paths end where nothing is needed.
    class: Option<Option<Class>>,
    met: Met,
}

impl<'a> Walker<'a> {
    pub(super) fn new(graph: &'a Graph, plain: PlainControl, fuel: u64) -> Walker<'a> {
        let count = graph.len() + 1;
        let node = |i: usize| {
            let insn = graph.insn(i);
            Node {
                schedule: insn.map_or(Schedule::PLAIN, schedule),
                drain: insn.map_or(Drain::default(), drain),
                class: graph.class(i),
                is_variable: insn.is_some_and(|i| i.form().attr.is_variable(&i.word)),
                needs_all: false,
                entries: 0,
            }
        };
        let mut nodes: Vec<Node> = (0..count).map(node).collect();
        for from in 0..count {
            for to in graph.next(from) {
                nodes[to].entries += 1;
            }
        }
        let open = Open::new(graph, |at| nodes[at].entries);
        let counts = nodes.iter().filter_map(|node| node.waits().most);
        let most = counts.map(|(_, left)| left).max().unwrap_or(0);
        Walker {
            graph,
            nodes,
            plain,
            fuel,
            open,
            most,
            ordered: true,
            ahead: BTreeMap::new(),
            class: None,
            met: Met::new(),
        }
    }

    /// Requires that everything is complete before control goes to an unknown address.
    pub(super) fn complete_where_lost(&mut self) {
        for i in self.graph.lost() {
            self.nodes[i].needs_all = true;
        }
        self.ahead.clear();
    }

    /// Treats what the order of a unit protects as a dependence, too.
    pub(super) fn ignore_order(&mut self) {
        self.ordered = false;
        self.ahead.clear();
    }

    /// Changes control bits.
    pub(super) fn set(&mut self, i: usize, change: impl FnOnce(u32) -> u32) {
        if let Some(node) = self.nodes.get_mut(i)
            && self.graph.insn(i).is_some()
        {
            node.schedule = Schedule(change(node.schedule.0));
        }
    }

    /// Finds the instructions that depend on the instruction with number `first` and issue too soon: those for which
    /// `is_open` holds. What such an instruction needs of a variable latency counts as complete after it, so that each
    /// path reports a missing wait once. `is_open` may add waits. The walk ends after it has met about `most`
    /// dependences, of results if there are any; those before any fork of the paths come first.
    ///
    /// # Errors
    /// [`OutOfFuel`] if all walks together take more steps than the walker has fuel for.
    pub(super) fn walk(
        &mut self,
        first: usize,
        most: usize,
        mut is_open: impl FnMut(&mut [Node], &Dependence) -> bool,
    ) -> Result<&Met, OutOfFuel> {
        self.met.clear();
        if let Some(from) = self.start(first) {
            self.look_ahead(first)?;
            self.open.begin(first);
            self.leave(first, first, &from);
            let of_results = !from.results.is_empty();
            while let Some((at, state)) = self.open.next() {
                if self.has_met(most, of_results) {
                    self.open.clear();
                    break;
                }
                self.run(first, at, state, &mut is_open)?;
            }
        }
        Ok(&self.met)
    }

    /// Whether so many dependences were met, of results or of all kinds.
    fn has_met(&self, most: usize, of_results: bool) -> bool {
        let counted = |(_, kind): &&(usize, Kind)| !of_results || *kind != Kind::Source;
        self.met.len() >= most && self.met.keys().filter(counted).count() >= most
    }

    /// Prepares for ending the paths from an instruction where nothing needs it. Those of fixed latency end soon.
    fn look_ahead(&mut self, first: usize) -> Result<(), OutOfFuel> {
        let ordered = |class: &Class| {
            let own = Some(*class);
            [Kind::Overwrite, Kind::Source].iter().any(|kind| is_ordered(*kind, own, own))
        };
        let class = self.graph.class(first).filter(ordered).filter(|_| self.ordered);
        self.class = self.nodes[first].is_variable.then_some(class);
        if self.class.is_some() && !self.ahead.contains_key(&class) {
            let nodes = &self.nodes;
            let facts: [&dyn Fn(usize) -> bool; 2] = [&|i| nodes[i].needs_all, &|i| nodes[i].is_variable];
            let ahead = Ahead::new(self.graph, class, facts, &mut self.fuel)?;
            self.ahead.insert(class, ahead);
        }
        Ok(())
    }

    /// The state after an instruction; `None` if nothing can depend on it.
    fn start(&self, first: usize) -> Option<Pending> {
        let (node, own) = (self.nodes.get(first)?, self.graph.effects(first)?);
        // Predicates, and all sources of fixed latency, are read at once.
        let sources = if node.is_variable { own.reads.general() } else { Set::default() };
        let bits = node.schedule;
        let completes = bits == Schedule::PLAIN && self.plain == PlainControl::Waits;
        let pending = Pending {
            cycles: bits.stall(),
            branched: false,
            forked: false,
            decided: own.guard.and(&own.writes).is_empty(),
            written: Signal::by(bits.write_barrier()),
            read: Signal::by(bits.read_barrier()),
            results: own.writes,
            sources,
        };
        (!completes && !pending.is_complete()).then_some(pending)
    }

    /// Follows a path from an instruction to where it ends or joins others.
    fn run(
        &mut self,
        first: usize,
        mut at: usize,
        mut state: Pending,
        is_open: &mut impl FnMut(&mut [Node], &Dependence) -> bool,
    ) -> Result<(), OutOfFuel> {
        loop {
            self.fuel = self.fuel.checked_sub(STEP).ok_or(OutOfFuel)?;
            self.pass(first, at, &mut state, is_open);
            let variable = self.nodes[first].is_variable;
            if state.is_complete() || !variable && state.cycles >= SURE {
                return Ok(());
            }
            let mut next = self.graph.next(at);
            // Cycles protect no variable latency; without them fewer states differ.
            let stall = if variable && self.ordered { 0 } else { self.nodes[at].schedule.stall() };
            state.cycles = (state.cycles + stall).min(SURE);
            match (next.next(), next.next()) {
                (Some(to), None) if to == at + 1 && to != first && self.nodes[to].entries == 1 => at = to,
                _ => {
                    self.leave(first, at, &state);
                    return Ok(());
                }
            }
        }
    }

    /// Continues at the successors of an instruction.
    fn leave(&mut self, first: usize, at: usize, state: &Pending) {
        let graph = self.graph;
        for to in graph.next(at) {
            let never = state.decided && at != first && self.contradicts(first, at, to);
            if !never {
                let branched = state.branched || to != at + 1;
                let forked = state.forked || graph.next(at).len() > 1;
                let joins = to == first || self.nodes[to].entries > 1;
                let mut state = Pending { branched, forked, ..*state };
                if let Some(ahead) = self.class.and_then(|class| self.ahead.get(&class)) {
                    ahead.keep(to, &mut state);
                }
                if !state.is_complete() {
                    self.open.arrive(to, joins, state);
                }
            }
        }
    }

    /// Whether control goes from instruction `at` to `to` only if the guard of the first instruction does not hold.
    fn contradicts(&self, first: usize, at: usize, to: usize) -> bool {
        let (Some(insn), Some(first)) = (self.graph.insn(at), self.graph.insn(first)) else { return false };
        match guard::given(insn, first) {
            Some(Guarded::Runs) => holds_always(insn) && self.graph.when(at, to) == Some(false),
            Some(Guarded::IsSkipped) => self.graph.when(at, to) == Some(true),
            None => false,
        }
    }

    /// Passes an instruction: what it depends on, what it waits for and what it overwrites.
    fn pass(
        &mut self,
        first: usize,
        at: usize,
        state: &mut Pending,
        is_open: &mut impl FnMut(&mut [Node], &Dependence) -> bool,
    ) {
        let (Some(insn), Some(other)) = (self.graph.insn(at), self.graph.effects(at)) else { return };
        let (Some(first_insn), Some(own)) = (self.graph.insn(first), self.graph.effects(first)) else {
            return;
        };
        let (node, from) = (self.nodes[at], self.nodes[first]);
        let waits = node.waits();
        if state.written.is_known(waits) {
            // An instruction with an available result has read its sources.
            (state.results, state.sources) = (Set::default(), Set::default());
        }
        if state.read.is_known(waits) {
            state.sources = Set::default();
        }
        let [read, source] = match node.needs_all {
            true => [state.results, state.sources],
            false => [state.results.and(&other.reads), state.sources.and(&other.writes)],
        };
        let depends =
            [(Kind::Read, read), (Kind::Overwrite, state.results.and(&other.writes)), (Kind::Source, source)];
        let never = state.decided && guard::given(insn, first_insn) == Some(Guarded::IsSkipped);
        for (kind, registers) in depends {
            if registers.is_empty() || never {
                continue;
            }
            let Pending { cycles, branched, forked, .. } = *state;
            let d = Dependence { kind, first, second: at, registers, cycles, branched, forked };
            if !is_open(&mut self.nodes, &d) {
                continue;
            }
            let old = self.met.entry((at, kind)).or_insert(d);
            if d.cycles < old.cycles {
                *old = d;
            }
            if from.is_variable {
                state.sources = Set::default();
                if kind != Kind::Source {
                    state.results = Set::default();
                    break;
                }
            }
        }
        // An instruction that waits for a later result of variable latency has waited for this one, whether or not the
        // later instruction ran.
        let runs =
            || guard::always(insn) || state.decided && guard::given(insn, first_insn) == Some(Guarded::Runs);
        if node.is_variable || runs() {
            state.results = state.results.without(&other.writes);
            state.sources = state.sources.without(&other.writes);
        }
        if waits.sources.is_some() && waits.sources == from.class && runs() {
            state.sources = Set::default();
        }
        if from.is_variable && node.class.map(unit) == from.class.map(unit) {
            let own = |barrier: Option<u32>| barrier.filter(|_| signals(node.class, from.class));
            let (written, read) = (node.schedule.write_barrier(), node.schedule.read_barrier());
            let raised = mask(written) | mask(read);
            state.written.pass(raised, own(written), self.most);
            state.read.pass(raised, own(read), self.most);
        }
        state.decided &= own.guard.and(&other.writes).is_empty();
    }
}
