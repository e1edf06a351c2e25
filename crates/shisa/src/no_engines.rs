//! Without engines, programs cannot be run.

/// A program as engines take it, and as pictures run it: there is none.
pub(crate) trait Source {}
pub(crate) trait Shader {}
/// The diagnostic codes of engines and pictures: none.
pub(crate) const CODES: [&[(&str, &str)]; 0] = [];
pub(crate) const PICTURES: &[(&str, &str)] = &[];
