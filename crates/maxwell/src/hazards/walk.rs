//! Finds the instructions that depend on an instruction.

use crate::attr::Latency;
use crate::code::Graph;
use crate::control::Schedule;
use crate::role::{Drain, Role};
use crate::{Maxwell, Set, guard};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use shisa_rows::Insn;

/// The effect of the second of two instructions on registers of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It reads a result.
    Read,
    /// It overwrites a result.
    Overwrite,
    /// It overwrites a source.
    Source,
}

/// An instruction that depends on another, protected only by the cycles between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// What the second does.
    pub kind: Kind,
    /// The number of the first.
    pub first: usize,
    /// The number of the second.
    pub second: usize,
    /// The registers.
    pub registers: Set,
    /// The fewest cycles between the issue of both.
    pub cycles: u32,
    /// Whether a branch may be taken between them.
    pub branched: bool,
}

/// Cycles after which every result of fixed latency is available.
const LONGEST: u32 = 40;

/// The control bits of an instruction.
pub(crate) fn schedule(insn: &Insn<Maxwell>) -> Schedule {
    Schedule::of(insn.word)
}

/// The barriers that an instruction waits for, by its control bits and by itself.
pub(super) fn waits(insn: &Insn<Maxwell>) -> Drain {
    let all = schedule(insn).wait();
    match insn.form().attr.role {
        Role::Drain(of) => {
            let drain = of(&insn.word);
            Drain { all: all | drain.all, ..drain }
        }
        Role::Compute
        | Role::Copy(_)
        | Role::Memory(_)
        | Role::Barrier(_)
        | Role::ReadSpecial { .. }
        | Role::Attribute(_)
        | Role::Emit(_)
        | Role::Kill => Drain { all, most: None },
    }
}

/// The barriers that an instruction waits for by its control bits or by itself, bit n for barrier n.
pub(crate) fn waited(insn: &Insn<Maxwell>) -> u32 {
    let waits = waits(insn);
    waits.all | waits.most.map_or(0, |(barrier, _)| mask(Some(barrier)))
}

/// The barriers that signal a completion: an instruction's own, and those of later ones of its class, which finish in
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Told {
    by: u32,
    /// For each barrier how often instructions of the class raised it again since; others may finish sooner.
    again: [u8; 6],
}

impl Told {
    fn by(barrier: Option<u32>) -> Told {
        Told { by: mask(barrier), again: [0; 6] }
    }

    /// Whether completion is certain after such a wait.
    fn is_known(&self, waits: Drain) -> bool {
        let most = waits.most.is_some_and(|(barrier, left)| {
            let again = self.again.get(barrier as usize).copied().unwrap_or(0);
            self.by & mask(Some(barrier)) != 0 && again >= left
        });
        self.by & waits.all != 0 || most
    }

    /// Passes an instruction of the same class that raises barriers, one of which may signal instead.
    fn pass(&mut self, raised: u32, tells: Option<u32>) {
        for (n, again) in self.again.iter_mut().enumerate() {
            if self.by & raised & 1 << n != 0 {
                *again = again.saturating_add(1);
            }
        }
        self.by |= mask(tells);
    }

    fn join(&self, other: &Told) -> Told {
        let again = core::array::from_fn(|i| self.again[i].min(other.again[i]));
        Told { by: self.by & other.by, again }
    }
}

/// The barrier as a mask.
fn mask(barrier: Option<u32>) -> u32 {
    barrier.map_or(0, |b| 1u32.checked_shl(b).unwrap_or(0))
}

/// The state of a path: what is still to be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    cycles: u32,
    branched: bool,
    /// Whether the predicate that guarded the first instruction is unchanged.
    decided: bool,
    /// What signals that the results are there.
    written: Told,
    /// What signals that the sources have been read.
    read: Told,
    results: Set,
    sources: Set,
}

impl Pending {
    /// The combined state of two paths, or `None` if it adds nothing to the first.
    fn join(&self, other: &Pending) -> Option<Pending> {
        let joined = Pending {
            cycles: self.cycles.min(other.cycles),
            branched: self.branched || other.branched,
            decided: self.decided && other.decided,
            written: self.written.join(&other.written),
            read: self.read.join(&other.read),
            results: self.results.or(&other.results),
            sources: self.sources.or(&other.sources),
        };
        (joined != *self).then_some(joined)
    }
}

/// All dependences in a program that no barrier protects.
pub fn dependences(graph: &Graph, mut found: impl FnMut(Dependence)) {
    let mut best: BTreeMap<usize, Pending> = BTreeMap::new();
    let mut open = vec![];
    for (first, first_insn) in graph.insns() {
        let Some(own) = graph.effects(first) else { continue };
        let variable = first_insn.form().attr.latency(&first_insn.word) == Latency::Variable;
        let bits = schedule(first_insn);
        // Predicates, and all sources of fixed latency, are read at once.
        let sources = if variable { own.reads.general() } else { Set::default() };
        if own.writes.is_empty() && sources.is_empty() {
            continue;
        }
        let decided = own.guard.and(&own.writes).is_empty();
        let (written, read) = (Told::by(bits.write_barrier()), Told::by(bits.read_barrier()));
        let cycles = bits.stall();
        let start = Pending { cycles, branched: false, decided, written, read, results: own.writes, sources };
        let unit = graph.class(first);
        best.clear();
        open.clear();
        for next in graph.next(first) {
            let branched = next != first + 1;
            visit(next, Pending { branched, ..start }, &mut best, &mut open);
        }
        let mut met: BTreeMap<(usize, Kind), Dependence> = BTreeMap::new();
        while let Some(second) = open.pop() {
            let (Some(mut way), Some(insn), Some(other)) =
                (best.get(&second).copied(), graph.insn(second), graph.effects(second))
            else {
                continue;
            };
            let waits = waits(insn);
            if way.written.is_known(waits) {
                // An instruction with an available result has read its sources.
                (way.results, way.sources) = (Set::default(), Set::default());
            }
            if way.read.is_known(waits) {
                way.sources = Set::default();
            }
            let drains = graph.drains.contains(&second);
            let (read, overwritten) = match drains {
                true => (way.results, way.sources),
                false => (way.results.and(&other.reads), way.sources.and(&other.writes)),
            };
            let depends = [
                (Kind::Read, read),
                (Kind::Overwrite, way.results.and(&other.writes)),
                (Kind::Source, overwritten),
            ];
            let never = way.decided && guard::exclude(first_insn, insn);
            for (kind, registers) in depends {
                if !registers.is_empty() && !never {
                    let (cycles, branched) = (way.cycles, way.branched);
                    let new = Dependence { kind, first, second, registers, cycles, branched };
                    let old = met.entry((second, kind)).or_insert(new);
                    if new.cycles < old.cycles {
                        *old = new;
                    }
                }
            }
            // An instruction that waits for a later result of variable latency has waited for this one, whether or
            // not the later instruction ran.
            let later = insn.form().attr.latency(&insn.word) == Latency::Variable;
            if later || guard::always(insn) || way.decided && guard::follows(insn, first_insn) {
                way.results = way.results.without(&other.writes);
                way.sources = way.sources.without(&other.writes);
            }
            let bits = schedule(insn);
            if variable && graph.class(second) == unit {
                let raised = mask(bits.write_barrier()) | mask(bits.read_barrier());
                way.written.pass(raised, bits.write_barrier());
                way.read.pass(raised, bits.read_barrier());
            }
            way.decided &= own.guard.and(&other.writes).is_empty();
            // Enough time has passed.
            if way.cycles >= LONGEST && !variable {
                continue;
            }
            if way.results.is_empty() && way.sources.is_empty() {
                continue;
            }
            way.cycles = (way.cycles + schedule(insn).stall()).min(LONGEST);
            for next in graph.next(second) {
                let branched = way.branched || next != second + 1;
                visit(next, Pending { branched, ..way }, &mut best, &mut open);
            }
        }
        met.into_values().for_each(&mut found);
    }
}

/// Visits an instruction, unless it was visited with as much left to wait for.
fn visit(next: usize, way: Pending, best: &mut BTreeMap<usize, Pending>, open: &mut Vec<usize>) {
    match best.get_mut(&next) {
        None => {
            best.insert(next, way);
        }
        Some(old) => match old.join(&way) {
            Some(joined) => *old = joined,
            None => return,
        },
    }
    open.push(next);
}
