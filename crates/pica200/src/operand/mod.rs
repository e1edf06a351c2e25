//! Operands of rows: their bits and their meaning. Their text is in [`crate::text`].

mod condition;
mod destination;
mod emission;
mod source;
mod source_bits;

pub(crate) use condition::{Condition, Tested, boolean};
pub(crate) use destination::Destination;
pub(crate) use source::{SOURCES, Source, masked, sources};
pub(crate) use source_bits::SourceBits;

use crate::{Pica200, text::COMPARISONS};
use condition::{Boolean, FlagTest};
use emission::EmitFlags;
use shisa_rows::{Field, Kind, Lift, Number, OneOf, Operand, Slot};

/// The lift of a row.
pub(crate) type PicaLift<'a, 'c> = Lift<'a, 'c, Pica200>;

/// The destination.
pub(crate) const D: Slot = Slot(0);
/// The first source.
pub(crate) const A: Slot = Slot(1);
/// The second source.
pub(crate) const B: Slot = Slot(2);
/// The third source.
pub(crate) const C: Slot = Slot(3);
/// The comparison that sets `cmp.x`.
pub(crate) const X: Slot = Slot(4);
/// The comparison that sets `cmp.y`.
pub(crate) const Y: Slot = Slot(5);
/// A condition on the flags, a boolean or an integer vector.
pub(crate) const TEST: Slot = Slot(6);
/// The target word.
pub(crate) const TO: Slot = Slot(7);
/// The number of words that run, or are skipped.
pub(crate) const COUNT: Slot = Slot(8);
/// The vertex slot of the geometry stage.
pub(crate) const VERTEX: Slot = Slot(9);
/// The purpose of the next emitted vertex.
pub(crate) const EMISSION: Slot = Slot(10);
/// The number of the operand descriptor.
pub(crate) const NUMBER: Slot = Slot(11);

const fn operand(slot: Slot, field: Field, kind: &'static dyn Kind<Pica200>) -> Operand<Pica200> {
    Operand { slot, field, kind }
}

/// Adds the sign and the swizzle of source `n`, which are in the descriptor.
const fn selector(field: Field, n: u8) -> Field {
    field.then(32 + 4 + 9 * n, 9)
}

/// A source with five bits of register number from bit `lo`, and number `n` in the descriptor.
const fn narrow(slot: Slot, lo: u8, n: u8) -> Operand<Pica200> {
    operand(slot, selector(Field::at(lo, 5), n), &Source { wide: false, indexed: false })
}

/// A source of seven bits, which reach the constants, with an index register at bit `index`.
const fn wide(slot: Slot, lo: u8, n: u8, index: u8) -> Operand<Pica200> {
    let field = selector(Field::at(lo, 7), n).then(index, 2);
    operand(slot, field, &Source { wide: true, indexed: true })
}

/// Destination and mask of formats 1, 1i, 1u.
pub(crate) const DEST: Operand<Pica200> = operand(D, Field::at(21, 5).then(32, 4), &Destination::Register);
/// Destination and mask of formats 5 and 5i.
pub(crate) const MAD_DEST: Operand<Pica200> =
    operand(D, Field::at(24, 5).then(32, 4), &Destination::Register);
/// The mask of `a0`.
pub(crate) const DEST_A0: Operand<Pica200> = operand(D, Field::at(32, 4), &Destination::Address);
/// First source of formats 1, 1u, 1c.
pub(crate) const SOURCE1: Operand<Pica200> = wide(A, 12, 0, 19);
/// Second source of formats 1 and 1c.
pub(crate) const SOURCE2: Operand<Pica200> = narrow(B, 7, 1);
/// First source of format 1i.
pub(crate) const INVERTED_SOURCE1: Operand<Pica200> = narrow(A, 14, 0);
/// Second source of format 1i.
pub(crate) const INVERTED_SOURCE2: Operand<Pica200> = wide(B, 7, 1, 19);
/// First source of formats 5 and 5i.
pub(crate) const MAD_SOURCE1: Operand<Pica200> = narrow(A, 17, 0);
/// Second source of format 5.
pub(crate) const MAD_SOURCE2: Operand<Pica200> = wide(B, 10, 1, 22);
/// Third source of format 5.
pub(crate) const MAD_SOURCE3: Operand<Pica200> = narrow(C, 5, 2);
/// Second source of format 5i.
pub(crate) const INVERTED_MAD_SOURCE2: Operand<Pica200> = narrow(B, 12, 1);
/// Third source of format 5i.
pub(crate) const INVERTED_MAD_SOURCE3: Operand<Pica200> = wide(C, 5, 2, 22);
/// Comparison for `cmp.x`.
pub(crate) const CMP_X: Operand<Pica200> =
    operand(X, Field::at(24, 3), &OneOf::new("comparison", COMPARISONS));
/// Comparison for `cmp.y`.
pub(crate) const CMP_Y: Operand<Pica200> =
    operand(Y, Field::at(21, 3), &OneOf::new("comparison", COMPARISONS));
/// A condition on the flags.
pub(crate) const FLAG_TEST: Operand<Pica200> = operand(TEST, Field::at(22, 4), &FlagTest);
/// A boolean.
pub(crate) const BOOLEAN: Operand<Pica200> = operand(TEST, Field::at(22, 4), &Boolean { negated: false });
/// A boolean that must be true or, where bit 0 of the word is set, false.
pub(crate) const BOOLEAN_OR_NOT: Operand<Pica200> =
    operand(TEST, Field::at(22, 4).then(0, 1), &Boolean { negated: true });
/// An integer vector.
pub(crate) const INTEGER: Operand<Pica200> =
    operand(TEST, Field::at(22, 2), &Number { prefix: "i", ..Number::new("integer vector") });
/// A word of the program.
pub(crate) const TARGET: Operand<Pica200> = operand(TO, Field::at(10, 12), &Number::new("word"));
/// A number of words.
pub(crate) const WORDS: Operand<Pica200> = operand(COUNT, Field::at(0, 8), &Number::new("number of words"));
/// A vertex slot.
pub(crate) const VERTEX_SLOT: Operand<Pica200> =
    operand(VERTEX, Field::at(24, 2), &Number::new("vertex slot"));
/// The purpose of the next emitted vertex: inverted winding, primitive.
pub(crate) const EMIT_FLAGS: Operand<Pica200> = operand(EMISSION, Field::at(22, 2), &EmitFlags);
const DESCRIPTOR_NUMBER: Number =
    Number { what: "number of the operand descriptor", prefix: "d", optional: true };
/// The number of the descriptor, which reaches all of them.
pub(crate) const DESCRIPTOR: Operand<Pica200> = operand(NUMBER, Field::at(0, 7), &DESCRIPTOR_NUMBER);
/// The number of the descriptor of formats 5 and 5i, which reaches the first 32.
pub(crate) const MAD_DESCRIPTOR: Operand<Pica200> = operand(NUMBER, Field::at(0, 5), &DESCRIPTOR_NUMBER);

/// The bits of a word for a number in an operand. A number that is too large for the operand has bits above it, too.
pub(crate) fn spilled(op: &Operand<Pica200>, number: u64) -> u64 {
    op.field.runs().first().map_or(0, |(lo, _)| number << lo)
}

/// The names of parts of operands, by which the reference prints and finds them.
pub(crate) mod parts {
    pub(crate) const REGISTER: &str = "register";
    pub(crate) const SIGN: &str = "sign";
    pub(crate) const SWIZZLE: &str = "swizzle";
    pub(crate) const INDEX: &str = "index register";
    pub(crate) const MASK: &str = "mask";
    pub(crate) const JOIN: &str = "how the flags are combined";
    pub(crate) const Y: &str = "what cmp.y must be";
    pub(crate) const X: &str = "what cmp.x must be";
    pub(crate) const FALSE: &str = "wanted false";
    pub(crate) const WINDING: &str = "inverted winding";
    pub(crate) const PRIMITIVE: &str = "completes a triangle";
}
