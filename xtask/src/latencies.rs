//! `cargo xtask latencies`: how close compilers put instructions that depend on each other. What it prints is the
//! table of `shisa_maxwell::hazards`.
//!
//! The table comes from the kernels of `maxwell/ptx` and `maxwell/cuda`, the shaders of `maxwell/glsl`, and
//! `latencies/crowded.ptx` for sm_50, sm_52 and sm_53 with 16, 20 and 255 registers and without optimisation.

use crate::compiled;
use shisa::maxwell::hazards::{Graph, Pair, dependences};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

/// Measure how close compilers put instructions that depend on each other
#[derive(Debug, clap::Args)]
pub(crate) struct Latencies {
    /// Files that hold what compilers wrote for Maxwell
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Latencies {
    /// Prints the table.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let mut table: BTreeMap<Pair, (u32, u32)> = BTreeMap::new();
        let mut instructions = 0;
        for path in &self.files {
            for program in compiled::read(path)? {
                instructions += program.code.len();
                let graph = Graph::new(&program.code, &program.targets, program.ctx());
                dependences(&graph, |d| {
                    let Some(pair) = Pair::of(&graph, &d) else { return };
                    let (cycles, seen) = table.entry(pair).or_insert((u32::MAX, 0));
                    *cycles = (*cycles).min(d.cycles);
                    *seen += 1;
                });
            }
        }
        eprintln!("{instructions} instructions");
        for (Pair { kind, carrier, first, second }, (cycles, seen)) in table {
            println!("    seen({kind:?}, {carrier:?}, {first:?}, {second:?}, {cycles}, {seen}),");
        }
        Ok(())
    }
}
