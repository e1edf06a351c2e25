//! What naga printed.

/// A text that naga printed, and what must still be changed in it.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) text: String,
    /// Identifiers to replace, with what by.
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
