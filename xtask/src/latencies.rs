//! `cargo xtask latencies`: measures the distances between dependent instructions in compiled code. Prints the table
//! of `shisa_maxwell::hazards`, or, with `--pairs`, the smallest distances of pairs of mnemonics, which test that
//! table.
//!
//! The table comes from the kernels of `maxwell/ptx` and `maxwell/cuda`, the shaders of `maxwell/glsl`, and
//! `latencies/crowded.ptx` for sm_50, sm_52 and sm_53 with 16, 20 and 255 registers and without optimisation. The
//! pairs of `crates/maxwell/src/hazards/distances.txt` come from the cubins of `maxwell/ptx`.

use crate::compiled::{self, Compiled};
use shisa::maxwell::code::Graph;
use shisa::maxwell::hazards::{Dependence, Kind, Pair, dependences};
use shisa::maxwell::{Latency, Maxwell};
use shisa::rows::Insn;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

/// Measure the distances between dependent instructions in compiled code
#[derive(Debug, clap::Args)]
pub(crate) struct Latencies {
    /// Files with compiled Maxwell programs
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the smallest distance of each pair of mnemonics whose first has a fixed latency
    #[arg(long)]
    pairs: bool,
}

/// The smallest number of cycles, and how often the pair was seen.
type Closest<K> = BTreeMap<K, (u32, u32)>;

fn add<K: Ord>(all: &mut Closest<K>, key: K, cycles: u32) {
    let (least, seen) = all.entry(key).or_insert((u32::MAX, 0));
    *least = (*least).min(cycles);
    *seen += 1;
}

impl Latencies {
    /// Prints the table.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let (mut table, mut pairs) = (Closest::new(), Closest::new());
        let mut instructions = 0;
        for path in &self.files {
            for program in compiled::read(path)? {
                instructions += program.code.len();
                let graph = graph(&program);
                dependences(&graph, |d| {
                    let Some(pair) = Pair::of(&graph, &d) else { return };
                    add(&mut table, pair, d.cycles);
                    if let Some([first, second]) = fixed(&graph, &d) {
                        add(&mut pairs, (pair.carrier, first, second), d.cycles);
                    }
                });
            }
        }
        eprintln!("{instructions} instructions");
        if self.pairs {
            for ((carrier, first, second), (cycles, seen)) in pairs {
                println!("{carrier:?} {first} {second} {cycles} {seen}");
            }
            return Ok(());
        }
        for (Pair { kind, carrier, first, second }, (cycles, seen)) in table {
            println!("    seen({kind:?}, {carrier:?}, {first:?}, {second:?}, {cycles}, {seen}),");
        }
        Ok(())
    }
}

fn graph(program: &Compiled) -> Graph {
    Graph::new(&program.code, &program.targets, program.ctx())
}

/// The mnemonics of a dependence whose second instruction reads a result of fixed latency.
fn fixed(graph: &Graph, d: &Dependence) -> Option<[&'static str; 2]> {
    let (first, second) = (graph.insn(d.first)?, graph.insn(d.second)?);
    let latency = |insn: &Insn<Maxwell>| insn.form().attr.latency(&insn.word);
    let reads = d.kind == Kind::Read && latency(first) == Latency::Fixed;
    reads.then(|| [first.form().name, second.form().name])
}
