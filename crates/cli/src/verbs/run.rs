//! `shisa run`

use super::isa::{IsaName, doubt};
use crate::input::Input;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use shisa::RunOptions;

/// Run a program and write its outputs as JSON
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The program; - is standard input
    file: String,
    /// The instruction set; without it the content tells it. With one, bytes of no known kind are code of it
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// Which program, from 1, of a file that holds several; without it the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The inputs as JSON; - is standard input
    #[arg(long, value_name = "IN.json")]
    input: String,
    /// What runs it
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Also write what each instruction wrote
    #[arg(long)]
    trace: bool,
    /// How many of the latest instructions a trace keeps
    #[arg(long, default_value_t = 65_536, value_name = "COUNT")]
    trace_limit: usize,
    #[command(flatten)]
    raw: RawOptions,
}

/// What runs a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// The exact evaluator
    #[default]
    Eval,
}

impl Run {
    /// Runs it and writes the filled-in input.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.file == "-" && self.input == "-" {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        let mut settings = global.settings()?;
        let mut report = Report::new(global);
        let Some(program) = self.raw.read(&self.file, false, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let json = Input::read(&self.input, settings.limits.file)?;
        let Engine::Eval = self.engine;
        let Some(bytes) = program.program(self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        settings.isa = program.taken_for(self.isa.map(Into::into));
        doubt(&program, self.isa, &settings, &mut report)?;
        let options = RunOptions { trace: if self.trace { self.trace_limit.max(1) } else { 0 } };
        match shisa::run_json(&bytes, json.text()?, options, &settings) {
            Ok(filled) => {
                crate::output::json("-", &filled)?;
            }
            Err(e) => {
                for d in e.diagnostics {
                    let file = if d.code == "run-input" { &json } else { &program };
                    report.all(&[d], file)?;
                }
            }
        }
        Ok(report.status())
    }
}
