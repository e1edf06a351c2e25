//! The `shisa` command. Each verb has a file of its own in `verbs`; shared code is next to this file.

mod input;
mod nvn;
mod options;
mod output;
mod raw;
mod reading;
mod report;
mod selected;
mod stop;
mod verbs;

use clap::{CommandFactory, Parser};
use options::Global;
use std::process::ExitCode;
use stop::{Status, Stop};

/// The toolchain for shader machine code
#[derive(Debug, Parser)]
#[command(name = "shisa", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: verbs::Verb,
}

/// The clap command, for completions and man pages.
fn command() -> clap::Command {
    Cli::command()
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.verb.run(&cli.global) {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Faults) => ExitCode::from(1),
        // The reader of our output closed it.
        Err(Stop::Closed) => ExitCode::SUCCESS,
        Err(Stop::Failed(message)) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
