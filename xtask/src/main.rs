//! Project chores: conformance, figures, long random tests.

mod oracle;

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
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Oracle(o) => o.run(),
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
