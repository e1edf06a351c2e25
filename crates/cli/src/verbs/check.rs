//! `shisa check`

use super::pair;
use crate::input::Input;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa::pica200::picasso::Rules;
use shisa::swf::{self, Content};
use std::borrow::Cow;

/// Check programs against every rule of their instruction set
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Which program, from 1, of files that hold several; without it all
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The files are a vertex and a fragment program: check also that they go together
    #[arg(long)]
    pair: bool,
    #[command(flatten)]
    raw: RawOptions,
}

impl Check {
    /// Checks every file.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        let mut report = Report::new(global);
        let inputs: Vec<Input> =
            self.files.iter().map(|n| Input::read(n, settings.limits.file)).collect::<Result<_, _>>()?;
        if self.raw.given() {
            let [input] = &inputs[..] else {
                return Err(Stop::Failed("--descriptors wants one file of words".into()));
            };
            self.raw.check(input, &settings, &mut report)?;
            return Ok(report.status());
        }
        let mut programs = Vec::new();
        for input in &inputs {
            if self.program.is_none() && swf::sniff(&input.bytes) {
                check_swf(input, &settings, &mut report)?;
                programs.push(Cow::default());
                continue;
            }
            let program = input.checked(self.program, Rules::Enforce, &settings, &mut report)?;
            // The assembler has asked the rules of a program as text.
            if let (Some(bytes), None) = (&program, input.source()) {
                let found = shisa::check(bytes, &settings).unwrap_or_else(|e| e.diagnostics);
                match self.program {
                    Some(number) => report.named(&found, &format!("{}: {number}", input.name), None)?,
                    None => report.all(&found, input)?,
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

/// Checks every program in a SWF; places count from its start. Source may be a piece of a program and is
/// not checked.
fn check_swf(input: &Input, settings: &Settings, report: &mut Report) -> Result<(), Stop> {
    let extraction = match swf::extract(&input.bytes, &settings.limits) {
        Ok(extraction) => extraction,
        Err(d) => return report.all(&[d], input),
    };
    report.all(&extraction.diagnostics, input)?;
    for found in &extraction.found {
        let Content::Program(bytes) = &found.content else { continue };
        let list = shisa::check(bytes, settings).unwrap_or_else(|e| e.diagnostics);
        report.named(&list, &format!("{}: {found}", input.name), None)?;
    }
    Ok(())
}
