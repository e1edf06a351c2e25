//! What folding replaces an operation by.

use crate::op::{Op, Value};

/// What replaces an operation.
pub(super) enum Simple {
    /// A value that exists.
    Value(Value),
    /// A simpler operation.
    Op(Op),
}
