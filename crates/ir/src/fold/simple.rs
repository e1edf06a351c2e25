//! The result of simplifying an operation.

use crate::op::{Op, Value};

/// The replacement of an operation.
pub(super) enum Simple {
    /// An existing value.
    Value(Value),
    /// A simpler operation.
    Op(Op),
}
