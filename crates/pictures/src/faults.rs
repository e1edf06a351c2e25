//! What fails.

use shisa_diag::Diagnostic;

/// The result of everything that can fail: all faults that were found, at least one.
pub type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// The error for an input that does not fit.
pub fn wrong(text: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::error("picture-input", text)]
}

/// The error for a texture that a program does not read; it reads these.
pub fn no_texture(name: &str, read: &[&str]) -> Vec<Diagnostic> {
    let has = if read.is_empty() { "none".into() } else { read.join(", ") };
    wrong(format!("the program reads no texture `{}`; it reads {has}", shisa_diag::escape(name)))
}

/// The error for a program whose runs a debugger does not show.
pub(crate) fn not_recorded() -> Diagnostic {
    Diagnostic::error("picture-stage", "a debugger shows only the pixels of fragment programs")
}
