//! `shisa debug`

mod documents;
mod front;
mod talk;

pub(super) use documents::of as documents_of;
pub(super) use front::Beginning;

use crate::input::Input;
use crate::material::{Material, Ready};
use crate::options::Global;
use crate::output::OutputFiles;
use crate::report::Report;
use crate::saved;
use crate::stop::{Status, Stop};
use crate::subject::Subject;
use serde_json::json;
use shisa::data::debug::{Captured, Line, Saved, State, captured};
use shisa::diag::Diagnostic;
use std::ffi::OsString;

/// Step through a run of a program, forwards and backwards
///
/// The run is recorded, and commands go to any of its steps. In a terminal a window shows the listing, registers, lanes,
/// stacks, memory, textures and the translation: ? lists its keys. Otherwise commands come from --script or standard input:
/// `help` lists them.
#[derive(Debug, clap::Args)]
pub(crate) struct Debug {
    #[command(flatten)]
    subject: Subject,
    /// The inputs as JSON; - is standard input. Bytes may be in files: "@data.bin", "@data.npy"
    #[arg(long, value_name = "IN.json", required_unless_present = "session")]
    input: Option<OsString>,
    /// Open a session that the command `save` has written, with its programs and its input
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_FILES)]
    session: Option<OsString>,
    /// A file of commands, one in each line; - is standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    script: OsString,
    /// In a terminal, ask for commands in lines and open no window
    #[arg(long)]
    plain: bool,
    /// Which run, from 1, of an input that runs several programs, such as the stages of a draw call
    #[arg(long, value_name = "N", default_value_t = 1)]
    run: usize,
    /// The largest size of the recording in MiB. Beyond it, states are made again when they are needed
    #[arg(long, value_name = "MIB", default_value_t = Beginning::MEMORY >> 20)]
    memory: usize,
}

/// What a saved session states itself.
const OF_FILES: [&str; 11] = [
    "files",
    "input",
    "run",
    "program",
    "descriptors",
    "entry",
    "geometry",
    "isa",
    "stage",
    "version",
    "lenient",
];

/// What a session is about, and how it goes on.
struct Subjects {
    material: Material,
    /// The session to write, without its state.
    base: Saved,
    /// The state of a session that was read.
    state: Option<State>,
}

impl Debug {
    /// Records the run and obeys commands until they end.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let reads_input = self.input.as_ref().is_some_and(|input| self.subject.reads_standard_input(input));
        if self.script == "-" && reads_input {
            let text = "commands come from standard input, so program and input cannot; use --script FILE";
            return Err(Stop::Failed(text.into()));
        }
        let mut report = Report::new(global);
        let subjects = match (&self.session, &self.input) {
            (Some(file), _) => opened(file, global, &mut report)?,
            (None, Some(input)) => {
                let material = self.subject.read(input, global)?;
                let base = saved::session(&material, self.run, global)?;
                Some(Subjects { material, base, state: None })
            }
            (None, None) => return Err(Stop::Failed("there is no input".into())),
        };
        let Some(Subjects { material, base, state }) = subjects else { return Ok(report.status()) };
        material.ready(&mut report, |ready, report| match captured(|trace| (ready.run)(trace)) {
            Ok(runs) => self.session(runs, base, state, &ready, global, report),
            Err(e) => {
                ready.failed(&e, report);
                Ok(())
            }
        })?;
        Ok(report.status())
    }

    fn session(
        &self,
        runs: Vec<Captured>,
        base: Saved,
        state: Option<State>,
        ready: &Ready<'_>,
        global: &Global,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let (count, number) = (runs.len(), base.run);
        let run = Captured::choose(runs, number).map_err(|d| Stop::Failed(d.message))?;
        let stage = run.stage().map_or(String::new(), |stage| format!(", the {stage} program"));
        let text = format!("run {number} of {count}{stage}");
        let which = (count > 1).then(|| (text, json!({"run": number, "runs": count})));
        // Of several runs nothing states which program each one runs.
        let documents = |lines: &[Line]| match (
            count,
            ready.program.cloned().map_or_else(|| ready.file.program(1), Ok),
        ) {
            (1, Ok(program)) => documents::of(ready.input, &program, lines),
            _ => Vec::new(),
        };
        Beginning {
            run,
            memory: self.memory.saturating_mul(1 << 20),
            state: state.unwrap_or_default(),
            which,
            documents: &documents,
            save: Box::new(move |file, state| write(&base, file, state)),
            input: ready.input,
        }
        .show(&self.script, self.plain, global, report)
    }
}

/// Reads a saved session. `None` if it cannot be opened, which has been reported.
fn opened(file: &OsString, global: &Global, report: &mut Report) -> Result<Option<Subjects>, Stop> {
    let settings = global.settings()?;
    let input = Input::json(file, settings.limits.file)?;
    let read = Saved::from_json(input.text()?)
        .and_then(|saved| Ok((saved.clone(), saved::material(saved, settings)?)));
    match read {
        Ok((base, material)) => {
            let state = Some(base.state.clone());
            Ok(Some(Subjects { material, base, state }))
        }
        Err(d) => {
            report.all(&[d], &input);
            Ok(None)
        }
    }
}

/// Writes a session to a file.
fn write(base: &Saved, file: &str, state: State) -> Result<String, Diagnostic> {
    let failed = |stop| match stop {
        Stop::Closed => Diagnostic::error("io", "the output is closed"),
        Stop::Failed(text) | Stop::File(text) => Diagnostic::error("io", text),
    };
    if file == "-" {
        return Err(Diagnostic::error("debug-command", "save needs the name of a file"));
    }
    let saved = Saved { state, ..base.clone() };
    let mut outputs = OutputFiles::default();
    outputs.add(file, saved.to_json().as_bytes()).and_then(|()| outputs.write()).map_err(failed)?;
    Ok(format!("the session is in {file}"))
}
