//! A program for an engine.

use crate::choice::Compiled;
use crate::{Choice, Engine, Source};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{File, FileId, FileKind, Reg};
use std::sync::Arc;

/// A program for the engine that the caller wants, or for the next one that takes it. It owns all that it needs; clones
/// share it, also between threads.
#[derive(Clone)]
pub struct Program {
    inner: Arc<Inner>,
}

struct Inner {
    source: Box<dyn Source>,
    compiled: Compiled,
    limits: Limits,
}

impl Program {
    /// Compiles a program for the wanted engine. If that engine does not take it, the one before it in [`Engine::ALL`] is
    /// next; the evaluator takes every program.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub fn new(source: Box<dyn Source>, choice: Choice<'_>) -> Result<Program, Diagnostic> {
        let Choice { precision, limits, .. } = choice;
        let compiled = choice.compile(|| source.compile(precision, limits))?;
        Ok(Program { inner: Arc::new(Inner { source, compiled, limits: limits.clone() }) })
    }

    /// The engine that runs it.
    pub fn engine(&self) -> Engine {
        self.inner.compiled.engine()
    }

    /// Why the engines after [`Program::engine`], up to the wanted one, do not run it.
    pub fn refused(&self) -> &[Diagnostic] {
        &self.inner.compiled.refused
    }

    /// Number of bytes of machine code; 0 without machine code.
    pub fn code_size(&self) -> usize {
        self.inner.compiled.program.as_ref().and_then(shisa_exec::Program::machine_code).unwrap_or(0)
    }

    /// Its register files.
    pub fn files(&self) -> &'static [File] {
        self.inner.source.files()
    }

    /// The first unit and the number of units of an input, uniform or output by its name: that of its file with its
    /// number there, such as `v0`.
    pub fn register(&self, name: &str) -> Option<(Reg, u16)> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = name.get(stem.len()..).filter(|digits| !digits.is_empty());
        let number: u16 = number.map_or(Some(0), |digits| digits.parse().ok())?;
        let at_interface =
            |f: &File| matches!(f.kind, FileKind::Input | FileKind::Uniform | FileKind::Output);
        let mut files = (0..).map(FileId).zip(self.files());
        let (id, file) = files.find(|(_, f)| f.name == stem && at_interface(f))?;
        let units = u16::from(file.units_per_register);
        let first = number.checked_mul(units)?;
        (first.checked_add(units)? <= file.units).then_some((Reg::new(id, first), units))
    }

    /// A binary32 as registers of the program hold it: rounded, if its floats have fewer bits. Inputs and uniforms must be
    /// such numbers.
    pub fn stored(&self, bits: u32) -> u32 {
        self.inner.source.stored(bits)
    }

    pub(crate) fn source(&self) -> &dyn Source {
        &*self.inner.source
    }

    pub(crate) fn compiled(&self) -> Option<&shisa_exec::Program> {
        self.inner.compiled.program.as_ref()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }
}
