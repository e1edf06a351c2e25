//! All ways through a program: the sequencer, run with both outcomes of every condition.
//!
//! A node is a word in a state of the stacks, together with what the way so far tells of booleans and
//! flags: a boolean does not change, flags change with the next comparison. What no later word asks is
//! forgotten, so that ways join again.

use super::codes::{self, Rule};
use super::effects::{Code, Test};
use crate::sequencer::{self, CALL, IF, JUMP, LOOP, Open, State};
use alloc::collections::BTreeMap;
use alloc::{vec, vec::Vec};
use shisa_ir::{At, Sequencer as _};

/// What a way tells of booleans and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    /// Booleans that were asked.
    asked: u16,
    /// Those of them that are true.
    held: u16,
    /// The pairs of flags that are possible; see [`Test::Flags`].
    flags: u8,
}

impl Known {
    const NOTHING: Known = Known { asked: 0, held: 0, flags: 0xf };

    /// What is known where the test has this outcome; `None` if it cannot have it.
    fn after(mut self, test: Option<Test>, outcome: bool) -> Option<Known> {
        match test {
            None => {}
            Some(Test::Boolean(n, wanted)) => {
                let (bit, value) = (1u16 << n, outcome == wanted);
                if self.asked & bit != 0 && (self.held & bit != 0) != value {
                    return None;
                }
                self.asked |= bit;
                self.held = self.held & !bit | if value { bit } else { 0 };
            }
            Some(Test::Flags(pairs)) => {
                self.flags &= if outcome { pairs } else { !pairs & 0xf };
                if self.flags == 0 {
                    return None;
                }
            }
        }
        Some(self)
    }

    /// Without what nobody asks any more.
    fn forget(self, asked: Asked) -> Known {
        Known {
            asked: self.asked & asked.booleans,
            held: self.held & asked.booleans,
            flags: if asked.flags { self.flags } else { 0xf },
        }
    }
}

/// What is asked from a word on, before it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Asked {
    booleans: u16,
    flags: bool,
}

/// A word in a state.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The word; the last one that ran for the end of a loop's turn.
    pub(super) pc: u32,
    /// Whether this is the end of a turn and no word.
    pub(super) implied: bool,
    /// The nodes behind it.
    pub(super) next: Vec<u32>,
    /// Whether the program ends, or cannot go on, here.
    pub(super) ends: bool,
}

/// A rule that a way breaks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    /// The word.
    pub(super) pc: u32,
    pub(super) rule: Rule,
    /// Another word that matters.
    pub(super) other: Option<u32>,
}

/// All ways through a program.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The nodes; the first is the entry.
    pub(super) nodes: Vec<Node>,
    /// What the ways do wrong, by word.
    pub(super) faults: Vec<Fault>,
    /// Whether there were too many states to follow all ways.
    pub(super) incomplete: bool,
}

impl Walk {
    /// Follows all ways from `entry`, with at most `nodes` nodes, from which those used are taken.
    pub(super) fn new(code: &Code, entry: u32, nodes: &mut usize) -> Walk {
        if entry as usize >= code.effects.len() {
            return Walk { incomplete: true, ..Walk::default() };
        }
        let all = Explorer::explore(code, entry, &[], nodes);
        let asked = all.asked(code);
        if all.incomplete || asked.iter().all(|a| *a == Asked::default()) {
            return all;
        }
        let apart = Explorer::explore(code, entry, &asked, nodes);
        // Too many combinations of booleans: better to suspect ways that cannot be than none.
        if apart.incomplete { all } else { apart }
    }

    /// The nodes before each node.
    pub(super) fn before(&self) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); self.nodes.len()];
        for (i, node) in (0u32..).zip(&self.nodes) {
            node.next.iter().for_each(|n| before[*n as usize].push(i));
        }
        before
    }

    /// What is asked a second time behind each word that asks, for all words.
    fn asked(&self, code: &Code) -> Vec<Asked> {
        let before = self.before();
        let mut at = vec![Asked::default(); self.nodes.len()];
        let mut todo: Vec<u32> = (0..self.nodes.len() as u32).collect();
        while let Some(i) = todo.pop() {
            let node = &self.nodes[i as usize];
            let mut asked = Asked::default();
            for next in &node.next {
                asked.booleans |= at[*next as usize].booleans;
                asked.flags |= at[*next as usize].flags;
            }
            if !node.implied {
                let effects = code.effects(node.pc);
                asked.flags &= effects.state_written >> 3 == 0;
                match effects.test {
                    Some(Test::Boolean(n, _)) => asked.booleans |= 1 << n,
                    Some(Test::Flags(_)) => asked.flags = true,
                    None => {}
                }
            }
            if at[i as usize] != asked {
                at[i as usize] = asked;
                todo.extend(&before[i as usize]);
            }
        }
        let mut words = vec![Asked::default(); code.effects.len()];
        for (node, asked) in self.nodes.iter().zip(at) {
            if let Some(word) = words.get_mut(node.pc as usize).filter(|_| !node.implied) {
                word.booleans |= asked.booleans;
                word.flags |= asked.flags;
            }
        }
        words
    }
}

type Key = (State, u32, Known);

struct Explorer<'a> {
    code: &'a Code,
    /// What is asked from each word on; empty to follow ways without regard to what they ask.
    asked: &'a [Asked],
    ids: BTreeMap<Key, u32>,
    todo: Vec<(u32, Key)>,
    walk: Walk,
    faults: BTreeMap<(u32, &'static str), Fault>,
    /// The first word behind each condition, by its two ends.
    conditions: BTreeMap<(u32, u32), u32>,
    left: usize,
}

impl<'a> Explorer<'a> {
    /// How many nodes there may be for each word.
    const GROWTH: usize = 16;

    fn explore(code: &'a Code, entry: u32, asked: &'a [Asked], nodes: &mut usize) -> Walk {
        let all = Self::GROWTH * code.effects.len() + 256;
        let mut explorer = Explorer {
            code,
            asked,
            ids: BTreeMap::new(),
            todo: Vec::new(),
            walk: Walk::default(),
            faults: BTreeMap::new(),
            conditions: BTreeMap::new(),
            left: all.min(*nodes),
        };
        for step in code.lifted.steps.iter().filter(|s| s.control.op == IF) {
            explorer.conditions.entry((step.control.target, step.control.extra)).or_insert(step.next);
        }
        let start = crate::Sequencer.start(entry, 1);
        explorer.intern((start, entry, Known::NOTHING));
        while let Some((id, key)) = explorer.todo.pop() {
            explorer.node(id, key);
            if explorer.walk.incomplete {
                break;
            }
        }
        *nodes = nodes.saturating_sub(explorer.walk.nodes.len());
        explorer.walk.faults = explorer.faults.into_values().collect();
        explorer.walk
    }

    fn intern(&mut self, key: Key) -> u32 {
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let id = self.walk.nodes.len() as u32;
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.walk.incomplete = true,
        }
        let implied = matches!(crate::Sequencer.at(&key.0), At::Implied(_));
        let node = Node { pc: key.1, implied, next: Vec::new(), ends: false };
        self.walk.nodes.push(node);
        self.ids.insert(key.clone(), id);
        self.todo.push((id, key));
        id
    }

    fn fault(&mut self, pc: u32, rule: Rule, other: Option<u32>) {
        self.faults.entry((pc, rule.code)).or_insert(Fault { pc, rule, other });
    }

    /// Finds the nodes behind one. `key` has the word, or the last one that ran.
    fn node(&mut self, id: u32, (state, last, known): Key) {
        let seq = crate::Sequencer;
        let code = self.code;
        let at = seq.at(&state);
        let Some((_, step)) = code.lifted.step(at) else {
            self.walk.nodes[id as usize].ends = true;
            return;
        };
        let implied = matches!(at, At::Implied(_));
        let effects = if implied { Default::default() } else { code.effects(last) };
        let test = effects.test.filter(|_| !self.asked.is_empty());
        let outcomes: &[bool] = if step.control.cond.is_some() { &[true, false] } else { &[true] };
        let mut ways = Vec::with_capacity(2);
        for &outcome in outcomes {
            let Some(mut known) = known.after(test, outcome) else { continue };
            if effects.state_written >> 3 != 0 {
                known.flags = 0xf;
            }
            let mut to = state.clone();
            // What is called once more is not followed: what it does is known.
            let follows = implied || self.before_step(&state, last, outcome);
            if seq.step(&mut to, &step.control, step.next, u32::from(outcome && follows)).is_err() {
                self.fault(last, codes::BREAK_OUTSIDE, None);
                self.walk.nodes[id as usize].ends = true;
                continue;
            }
            match seq.at(&to) {
                At::Done => self.walk.nodes[id as usize].ends = true,
                At::Step(pc) if pc as usize >= code.effects.len() => {
                    self.fault(last, codes::NO_END, None);
                    self.walk.nodes[id as usize].ends = true;
                }
                next => {
                    let pc = if let At::Step(pc) = next { pc } else { last };
                    let known = match self.asked.get(pc as usize) {
                        _ if matches!(next, At::Implied(_)) => known,
                        Some(asked) => known.forget(*asked),
                        None => Known::NOTHING,
                    };
                    ways.push(self.intern((to, pc, known)));
                }
            }
        }
        ways.dedup();
        self.walk.nodes[id as usize].next = ways;
    }

    /// What a word at `pc` is about to do wrong; whether what it calls is to be followed.
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
        // A call at the end of a procedure waits for its own end first, then for the procedure's.
        if taken && (ends(conditions) || ends(loops) || control.op != CALL && ends(calls)) {
            self.fault(pc, codes::FLOW_AT_END, None);
        }
        if !held {
            return true;
        }
        let (depth, stack, rule) = match control.op {
            CALL => (sequencer::CALLS, calls, codes::CALL_DEPTH),
            IF => (sequencer::CONDITIONS, conditions, codes::IF_DEPTH),
            LOOP => (sequencer::DEPTH, loops, codes::LOOP_DEPTH),
            _ => return true,
        };
        let inside = |from: u32, to: u32| {
            let range = from..to;
            range.contains(&pc) || calls.iter().any(|c| range.contains(&(c.to - 1)))
        };
        let again = |c: &Open| c.end == control.extra && self.called(c) == control.target;
        let mut again = calls.iter().filter(|c| again(c) && inside(self.called(c), c.end));
        if control.op == CALL && again.next().is_some() {
            self.fault(pc, codes::RECURSION, None);
            return false;
        }
        let Some(first) = stack.first().filter(|_| stack.len() == depth) else { return true };
        // An entry that a jump has left behind is no loss; so is the older of two for the same block.
        if stack[1..].contains(first) && control.op != CALL {
            return true;
        }
        let begin = match control.op {
            CALL => self.called(first),
            LOOP => first.to,
            _ => self.condition(first),
        };
        if inside(begin, first.end) {
            self.fault(pc, rule, Some(begin));
        }
        true
    }

    /// The first word that a remembered call runs.
    fn called(&self, call: &Open) -> u32 {
        self.code.control(call.to.wrapping_sub(1)).target
    }

    /// The first word of a remembered condition.
    fn condition(&self, open: &Open) -> u32 {
        self.conditions.get(&(open.end, open.to)).copied().unwrap_or(0)
    }
}
