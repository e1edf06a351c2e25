//! Without engines, programs cannot be run.

/// A program as engines take it: there is none.
pub(crate) trait Source {}

/// The engines' diagnostic codes: none.
pub(crate) const CODES: [&[(&str, &str)]; 0] = [];
