//! Programs with an input, read from files.

use crate::input::Input;
use crate::raw::RawWords;
use crate::report::Report;
use crate::stop::Stop;
use serde_json::Value;
use shisa::data::TraceSink;
use shisa::{Error, File, Isa, Program, Settings};

/// Everything that a run is made of.
pub(crate) struct Material {
    /// The files of the programs, at least one.
    pub(crate) inputs: Vec<Input>,
    /// What belongs to the first file if it is raw words.
    pub(crate) words: Option<RawWords>,
    /// Which program of the first file.
    pub(crate) program: Option<usize>,
    /// The file of the input.
    pub(crate) json: Input,
    /// The text of the input, with the contents of the files that it names.
    pub(crate) text: String,
    /// How they are opened.
    pub(crate) settings: Settings,
}

/// Programs that are opened.
pub(crate) struct Ready<'r> {
    /// The instruction set.
    pub(crate) isa: Option<Isa>,
    /// The first file.
    pub(crate) input: &'r Input,
    /// All files of programs.
    pub(crate) inputs: &'r [Input],
    /// The file of the input.
    pub(crate) json: &'r Input,
    /// The text of the input, with the contents of the files that it names.
    pub(crate) text: &'r str,
    /// The settings.
    pub(crate) settings: &'r Settings,
    /// The first file, opened.
    pub(crate) file: &'r File<'r>,
    /// The program that was selected in it.
    pub(crate) program: Option<&'r Program<'r>>,
    /// Runs the programs on an input.
    pub(crate) run: &'r dyn Fn(&str, &mut dyn TraceSink) -> shisa::Result<Value>,
}

impl Ready<'_> {
    /// Reports why the programs did not run.
    pub(crate) fn failed(&self, error: &Error, report: &mut Report) {
        for d in &error.diagnostics {
            let file = if d.code == "run-input" { self.json } else { self.input };
            report.all(std::slice::from_ref(d), file);
        }
    }
}

impl Material {
    /// Opens the programs, and passes them on if there is no fault in them.
    pub(crate) fn ready(
        &self,
        report: &mut Report,
        then: impl FnOnce(Ready<'_>, &mut Report) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Material { inputs, words, program, json, text, settings } = self;
        let Some((input, others)) = inputs.split_first() else {
            return Err(Stop::Failed("there is no program".into()));
        };
        let opened = match words {
            Some(words) => words.open(input, false, *program, settings, report)?,
            None => input.open(*program, settings, report)?,
        };
        let Some(selected) = opened else { return Ok(()) };
        let mut stages = Vec::new();
        for other in others {
            let Some(next) = other.open(None, settings, report)? else { return Ok(()) };
            stages.extend(next.programs());
        }
        if !stages.is_empty() {
            stages.splice(0..0, selected.programs());
        }
        let run = |text: &str, trace: &mut dyn TraceSink| match &selected.program {
            _ if !stages.is_empty() => Program::run_stages(&stages, text, trace),
            Some(program) => program.run_traced(text, trace),
            None => selected.file.run_traced(text, trace),
        };
        let (file, program) = (&selected.file, selected.program.as_ref());
        let ready = Ready { isa: file.isa(), input, inputs, json, text, settings, file, program, run: &run };
        then(ready, report)
    }
}
