//! Programs of files.

use crate::identity::Entry;
use crate::inner::Inner;
use crate::instruction::Instruction;
use crate::run::RunOptions;
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings};
use serde_json::Value;
use shisa_diag::Diagnostic;
use std::any::Any;
use std::sync::Arc;

/// A program of a [`crate::File`]. It holds on to the file, so it can outlive the value that it came from.
#[derive(Clone, Debug)]
pub struct Program<'b> {
    pub(crate) file: Arc<Inner<'b>>,
    pub(crate) index: usize,
}

/// Which program of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    /// By its number, from 1.
    Number(usize),
    /// By its name. Digits are a number.
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

    /// What the file says about it.
    ///
    /// # Errors
    /// `internal-identity` where the identity of the file does not have it.
    pub fn entry(&self) -> Result<&Entry> {
        self.file.identity().programs.get(self.index).ok_or_else(|| {
            Diagnostic::error("internal-identity", format!("program {} has no entry", self.number())).into()
        })
    }

    /// Its name in the file; may be empty.
    pub fn name(&self) -> &str {
        self.file.identity().programs.get(self.index).map_or("", |entry| &entry.name)
    }

    /// The path that names it on the command line, `shaders.swf#3`; that of the file where it is the only one.
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
    /// `dis-live` where the syntax does not show what is live; what lifting refuses, for [`Listing::live`];
    /// `limit-exceeded`.
    pub fn listing(&self, how: &Listing) -> Result<String> {
        self.file.opened.listing(Some(self.index), how, &self.file.settings)
    }

    /// Its instructions, in the order of the code.
    ///
    /// # Errors
    /// As [`Program::listing`]; also where a header is damaged.
    pub fn instructions(&self, how: &Listing) -> Result<Vec<Instruction>> {
        let found = self.file.opened.instructions(Some(self.index), how, &self.file.settings)?;
        Ok(found.list)
    }

    /// Listing and instructions as JSON, in the form of `docs/schema/listing.schema.json`.
    ///
    /// # Errors
    /// As [`Program::instructions`].
    pub fn listing_json(&self, how: &Listing) -> Result<Value> {
        self.file.listed(Some(self.index), how)
    }

    /// Everything that is wrong with it.
    ///
    /// # Errors
    /// `limit-exceeded`, and what is wrong with its source.
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

    /// The program as translators read it.
    ///
    /// # Errors
    /// What the lift and the passes refuse; `not-built`.
    pub fn lower(&self) -> Result<Lowered> {
        self.file.opened.lower(self.index, &self.file.settings)
    }

    /// Runs it on inputs as JSON, and fills in the results. The forms are those of `docs/schema`: `agal-run`,
    /// `pica200-run` and `agx-run`.
    ///
    /// # Errors
    /// `run-input` where the text is no JSON of the program's form; what the lift and the evaluator refuse;
    /// `not-built`.
    pub fn run_json(&self, input: &str, options: RunOptions) -> Result<Value> {
        self.file.opened.run_json(Some(self.index), input, options, &self.file.settings)
    }

    /// The program as a file of its own: the tokens of AGAL, where a source is assembled; a shader binary of PICA200
    /// with this program alone; the Shader Program Header of Maxwell, if it has one, and the code; the code of AGX.
    ///
    /// # Errors
    /// What is wrong with its source; `limit-exceeded`.
    pub fn extract(&self) -> Result<Vec<u8>> {
        self.file.opened.extract(self.index, &self.file.settings)
    }

    /// The innermost file that it is in, unpacked: the cubin in a fatbin, the shader binary in a CGFX.
    ///
    /// # Errors
    /// `extract-enclosing` where it is in no such file.
    pub fn enclosing(&self) -> Result<Vec<u8>> {
        self.file.opened.enclosing(self.index, &self.file.settings)
    }

    /// What it takes: registers, threads, cycles, waits.
    ///
    /// # Errors
    /// `report-isa` where its instruction set has no reports; `limit-exceeded`.
    pub fn report(&self) -> Result<Report> {
        self.file.opened.report(self.index, &self.file.settings)
    }

    /// The settings that the file was opened with.
    pub fn settings(&self) -> &Settings {
        &self.file.settings
    }

    /// What the family's crate made of it.
    pub(crate) fn typed<T: Any>(&self) -> Result<&T> {
        let found = self.file.opened.typed(self.index, &self.file.settings)?;
        found.and_then(|any| any.downcast_ref()).ok_or_else(|| {
            let text = format!("this is a program of {}", self.file.opened.title());
            Diagnostic::error("program-isa", text).into()
        })
    }
}
