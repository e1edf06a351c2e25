//! `cargo xtask schedules`: fills in the control bits of compiled programs, and looks for uses that are closer than
//! compilers put any of their kind.

use crate::compiled::Sources;
use shisa::diag::Limits;
use shisa::maxwell::code::Graph;
use shisa::maxwell::hazards::fill;
use shisa::maxwell::{Ctx, Schedule};
use shisa_conformance::maxwell::faults::{distances, uses};
use std::error::Error;

/// Schedule compiled Maxwell programs, and check the distances between results and their readers
///
/// The distances come from compiled code, and the search for uses shares nothing with the scheduler. Fails if a use is
/// closer than any in compiled code.
#[derive(Debug, clap::Args)]
pub(crate) struct Schedules {
    #[command(flatten)]
    sources: Sources,
}

/// How close compilers put instructions.
const DISTANCES: &str = include_str!("../../crates/maxwell/src/hazards/distances.txt");
/// Number of uses that are reported.
const REPORTED: usize = 10;

impl Schedules {
    /// Schedules the programs; returns whether no use is too close.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let programs = self.sources.programs()?;
        let distances = distances(DISTANCES);
        let (mut instructions, mut pairs, mut close, mut before, mut after) = (0, 0, 0, 0, 0);
        for program in &programs {
            let ctx: Ctx<'_> = program.ctx();
            let graph = |code: &[u128]| Graph::new(code, &program.targets, ctx);
            instructions += program.code.len();
            before += stalls(&graph(&program.code));
            let mut code = program.code.clone();
            if let Err(d) = fill(&mut code, &program.targets, ctx, &Limits::default()) {
                println!("{}: {d}", program.name);
            }
            let filled = graph(&code);
            after += stalls(&filled);
            uses(&filled, |of| {
                pairs += 1;
                let Some(least) = distances.get(&of.pair).filter(|least| of.cycles < **least) else { return };
                close += 1;
                if close <= REPORTED {
                    println!("{}: {of:?}, compilers leave {least}", program.name);
                }
            });
        }
        println!("programs {} instructions {instructions} pairs {pairs} too close {close}", programs.len());
        println!("stall cycles {after}, by the compilers {before}");
        Ok(close == 0)
    }
}

/// The stall cycles of all instructions that the first one reaches.
fn stalls(graph: &Graph) -> u64 {
    let reached = graph.insns().filter(|(i, _)| graph.is_reached(*i));
    reached.map(|(_, insn)| u64::from(Schedule::of(insn.word).stall())).sum()
}
