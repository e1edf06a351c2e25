//! The choice of an engine for a program.

use crate::Engine;
use shisa_diag::{Diagnostic, Limits};

/// The engine that a caller wants.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The engine.
    pub wanted: Engine,
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

impl Choice<'_> {
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
        match make() {
            Ok(mut program) => {
                if self.wanted == Engine::MachineCode {
                    compiled.refused.extend(refusal(program.add_machine_code(self.limits))?);
                }
                compiled.program = Some(program);
            }
            Err(reason) => compiled.refused.extend(refusal(Err(reason))?),
        }
        Ok(compiled)
    }
}

/// Why an engine does not take a program.
fn refusal(result: Result<(), Diagnostic>) -> Result<Option<Diagnostic>, Diagnostic> {
    match result {
        Err(d) if d.code.starts_with("internal-") => Err(d),
        other => Ok(other.err()),
    }
}
