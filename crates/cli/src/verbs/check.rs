//! `shisa check`

use super::isa::{IsaName, chip, doubt};
use super::pair;
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa::diag::Diagnostic;
use shisa::maxwell::Chip;
use shisa::maxwell::container::NvnControl;
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
    /// The instruction set; without it the content tells it. With one, bytes of no known kind are code of it
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// The chip, for Maxwell, where nothing else tells it: 50, 52 or 53
    #[arg(long, value_name = "SM", value_parser = chip)]
    sm: Option<Chip>,
    #[command(flatten)]
    raw: RawOptions,
    #[command(flatten)]
    nvn: Nvn,
}

impl Check {
    /// Checks every file.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = global.settings()?;
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
        let Ok(nvn) = self.nvn.read(inputs.len(), &settings, &mut report)? else {
            return Ok(report.status());
        };
        let mut programs = Vec::new();
        for input in &inputs {
            settings.isa = input.taken_for(self.isa.map(Into::into));
            doubt(input, self.isa, &settings, &mut report)?;
            if settings.isa.is_none() && self.program.is_none() && swf::sniff(&input.bytes) {
                check_swf(input, &settings, &mut report)?;
                programs.push(Cow::default());
                continue;
            }
            if nvn.is_some() || self.is_maxwell(input, &settings) {
                report.all(&self.maxwell(input, nvn, &settings)?, input)?;
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

    /// Whether a file is Maxwell code, as the options or its content say.
    fn is_maxwell(&self, input: &Input, settings: &Settings) -> bool {
        let isa = settings.isa.or_else(|| shisa::identify(&input.bytes, settings).isa);
        self.sm.is_some() || isa == Some(shisa::Isa::Maxwell)
    }

    /// What is wrong with Maxwell code.
    fn maxwell(
        &self,
        input: &Input,
        nvn: Option<NvnControl>,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>, Stop> {
        let found = match input.is_maxwell() {
            true => shisa::check_maxwell_listing(input.text()?, self.program, self.sm, nvn, settings),
            false => shisa::check_maxwell(&input.bytes, self.program, self.sm, nvn, settings),
        };
        Ok(found.unwrap_or_else(|e| e.diagnostics))
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
