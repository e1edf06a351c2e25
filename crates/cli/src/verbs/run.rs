//! `shisa run`

use crate::expected::{differences, findings};
use crate::material::Ready;
use crate::options::Global;
use crate::report::Report;
use crate::stop::{Status, Stop};
use crate::subject::Subject;
use clap::ValueEnum;
use shisa::data::{LatestSteps, TraceLines, TraceSink, TraceStep};
use shisa::diag::Diagnostic;
use shisa::{Error, Settings};
use shisa_verbs::Running;
use std::ffi::OsString;
use std::io::Write;

/// Run a program and write its outputs as JSON
///
/// If the inputs state which outputs are expected, other ones are an error.
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The inputs as JSON; - is standard input. Bytes may be in files: "@data.bin", "@data.npy"
    #[arg(long, value_name = "IN.json")]
    input: OsString,
    #[command(flatten)]
    how: Running,
    /// Also write a trace of what each instruction wrote
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "json")]
    trace: Option<Trace>,
    /// The largest number of instructions in a trace in the form json, which has the latest ones [default: 65536]
    #[arg(long, value_name = "COUNT")]
    trace_limit: Option<usize>,
    // Last: what follows its options would be under their heading.
    #[command(flatten)]
    subject: Subject,
}

/// A receiver of steps, and the notes about the run, each once.
struct Notes<'a> {
    steps: &'a mut dyn TraceSink,
    notes: &'a mut Vec<Diagnostic>,
}

impl TraceSink for Notes<'_> {
    fn needs_steps(&self) -> bool {
        self.steps.needs_steps()
    }

    fn step(&mut self, step: TraceStep) {
        self.steps.step(step);
    }

    fn note(&mut self, note: Diagnostic) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
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
        let adjust = |settings: &mut Settings| self.how.adjust(settings);
        self.subject.ready(&self.input, global, adjust, |ready, report| self.execute(&ready, report))
    }

    fn execute(&self, ready: &Ready<'_>, report: &mut Report) -> Result<(), Stop> {
        self.how.fits(ready.isa).map_err(|text| Stop::Failed(format!("--{text}")))?;
        if self.trace == Some(Trace::Lines) && self.trace_limit.is_some() {
            let text = "--trace-limit is for --trace=json: --trace=lines writes every instruction";
            return Err(Stop::Failed(text.into()));
        }
        let mut notes = Vec::new();
        let mut run =
            |steps: &mut dyn TraceSink| (ready.run)(ready.text, &mut Notes { steps, notes: &mut notes });
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let mut steps = LatestSteps::new(match self.trace {
            Some(Trace::Json) => self.trace_limit.unwrap_or(TRACE_LIMIT).max(1),
            _ => 0,
        });
        let done = if self.trace == Some(Trace::Lines) {
            let mut lines = TraceLines::new(&mut out, &ready.settings.limits);
            let done = run(&mut lines);
            let whole = lines.finish()?;
            done.and_then(|filled| whole.map(|()| filled).map_err(Error::from))
        } else {
            run(&mut steps)
        };
        report.all(&notes, ready.input);
        match done {
            Ok(filled) => {
                match self.trace {
                    Some(Trace::Lines) => serde_json::to_writer(&mut out, &filled)?,
                    _ => serde_json::to_writer_pretty(&mut out, &steps.filled(&filled))?,
                }
                out.write_all(b"\n")?;
                report.all(findings(&filled).as_slice(), ready.input);
                report.all(differences(ready.text, &filled).as_slice(), ready.json);
            }
            Err(e) => ready.failed(&e, report),
        }
        Ok(out.flush()?)
    }
}
