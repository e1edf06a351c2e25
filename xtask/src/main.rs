//! Project chores: conformance, NVIDIA's disassembler, the corpus, execution on a graphics device, benchmarks, long
//! random tests, planted faults.

mod bench;
mod campaign;
mod compiled;
mod copied;
mod dap;
mod distil;
mod execute;
mod faults;
mod judge;
mod latencies;
mod links;
mod node;
mod nvdisasm;
mod opened;
mod oracle;
mod planted;
mod reference;
mod schedules;
mod vertices;
mod web;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Project chores.
#[derive(Debug, Parser)]
#[command(name = "xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    Oracle(oracle::Oracle),
    Distil(distil::Distil),
    Execute(execute::Execute),
    Judge(judge::Judge),
    Latencies(latencies::Latencies),
    Links(links::Links),
    Nvdisasm(nvdisasm::Nvdisasm),
    Faults(faults::Faults),
    Schedules(schedules::Schedules),
    Planted(planted::Planted),
    Reference(reference::Reference),
    Bench(bench::Bench),
    Campaign(campaign::Campaign),
    Dap(dap::Dap),
    Web(web::Web),
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Oracle(o) => o.run(),
        Chore::Distil(d) => d.run().map(|()| true),
        Chore::Execute(e) => e.run(),
        Chore::Judge(j) => j.run(),
        Chore::Latencies(l) => l.run(),
        Chore::Links(l) => l.run(),
        Chore::Nvdisasm(n) => n.run(),
        Chore::Faults(f) => f.run(),
        Chore::Schedules(s) => s.run(),
        Chore::Planted(p) => p.run(),
        Chore::Reference(r) => r.run().map(|()| true),
        Chore::Bench(b) => b.run(),
        Chore::Campaign(c) => c.run(),
        Chore::Dap(d) => d.run(),
        Chore::Web(w) => w.run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}
