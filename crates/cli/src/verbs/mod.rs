//! The verbs.

mod asm;
mod bulk;
mod check;
mod completions;
mod dap;
mod debug;
mod dis;
mod explain;
mod extract;
mod identify;
mod link;
mod lockstep;
mod lsp;
mod man;
mod pair;
mod pixel;
mod preview;
mod render;
mod report;
mod run;
mod tour;
mod translate;
mod words;

use crate::options::Global;
use crate::stop::{Status, Stop};

/// The verb to run.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Verb {
    Identify(identify::Identify),
    Dis(dis::Dis),
    Asm(asm::Asm),
    Check(check::Check),
    Extract(extract::Extract),
    Link(link::Link),
    Run(run::Run),
    Debug(debug::Debug),
    Dap(dap::Dap),
    Lsp(lsp::Lsp),
    Lockstep(lockstep::Lockstep),
    Preview(preview::Preview),
    Render(render::Render),
    Translate(translate::Translate),
    Report(report::Report),
    Explain(explain::Explain),
    Tour(tour::Tour),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Verb {
    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        match self {
            Verb::Identify(v) => v.run(global),
            Verb::Dis(v) => v.run(global),
            Verb::Asm(v) => v.run(global),
            Verb::Check(v) => v.run(global),
            Verb::Extract(v) => v.run(global),
            Verb::Link(v) => v.run(global),
            Verb::Run(v) => v.run(global),
            Verb::Debug(v) => v.run(global),
            Verb::Dap(v) => v.run(global),
            Verb::Lsp(v) => v.run(global),
            Verb::Lockstep(v) => v.run(global),
            Verb::Preview(v) => v.run(global),
            Verb::Render(v) => v.run(global),
            Verb::Translate(v) => v.run(global),
            Verb::Report(v) => v.run(global),
            Verb::Explain(v) => v.run(global),
            Verb::Tour(v) => v.run(global),
            Verb::Completions(v) => v.run(),
            Verb::Man(v) => v.run(),
        }
    }
}
