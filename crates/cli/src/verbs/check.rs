//! `shisa check`

use super::pair;
use crate::input::Input;
use crate::options::Global;
use crate::report::Report;
use crate::stop::{Status, Stop};
use std::borrow::Cow;

/// Check programs against every rule of their instruction set
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The files are a vertex and a fragment program: check also that they go together
    #[arg(long)]
    pair: bool,
}

impl Check {
    /// Checks every file.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        let mut report = Report::new(global);
        let inputs: Vec<Input> =
            self.files.iter().map(|n| Input::read(n, settings.limits.file)).collect::<Result<_, _>>()?;
        let mut programs = Vec::new();
        for input in &inputs {
            // The assembler has asked the rules of a program as text.
            let program = input.program(&settings, &mut report)?;
            if let Some(Cow::Borrowed(bytes)) = program {
                match shisa::check(bytes, &settings) {
                    Ok(found) => report.all(&found, input)?,
                    Err(e) => report.all(&e.diagnostics, input)?,
                }
            }
            programs.push(program.unwrap_or_default());
        }
        if self.pair {
            let [vertex, fragment] = &inputs[..] else {
                return Err(Stop::Failed("--pair wants a vertex and a fragment program".into()));
            };
            if report.status() == Status::Fine {
                pair::check((vertex, &programs[0]), (fragment, &programs[1]), &settings, &mut report)?;
            }
        }
        Ok(report.status())
    }
}
