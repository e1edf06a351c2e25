//! Programs of files.

use crate::family::{FAMILIES, collect};
use crate::fields::Field;
use crate::identity::Entry;
use crate::inner::Inner;
use crate::instruction::Instruction;
use crate::listing_json::ListingJson;
use crate::run::{LatestSteps, RunOptions, TraceSink, wrong};
use crate::{Cfg, Error, Isa, Listing, Lowered, Report, Result, Settings};
use serde_json::Value;
use shisa_diag::Diagnostic;
use std::any::Any;
use std::sync::Arc;

/// A program of a [`crate::File`]. It shares ownership of the file, so it can outlive the `File` value.
#[derive(Clone, Debug)]
pub struct Program<'b> {
    pub(crate) file: Arc<Inner<'b>>,
    pub(crate) index: usize,
}

/// Selects a program of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    /// By its number, from 1.
    Number(usize),
    /// By its name. A name of digits is a number.
    Name(&'a str),
}

impl From<usize> for Which<'_> {
    fn from(number: usize) -> Self {
        Which::Number(number)
    }
}

impl<'a> From<&'a str> for Which<'a> {
    fn from(name: &'a str) -> Self {
        name.parse().map_or(Which::Name(name), Which::Number)
    }
}

impl<'b> Program<'b> {
    /// Its number in the file, from 1.
    pub fn number(&self) -> usize {
        self.index + 1
    }

    /// Its entry in the file's identity.
    ///
    /// # Errors
    /// `internal-identity` if the file's identity lacks it.
    pub fn entry(&self) -> Result<&Entry> {
        self.file.identity().programs.get(self.index).ok_or_else(|| {
            Diagnostic::error("internal-identity", format!("program {} has no entry", self.number())).into()
        })
    }

    /// Its name in the file; may be empty.
    pub fn name(&self) -> &str {
        self.file.identity().programs.get(self.index).map_or("", |entry| &entry.name)
    }

    /// The path that names it on the command line, such as `shaders.swf#3`; the file's own path if it is the only
    /// program.
    pub fn path(&self, file: &str) -> String {
        match self.file.opened.count() {
            0 | 1 => file.to_owned(),
            _ => format!("{file}#{}", self.number()),
        }
    }

    /// Its instruction set.
    pub fn isa(&self) -> Option<Isa> {
        self.file.opened.isa()
    }

    /// Its listing, which assembles to the bytes that [`Program::extract`] returns.
    ///
    /// # Errors
    /// `dis-live` if the syntax does not show live registers; what lifting refuses, for [`Listing::live`];
    /// `limit-exceeded`.
    pub fn listing(&self, how: &Listing) -> Result<String> {
        self.file.opened.listing(Some(self.index), how, &self.file.settings)
    }

    /// Its instructions, in the order of the code.
    ///
    /// # Errors
    /// The errors of [`Program::listing`]; a damaged header.
    pub fn instructions(&self, how: &Listing) -> Result<Vec<Instruction>> {
        let mut list = Vec::new();
        self.file.opened.instructions(Some(self.index), how, &self.file.settings, &mut collect(&mut list))?;
        Ok(list)
    }

    /// The fields of the instruction at an offset, as [`Instruction::offset`] states it, from the lowest bit up; none for bytes
    /// that are no instruction.
    ///
    /// # Errors
    /// The errors of [`Program::instructions`].
    pub fn fields(&self, offset: usize) -> Result<Vec<Field>> {
        self.file.opened.fields(self.index, offset, &self.file.settings)
    }

    /// Listing and instructions as JSON, in the form of `docs/schema/listing.schema.json`.
    pub fn listing_json(&self, how: &Listing) -> ListingJson<'_> {
        ListingJson::of(&self.file, Some(self.index), how)
    }

    /// All findings about it.
    ///
    /// # Errors
    /// `limit-exceeded`, and errors in its source.
    pub fn check(&self) -> Result<Vec<Diagnostic>> {
        let found = self.file.opened.check(Some(self.index), &self.file.settings)?;
        Ok(found.into_iter().map(|f| f.diagnostic).collect())
    }

    /// Its control flow graph.
    ///
    /// # Errors
    /// What lifting and recovery refuse.
    pub fn cfg(&self) -> Result<Cfg> {
        self.file.opened.cfg(self.index, &self.file.settings)
    }

    /// The program in the form that translators read. It has no 64-bit integers that a language lacks.
    ///
    /// # Errors
    /// What the lift and the passes refuse; `not-built`.
    pub fn lower(&self) -> Result<Lowered> {
        let (settings, natives) = (&self.file.settings, shisa_ir::Natives::default());
        self.file.opened.lower(self.index, settings, natives, &mut shisa_ir::Scratch::new())
    }

    /// Runs it on inputs as JSON, and fills in the results. A schema `ISA-run` in `docs/schema` states the form.
    ///
    /// # Errors
    /// `run-input` if the text has another form; what the lift and the evaluator refuse; `not-built`.
    pub fn run_json(&self, input: &str, options: RunOptions) -> Result<Value> {
        LatestSteps::around(options.trace, |steps| self.run_traced(input, steps))
    }

    /// Runs it as [`Program::run_json`] does, and fills in the results without a trace, whose steps go to `trace`.
    ///
    /// # Errors
    /// The errors of [`Program::run_json`].
    pub fn run_traced(&self, input: &str, trace: &mut dyn TraceSink) -> Result<Value> {
        let input = input.trim_start_matches('\u{feff}');
        self.file.opened.run_json(Some(self.index), input, trace, &self.file.settings)
    }

    /// Runs programs as the stages of a draw call on an input as JSON, and fills in the results without a trace, whose steps
    /// go to `trace`. The programs may be of several files, in any order; the settings are those of the first one's file.
    /// The schema `maxwell-run` states the form.
    ///
    /// # Errors
    /// `not-built` if programs of the instruction set do not run together; `program-isa` for programs of several instruction
    /// sets, or of no graphics stage; `run-input` for an input that does not fit, and for stages that do not follow each
    /// other; what the lift and the evaluator refuse.
    pub fn run_stages(stages: &[Program<'_>], input: &str, trace: &mut dyn TraceSink) -> Result<Value> {
        let first = stages.first().ok_or_else(|| wrong("there are no programs"))?;
        let (title, settings) = (first.file.opened.title(), &first.file.settings);
        let run = first.isa().map(Isa::family).transpose()?.and_then(|family| family.stages());
        let run = run.ok_or_else(|| {
            let able = FAMILIES.iter().filter(|family| family.stages().is_some());
            let able: Vec<&str> = able.map(|family| family.isa().name()).collect();
            let text = format!("running {title} programs as stages of a draw call is not built yet");
            Diagnostic::error("not-built", text)
                .help(format!("programs of these instruction sets run together: {}", able.join(", ")))
        })?;
        let other = |text: String| Error::from(Diagnostic::error("program-isa", text));
        let typed = stages.iter().map(|program| {
            let opened = &program.file.opened;
            if program.isa() != first.isa() {
                let own = opened.title();
                return Err(other(format!("this is a program of {own}, and the first one is of {title}")));
            }
            let found = opened.typed(program.index, settings)?;
            found.ok_or_else(|| other(format!("{title} program {} is of no graphics stage", program.name())))
        });
        let typed = typed.collect::<Result<Vec<&dyn Any>>>()?;
        run(&typed, input.trim_start_matches('\u{feff}'), trace, settings)
    }

    /// The program as a file of its own: AGAL tokens, also if the program is a source; a PICA200 shader binary with
    /// only this program; the Maxwell code, after its Shader Program Header if it has one; the AGX code.
    ///
    /// # Errors
    /// Errors in its source; `limit-exceeded`.
    pub fn extract(&self) -> Result<Vec<u8>> {
        self.file.opened.extract(self.index, &self.file.settings)
    }

    /// The innermost file that contains it, unpacked: the cubin in a fatbin, the shader binary in a CGFX.
    ///
    /// # Errors
    /// `extract-enclosing` if there is no such file.
    pub fn enclosing(&self) -> Result<Vec<u8>> {
        self.file.opened.enclosing(self.index, &self.file.settings)
    }

    /// Its estimated cost: instructions that it can reach, registers, texture accesses, cycles and threads as far as the
    /// hardware is known; for AGX also units and waits.
    ///
    /// # Errors
    /// What the lift refuses; `limit-exceeded`.
    pub fn report(&self) -> Result<Report> {
        self.file.opened.report(self.index, &self.file.settings)
    }

    /// The settings that the file was opened with.
    pub fn settings(&self) -> &Settings {
        &self.file.settings
    }

    /// The family crate's representation of the program.
    pub(crate) fn typed<T: Any>(&self) -> Result<&T> {
        let found = self.file.opened.typed(self.index, &self.file.settings)?;
        found.and_then(|any| any.downcast_ref()).ok_or_else(|| {
            let text = format!("this is a program of {}", self.file.opened.title());
            Diagnostic::error("program-isa", text).into()
        })
    }
}
