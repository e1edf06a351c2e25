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
    /// As [`Lowered::results`].
    fn results(&self) -> Vec<Name>;

    /// The text of each instruction.
    fn texts(&self) -> Vec<String>;

    /// The float model that rules with a `model` flag follow.
    fn float_model(&self) -> FloatModel {
        FloatModel::F32
    }
}

impl Lowered {
    /// The name of the register that each instruction writes; empty, or missing at the end, for one that writes none.
    pub fn results(&self) -> Vec<Name> {
        self.origin.results()
    }

    /// The text of each instruction.
    pub fn texts(&self) -> Vec<String> {
        self.origin.texts()
    }
}
