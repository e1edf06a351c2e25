//! The `shisa` command. Each verb has a file of its own in `verbs`; shared code is next to this file.

mod contents;
mod conversation;
mod expected;
mod files;
#[cfg_attr(not(feature = "device"), path = "no_graphics.rs")]
mod graphics;
mod input;
mod material;
mod nvn;
mod one_lane;
mod options;
mod output;
mod picture;
mod program_text;
mod raw;
mod report;
mod saved;
mod selected;
mod staged;
mod stop;
mod stream;
mod subject;
mod usage;
mod verbs;

use clap::{CommandFactory, Parser};
use options::Global;
use report::Report;
use std::io::Write;
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
    let (done, mut report) = match Cli::try_parse() {
        Ok(Cli { mut global, verb }) => {
            global.resolve();
            (verb.run(&global), Report::new(&global))
        }
        Err(e) => usage::refused(&e),
    };
    // What is still buffered can fail to be written, too.
    let done = done.and_then(|status| Ok(std::io::stdout().flush().map(|()| status)?));
    match done {
        Ok(status) => status,
        // The reader of our output closed it.
        Err(Stop::Closed) => Status::Fine,
        Err(stop) => {
            report.stopped(&stop);
            report.status()
        }
    }
    .into()
}
