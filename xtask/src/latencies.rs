//! `cargo xtask latencies`: measures the distances between dependent instructions in compiled code, on which the
//! bounds of `shisa_maxwell::hazards` and the rows' `reads` rest.

use crate::compiled::Sources;
use shisa::maxwell::Maxwell;
use shisa::maxwell::code::Graph;
use shisa::maxwell::hazards::{Dependence, Kind, SURE, dependences};
use shisa::rows::Insn;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

/// Measure the distances between dependent instructions in compiled code
///
/// Prints a line for each kind of pair: what the second instruction does, the carrier, the first and the second
/// instruction, the smallest distance in cycles, how often the pair was seen, and how often at the smallest distance.
/// For results of fixed latency the first instruction is left out, since all of them have the same latency. Then
/// compares the table of distances of `shisa_maxwell::hazards` with what was measured, and fails if compilers leave
/// fewer cycles than the table states.
#[derive(Debug, clap::Args)]
pub(crate) struct Latencies {
    #[command(flatten)]
    sources: Sources,
    /// Name the first instruction of each pair, too
    #[arg(long)]
    pairs: bool,
}

/// The steps that the search in one program may take.
const FUEL: u64 = 1 << 32;

/// A kind of pair.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    kind: Kind,
    carrier: &'static str,
    first: String,
    second: String,
}

/// The distances of a kind of pair.
#[derive(Default)]
struct Distances {
    /// Number of pairs, by distance.
    by_cycles: BTreeMap<u32, u32>,
}

impl Latencies {
    /// Prints the table; returns whether the table of distances agrees.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let mut table: BTreeMap<Pair, Distances> = BTreeMap::new();
        let mut fixed: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
        let mut instructions = 0;
        for program in self.sources.programs()? {
            instructions += program.code.len();
            let graph = Graph::new(&program.code, &program.targets, program.ctx());
            let searched = dependences(&graph, FUEL, |d| {
                if let Some(reader) = reader(&graph, &d) {
                    let (least, seen) = fixed.entry(reader).or_insert((u32::MAX, 0));
                    (*least, *seen) = (d.cycles.min(*least), *seen + 1);
                }
                if let Some(pair) = self.pair(&graph, &d) {
                    *table.entry(pair).or_default().by_cycles.entry(d.cycles).or_default() += 1;
                }
            });
            if searched.is_err() {
                eprintln!("{}: too many steps", program.name);
            }
        }
        eprintln!("{instructions} instructions");
        for (pair, distances) in table {
            println!("{:?} {} {} {} {distances}", pair.kind, pair.carrier, pair.first, pair.second);
        }
        Ok(agrees(&fixed))
    }

    /// The kind of a pair; none for what needs no wait.
    fn pair(&self, graph: &Graph, d: &Dependence) -> Option<Pair> {
        let (first, second) = (graph.insn(d.first)?, graph.insn(d.second)?);
        let slow = |insn: &Insn<Maxwell>| insn.form().attr.is_variable(&insn.word);
        if !slow(first) && d.kind != Kind::Read {
            return None;
        }
        let carrier = carrier(d);
        let class = |insn: &Insn<Maxwell>| insn.form().attr.class(&insn.word).name();
        let (first, second) = match (self.pairs, slow(first)) {
            (true, _) => (first.form().name, second.form().name),
            (false, true) => (class(first), class(second)),
            (false, false) => ("fixed", second.form().name),
        };
        Some(Pair { kind: d.kind, carrier, first: first.into(), second: second.into() })
    }
}

fn carrier(d: &Dependence) -> &'static str {
    match () {
        () if d.registers.has_predicates() => "predicate",
        () if d.registers.has_codes() => "codes",
        () => "general",
    }
}

/// What carries a result of fixed latency, and the mnemonic that reads it.
fn reader(graph: &Graph, d: &Dependence) -> Option<(&'static str, &'static str)> {
    let (first, second) = (graph.insn(d.first)?, graph.insn(d.second)?);
    let fixed = d.kind == Kind::Read && !first.form().attr.is_variable(&first.word);
    fixed.then_some((carrier(d), second.form().name))
}

/// How close compilers put a result and its reader, from lines `carrier reader cycles seen`.
const DISTANCES: &str = include_str!("../../crates/maxwell/src/hazards/distances.txt");
/// The number of pairs that a line of the table rests on.
const ENOUGH: u32 = 100;

/// Compares the table of distances with measured ones; returns whether none is shorter than in the table.
fn agrees(measured: &BTreeMap<(&str, &str), (u32, u32)>) -> bool {
    let line = |line: &'static str| {
        let [carrier, reader, cycles, _] = <[&str; 4]>::try_from(line.split(' ').collect::<Vec<_>>()).ok()?;
        Some(((carrier, reader), cycles.parse().ok()?))
    };
    let table: BTreeMap<(&str, &str), u32> =
        DISTANCES.lines().filter(|line| !line.starts_with('#')).filter_map(line).collect();
    let (mut shorter, mut equal, mut longer) = (0, 0, 0);
    for ((carrier, reader), (least, seen)) in measured {
        match table.get(&(*carrier, *reader)) {
            Some(known) if least < known => {
                eprintln!("{carrier} {reader}: {least}, the table has {known}");
                shorter += 1;
            }
            Some(known) if least == known => equal += 1,
            Some(_) => longer += 1,
            None if *seen >= ENOUGH && *least < SURE => {
                eprintln!("{carrier} {reader}: {least}, seen {seen} times, is not in the table");
            }
            None => {}
        }
    }
    eprintln!("distances: {equal} equal, {longer} longer, {shorter} shorter than in the table");
    shorter == 0
}

impl fmt::Display for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen: u32 = self.by_cycles.values().sum();
        match self.by_cycles.first_key_value() {
            Some((least, times)) => write!(f, "{least} {seen} {times}"),
            None => Ok(()),
        }
    }
}
