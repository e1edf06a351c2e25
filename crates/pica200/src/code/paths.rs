//! All paths through a program: the sequencer, run with both outcomes of every condition.
//!
//! A node is a word in a state of the stacks, together with the facts that the path so far determines about booleans
//! and flags: a boolean does not change, flags change with the next comparison. Facts that no later word tests are
//! dropped, so that paths join again.
//!
//! # Bound
//! There are at most [`Explorer::GROWTH`] nodes for each word and 256 more. If there are more states, the walk is
//! repeated without booleans and flags, and if that is not enough it is incomplete. A node has at most four edges:
//! two outcomes of its condition, and two of the end of a loop's iteration after it. Each analysis of the graph
//! changes a node's state at most as often as the state has bits, so its work is bounded, too.

use super::Code;
use crate::operand::Condition;
use crate::ring::Open;
use crate::sequencer::{self, CALL, IF, JUMP, LOOP, Sequencer, State};
use alloc::collections::BTreeMap;
use alloc::{vec, vec::Vec};
use shisa_ir::{At, Control, Sequencer as _};
use shisa_rows::code::{Analysis, Budget, Direction, Graph, OutOfFuel, Paths, explore, solve};

/// A fault of a path: the hardware does not allow it, or does not run it as intended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// A break outside of a loop.
    BreakOutside,
    /// The code ends without an `end`.
    NoEnd,
    /// A control-flow instruction is the last word of a block, so that the block's end has priority.
    FlowAtEnd,
    /// A procedure calls itself.
    Recursion,
    /// Calls are nested deeper than the hardware stores.
    CallDepth,
    /// Conditions are nested deeper than the hardware stores.
    ConditionDepth,
    /// Loops are nested deeper than the hardware stores.
    LoopDepth,
}

/// A fault with its location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem {
    /// The word.
    pub(crate) pc: u32,
    /// The fault.
    pub(crate) fault: Fault,
    /// Another relevant word: the first of the block that the hardware drops.
    pub(crate) other: Option<u32>,
}

/// The facts that a path determines about booleans and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    /// Booleans that were tested.
    tested: u16,
    /// Those of them that are true.
    held: u16,
    /// The pairs of flags that are possible; see [`Condition::Flags`].
    flags: u8,
}

/// All pairs of flags.
const ANY: u8 = 0xf;

impl Known {
    const NOTHING: Known = Known { tested: 0, held: 0, flags: ANY };

    /// The facts after a condition with this outcome; `None` if the outcome is impossible.
    fn after(mut self, condition: Option<Condition>, outcome: bool) -> Option<Known> {
        match condition {
            None => {}
            Some(Condition::Boolean(n, wanted)) => {
                let (bit, value) = (1u16 << n, outcome == wanted);
                if self.tested & bit != 0 && (self.held & bit != 0) != value {
                    return None;
                }
                self.tested |= bit;
                self.held = self.held & !bit | if value { bit } else { 0 };
            }
            Some(Condition::Flags(pairs)) => {
                self.flags &= if outcome { pairs } else { !pairs & ANY };
                if self.flags == 0 {
                    return None;
                }
            }
        }
        Some(self)
    }

    /// The facts without those that no later word tests.
    fn forget(self, later: Later) -> Known {
        Known {
            tested: self.tested & later.booleans,
            held: self.held & later.booleans,
            flags: if later.flags { self.flags } else { ANY },
        }
    }
}

/// The booleans and flags that words from a given word test before they change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Later {
    booleans: u16,
    flags: bool,
}

/// The analysis of which conditions are still tested.
struct StillTested<'a> {
    code: &'a Code,
    nodes: &'a [u32],
}

impl StillTested<'_> {
    /// How often a node's state can change: a bit for each boolean, and one for the flags.
    const HEIGHT: u64 = 17;
}

impl Analysis for StillTested<'_> {
    type State = Later;

    fn pass(&mut self, at: usize, state: &Later) -> Later {
        let (mut later, pc) = (*state, self.nodes[at]);
        later.flags &= !self.code.writes(pc).has_flag();
        match self.code.condition(pc) {
            Some(Condition::Boolean(n, _)) => later.booleans |= 1 << n,
            Some(Condition::Flags(_)) => later.flags = true,
            None => {}
        }
        later
    }

    fn join(&mut self, _: usize, state: &mut Later, other: &Later) -> bool {
        let before = *state;
        state.booleans |= other.booleans;
        state.flags |= other.flags;
        *state != before
    }
}

/// All paths through a program.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The word of each node; the first is the entry. The end of the program is a node whose word is the number of words.
    pub(crate) nodes: Vec<u32>,
    /// The edges between nodes.
    pub(crate) graph: Graph,
    /// The faults of paths, by word.
    pub(crate) problems: Vec<Problem>,
    /// Whether all paths were followed; otherwise there are too many states.
    pub(crate) complete: bool,
}

impl Walk {
    /// Follows all paths from `entry`, with at most `nodes` nodes, from which those used are subtracted.
    pub(crate) fn new(code: &Code, entry: u32, nodes: &mut usize) -> Walk {
        if entry as usize >= code.len() {
            return Walk::default();
        }
        let all = Explorer::walk(code, entry, &[], nodes);
        let Ok(later) = all.later(code) else { return all };
        if !all.complete || later.iter().all(|later| *later == Later::default()) {
            return all;
        }
        let apart = Explorer::walk(code, entry, &later, nodes);
        // Too many combinations of booleans: a few impossible paths are better than missing ones.
        if apart.complete { apart } else { all }
    }

    /// Runs a forward analysis from the entry. `height`: how often the state of a node can change.
    ///
    /// # Errors
    /// [`OutOfFuel`] if states change more often.
    pub(crate) fn forwards<A: Analysis>(
        &self,
        start: A::State,
        analysis: &mut A,
        height: u64,
    ) -> Result<Vec<Option<A::State>>, OutOfFuel> {
        solve(&self.graph, Direction::Forwards, [(0, start)], analysis, self.fuel(height))
    }

    /// A number of passes that suffices for an analysis of this height: one for each node, and one for each change of
    /// its state.
    const fn fuel(&self, height: u64) -> u64 {
        (self.nodes.len() as u64).saturating_mul(height + 1)
    }

    /// The conditions tested from each word, over all of its states.
    fn later(&self, code: &Code) -> Result<Vec<Later>, OutOfFuel> {
        let mut tested = StillTested { code, nodes: &self.nodes };
        let starts = (0..self.nodes.len()).map(|n| (n, Later::default()));
        let fuel = self.fuel(StillTested::HEIGHT);
        let after = solve(&self.graph, Direction::Backwards, starts, &mut tested, fuel)?;
        let mut words = vec![Later::default(); code.len()];
        for (node, state) in after.iter().enumerate() {
            let Some(state) = state else { continue };
            let later = tested.pass(node, state);
            if let Some(word) = words.get_mut(self.nodes[node] as usize) {
                tested.join(node, word, &later);
            }
        }
        Ok(words)
    }

    /// Whether some path reaches each of `count` words.
    pub(crate) fn reached(&self, count: usize) -> Vec<bool> {
        let mut reached = vec![false; count];
        for pc in &self.nodes {
            if let Some(word) = reached.get_mut(*pc as usize) {
                *word = true;
            }
        }
        reached
    }
}

struct Explorer<'a> {
    code: &'a Code,
    /// The conditions tested from each word; empty to follow paths without regard to conditions.
    later: &'a [Later],
    problems: BTreeMap<(u32, Fault), Problem>,
    /// The first word after each condition, by its two ends.
    conditions: BTreeMap<(u32, u32), u32>,
}

impl<'a> Explorer<'a> {
    /// The most nodes for each word.
    const GROWTH: usize = 16;

    fn walk(code: &'a Code, entry: u32, later: &'a [Later], nodes: &mut usize) -> Walk {
        let mut explorer = Explorer { code, later, problems: BTreeMap::new(), conditions: BTreeMap::new() };
        for step in code.lifted.steps.iter().filter(|s| s.control.op == IF) {
            explorer.conditions.entry((step.control.target, step.control.extra)).or_insert(step.next);
        }
        let states = (Self::GROWTH * code.len() + 256).min(*nodes);
        let budget = Budget { states, edges: states.saturating_mul(4) };
        let start = (Sequencer.start(entry, 1), Known::NOTHING);
        let walk = explore(&mut explorer, code.len(), [(entry as usize, start)], budget);
        *nodes = nodes.saturating_sub(walk.nodes.len());
        Walk {
            nodes: walk.nodes.into_iter().map(|(at, _)| at as u32).collect(),
            graph: walk.graph,
            problems: explorer.problems.into_values().collect(),
            complete: walk.complete,
        }
    }

    fn problem(&mut self, pc: u32, fault: Fault, other: Option<u32>) {
        self.problems.entry((pc, fault)).or_insert(Problem { pc, fault, other });
    }

    /// The node at the end of the program.
    fn end(&self) -> (usize, (State, Known)) {
        (self.code.len(), (Sequencer.start(0, 0), Known::NOTHING))
    }

    /// The node after word `pc`, which left the sequencer in `state` between instructions.
    fn arrive(&mut self, pc: u32, state: State, known: Known) -> (usize, (State, Known)) {
        match Sequencer.at(&state) {
            At::Step(next) if (next as usize) < self.code.len() => {
                let later = self.later.get(next as usize);
                let known = later.map_or(Known::NOTHING, |later| known.forget(*later));
                (next as usize, (state, known))
            }
            At::Step(_) => {
                self.problem(pc, Fault::NoEnd, None);
                self.end()
            }
            At::Done | At::Implied(_) => self.end(),
        }
    }

    /// Reports the faults of word `pc` before it runs; returns whether to follow the call that it makes.
    fn before_step(&mut self, state: &State, pc: u32, held: bool) -> bool {
        let control = self.code.control(pc);
        let next = pc + 1;
        let (calls, conditions, loops) = (state.calls(), state.conditions(), state.loops());
        let ends = |stack: &[Open]| stack.last().is_some_and(|o| o.end == next);
        let taken = match control.op {
            CALL | JUMP => held,
            IF | LOOP => true,
            _ => return true,
        };
        // A call at the end of a procedure reaches its own end first, then the procedure's.
        if taken && (ends(conditions) || ends(loops) || control.op != CALL && ends(calls)) {
            self.problem(pc, Fault::FlowAtEnd, None);
        }
        if !held {
            return true;
        }
        let (depth, stack, fault) = match control.op {
            CALL => (sequencer::CALL_DEPTH, calls, Fault::CallDepth),
            IF => (sequencer::CONDITION_DEPTH, conditions, Fault::ConditionDepth),
            LOOP => (sequencer::LOOP_DEPTH, loops, Fault::LoopDepth),
            _ => return true,
        };
        let inside = |from: u32, to: u32| {
            let range = from..to;
            range.contains(&pc) || calls.iter().any(|c| range.contains(&(c.to - 1)))
        };
        let again = |c: &Open| c.end == control.extra && self.called(c) == control.target;
        let mut again = calls.iter().filter(|c| again(c) && inside(self.called(c), c.end));
        if control.op == CALL && again.next().is_some() {
            self.problem(pc, Fault::Recursion, None);
            return false;
        }
        let Some(first) = stack.first().filter(|_| stack.len() == depth) else { return true };
        // Losing an entry that a jump left on the stack does no harm; neither does losing the older of two for the
        // same block.
        if stack[1..].contains(first) && control.op != CALL {
            return true;
        }
        let begin = match control.op {
            CALL => self.called(first),
            LOOP => first.to,
            _ => self.condition(first),
        };
        if inside(begin, first.end) {
            self.problem(pc, fault, Some(begin));
        }
        true
    }

    /// The first word that a stored call runs.
    fn called(&self, call: &Open) -> u32 {
        self.code.control(call.to.wrapping_sub(1)).target
    }

    /// The first word of a stored condition.
    fn condition(&self, open: &Open) -> u32 {
        self.conditions.get(&(open.end, open.to)).copied().unwrap_or(0)
    }
}

/// The outcomes that an instruction may have.
const fn outcomes(control: &Control) -> &'static [bool] {
    if control.cond.is_some() { &[true, false] } else { &[true] }
}

impl Paths for Explorer<'_> {
    type State = (State, Known);

    /// A word has a node of its own in every state, so that analyses have the state before each word.
    fn is_straight(&self, _: usize) -> bool {
        false
    }

    fn follow(&mut self, at: usize, (state, known): &(State, Known), to: &mut Vec<(usize, (State, Known))>) {
        let (code, pc) = (self.code, at as u32);
        let Some(step) = code.lifted.steps.get(at) else { return };
        let condition = code.condition(pc).filter(|_| !self.later.is_empty());
        for &outcome in outcomes(&step.control) {
            let Some(mut known) = known.after(condition, outcome) else { continue };
            if code.writes(pc).has_flag() {
                known.flags = ANY;
            }
            let mut next = state.clone();
            // A recursive procedure is not followed again: its effect is known.
            let follows = self.before_step(state, pc, outcome);
            if Sequencer.step(&mut next, &step.control, step.next, u32::from(outcome && follows)).is_err() {
                self.problem(pc, Fault::BreakOutside, None);
                to.push(self.end());
                continue;
            }
            // The end of a loop's iteration runs with the word before it.
            let implied = match Sequencer.at(&next) {
                At::Implied(n) => code.lifted.implied.get(n as usize),
                At::Step(_) | At::Done => None,
            };
            let Some(implied) = implied else {
                to.push(self.arrive(pc, next, known));
                continue;
            };
            for &again in outcomes(&implied.control) {
                let mut next = next.clone();
                match Sequencer.step(&mut next, &implied.control, implied.next, u32::from(again)) {
                    Ok(()) => to.push(self.arrive(pc, next, known)),
                    Err(_) => to.push(self.end()),
                }
            }
        }
    }
}
