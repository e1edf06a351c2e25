//! A file that was opened, as the verbs see it.

use crate::finding::Finding;
use crate::identity::Identity;
use crate::instruction::Instruction;
use crate::run::RunOptions;
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings, error};
use serde_json::Value;
use shisa_diag::Diagnostic;
use std::any::Any;

/// A file and the programs in it, which count from 0. Callers pass only numbers below [`Opened::count`].
pub(crate) trait Opened: Runs + Send + Sync {
    /// Which instruction set its programs are of; a file that holds none may be of none.
    fn isa(&self) -> Option<Isa>;

    /// What it is, and its programs.
    fn identity(&self, settings: &Settings) -> Identity;

    /// How many programs there are.
    fn count(&self) -> usize;

    /// Whether it is listed as one, even where it holds several programs.
    fn single(&self) -> bool {
        true
    }

    /// What opening it found besides.
    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    /// The listing of one program, or of all.
    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String>;

    /// The instructions of one program; without a number, which only files listed as one get, those of the file.
    fn instructions(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<Instructions>;

    /// The source of a program that is not assembled yet.
    fn source(&self, _index: usize) -> Option<&str> {
        None
    }

    /// Everything that is wrong with one program, or with the file.
    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>>;

    /// The control flow graph of a program.
    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg>;

    /// A program as translators read it.
    fn lower(&self, _index: usize, _: &Settings) -> Result<Lowered> {
        Err(error::not_built(&format!("lifting {} code", self.title())))
    }

    /// A program as a file of its own.
    fn extract(&self, index: usize, settings: &Settings) -> Result<Vec<u8>>;

    /// The innermost file of its own that a program is in, unpacked.
    fn enclosing(&self, index: usize, _: &Settings) -> Result<Vec<u8>> {
        let text = format!("program {} is in no file within the file", index + 1);
        Err(Diagnostic::error("extract-enclosing", text).into())
    }

    /// The file with other code for a program, in the form that [`Opened::extract`] writes.
    fn replace(&self, _index: usize, _code: &[u8], _: &Settings) -> Result<Vec<u8>> {
        Err(error::not_built(&format!("replacing a program of a {} file", self.title())))
    }

    /// What a program takes.
    fn report(&self, _index: usize, _: &Settings) -> Result<Report> {
        let text = format!("reports exist for AGX, and this is {}", self.title());
        Err(Diagnostic::error("report-isa", text).into())
    }

    /// What the family's crate calls a program or the file that it is in, for extras of one family.
    fn typed(&self, _index: usize, _: &Settings) -> Result<Option<&dyn Any>> {
        Ok(None)
    }

    /// The name of its instruction set in messages.
    fn title(&self) -> &'static str {
        self.isa().map_or("unknown", Isa::name)
    }
}

/// Running the programs of a file.
pub(crate) trait Runs {
    /// Runs one program, or those that the input names, and fills in the results.
    fn run_json(&self, _which: Option<usize>, _input: &str, _: RunOptions, _: &Settings) -> Result<Value> {
        Err(error::not_built("running these programs"))
    }
}

/// The instructions of a program, and what it is.
pub(crate) struct Instructions {
    /// The chip or version that they were read for.
    pub(crate) chip: Option<String>,
    /// The name of the stage.
    pub(crate) stage: Option<&'static str>,
    /// One by one.
    pub(crate) list: Vec<Instruction>,
}
