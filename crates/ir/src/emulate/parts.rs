//! What a float consists of, as values.

use crate::Value;
use alloc::vec::Vec;

/// An integer of one or several words.
pub(super) type Wide = Vec<Value>;

/// A number: `digits * 2^exponent`, negated if `negative` holds. Where `nan` or `infinite` holds, digits and exponent do not
/// count.
#[derive(Clone)]
pub(super) struct Number {
    pub(super) negative: Value,
    pub(super) nan: Value,
    pub(super) infinite: Value,
    pub(super) exponent: Value,
    pub(super) digits: Wide,
    /// Whether it is the zero that two opposite numbers leave: its sign follows from the direction of rounding.
    pub(super) cancelled: Option<Value>,
}

/// A number with the digits of a format, before its direction of rounding counts.
#[derive(Clone)]
pub(super) struct Cut {
    /// The number, for its sign and whether it is infinite, none, or cancelled.
    pub(super) number: Number,
    /// The digits that the format has, and the exponent field.
    pub(super) digits: Wide,
    pub(super) field: Value,
    /// Whether it is not zero.
    pub(super) some: Value,
    /// Whether half a unit of the last digit is cut off, and whether something below it is.
    pub(super) half: Value,
    pub(super) below: Value,
}
