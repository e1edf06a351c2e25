//! Following what depends on an instruction.

use super::{Effects, Graph, Set, effects};
use crate::Maxwell;
use crate::attr::Latency;
use crate::control::Schedule;
use alloc::{collections::BTreeMap, vec, vec::Vec};
use shisa_rows::{Field, Insn};

/// What the second of two instructions does to registers of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It reads a result.
    Read,
    /// It overwrites a result.
    Overwrite,
    /// It overwrites a source.
    Source,
}

/// An instruction that depends on another, which nothing makes wait but the cycles between them.
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

/// Cycles behind which every result of fixed latency is there.
const LONGEST: u32 = 40;

/// The control bits of an instruction.
pub(crate) fn schedule(insn: &Insn<Maxwell>) -> Schedule {
    Schedule((insn.word >> 64) as u32 & 0x1_ffff)
}

/// The barriers that an instruction waits for, by its control bits or as `DEPBAR`; bit n for barrier n.
pub(crate) fn waits(insn: &Insn<Maxwell>) -> u32 {
    let mut mask = schedule(insn).wait();
    if insn.form().name == "DEPBAR" {
        mask |= Field::at(0, 6).get(&insn.word) as u32;
        // All but a number of what the barrier was raised for.
        let (less, left) = (Field::at(29, 1).get(&insn.word), Field::at(20, 6).get(&insn.word));
        if less != 0 && left == 0 {
            mask |= 1 << Field::at(26, 3).get(&insn.word);
        }
    }
    mask
}

/// What is still to be waited for on a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    cycles: u32,
    branched: bool,
    results: Set,
    sources: Set,
}

impl Pending {
    /// What both ways together leave, or `None` if that is no more than the first.
    fn join(&self, other: &Pending) -> Option<Pending> {
        let joined = Pending {
            cycles: self.cycles.min(other.cycles),
            branched: self.branched || other.branched,
            results: self.results.or(&other.results),
            sources: self.sources.or(&other.sources),
        };
        (joined != *self).then_some(joined)
    }
}

/// Everything in a program that depends on something and is not made to wait by a barrier, with what each
/// instruction reads and writes.
pub fn dependences(graph: &Graph, mut found: impl FnMut(Dependence)) {
    let all: Vec<Effects> = graph.insns.iter().map(|i| i.as_ref().map(effects).unwrap_or_default()).collect();
    let mut best: BTreeMap<usize, Pending> = BTreeMap::new();
    let mut open = vec![];
    for (first, insn) in graph.insns.iter().enumerate() {
        let (Some(insn), Some(own)) = (insn, all.get(first)) else { continue };
        let variable = insn.form().attr.of(&insn.word).latency == Latency::Variable;
        let bits = schedule(insn);
        // Sources of fixed latency are read at once.
        let sources = if variable { own.reads.without(&own.guard) } else { Set::default() };
        if own.writes.is_empty() && sources.is_empty() {
            continue;
        }
        let start = Pending { cycles: bits.stall(), branched: false, results: own.writes, sources };
        best.clear();
        open.clear();
        for next in graph.next(first) {
            let branched = next != first + 1;
            visit(next, Pending { branched, ..start }, &mut best, &mut open);
        }
        let mut met: BTreeMap<(usize, Kind), Dependence> = BTreeMap::new();
        while let Some(second) = open.pop() {
            let (Some(mut way), Some(Some(insn)), Some(other)) =
                (best.get(&second).copied(), graph.insns.get(second), all.get(second))
            else {
                continue;
            };
            let waits = waits(insn);
            let done = |barrier: Option<u32>| barrier.is_some_and(|b| waits >> b & 1 != 0);
            if done(bits.write_barrier()) {
                // What has its result has read its sources.
                (way.results, way.sources) = (Set::default(), Set::default());
            }
            if done(bits.read_barrier()) {
                way.sources = Set::default();
            }
            let depends = [
                (Kind::Read, way.results.and(&other.reads)),
                (Kind::Overwrite, way.results.and(&other.writes)),
                (Kind::Source, way.sources.and(&other.writes)),
            ];
            for (kind, registers) in depends {
                if !registers.is_empty() {
                    let (cycles, branched) = (way.cycles, way.branched);
                    let new = Dependence { kind, first, second, registers, cycles, branched };
                    let old = met.entry((second, kind)).or_insert(new);
                    if new.cycles < old.cycles {
                        *old = new;
                    }
                }
            }
            way.results = way.results.without(&other.writes);
            way.sources = way.sources.without(&other.writes);
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

/// Goes to an instruction, unless that has been done with as much left.
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
