//! The verbs.

mod check;
mod completions;
mod explain;
mod identify;
mod man;
mod run;
mod translate;

use crate::options::Global;
use crate::stop::{Status, Stop};

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Verb {
    Identify(identify::Identify),
    Check(check::Check),
    Run(run::Run),
    Translate(translate::Translate),
    Explain(explain::Explain),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Verb {
    /// Does it.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        match self {
            Verb::Identify(v) => v.run(global),
            Verb::Check(v) => v.run(global),
            Verb::Run(v) => v.run(global),
            Verb::Translate(v) => v.run(global),
            Verb::Explain(v) => v.run(global),
            Verb::Completions(v) => v.run(),
            Verb::Man(v) => v.run(),
        }
    }
}
