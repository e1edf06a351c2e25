//! An opened file, as the verbs see it.

use crate::engines::Shader;
use crate::engines::Source;
use crate::fields::Field;
use crate::finding::Finding;
use crate::identity::Identity;
use crate::instruction::Instruction;
use crate::run::TraceSink;
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings, error};
use serde_json::Value;
use shisa_diag::Diagnostic;
use shisa_ir::{Natives, Scratch};
use std::any::Any;
use std::ops::ControlFlow;

/// A file and its programs, numbered from 0. Callers pass only numbers below [`Opened::count`].
pub(crate) trait Opened: Runs + Send + Sync {
    /// The instruction set of its programs; `None` is possible for a file without programs.
    fn isa(&self) -> Option<Isa>;

    /// Its identity, with its programs.
    fn identity(&self, settings: &Settings) -> Identity;

    /// The number of programs.
    fn count(&self) -> usize;

    /// Whether it has one listing even if it contains several programs.
    fn single(&self) -> bool {
        true
    }

    /// Findings from opening: warnings, and the faults of a container that has been opened all the same.
    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    /// The listing of one program, or of all.
    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String>;

    /// The chip and stage of one program. Without a number, which only files with a single listing get, those of the
    /// file.
    fn head(&self, which: Option<usize>, settings: &Settings) -> Result<Head>;

    /// Passes on the instructions of one program, or of the file as in [`Opened::head`], until `each` breaks.
    fn instructions(
        &self,
        which: Option<usize>,
        how: &Listing,
        settings: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()>;

    /// The fields of the instruction at an offset, as [`Instruction::offset`] states it; none for bytes that are no
    /// instruction.
    fn fields(&self, _index: usize, _offset: usize, _: &Settings) -> Result<Vec<Field>> {
        Ok(Vec::new())
    }

    /// The source of a program that is not assembled yet.
    fn source(&self, _index: usize) -> Option<&str> {
        None
    }

    /// All findings about one program, or about the file.
    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>>;

    /// The control flow graph of a program.
    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg>;

    /// A program in the form that translators read, for a target with these kinds, in the memory of programs before it.
    fn lower(&self, _index: usize, _: &Settings, _: Natives, _: &mut Scratch) -> Result<Lowered> {
        Err(error::not_built(&format!("lifting {} code", self.title())))
    }

    /// A program as a file of its own.
    fn extract(&self, index: usize, settings: &Settings) -> Result<Vec<u8>>;

    /// The innermost file that contains a program, unpacked.
    fn enclosing(&self, index: usize, _: &Settings) -> Result<Vec<u8>> {
        let text = format!("program {} is not in a file within the file", index + 1);
        Err(Diagnostic::error("extract-enclosing", text).into())
    }

    /// The file with new code for a program, in the form that [`Opened::extract`] writes.
    fn replace(&self, _index: usize, _code: &[u8], _: &Settings) -> Result<Vec<u8>> {
        Err(error::not_built(&format!("replacing a program of a {} file", self.title())))
    }

    /// The estimated cost of a program.
    fn report(&self, _index: usize, _: &Settings) -> Result<Report> {
        Err(error::not_built(&format!("estimating the cost of {} code", self.title())))
    }

    /// The family crate's representation of a program or of its file, for functions of one family.
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
    /// Runs one program, or the programs that the input names, and fills in the results; `trace` gets the steps.
    fn run_json(
        &self,
        _which: Option<usize>,
        _input: &str,
        _trace: &mut dyn TraceSink,
        _: &Settings,
    ) -> Result<Value> {
        Err(error::not_built("running these programs"))
    }

    /// The instructions of a program as engines take them; `None` if engines take only what [`Opened::lower`] makes.
    fn executable(&self, _index: usize, _: &Settings) -> Result<Option<Box<dyn Source>>> {
        Ok(None)
    }

    /// A program as pictures run it, with what an input of a run states about constants and textures.
    fn shader(&self, _index: usize, _input: Option<&str>, _: &Settings) -> Result<Box<dyn Shader>> {
        Err(error::not_built("drawing pictures of these programs"))
    }
}

/// Runs programs as the stages of a draw call, by their representations of [`Opened::typed`], on an input as JSON, and fills
/// in the results; the trace gets the steps.
pub(crate) type RunStages = fn(&[&dyn Any], &str, &mut dyn TraceSink, &Settings) -> Result<Value>;

/// The chip and stage of a program.
pub(crate) struct Head {
    /// The chip or version for which instructions are decoded.
    pub(crate) chip: Option<String>,
    /// The name of the stage.
    pub(crate) stage: Option<&'static str>,
}

/// Takes an instruction, in the order of the code.
pub(crate) type Each<'e> = dyn FnMut(Instruction) -> ControlFlow<()> + 'e;

/// Takes all instructions into a list.
pub(crate) fn collect(list: &mut Vec<Instruction>) -> impl FnMut(Instruction) -> ControlFlow<()> + '_ {
    |instruction| {
        list.push(instruction);
        ControlFlow::Continue(())
    }
}

/// Passes on instructions until `each` breaks.
pub(crate) fn pass_on(all: impl IntoIterator<Item = Instruction>, each: &mut Each<'_>) {
    // `Break` only states that no more are needed.
    let _ = all.into_iter().try_for_each(each);
}
