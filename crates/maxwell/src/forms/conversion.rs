//! Fields of conversions.

use shisa_rows::Field;

/// Log2 of the bytes on each side; a float has no fewer than two.
pub(super) const TO: Field = Field::at(8, 2);
pub(super) const FROM: Field = Field::at(10, 2);
/// Which part of the source is read.
pub(super) const PART: Field = Field::at(41, 2);
/// Whether the integer on each side has a sign.
pub(super) const TO_SIGNED: Field = Field::at(12, 1);
pub(super) const FROM_SIGNED: Field = Field::at(13, 1);
/// Whether the source is negated, and whether its magnitude is taken before.
pub(super) const NEGATED: Field = Field::at(45, 1);
pub(super) const MAGNITUDE: Field = Field::at(49, 1);
/// How a float becomes a whole number.
pub(super) const TO_WHOLE_NUMBER: Field = Field::at(39, 2);
/// Whether F2F between equal sizes makes a whole number.
pub(super) const MAKES_WHOLE: Field = Field::at(42, 1);
/// 64 bits.
pub(super) const WIDE: u64 = 3;
