//! Calls into naga, whose panics become diagnostics. None of our own code runs under the guard.

use naga::{
    Module,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};
use shisa_diag::Diagnostic;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Validates a module.
pub(super) fn validate(module: &Module) -> Result<ModuleInfo, Diagnostic> {
    guarded(|| {
        let needed = Capabilities::MULTISAMPLED_SHADING
            | Capabilities::CLIP_DISTANCES
            | Capabilities::PRIMITIVE_INDEX
            | Capabilities::CUBE_ARRAY_TEXTURES
            | Capabilities::SUBGROUP;
        Validator::new(ValidationFlags::all(), needed).validate(module).map_err(|e| refused(&e.into_inner()))
    })
}

/// Runs a validator or writer of naga. If naga panics, returns the diagnostic `translate-refused`.
pub(super) fn guarded<T>(f: impl FnOnce() -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| {
        let d = Diagnostic::error("translate-refused", "naga panicked on the program");
        Err(d.note("the program may not be well formed: verify it first"))
    })
}

/// The diagnostic for an error of naga, with every cause that naga states.
pub(super) fn refused(error: &dyn std::error::Error) -> Diagnostic {
    let mut text = format!("naga refuses the program: {error}");
    let mut cause = error.source();
    while let Some(c) = cause {
        let _ = write!(text, ": {c}");
        cause = c.source();
    }
    Diagnostic::error("translate-refused", text)
}
