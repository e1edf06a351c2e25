//! naga's output.

/// A text that naga printed, and the changes still to make in it.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) text: String,
    /// Identifiers to replace, each with its replacement.
    pub(super) renames: Vec<(String, String)>,
    /// Sampler variables with register and space, for HLSL.
    pub(super) samplers: Vec<(String, u32, u32)>,
}

impl Printed {
    /// No text yet.
    pub(super) fn new() -> Printed {
        Printed { text: String::with_capacity(2048), renames: Vec::new(), samplers: Vec::new() }
    }
}
