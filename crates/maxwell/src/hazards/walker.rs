//! Follows the paths from an instruction until its effects are complete.
//!
//! The states of paths are merged where paths join, and nodes are visited in reverse post-order, so that code without
//! loops is visited once for each instruction whose effects reach it. A path ends where no later instruction needs
//! what is pending on it. Work is bounded by fuel.

use super::ahead::{Ahead, Firsts, Known};
use super::bounds::{SURE, is_ordered, signals, unit};
use super::dependence::{Dependence, Kind};
use super::node::{Node, nodes};
use super::open::Open;
use super::pending::Pending;
use super::runs::Runs;
use super::wait::{Signal, mask};
use crate::PlainControl;
use crate::class::Class;
use crate::code::Graph;
use crate::control::Schedule;
use crate::guard::{self, Guarded};
use crate::operand::holds_always;
use crate::registers::Set;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use shisa_rows::code::OutOfFuel;

/// What a step takes of the fuel: it lasts as long as that many of the operations for which the limit is made.
const STEP: u64 = 16;
/// How many steps the walks from instructions of one kind take for each instruction of the program before it is solved
/// what is needed of that kind. That takes less than one step for each.
const OFTEN: u64 = 1;

/// The dependences that a walk met: for each second instruction and kind the one with the fewest cycles.
pub(super) type Met = BTreeMap<(usize, Kind), Dependence>;

/// Follows paths through one program.
pub(super) struct Walker<'a> {
    pub(super) graph: &'a Graph,
    pub(super) nodes: Vec<Node>,
    runs: Runs,
    plain: PlainControl,
    /// The rest of the limit, of which a step takes [`STEP`].
    fuel: u64,
    /// The states that have not been followed yet.
    open: Open,
    /// The largest number of instructions that a wait by count leaves in progress.
    most: u8,
    /// Whether the barrier of any later instruction of the unit signals an earlier one.
    trusts_units: bool,
    /// Whether the order of a unit protects; otherwise what it protects is a dependence, too.
    ordered: bool,
    /// What instructions need of the first ones of the latest class, whatever their barriers are.
    broad: Option<(Firsts, Ahead)>,
    /// What they need of the latest kind of first ones, once walks from these took long.
    exact: Option<Ahead>,
    /// The kind of the latest first instruction, and the steps since it was last solved what is needed of it.
    latest: (Firsts, u64),
    /// Whether the paths of the current walk end where nothing is needed.
    prunes: bool,
    met: Met,
}

impl<'a> Walker<'a> {
    pub(super) fn new(graph: &'a Graph, plain: PlainControl, fuel: u64) -> Walker<'a> {
        let nodes = nodes(graph);
        let runs = Runs::new(graph, |at| nodes[at].entries);
        let open = Open::new(graph, &runs);
        let counts = nodes.iter().filter_map(|node| node.waits().most);
        let most = counts.map(|(_, left)| left).max().unwrap_or(0);
        Walker {
            graph,
            nodes,
            runs,
            plain,
            fuel,
            open,
            most,
            trusts_units: false,
            ordered: true,
            broad: None,
            exact: None,
            latest: (Firsts::default(), 0),
            prunes: false,
            met: Met::new(),
        }
    }

    /// Requires that everything is complete before control goes to an unknown address.
    pub(super) fn complete_where_lost(&mut self) {
        for i in self.graph.lost() {
            self.nodes[i].needs_all = true;
        }
        (self.broad, self.exact) = (None, None);
    }

    /// Lets the barrier of a later instruction of the same unit signal an earlier one also where compilers rely on it in
    /// few pairs.
    pub(super) fn trust_units(&mut self) {
        self.trusts_units = true;
    }

    /// Treats what the order of a unit protects as a dependence, too.
    pub(super) fn ignore_order(&mut self) {
        self.ordered = false;
        (self.broad, self.exact) = (None, None);
    }

    /// How much fuel is left.
    pub(super) fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Takes fuel for other work than steps.
    ///
    /// # Errors
    /// [`OutOfFuel`] if there is less.
    pub(super) fn spend(&mut self, fuel: u64) -> Result<(), OutOfFuel> {
        self.fuel = self.fuel.checked_sub(fuel).ok_or(OutOfFuel)?;
        Ok(())
    }

    /// Changes control bits.
    pub(super) fn set(&mut self, i: usize, change: impl FnOnce(u32) -> u32) {
        if let Some(node) = self.nodes.get_mut(i)
            && self.graph.insn(i).is_some()
        {
            node.schedule = Schedule(change(node.schedule.0));
        }
    }

    /// Instructions in the order in which walks from them take the least time: by their kinds.
    pub(super) fn by_kind(&self, insns: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut all: Vec<usize> = insns.into_iter().collect();
        all.sort_by_key(|i| self.nodes[*i].is_variable.then(|| self.firsts(*i)));
        all
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
        is_open: impl FnMut(&mut [Node], &Dependence) -> bool,
    ) -> Result<&Met, OutOfFuel> {
        let mut steps = u64::MAX;
        self.walk_near(first, most, &mut steps, is_open)?;
        Ok(&self.met)
    }

    /// As [`Walker::walk`], for about as many steps as `steps` has, from which those of the walk are subtracted; returns
    /// also what is then still pending on some path: results, and sources.
    ///
    /// # Errors
    /// As for [`Walker::walk`].
    pub(super) fn walk_near(
        &mut self,
        first: usize,
        most: usize,
        steps: &mut u64,
        mut is_open: impl FnMut(&mut [Node], &Dependence) -> bool,
    ) -> Result<(&Met, [bool; 2]), OutOfFuel> {
        self.met.clear();
        let mut pending = [false; 2];
        if let Some(from) = self.start(first) {
            self.look_ahead(first)?;
            self.open.begin(first);
            let mut needed = from;
            if self.prunes {
                self.ahead().for_each(|ahead| ahead.begin(first, &from, &mut needed));
            }
            self.leave(first, first, &needed);
            let of_results = !from.results.is_empty();
            let begun = self.latest.1;
            let end = begun.saturating_add(*steps);
            while let Some((at, state)) = self.open.next(&self.runs) {
                if self.has_met(most, of_results) {
                    self.open.clear(&self.runs);
                    break;
                }
                if self.latest.1 > end {
                    let results = pending[0] || !state.results.is_empty();
                    pending = [results, pending[1] || !state.sources.is_empty()];
                    continue;
                }
                self.run(first, at, state, &mut is_open)?;
            }
            *steps = steps.saturating_sub(self.latest.1 - begun);
        }
        Ok((&self.met, pending))
    }

    /// Whether so many dependences were met, of results or of all kinds.
    fn has_met(&self, most: usize, of_results: bool) -> bool {
        let counted = |(_, kind): &&(usize, Kind)| !of_results || *kind != Kind::Source;
        self.met.len() >= most && self.met.keys().filter(counted).count() >= most
    }

    /// The kind of an instruction from which a walk begins.
    pub(super) fn firsts(&self, first: usize) -> Firsts {
        let ordered = |class: &Class| {
            let own = Some(*class);
            [Kind::Overwrite, Kind::Source].iter().any(|kind| is_ordered(*kind, own, own))
        };
        let node = &self.nodes[first];
        Firsts {
            class: node.class.filter(ordered).filter(|_| self.ordered),
            written: node.schedule.write_barrier(),
            read: node.schedule.read_barrier(),
        }
    }

    /// Prepares for ending the paths from an instruction where nothing needs it. Those of fixed latency end soon.
    fn look_ahead(&mut self, first: usize) -> Result<(), OutOfFuel> {
        self.prunes = self.nodes[first].is_variable;
        if !self.prunes {
            return Ok(());
        }
        let firsts = self.firsts(first);
        let broad = firsts.any_barrier();
        if self.broad.as_ref().is_none_or(|(old, _)| *old != broad) {
            self.broad = None;
            self.broad = Some((broad, self.needed_of(broad)?));
        }
        if self.latest.0 != firsts {
            (self.exact, self.latest) = (None, (firsts, 0));
        }
        if self.latest.1 > OFTEN * self.nodes.len() as u64 {
            self.exact = None;
            self.exact = Some(self.needed_of(firsts)?);
            self.latest.1 = 0;
        }
        Ok(())
    }

    /// What is needed of certain instructions.
    fn needed_of(&mut self, firsts: Firsts) -> Result<Ahead, OutOfFuel> {
        let nodes = &self.nodes;
        let known = |i: usize| {
            let Node { needs_all, is_variable, settled, .. } = nodes[i];
            Known { needs_all, is_variable, waits: nodes[i].waits().all, settled }
        };
        Ahead::new(self.graph, &self.runs, firsts, known, &mut self.fuel)
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
            self.latest.1 += 1;
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

    /// What is known to be needed of the latest first instruction.
    fn ahead(&self) -> impl Iterator<Item = &Ahead> {
        self.broad.iter().map(|(_, ahead)| ahead).chain(&self.exact)
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
                if self.prunes {
                    self.ahead().for_each(|ahead| ahead.keep(&self.runs, to, &mut state));
                }
                if !state.is_complete() {
                    self.open.arrive(&self.runs, to, joins, state);
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
        if node.settled || state.written.is_known(waits) {
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
            let signals = self.trusts_units || signals(node.class, from.class);
            let own = |barrier: Option<u32>| barrier.filter(|_| signals);
            let (written, read) = (node.schedule.write_barrier(), node.schedule.read_barrier());
            let raised = mask(written) | mask(read);
            state.written.pass(raised, own(written), self.most);
            state.read.pass(raised, own(read), self.most);
        }
        state.decided &= own.guard.and(&other.writes).is_empty();
    }
}
