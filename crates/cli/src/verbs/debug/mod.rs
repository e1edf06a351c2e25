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
use shisa::data::debug::{Captured, Saved, Session, State};
use shisa::diag::Diagnostic;
use std::ffi::OsString;

/// Step through a run of a program, forwards and backwards
///
/// The run is recorded, and commands go to any of its steps. In a terminal a window shows the listing, registers, lanes,
/// stacks, memory, textures and the translation: ? lists its keys. Otherwise commands come from --script or standard input:
/// `help` lists them.
#[derive(Debug, clap::Args)]
pub(crate) struct Debug {
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
    // Last: what follows its options would be under their heading.
    #[command(flatten)]
    subject: Subject,
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

impl Debug {
    /// Records the run and obeys commands until they end.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let reads_input = match (&self.session, &self.input) {
            (Some(session), _) => session == "-",
            (None, input) => input.as_ref().is_some_and(|input| self.subject.reads_standard_input(input)),
        };
        if self.script == "-" && reads_input {
            let text = "commands come from standard input, so program and input cannot; use --script FILE";
            return Err(Stop::Failed(text.into()));
        }
        let mut report = Report::new(global);
        let (material, saved) = match (&self.session, &self.input) {
            (Some(file), _) => match opened(file, global, &mut report)? {
                Some(opened) => opened,
                None => return Ok(report.status()),
            },
            (None, Some(input)) => {
                let material = self.subject.read(input, global)?;
                let saved = saved::session(&material, self.run, global)?;
                (material, saved)
            }
            (None, None) => return Err(Stop::Failed("there is no input".into())),
        };
        material.ready(&mut report, |ready, report| match saved::runs(&saved, &ready) {
            Ok(runs) => self.session(runs, saved, &ready, global, report),
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
        saved: Saved,
        ready: &Ready<'_>,
        global: &Global,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let (count, number) = (runs.len(), saved.run);
        let run = Captured::choose(runs, number).map_err(|d| Stop::Failed(d.message))?;
        let stage = run.stage().map_or(String::new(), |stage| format!(", the {stage} program"));
        let text = format!("run {number} of {count}{stage}");
        let which = (count > 1).then(|| (text, json!({"run": number, "runs": count})));
        let program = ready.program.cloned().map_or_else(|| ready.file.program(1), Ok).ok();
        // Nothing states which program each of several runs is of.
        let program = program.filter(|_| count == 1);
        let documents = |session: &Session| documents::of(program.as_ref(), session);
        Beginning {
            run,
            memory: self.memory.saturating_mul(1 << 20),
            state: saved.state.clone(),
            which,
            documents: &documents,
            save: Box::new(move |file, state| write(&saved, file, state)),
            input: ready.input,
            programs: ready.inputs,
            settings: ready.settings,
        }
        .show(&self.script, self.plain, global, report)
    }
}

/// Reads a saved session. `None` if it cannot be opened, which has been reported.
fn opened(file: &OsString, global: &Global, report: &mut Report) -> Result<Option<(Material, Saved)>, Stop> {
    let settings = global.settings()?;
    let input = Input::json(file, settings.limits.file)?;
    let read = Saved::from_json(input.text()?)
        .and_then(|saved| Ok((saved::material(saved.clone(), settings)?, saved)));
    read.map(Some).or_else(|d| {
        report.all(&[d], &input);
        Ok(None)
    })
}

/// Writes a session to a file, unless the file could not be opened.
pub(super) fn write(saved: &Saved, file: &str, state: State) -> Result<String, Diagnostic> {
    let failed = |stop| match stop {
        Stop::Closed => Diagnostic::error("io", "the output is closed"),
        Stop::Failed(text) | Stop::File(text) => Diagnostic::error("io", text),
    };
    if file == "-" {
        return Err(Diagnostic::error("debug-command", "save needs the name of a file"));
    }
    let saved = Saved { state, ..saved.clone() };
    let text = saved.to_json();
    Saved::from_json(&text)?;
    let mut outputs = OutputFiles::default();
    outputs.add(file, text.as_bytes()).and_then(|()| outputs.write()).map_err(failed)?;
    Ok(format!("the session is in {file}"))
}
