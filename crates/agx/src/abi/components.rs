//! Components of colours.

use alloc::string::String;
use shisa_diag::{Diagnostic, Severity};

/// Components that a shader leaves undefined, which every language of shaders permits: compilers write no code for them, and
/// epilogs read whole colours.
pub(super) fn undefined_components(text: String) -> Diagnostic {
    Diagnostic::new(Severity::Note, "agx-link-component", text)
        .help("the shader does not set these components; what is drawn of them is undefined")
}
