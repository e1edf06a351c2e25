//! The choice of an engine for a program.

use crate::Engine;
use crate::batch::{self, Ran};
use crate::codes::unsupported;
use crate::surroundings::Bound;
use shisa_diag::{Diagnostic, Limits, Severity};
use shisa_eval::{Batch, Environment, Outcome};
use shisa_exec::{Coding, Floats, HostLevel, Precision, Start};
use shisa_ir::{FloatModel, Lifted, Sequencer};
use shisa_run::TraceSink;

/// The engine that a caller wants.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The engine.
    pub wanted: Engine,
    /// How close its results are to those of the evaluator, which is always exact.
    pub precision: Precision,
    /// The fewest instructions of a piece of machine code ([`Coding::shortest`]). One has most instructions as machine
    /// code, even where that is slower.
    pub shortest: usize,
    /// Limits of compilation and of runs.
    pub limits: &'a Limits,
}

/// A program for the engine that takes it.
pub(crate) struct Compiled {
    /// The program for the batch engine, with machine code if that engine takes it; `None` for the evaluator.
    pub(crate) program: Option<shisa_exec::Program>,
    /// Why other engines do not run it.
    pub(crate) refused: Vec<Diagnostic>,
}

impl Compiled {
    pub(crate) fn engine(&self) -> Engine {
        match self.program.as_ref().map(|p| p.machine_code().is_some()) {
            Some(true) => Engine::MachineCode,
            Some(false) => Engine::Batch,
            None => Engine::Evaluator,
        }
    }
}

impl<'a> Choice<'a> {
    /// An engine with exact results.
    pub fn new(wanted: Engine, limits: &'a Limits) -> Choice<'a> {
        Choice { wanted, precision: Precision::Exact, shortest: Coding::SHORTEST, limits }
    }

    /// The same engine with other errors.
    pub fn with_precision(self, precision: Precision) -> Choice<'a> {
        Choice { precision, ..self }
    }
}

impl Choice<'_> {
    /// Runs a batch of a lifted program on the wanted engine, or on the next one that takes it; `None` if that is the
    /// evaluator, which the caller runs. `sink` receives a note for each engine that does not take the program or the
    /// batch. The environment provides textures; a batch of which a texture is missing is the evaluator's, which
    /// reports where.
    ///
    /// # Errors
    /// `limit-exceeded`; `eval-batch` if the grid of the batch does not match its lanes; `internal-…` for a fault of shisa.
    pub fn run<S: Sequencer>(
        &self,
        batch: &Batch,
        (lifted, sequencer): (&Lifted, &S),
        model: FloatModel,
        environment: &mut dyn Environment,
        sink: &mut dyn TraceSink,
    ) -> Result<Option<Outcome>, Diagnostic> {
        if !self.is_fast(sink) {
            return Ok(None);
        }
        let make = || {
            let (entry, floats) = (batch.entry, Floats { model, precision: self.precision });
            let start = Start { sequencer, entry, words: lifted.files };
            let program = shisa_exec::Program::of_lifted(lifted.clone(), start, floats, self.limits)?;
            batch::check(batch, &program)?;
            Ok(program)
        };
        let compiled = self.compile(make)?;
        for reason in compiled.refused {
            sink.note(Diagnostic { severity: Severity::Note, ..reason });
        }
        let Some(program) = compiled.program else { return Ok(None) };
        let mut around = Bound::new(environment);
        if !around.has_textures_of(&lifted.nodes.textures) {
            return Ok(None);
        }
        match batch::run(batch, &program, &mut around, self.limits)? {
            Ran::Whole(outcome) => return Ok(Some(outcome)),
            Ran::Left(reason) => sink.note(Diagnostic { severity: Severity::Note, ..reason }),
            Ran::Faulted => {}
        }
        Ok(None)
    }

    /// Whether another engine than the evaluator is wanted, and `sink` needs no steps of the run, which only the evaluator
    /// has. If it needs them, it receives a note.
    pub fn is_fast(&self, sink: &mut dyn TraceSink) -> bool {
        let needs_steps = sink.needs_steps();
        if needs_steps {
            self.refuse("traces", sink);
        }
        !needs_steps && self.wanted != Engine::Evaluator
    }

    /// Passes a note to `sink` that the batch engine does not support something, if the evaluator is not wanted.
    pub fn refuse(&self, what: &str, sink: &mut dyn TraceSink) {
        if self.wanted != Engine::Evaluator {
            let text = format!("the batch engine does not support {what}");
            sink.note(Diagnostic { severity: Severity::Note, ..Diagnostic::error("exec-unsupported", text) });
        }
    }

    /// Compiles a program for the wanted engine, or for the next that takes it.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub(crate) fn compile(
        &self,
        make: impl FnOnce() -> Result<shisa_exec::Program, Diagnostic>,
    ) -> Result<Compiled, Diagnostic> {
        let mut compiled = Compiled { program: None, refused: Vec::new() };
        if self.wanted == Engine::Evaluator {
            return Ok(compiled);
        }
        match make().and_then(repeatable) {
            Ok(mut program) => {
                if self.wanted == Engine::MachineCode {
                    let coding = Coding { shortest: self.shortest, ..Coding::from(HostLevel::best()) };
                    compiled.refused.extend(refusal(program.add_machine_code_for(coding, self.limits))?);
                }
                compiled.program = Some(program);
            }
            Err(reason) => compiled.refused.extend(refusal(Err(reason))?),
        }
        Ok(compiled)
    }
}

/// Refuses a program that can end with `exec-divergent` after it emitted vertices: the evaluator would emit them again.
fn repeatable(program: shisa_exec::Program) -> Result<shisa_exec::Program, Diagnostic> {
    match program.emits() && program.needs_lanes_together() {
        true => Err(unsupported("programs that emit vertices and whose lanes see each other")),
        false => Ok(program),
    }
}

/// Why an engine does not take a program.
fn refusal(result: Result<(), Diagnostic>) -> Result<Option<Diagnostic>, Diagnostic> {
    match result {
        Err(d) if d.code.starts_with("internal-") => Err(d),
        other => Ok(other.err()),
    }
}
