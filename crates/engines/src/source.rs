//! Programs as engines take them.

use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Batch, Environment, NoObserver, Outcome};
use shisa_exec::{Floats, Precision, Start};
use shisa_ir::scalar::{Numbers, Rounding, float24};
use shisa_ir::{File, FloatModel, Func, Lifted, Reg, Sequencer, Tree};

/// A program as engines take it.
pub trait Source: Send + Sync {
    /// Its register files.
    fn files(&self) -> &'static [File];

    /// Compiles it for the batch engine, with results as close to those of the evaluator as `precision` says.
    ///
    /// # Errors
    /// `exec-unsupported` if the engine lacks an operation of it; what recovery refuses; `limit-exceeded`.
    fn compile(&self, precision: Precision, limits: &Limits) -> Result<shisa_exec::Program, Diagnostic>;

    /// Runs a batch on the evaluator, from the program's own entry.
    ///
    /// # Errors
    /// Those of [`Batch::run`].
    fn evaluate(
        &self,
        batch: Batch,
        environment: &mut dyn Environment,
        limits: &Limits,
    ) -> Result<Outcome, Diagnostic>;

    /// A binary32 as registers of the program hold it.
    fn stored(&self, bits: u32) -> u32 {
        bits
    }

    /// Uniforms that the program itself states: the first unit, and the bits of units.
    fn constants(&self) -> &[(Reg, Vec<u32>)] {
        &[]
    }
}

/// A lifted program.
#[derive(Clone, Debug)]
pub struct Lift<S> {
    /// The program.
    pub lifted: Lifted,
    /// Where its waves go.
    pub sequencer: S,
    /// Program counter of the first instruction.
    pub entry: u32,
    /// The model of its floats.
    pub model: FloatModel,
    /// How a binary32 is rounded to float24, if that is the model.
    pub upload: Rounding,
    /// Uniforms that the program itself states: the first unit, and the bits of units.
    pub constants: Vec<(Reg, Vec<u32>)>,
}

impl<S: Sequencer + Send + Sync> Source for Lift<S> {
    fn files(&self) -> &'static [File] {
        self.lifted.files
    }

    fn compile(&self, precision: Precision, limits: &Limits) -> Result<shisa_exec::Program, Diagnostic> {
        let (lifted, floats) = (self.lifted.clone(), Floats { model: self.model, precision });
        let start = Start { sequencer: &self.sequencer, entry: self.entry, words: lifted.files };
        shisa_exec::Program::of_lifted(lifted, start, floats, limits)
    }

    fn evaluate(
        &self,
        batch: Batch,
        mut environment: &mut dyn Environment,
        limits: &Limits,
    ) -> Result<Outcome, Diagnostic> {
        let plan = shisa_eval::Program::with_model(&self.lifted, self.model, limits)?;
        let batch = Batch { entry: self.entry, ..batch };
        batch.run(&plan, &self.sequencer, &mut environment, &mut NoObserver, limits)
    }

    fn stored(&self, bits: u32) -> u32 {
        match self.model.numbers {
            Numbers::F24 => float24::decode(float24::encode(bits, self.upload)),
            Numbers::F32 => bits,
        }
    }

    fn constants(&self) -> &[(Reg, Vec<u32>)] {
        &self.constants
    }
}

/// A function whose registers are values, with its statement tree. The evaluator cannot run it.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function.
    pub func: Func,
    /// Its tree.
    pub tree: Tree,
    /// The model of its floats.
    pub model: FloatModel,
}

impl Source for Function {
    fn files(&self) -> &'static [File] {
        self.func.files
    }

    fn compile(&self, precision: Precision, limits: &Limits) -> Result<shisa_exec::Program, Diagnostic> {
        let floats = Floats { model: self.model, precision };
        shisa_exec::Program::new(&self.func, &self.tree, floats, limits)
    }

    fn evaluate(&self, _: Batch, _: &mut dyn Environment, _: &Limits) -> Result<Outcome, Diagnostic> {
        let text = "the evaluator runs instructions, and this is a program of values";
        Err(Diagnostic::error("exec-unsupported", text).help("use the batch engine"))
    }
}
