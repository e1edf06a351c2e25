//! Plants faults in the control bits of compiled code: changes after which it does not wait long enough.
//!
//! The faults come from the code alone. A result of fixed latency loses a cycle where an instruction uses it at the
//! smallest distance that the same code ever has for instructions of that name; a result of variable latency loses the
//! barrier, or the wait, that its first reader relies on. Everything is searched along straight code. Nothing here
//! knows the bounds of the check that the faults test.

use shisa::maxwell::class::Class;
use shisa::maxwell::code::Graph;
use shisa::maxwell::hazards::Finding;
use shisa::maxwell::role::Role;
use shisa::maxwell::{Maxwell, Set};
use shisa::rows::Insn;
use shisa::rows::code::RegisterSet;
use std::collections::BTreeMap;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is one stall cycle less than compilers leave before a use.
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
}

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

/// The number of instructions after one that are searched.
const NEAR: usize = 64;
/// Cycles after which no result of fixed latency is missing.
const FAR: u32 = 15;
/// The number of pairs that make a smallest distance one to rely on.
const ENOUGH: u32 = 100;

/// The control bits of an instruction, by their position in the word.
#[derive(Clone, Copy)]
struct Control(u32);

impl Control {
    fn of(insn: &Insn<Maxwell>) -> Control {
        Control((insn.word >> 64) as u32)
    }

    fn stall(self) -> u32 {
        self.0 & 15
    }

    /// The barriers raised with the result and when the sources have been read.
    fn raised(self) -> [Option<u32>; 2] {
        [5, 8].map(|lo| Some(self.0 >> lo & 7).filter(|b| *b != 7))
    }

    fn waits_for(self, barrier: u32) -> bool {
        self.0 >> (11 + barrier) & 1 != 0
    }
}

/// What a pair of a result and its reader is about: the kind of register, and the reader's name.
pub type Pair = (&'static str, &'static str);

/// Plants faults in programs of the same origin.
#[derive(Clone, Debug, Default)]
pub struct Planter {
    /// The smallest distance of each kind of pair, and the number of pairs.
    least: BTreeMap<Pair, (u32, u32)>,
    /// For each carrier the smallest distance at which arithmetic reads. Compilers leave some other readers more out of
    /// habit, and a cycle less is no fault there.
    arithmetic: BTreeMap<&'static str, u32>,
}

impl Planter {
    /// Measures distances in programs.
    pub fn new<'g>(programs: impl IntoIterator<Item = &'g Graph>) -> Planter {
        let mut least: BTreeMap<Pair, (u32, u32)> = BTreeMap::new();
        let mut arithmetic = BTreeMap::new();
        for graph in programs {
            uses(graph, |of| {
                let (cycles, seen) = least.entry(of.pair).or_insert((u32::MAX, 0));
                *cycles = of.cycles.min(*cycles);
                *seen += 1;
                if graph.insn(of.second).is_some_and(|insn| !is_slow(insn)) {
                    let least = arithmetic.entry(of.pair.0).or_insert(u32::MAX);
                    *least = of.cycles.min(*least);
                }
            });
        }
        Planter { least, arithmetic }
    }

    /// All changes that plant a fault in one of the programs.
    pub fn changes(&self, fault: Fault, graph: &Graph) -> Vec<Change> {
        match fault {
            Fault::Stall => self.stalls(graph),
            Fault::Barrier => results(graph, |pass, _| (pass.first, 7 << 5, 0)),
            Fault::Wait => results(graph, |pass, barrier| (pass.second, 0, 1 << (11 + barrier))),
            Fault::ReadBarrier => sources(graph),
            Fault::Reuse => reuses(graph),
        }
    }

    /// Results that are used at the smallest distance.
    fn stalls(&self, graph: &Graph) -> Vec<Change> {
        let mut all = Vec::new();
        uses(graph, |of| {
            let needed = self.arithmetic.get(of.pair.0).is_some_and(|needed| of.cycles <= *needed);
            let least = self.least.get(&of.pair);
            let tight = needed && least.is_some_and(|(least, seen)| *least == of.cycles && *seen >= ENOUGH);
            let stall = |i: usize| graph.insn(i).map_or(0, |insn| Control::of(insn).stall());
            let last = (of.first..of.second).rev().find(|i| stall(*i) > 1).filter(|_| tight);
            let Some(insn) = last else { return };
            if let Some(word) = word(graph, insn, stall(insn) - 1, 15) {
                all.push(Change { insn, word, first: of.first, second: Some(of.second) });
            }
        });
        all
    }
}

/// An instruction's word with some control bits cleared and others then set.
fn word(graph: &Graph, i: usize, set: u32, clear: u32) -> Option<u128> {
    Some(graph.insn(i)?.word & !(u128::from(clear) << 64) | u128::from(set) << 64)
}

/// A use of a result of fixed latency.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// What it is about.
    pub pair: Pair,
    /// The number of the instruction that writes the result.
    pub first: usize,
    /// The number of the one that reads it.
    pub second: usize,
    /// The cycles between both.
    pub cycles: u32,
}

fn is_slow(insn: &Insn<Maxwell>) -> bool {
    insn.form().attr.is_variable(&insn.word)
}

/// The first use, along straight code, of each result of fixed latency that is certainly written.
pub fn uses(graph: &Graph, mut found: impl FnMut(Use)) {
    for (first, insn) in graph.insns() {
        let Some(own) = graph.effects(first) else { continue };
        if is_slow(insn) || own.writes.is_empty() || !own.guard.is_empty() {
            continue;
        }
        let mut cycles = Control::of(insn).stall();
        let mut left = own.writes;
        for second in first + 1..graph.len() {
            let (Some(insn), Some(other)) = (graph.insn(second), graph.effects(second)) else { break };
            if cycles >= FAR || graph.next(second - 1).ne([second]) {
                break;
            }
            let read = left.and(&other.reads);
            if !read.is_empty() {
                let carrier = match () {
                    () if read.has_predicates() => "predicate",
                    () if read.has_codes() => "codes",
                    () => "general",
                };
                found(Use { pair: (carrier, insn.form().name), first, second, cycles });
                break;
            }
            left = left.without(&other.writes);
            cycles += Control::of(insn).stall();
        }
    }
}

/// An instruction, and a later one in the same straight code.
struct Pass {
    first: usize,
    /// The barriers that the first raises with its result and after it has read its sources.
    raised: [Option<u32>; 2],
    second: usize,
    control: Control,
    /// Whether the second waits for the results, or for the sources, of a later instruction of the first one's class.
    covered: [bool; 2],
}

/// A change: an instruction, the control bits to set, and those to clear.
type Bits = (usize, u32, u32);

/// Results whose first reader is the first to wait for their barrier.
fn results(graph: &Graph, change: impl Fn(&Pass, u32) -> Bits) -> Vec<Change> {
    straight(graph, |pass| {
        let barrier = pass.raised[0].filter(|_| !pass.covered[0])?;
        let (made, other) = (graph.effects(pass.first)?.writes, graph.effects(pass.second)?);
        let reads = !other.reads.and(&made).is_empty();
        let waits = pass.control.waits_for(barrier);
        let done = reads || waits || !other.writes.and(&made).is_empty();
        Some((done, (reads && waits).then(|| change(pass, barrier))))
    })
}

/// Sources whose read barrier alone makes the first overwriting instruction wait. Within a class sources are read in
/// order, and a barrier of the workgroup waits for those of shared memory.
fn sources(graph: &Graph) -> Vec<Change> {
    straight(graph, |pass| {
        let barrier = pass.raised[1].filter(|_| pass.covered == [false; 2])?;
        let (own, other) = (graph.effects(pass.first)?, graph.effects(pass.second)?);
        let (class, later) = (graph.class(pass.first)?, graph.class(pass.second)?);
        let overwrites = !other.writes.and(&own.reads.general()).is_empty();
        let available = pass.raised[0].is_some_and(|b| pass.control.waits_for(b));
        let workgroup =
            graph.insn(pass.second).is_some_and(|i| matches!(i.form().attr.role, Role::Barrier(_)));
        let waits = pass.control.waits_for(barrier);
        let fault = overwrites && class != later && waits && !available;
        let done = overwrites || available || waits || workgroup && class == Class::Shared;
        Some((done, fault.then_some((pass.first, 7 << 8, 0))))
    })
}

/// Calls `visit` with each instruction and each of those that follow it without a branch, until it is done, one of
/// its barriers is raised again, or control may go elsewhere.
fn straight(graph: &Graph, visit: impl Fn(&Pass) -> Option<(bool, Option<Bits>)>) -> Vec<Change> {
    let mut all = Vec::new();
    for (first, insn) in graph.insns() {
        let raised = Control::of(insn).raised();
        // What later instructions of its class raise, with their results and their sources.
        let mut later: [Vec<u32>; 2] = Default::default();
        for second in (first + 1..graph.len()).take(NEAR) {
            let Some(other) = graph.insn(second) else { break };
            let control = Control::of(other);
            let covered = [0, 1].map(|n| later[n].iter().any(|b| control.waits_for(*b)));
            let Some((done, change)) = visit(&Pass { first, raised, second, control, covered }) else {
                break;
            };
            if let Some((insn, set, clear)) = change
                && let Some(word) = word(graph, insn, set, clear)
            {
                all.push(Change { insn, word, first, second: Some(second) });
            }
            let again = control.raised().iter().any(|b| b.is_some() && raised.contains(b));
            if done || again || graph.next(second).ne([second + 1]) {
                break;
            }
            if graph.class(first) == graph.class(second) {
                for (list, barrier) in later.iter_mut().zip(control.raised()) {
                    list.extend(barrier);
                }
            }
        }
    }
    all
}

/// The lowest of the reuse flags.
const REUSE: u8 = 64 + 17;

/// Arithmetic that overwrites a source that may stay in the operand cache.
fn reuses(graph: &Graph) -> Vec<Change> {
    let change = |(i, insn): (usize, &Insn<Maxwell>)| {
        let flag = insn.form().operands.iter().find_map(|op| {
            let (lo, _) = op.field.runs().iter().find(|(lo, width)| *lo >= REUSE && *width == 1)?;
            let mut named = Set::default();
            RegisterSet::insert(&mut named, &op.kind.registers(op, insn)?);
            (!named.and(&graph.effects(i)?.writes).is_empty()).then_some(1u128 << lo)
        })?;
        let fresh = insn.word & flag == 0;
        fresh.then_some(Change { insn: i, word: insn.word | flag, first: i, second: None })
    };
    graph.insns().filter_map(change).collect()
}
