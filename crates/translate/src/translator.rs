//! Translation of programs one after another.

use crate::*;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Lacks, Scratch};
use std::cell::Cell;

thread_local! {
    /// The thread's translator, unless it translates.
    static OF_THREAD: Cell<Option<Box<Translator>>> = const { Cell::new(None) };
}

/// The number of values up to which a thread caches the memory of its translator: some MB.
const MOST_CACHED: usize = 1 << 17;

/// Translates programs one after another, each in the memory of those before it. [`translate`] makes one for a single
/// program.
///
/// The passes before translation are, and the writer of WGSL. Other writers take their own memory for each program.
#[derive(Default)]
pub struct Translator {
    scratch: Scratch,
    #[cfg(feature = "wgsl")]
    wgsl: wgsl::Spare,
}

impl std::fmt::Debug for Translator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Translator").finish_non_exhaustive()
    }
}

impl Translator {
    /// Without any memory yet.
    pub fn new() -> Translator {
        Translator::default()
    }

    /// Calls a function with the translator of this thread, which has the memory of its last translation, unless that
    /// was of a large program.
    pub fn of_thread<T>(f: impl FnOnce(&mut Translator) -> T) -> T {
        let mut translator = Translator::cached();
        let result = f(&mut translator);
        translator.cache();
        result
    }

    /// The translator of this thread; a thread that ends has none any more.
    #[inline(never)]
    fn cached() -> Box<Translator> {
        OF_THREAD.try_with(Cell::take).ok().flatten().unwrap_or_else(|| Box::new(Translator::new()))
    }

    /// Makes it the translator of this thread.
    #[inline(never)]
    fn cache(self: Box<Translator>) {
        if self.scratch.value_memory() <= MOST_CACHED {
            OF_THREAD.try_with(|cached| cached.set(Some(self))).ok();
        }
    }

    /// Memory for the passes before translation.
    pub fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// Translates a program.
    ///
    /// # Errors
    /// The errors of [`translate`].
    pub fn translate(
        &mut self,
        program: &Program,
        target: Target,
        options: &Options,
        limits: &Limits,
    ) -> Result<Output, Vec<Diagnostic>> {
        let interface = locations::stated(program.interface, options).map_err(|d| vec![d])?;
        let program = &Program { interface: &interface, ..*program };
        let (options, warning) = shaped(program, target, options).map_err(|d| vec![d])?;
        uniforms::check(program, &options)?;
        let lacks = Lacks {
            doubles: !matches!(target, Target::Spirv(_)),
            arithmetic: !target.has_doubles(),
            int64: !target.has_int64(),
            rounding: true,
        };
        let emulated = shisa_ir::emulate(program.func, program.tree, lacks);
        let program = &match &emulated {
            Some((func, tree)) => Program { func, tree, ..*program },
            None => *program,
        };
        let mut output = self.written(program, target, &options, limits);
        if let Ok(output) = &mut output {
            output.warnings.extend(warning);
            if options.form == Form::Stage {
                output.warnings.extend(one_pixel_points(program.interface, target));
            }
        }
        output
    }

    /// Translates a program in the form that the options state.
    fn written(
        &mut self,
        program: &Program,
        target: Target,
        options: &Options,
        limits: &Limits,
    ) -> Result<Output, Vec<Diagnostic>> {
        match target {
            #[cfg(feature = "wgsl")]
            Target::Wgsl => wgsl::translate(program, options, &mut self.wgsl, limits),
            #[cfg(feature = "spirv")]
            Target::Spirv(version) => spirv::translate(program, version, options, limits),
            #[cfg(feature = "glsl")]
            Target::Glsl(_) => match split::split(program) {
                Some((func, interface)) => {
                    let program = Program { func: &func, interface: &interface, ..*program };
                    through_naga::translate(&program, target, options, limits)
                }
                None => through_naga::translate(program, target, options, limits),
            },
            #[cfg(feature = "hlsl")]
            Target::Hlsl(_) => through_naga::translate(program, target, options, limits),
            #[cfg(feature = "msl")]
            Target::Msl => through_naga::translate(program, target, options, limits),
            #[allow(unreachable_patterns, reason = "with all features each language has a writer")]
            _ => {
                let text = format!("this build of shisa has no writer for {}", target.name());
                let d = Diagnostic::error("translate-no-writer", text);
                Err(vec![d.help(format!("build shisa-translate with the feature `{}`", target.name()))])
            }
        }
    }
}
