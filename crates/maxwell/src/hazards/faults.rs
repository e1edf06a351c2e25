//! Plants faults to test the check: changes of control bits after which correct code does not wait long enough.
//!
//! A change that instructions finishing in order make harmless is not a fault: an instruction that waits for a later
//! instruction of the class has waited for the earlier one. Faults are searched along straight-line code, without the
//! code that finds them; only for stall cycles the bounds state where they are just enough.

use super::walk::{schedule, waited};
use super::{Finding, Kind, Pair, bound, dependences};
use crate::class::Class;
use crate::code::Graph;
use crate::control::{Schedule, reuse_flag};
use crate::{Maxwell, Set};
use alloc::vec::Vec;
use shisa_rows::Insn;
use shisa_rows::code::RegisterSet;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is one stall cycle less than a result needs.
    Stall,
    /// A result's barrier is not raised.
    Barrier,
    /// The instruction that needs a result does not wait for its barrier.
    Wait,
    /// The barrier that protects a source from being overwritten is not raised.
    ReadBarrier,
    /// A source that the instruction overwrites stays in the operand cache.
    Reuse,
}

/// The number of instructions after one that are searched for its fault.
const NEAR: usize = 64;

/// One change that plants a fault in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the instruction that changes.
    pub insn: usize,
    /// The new word.
    pub word: u128,
    /// The number of the instruction that is not waited for, or that overwrites its cached source.
    pub first: usize,
    /// The number of the one that does not wait, if there is one.
    pub second: Option<usize>,
}

impl Change {
    /// Whether a finding is about the instructions of the change.
    pub fn is_named(&self, finding: &Finding) -> bool {
        let both = (Some(finding.insn), finding.other);
        both == (Some(self.first), self.second) || both == (self.second, Some(self.first))
    }
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 5] = [Fault::Stall, Fault::Barrier, Fault::Wait, Fault::ReadBarrier, Fault::Reuse];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Stall => "stall",
            Fault::Barrier => "barrier",
            Fault::Wait => "wait",
            Fault::ReadBarrier => "read-barrier",
            Fault::Reuse => "reuse",
        }
    }

    /// All changes that plant the fault in correct code.
    pub fn changes(self, graph: &Graph) -> Vec<Change> {
        match self {
            Fault::Stall => stalls(graph),
            Fault::Barrier => results(graph, |i, _, _| (i, Schedule::NO_WRITE_BARRIER, 0)),
            Fault::Wait => results(graph, |_, j, barrier| (j, 0, Schedule::waiting(barrier))),
            Fault::ReadBarrier => sources(graph),
            Fault::Reuse => reuses(graph),
        }
    }
}

/// An instruction's word with some control bits set and others cleared.
fn word(graph: &Graph, i: usize, set: u32, unset: u32) -> Option<u128> {
    let word = graph.insn(i)?.word;
    Some((word | u128::from(set) << 64) & !(u128::from(unset) << 64))
}

/// Results that are used after just enough cycles.
fn stalls(graph: &Graph) -> Vec<Change> {
    let mut all = Vec::new();
    dependences(graph, |d| {
        let enough = Pair::of(graph, &d).and_then(bound).map(|b| b.cycles);
        if d.kind != Kind::Read || enough != Some(d.cycles) || d.branched || d.second <= d.first {
            return;
        }
        let stall = |i: usize| graph.insn(i).map(|insn| schedule(insn).stall());
        let last = (d.first..d.second).rev().find_map(|i| Some((i, stall(i).filter(|s| *s > 0)?)));
        let Some((insn, stall)) = last else { return };
        if let Some(word) = word(graph, insn, stall - 1, 15 & !(stall - 1)) {
            all.push(Change { insn, word, first: d.first, second: Some(d.second) });
        }
    });
    all
}

/// An instruction, and a later one in the same straight-line code.
struct Pass {
    first: usize,
    /// The barrier that the first raises with its result.
    written: Option<u32>,
    /// The barrier that it raises when its sources are read.
    read: Option<u32>,
    second: usize,
    /// The barriers that the second waits for.
    waited: u32,
    /// Whether the second waits for the results, or for the sources, of a later instruction of the first one's class.
    covered: [bool; 2],
}

/// A change: an instruction, the control bits to set, and those to clear.
type Bits = (usize, u32, u32);

impl Pass {
    fn waits(&self, barrier: u32) -> bool {
        self.waited >> barrier & 1 != 0
    }
}

/// Results whose first reader is the first to wait for their barrier.
fn results(graph: &Graph, change: impl Fn(usize, usize, u32) -> Bits) -> Vec<Change> {
    straight(graph, |pass| {
        let barrier = pass.written.filter(|_| !pass.covered[0])?;
        let (made, other) = (graph.effects(pass.first)?.writes, graph.effects(pass.second)?);
        let reads = !other.reads.and(&made).is_empty();
        let waits = pass.waits(barrier);
        let done = reads || waits || !other.writes.and(&made).is_empty();
        Some((done, (reads && waits).then(|| change(pass.first, pass.second, barrier))))
    })
}

/// Sources whose read barrier alone makes the first overwriting instruction wait. Within a class sources are read in
/// order, and those of shared memory soon.
fn sources(graph: &Graph) -> Vec<Change> {
    straight(graph, |pass| {
        let barrier = pass.read.filter(|_| pass.covered == [false; 2])?;
        let (own, other) = (graph.effects(pass.first)?, graph.effects(pass.second)?);
        let (class, later) = (graph.class(pass.first)?, graph.class(pass.second)?);
        let overwrites = !other.writes.and(&own.reads.general()).is_empty();
        let late = class != later && class != Class::Shared;
        let there = pass.written.is_some_and(|b| pass.waits(b));
        let waits = pass.waits(barrier);
        let fault = overwrites && late && waits && !there;
        Some((overwrites || there || waits, fault.then_some((pass.first, Schedule::NO_READ_BARRIER, 0))))
    })
}

/// Calls `visit` with each instruction and each of those that follow it without a branch, until it is done, one of
/// its barriers is raised again, or control may go elsewhere.
fn straight(graph: &Graph, visit: impl Fn(&Pass) -> Option<(bool, Option<Bits>)>) -> Vec<Change> {
    let mut all = Vec::new();
    let bits = |i: usize| graph.insn(i).map(|insn| (schedule(insn), waited(insn)));
    for first in 0..graph.len() {
        let Some((own, _)) = bits(first) else { continue };
        let (written, read) = (own.write_barrier(), own.read_barrier());
        // What later instructions of its class raise, with their results and their sources.
        let mut later = [0u32; 2];
        for second in (first + 1..graph.len()).take(NEAR) {
            let Some((other, waited)) = bits(second) else { break };
            let covered = later.map(|mask| mask & waited != 0);
            let Some((done, change)) = visit(&Pass { first, written, read, second, waited, covered }) else {
                break;
            };
            if let Some((insn, set, unset)) = change
                && let Some(word) = word(graph, insn, set, unset)
            {
                all.push(Change { insn, word, first, second: Some(second) });
            }
            let raised = [other.write_barrier(), other.read_barrier()];
            let again = raised.iter().any(|b| b.is_some() && [written, read].contains(b));
            if done || again || graph.next(second).ne([second + 1]) {
                break;
            }
            if graph.class(first) == graph.class(second) {
                let masks = raised.map(|b| b.map_or(0, |b| 1u32 << b));
                later = [later[0] | masks[0], later[1] | masks[1]];
            }
        }
    }
    all
}

/// Arithmetic that overwrites a source that may stay in the operand cache.
fn reuses(graph: &Graph) -> Vec<Change> {
    let change = |(i, insn): (usize, &Insn<Maxwell>)| {
        let flag = insn.form().operands.iter().find_map(|op| {
            let flag = reuse_flag(op)?;
            let mut named = Set::default();
            RegisterSet::insert(&mut named, &op.kind.registers(op, insn)?);
            (!named.and(&graph.effects(i)?.writes).is_empty()).then_some(flag)
        })?;
        let fresh = insn.word & flag == 0;
        fresh.then_some(Change { insn: i, word: insn.word | flag, first: i, second: None })
    };
    graph.insns().filter_map(change).collect()
}
