//! Translation of programs.

use crate::{Lowered, Program, Result};
use shisa_translate::{Options, Output, Source, Target};

impl Program<'_> {
    /// Translates it to a shading language.
    ///
    /// # Errors
    /// What the lift, the passes and the translator refuse.
    pub fn translate(&self, target: Target, options: &Options) -> Result<Output> {
        self.lower()?.translate(target, options)
    }
}

impl Lowered {
    /// Translates it to a shading language. One lowered program can be translated any number of times.
    ///
    /// # Errors
    /// What the translator refuses.
    pub fn translate(&self, target: Target, options: &Options) -> Result<Output> {
        let results = self.results();
        let texts = if options.comments { self.texts() } else { Vec::new() };
        let source: Vec<Source<'_>> = results
            .iter()
            .enumerate()
            .map(|(i, result)| Source { text: texts.get(i).map_or("", String::as_str), result })
            .collect();
        let program = shisa_translate::Program {
            func: &self.func,
            tree: &self.tree,
            interface: &self.interface,
            source: &source,
        };
        let mut output = shisa_translate::translate(&program, target, options, &self.limits)?;
        output.warnings.splice(0..0, self.warnings.iter().cloned());
        Ok(output)
    }
}
