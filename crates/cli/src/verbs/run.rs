//! `shisa run`

use crate::input::Input;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::reading::Reading;
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use shisa::RunOptions;

/// Run a program and write its outputs as JSON
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The program; - is standard input. FILE#N and FILE#NAME are one of a file's programs
    file: String,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The inputs as JSON; - is standard input
    #[arg(long, value_name = "IN.json")]
    input: String,
    /// The engine that runs it
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Also write a trace of what each instruction wrote
    #[arg(long)]
    trace: bool,
    /// The largest number of instructions in a trace, which has the latest ones
    #[arg(long, default_value_t = 65_536, value_name = "COUNT")]
    trace_limit: usize,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    raw: RawOptions,
}

/// The engine that runs a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// The exact evaluator
    #[default]
    Eval,
}

impl Run {
    /// Runs the program and writes the filled-in input.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.file == "-" && self.input == "-" {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        let settings = self.reading.settings(global.settings()?);
        let mut report = Report::new(global);
        let input = Input::read(&self.file, settings.limits.file)?;
        let json = Input::read(&self.input, settings.limits.file)?;
        let Engine::Eval = self.engine;
        let Some(selected) = self.raw.open(&input, false, self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let options = RunOptions::new().trace(if self.trace { self.trace_limit.max(1) } else { 0 });
        let text = json.text()?;
        let done = match &selected.program {
            Some(program) => program.run_json(text, options),
            None => selected.file.run_json(text, options),
        };
        match done {
            Ok(filled) => {
                crate::output::json("-", &filled)?;
            }
            Err(e) => {
                for d in e.diagnostics {
                    let file = if d.code == "run-input" { &json } else { &input };
                    report.all(&[d], file)?;
                }
            }
        }
        Ok(report.status())
    }
}
