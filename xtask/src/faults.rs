//! `cargo xtask faults`: what compilers wrote, untouched and with faults put into its control bits.

use crate::compiled::{Compiled, kernels, read, shaders};
use shisa::diag::Severity;
use shisa::maxwell::code::Graph;
use shisa::maxwell::hazards::faults::{Change, Fault};
use shisa::maxwell::hazards::{Finding, check};
use shisa_fuzz_targets::Random;
use std::error::Error;
use std::path::PathBuf;

/// Faults not found that are told of each kind.
const TOLD: usize = 5;

/// Put faults into what compilers wrote for Maxwell, and count which of them the check finds
///
/// A fault counts as found if a finding names the very instructions that it is about. Fails when more than
/// one of a hundred is not found, or anything is found in untouched code.
#[derive(Debug, clap::Args)]
pub(crate) struct Faults {
    /// Files that hold what compilers wrote, packed by zstd or not; without any the kernels and shaders of the
    /// conformance data
    files: Vec<PathBuf>,
    /// Where the conformance data lies
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
    /// How many faults, of all kinds together
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Faults {
    /// Puts them in; whether the check holds.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let mut programs = Vec::new();
        for path in &self.files {
            programs.extend(read(path)?);
        }
        if self.files.is_empty() {
            programs.extend(kernels(&self.dir)?);
            programs.extend(shaders(&self.dir)?);
        }
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
        // Of kinds that can be put in few places there are fewer, and more of the others.
        let mut kinds = Fault::ALL.map(|fault| (fault, places(fault, &programs)));
        kinds.sort_by_key(|(_, places)| places.len());
        let mut left = Fault::ALL.len();
        for (fault, places) in kinds {
            let counts = self.put(fault, places, (self.count - made).div_ceil(left), &programs);
            left -= 1;
            println!("{} made {} found {}", fault.name(), counts.0, counts.1);
            held &= counts.0 > 0 && counts.1 * 100 >= counts.0 * 99;
            (made, found) = (made + counts.0, found + counts.1);
        }
        println!("faults {made} found {found} seed {}", self.seed);
        Ok(held)
    }

    /// Puts one kind of fault into some of its places, which chance picks; how many, and how many of them are
    /// found.
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
            } else if made - found <= TOLD {
                println!("{} not found: {} {change:?}", fault.name(), program.name);
            }
        }
        (made, found)
    }
}

/// The numbers of programs, each as often as there are ways to put a fault in, with these.
fn places(fault: Fault, programs: &[Compiled]) -> Vec<(usize, Change)> {
    let changes = programs.iter().map(|p| fault.changes(&graph(p, &p.code)));
    (0..).zip(changes).flat_map(|(n, list)| list.into_iter().map(move |c| (n, c))).collect()
}

fn graph(program: &Compiled, code: &[u128]) -> Graph {
    Graph::new(code, &program.targets, program.ctx())
}

/// What is found in code that is more than a note.
fn findings(program: &Compiled, code: &[u128]) -> Vec<Finding> {
    let mut all = Vec::new();
    check(&graph(program, code), |f| all.push(f));
    all.retain(|f| f.diagnostic.severity > Severity::Note);
    all
}
