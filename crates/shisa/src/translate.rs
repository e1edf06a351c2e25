//! Translation of programs.

use crate::{Lowered, Program, Result, Settings};
use shisa_translate::{Options, Output, Source, Target, Translator};

impl Program<'_> {
    /// Translates it to a shading language, by [`Translator::of_thread`].
    ///
    /// # Errors
    /// What the lift, the passes and the translator refuse.
    pub fn translate(&self, target: Target, options: &Options) -> Result<Output> {
        Translator::of_thread(|with| self.translate_with(with, target, options))
    }

    /// As [`Program::translate`], in the memory of the programs that the translator has translated.
    ///
    /// # Errors
    /// What the lift, the passes and the translator refuse.
    pub fn translate_with(&self, with: &mut Translator, target: Target, options: &Options) -> Result<Output> {
        let (settings, natives) = (&self.file.settings, options.natives(target));
        let lowered = match settings.subgroups && !target.has_subgroups() {
            false => self.file.opened.lower(self.index, settings, natives, with.scratch())?,
            true => {
                let shared = Settings { subgroups: false, ..settings.clone() };
                self.file.opened.lower(self.index, &shared, natives, with.scratch())?
            }
        };
        let output = lowered.translate_with(with, target, options);
        with.scratch().take(lowered.func);
        output
    }
}

impl Lowered {
    /// Translates it to a shading language. One lowered program can be translated any number of times.
    ///
    /// # Errors
    /// What the translator refuses.
    pub fn translate(&self, target: Target, options: &Options) -> Result<Output> {
        Translator::of_thread(|with| self.translate_with(with, target, options))
    }

    fn translate_with(&self, with: &mut Translator, target: Target, options: &Options) -> Result<Output> {
        let results = self.results();
        let texts = if options.comments { self.texts() } else { Vec::new() };
        let mut source = vec![Source { text: "", result: "" }; results.len().max(texts.len())];
        source.iter_mut().zip(&texts).for_each(|(source, text)| source.text = text);
        source.iter_mut().zip(&results).for_each(|(source, result)| source.result = result);
        let (func, tree, interface) = (&self.func, &self.tree, &self.interface);
        let program = shisa_translate::Program { func, tree, interface, source: &source };
        let mut output = with.translate(&program, target, options, &self.limits);
        if let Ok(output) = &mut output
            && !self.warnings.is_empty()
        {
            output.warnings.splice(0..0, self.warnings.iter().cloned());
        }
        Ok(output?)
    }
}
