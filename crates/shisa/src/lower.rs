//! Lowers bytes to the input of translators: structured operations on values.

use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{FloatModel, Func, Interface, Name, Tree};
use std::fmt;
use std::sync::Arc;

/// A program in the form that translators read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lowered {
    /// Its operations on values; registers are only inputs, uniforms and outputs.
    pub func: Func,
    /// Its structured control flow.
    pub tree: Tree,
    /// Its inputs, outputs and resources.
    pub interface: Interface,
    /// Warnings about behaviour that depends on where the program runs.
    pub warnings: Vec<Diagnostic>,
    pub(crate) origin: Arc<dyn Origin>,
    pub(crate) limits: Limits,
}

/// The instructions that a program was lowered from.
pub(crate) trait Origin: fmt::Debug + Send + Sync {
    /// The name of the register that each instruction writes; empty for one that writes none.
    fn results(&self) -> Vec<Name>;

    /// The text of each instruction.
    fn texts(&self) -> Vec<String>;

    /// The float model that rules with a `model` flag follow.
    fn float_model(&self) -> FloatModel {
        FloatModel::F32
    }
}

impl Lowered {
    /// The name of the register that each instruction writes; empty for one that writes none.
    pub fn results(&self) -> Vec<Name> {
        self.origin.results()
    }

    /// The text of each instruction.
    pub fn texts(&self) -> Vec<String> {
        self.origin.texts()
    }

    /// Compiles the program for the batch engine, in the float model of the settings.
    ///
    /// ```
    /// use shisa::exec::{Attribute, Outputs, Slot};
    /// use shisa::{File, Settings};
    ///
    /// let lowered = File::open(b"// agal 1 vertex\nadd op, va0, vc0", &Settings::new())?.program(1)?.lower()?;
    /// let interface = &lowered.interface;
    /// let program = lowered.batch()?;
    /// let mut runner = program.runner();
    /// runner.set_uniforms(interface.uniforms[0].file, &[10f32, 20.0, 30.0, 0.0].map(f32::to_bits));
    /// // Two vertices of four components each, in one array.
    /// let vertices = [1f32, 2.0, 3.0, 1.0, 4.0, 5.0, 6.0, 1.0].map(f32::to_bits);
    /// let slot = |reg| Slot { reg, units: 4, offset: 0, stride: 4, step: 1 };
    /// let attributes = [Attribute { slot: slot(interface.inputs[0].reg), data: &vertices }];
    /// let mut results = [0; 8];
    /// let mut outputs = Outputs { slots: &[slot(interface.outputs[0].reg)], data: &mut results };
    /// runner.run(2, &attributes, &mut outputs, &mut [])?;
    /// assert_eq!(results.map(f32::from_bits), [11.0, 22.0, 33.0, 1.0, 14.0, 25.0, 36.0, 1.0]);
    /// # Ok::<(), shisa::Error>(())
    /// ```
    ///
    /// # Errors
    /// `exec-unsupported` if the engine lacks an operation of the program; the evaluator runs it. `limit-exceeded`.
    #[cfg(feature = "exec")]
    pub fn batch(&self) -> crate::Result<shisa_exec::Program> {
        Ok(shisa_exec::Program::new(&self.func, &self.tree, self.origin.float_model(), &self.limits)?)
    }
}
