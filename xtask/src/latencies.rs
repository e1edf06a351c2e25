//! `cargo xtask latencies`: how close compilers put instructions that depend on each other. What it prints is the
//! table of `shisa_maxwell::hazards`.
//!
//! The table comes from the kernels of `maxwell/ptx` and `maxwell/cuda`, the shaders of `maxwell/glsl`, and
//! `latencies/crowded.ptx` for sm_50, sm_52 and sm_53 with 16, 20 and 255 registers and without optimisation.

use shisa::diag::Limits;
use shisa::maxwell::container::{Container, Image};
use shisa::maxwell::hazards::{Graph, Pair, dependences};
use shisa::maxwell::{Ctx, bundle};
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
            let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let limits = Limits::default();
            let container = Container::sniff(&bytes, &limits).unwrap_or(Container::Bundles);
            let image = Image::read_as(&bytes, container, &limits);
            let image = image.map_err(|found| format!("{}: {found:?}", path.display()))?;
            for (i, program) in image.programs.iter().enumerate() {
                let bundles = image.code(i).chunks_exact(bundle::BUNDLE_BYTES);
                let code: Vec<u128> = bundles.map(bundle::words).flat_map(bundle::fuse).collect();
                instructions += code.len();
                let ctx = Ctx { chip: program.chip.unwrap_or_default(), ..Ctx::default() };
                let graph = Graph::new(&code, ctx);
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
