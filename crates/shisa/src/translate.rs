//! Translation of programs.

use crate::{Lowered, Program, Result, Settings};
use shisa_translate::{Options, Output, Source, Target, Translator};
use std::cell::Cell;

thread_local! {
    /// The memory of the thread's last translation, for its next one.
    static LAST: Cell<Option<Box<Translator>>> = const { Cell::new(None) };
}

/// The number of values up to which a thread caches the memory of a translation: some MB.
const MOST_CACHED: usize = 1 << 17;

/// Calls a function with the memory of the thread's last translation.
fn with_last<T>(f: impl FnOnce(&mut Translator) -> T) -> T {
    // A thread that ends has no memory any more.
    let last = LAST.try_with(Cell::take).ok().flatten();
    let mut with = last.unwrap_or_else(|| Box::new(Translator::new()));
    let result = f(&mut with);
    if with.scratch().value_memory() <= MOST_CACHED {
        LAST.try_with(|last| last.set(Some(with))).ok();
    }
    result
}

impl Program<'_> {
    /// Translates it to a shading language. A thread caches the memory of its last translation for the next one, unless
    /// the program was large.
    ///
    /// # Errors
    /// What the lift, the passes and the translator refuse.
    pub fn translate(&self, target: Target, options: &Options) -> Result<Output> {
        with_last(|with| self.translate_with(with, target, options))
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
        with_last(|with| self.translate_with(with, target, options))
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
