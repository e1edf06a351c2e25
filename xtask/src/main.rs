//! Project chores: conformance, execution on a graphics device, figures, long random tests, faults put into code.

mod bench;
mod campaign;
mod compiled;
mod execute;
mod faults;
mod judge;
mod latencies;
mod oracle;
mod vertices;

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
    Execute(execute::Execute),
    Judge(judge::Judge),
    Latencies(latencies::Latencies),
    Faults(faults::Faults),
    Bench(bench::Bench),
    Campaign(campaign::Campaign),
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Oracle(o) => o.run(),
        Chore::Execute(e) => e.run(),
        Chore::Judge(j) => j.run(),
        Chore::Latencies(l) => l.run().map(|()| true),
        Chore::Faults(f) => f.run(),
        Chore::Bench(b) => b.run(),
        Chore::Campaign(c) => c.run(),
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
