//! `cargo xtask faults`: compiled programs, unchanged and with faults planted in their control bits.

use crate::compiled::{Compiled, Sources};
use shisa::diag::Limits;
use shisa::diag::Severity;
use shisa::maxwell::Options;
use shisa::maxwell::code::Graph;
use shisa::maxwell::hazards::{Finding, check};
use shisa_conformance::maxwell::faults::{Change, Fault, Planter};
use shisa_fuzz_targets::Random;
use std::error::Error;

/// Number of missed faults that are reported for each kind.
const REPORTED: usize = 5;

/// Plant faults in compiled Maxwell programs, and count which of them the check finds
///
/// A fault is found if a finding names its instructions. Fails if more than one in a hundred is not found, or if
/// anything is found in unchanged code.
#[derive(Debug, clap::Args)]
pub(crate) struct Faults {
    #[command(flatten)]
    sources: Sources,
    /// The number of faults, of all kinds together
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Faults {
    /// Plants the faults; returns whether the check passes.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let programs = self.sources.programs()?;
        let instructions: usize = programs.iter().map(|p| p.code.len()).sum();
        let mut false_alarms = 0;
        for program in &programs {
            let found = findings(program, &program.code);
            found.iter().for_each(|f| println!("{}: {}", program.name, f.diagnostic));
            false_alarms += found.len();
        }
        println!("programs {} instructions {instructions} findings {false_alarms}", programs.len());
        let mut held = false_alarms == 0;
        let (mut made, mut found) = (0, 0);
        // Kinds with few locations get fewer faults, and the other kinds get more.
        let graphs: Vec<Graph> = programs.iter().map(|p| graph(p, &p.code)).collect();
        let planter = Planter::new(&graphs);
        let mut kinds = Fault::ALL.map(|fault| (fault, locations(fault, &planter, &graphs)));
        kinds.sort_by_key(|(_, locations)| locations.len());
        let mut left = Fault::ALL.len();
        for (fault, locations) in kinds {
            let counts = self.put(fault, locations, (self.count - made).div_ceil(left), &programs);
            left -= 1;
            println!("{} made {} found {}", fault.name(), counts.0, counts.1);
            held &= counts.0 > 0 && counts.1 * 100 >= counts.0 * 99;
            (made, found) = (made + counts.0, found + counts.1);
        }
        println!("faults {made} found {found} seed {}", self.seed);
        Ok(held)
    }

    /// Plants one kind of fault at random locations; returns how many, and how many of them are found.
    fn put(
        &self,
        fault: Fault,
        mut all: Vec<(usize, Change)>,
        count: usize,
        programs: &[Compiled],
    ) -> (usize, usize) {
        let mut random = Random::new(self.seed);
        let (mut made, mut found) = (0, 0);
        while made < count && !all.is_empty() {
            let (n, change) = all.swap_remove(random.below(all.len()));
            let program = &programs[n];
            let mut code = program.code.clone();
            code[change.insn] = change.word;
            made += 1;
            if findings(program, &code).iter().any(|f| change.is_named(f)) {
                found += 1;
            } else if made - found <= REPORTED {
                let graph = graph(program, &program.code);
                let name = |i: usize| graph.insn(i).map_or("", |insn| insn.form().name);
                let (first, second) = (name(change.first), change.second.map_or("", name));
                println!("{} not found: {} {first} {second} {change:?}", fault.name(), program.name);
            }
        }
        (made, found)
    }
}

/// The numbers of programs with a change that plants the fault, one entry for each location.
fn locations(fault: Fault, planter: &Planter, graphs: &[Graph]) -> Vec<(usize, Change)> {
    let changes = graphs.iter().map(|graph| planter.changes(fault, graph));
    (0..).zip(changes).flat_map(|(n, list)| list.into_iter().map(move |c| (n, c))).collect()
}

fn graph(program: &Compiled, code: &[u128]) -> Graph {
    Graph::new(code, &program.targets, program.ctx())
}

/// The findings about code that are more than notes.
fn findings(program: &Compiled, code: &[u128]) -> Vec<Finding> {
    let mut all = Vec::new();
    check(&graph(program, code), Options::DEFAULT, &Limits::default(), |f| all.push(f));
    all.retain(|f| f.diagnostic.severity > Severity::Note);
    all
}
