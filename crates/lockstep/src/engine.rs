//! Engines that are compared.

use crate::bounds::Bounds;
use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Choice, Engine as Kind, Invocation, Precision, Results};

/// An engine that is compared with others.
pub trait Engine {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Runs a program with its inputs, and does not pass it on to another engine.
    ///
    /// # Errors
    /// `exec-unsupported` or another code that does not begin with `internal-` if the engine does not take the program.
    fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic>;

    /// How close its values are to those of the evaluator.
    fn bounds(&self) -> Bounds {
        Bounds::Bits
    }
}

/// An engine of shisa.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Native {
    /// The engine.
    pub kind: Kind,
    /// How close its results are to those of the evaluator. They are compared bit for bit all the same.
    pub precision: Precision,
}

impl Engine for Native {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic> {
        // As many instructions as possible are compared, and programs are reduced to a few.
        let choice = Choice { shortest: 1, ..Choice::new(self.kind, limits) }.with_precision(self.precision);
        invocation.run(invocation.lifted(), &choice)
    }
}
