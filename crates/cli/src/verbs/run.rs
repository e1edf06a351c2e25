//! `shisa run`

use crate::contents;
use crate::expected::{differences, findings};
use crate::input::Input;
use crate::options::Global;
use crate::raw::RawOptions;
use crate::reading::Reading;
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use shisa::data::{LatestSteps, TraceLines, TraceSink};
use shisa::{Error, maxwell};
use std::ffi::OsString;
use std::io::Write;

/// Run a program and write its outputs as JSON
///
/// If the inputs state which outputs are expected, other ones are an error.
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The program; - is standard input. FILE#N and FILE#NAME are one of a file's programs
    #[arg(default_value = "-")]
    file: OsString,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The inputs as JSON; - is standard input. Bytes may be in files: "@data.bin", "@data.npy"
    #[arg(long, value_name = "IN.json")]
    input: OsString,
    /// The engine that runs it
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Also write a trace of what each instruction wrote
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "json")]
    trace: Option<Trace>,
    /// The largest number of instructions in a trace in the form json, which has the latest ones [default: 65536]
    #[arg(long, value_name = "COUNT")]
    trace_limit: Option<usize>,
    /// Also look for races, reads of memory that nothing wrote, and divergent barriers (maxwell)
    #[arg(long)]
    findings: bool,
    /// Also count what instructions cost: divergence, and how memory accesses are served (maxwell)
    #[arg(long)]
    profile: bool,
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

/// The form of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Trace {
    /// A part of the result: the latest instructions with all that they wrote
    Json,
    /// A line for each instruction while the program runs, with what changed; the result is the last line
    Lines,
}

/// The number of instructions in a trace as JSON, unless the command states another.
const TRACE_LIMIT: usize = 65_536;

impl Run {
    /// Runs the program and writes the filled-in input.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.file == "-" && self.input == "-" {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        let mut settings = self.reading.settings(global.settings()?);
        (settings.maxwell.findings, settings.maxwell.profile) = (self.findings, self.profile);
        let mut report = Report::new(global);
        let input = Input::programs(&self.file, &settings.limits)?;
        let json = Input::json(&self.input, settings.limits.file)?;
        let Engine::Eval = self.engine;
        let Some(selected) = self.raw.open(&input, false, self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        for (option, given) in [("--findings", self.findings), ("--profile", self.profile)] {
            if let Some(isa) = selected.file.isa().filter(|isa| given && *isa != maxwell::ISA) {
                return Err(Stop::Failed(format!("{option} is for maxwell, and this is {}", isa.name())));
            }
        }
        if self.trace == Some(Trace::Lines) && self.trace_limit.is_some() {
            let text = "--trace-limit is for --trace=json: --trace=lines writes every instruction";
            return Err(Stop::Failed(text.into()));
        }
        let text = contents::filled(json.text()?, &self.input, settings.limits.file)?;
        let text = &*text;
        let run = |trace: &mut dyn TraceSink| match &selected.program {
            Some(program) => program.run_traced(text, trace),
            None => selected.file.run_traced(text, trace),
        };
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let mut steps = LatestSteps::new(match self.trace {
            Some(Trace::Json) => self.trace_limit.unwrap_or(TRACE_LIMIT).max(1),
            _ => 0,
        });
        let done = if self.trace == Some(Trace::Lines) {
            let mut lines = TraceLines::new(&mut out, &settings.limits);
            let done = run(&mut lines);
            let whole = lines.finish()?;
            done.and_then(|filled| whole.map(|()| filled).map_err(Error::from))
        } else {
            run(&mut steps)
        };
        match done {
            Ok(filled) => {
                match self.trace {
                    Some(Trace::Lines) => serde_json::to_writer(&mut out, &filled)?,
                    _ => serde_json::to_writer_pretty(&mut out, &steps.filled(&filled))?,
                }
                out.write_all(b"\n")?;
                report.all(findings(&filled).as_slice(), &input);
                report.all(differences(text, &filled).as_slice(), &json);
            }
            Err(e) => {
                for d in e.diagnostics {
                    let file = if d.code == "run-input" { &json } else { &input };
                    report.all(&[d], file);
                }
            }
        }
        out.flush()?;
        Ok(report.status())
    }
}
