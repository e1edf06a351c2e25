//! Compiles programs for engines.

use crate::{Lowered, Program, Result};
pub(crate) use shisa_debug::CODES;
pub(crate) use shisa_engines::Source;
use shisa_engines::{Choice, Engine, Function, Precision};
pub(crate) use shisa_pictures::{CODES as PICTURES, Shader};

impl Program<'_> {
    /// The program as pictures run it, with the constants and textures of an input of [`Program::run_json`].
    ///
    /// # Errors
    /// What the lift refuses; `run-input`; `not-built`.
    pub fn shader(&self, input: Option<&str>) -> Result<Box<dyn Shader>> {
        self.file.opened.shader(self.index, input, &self.file.settings)
    }

    /// Compiles it for the wanted engine, or for the next one that takes it.
    ///
    #[doc = include_str!("../doc/engines.md")]
    ///
    /// # Errors
    /// What the lift refuses.
    pub fn compile(&self, wanted: Engine) -> Result<shisa_engines::Program> {
        let settings = &self.file.settings;
        let source = match self.file.opened.executable(self.index, settings)? {
            Some(source) => source,
            None => {
                let Lowered { func, tree, origin, .. } = self.lower()?;
                Box::new(Function { func, tree, model: origin.float_model() })
            }
        };
        Ok(shisa_engines::Program::new(source, Choice { wanted, ..settings.choice() })?)
    }
}

impl Lowered {
    /// Compiles the program for the batch engine, in the float model of the settings, with results as close to those of the
    /// evaluator as `precision` says.
    ///
    #[doc = include_str!("../doc/batch.md")]
    ///
    /// # Errors
    /// `exec-unsupported` if the engine lacks an operation of the program; the evaluator runs it. `limit-exceeded`.
    pub fn batch(&self, precision: Precision) -> Result<shisa_exec::Program> {
        let floats = shisa_exec::Floats { model: self.origin.float_model(), precision };
        Ok(shisa_exec::Program::new(&self.func, &self.tree, floats, &self.limits)?)
    }
}
