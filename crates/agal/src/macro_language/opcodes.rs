//! The opcodes for the expressions and functions of the macro language.

use crate::Agal;
use crate::text::opcode;
use shisa_rows::Form;

/// An operator of two operands.
pub(super) struct Operator {
    pub(super) sign: &'static str,
    pub(super) opcode: &'static str,
    /// Whether the opcode takes the operands in the opposite order.
    pub(super) reversed: bool,
}

const fn operator(sign: &'static str, opcode: &'static str) -> Operator {
    Operator { sign, opcode, reversed: false }
}

const fn reversed(sign: &'static str, opcode: &'static str) -> Operator {
    Operator { sign, opcode, reversed: true }
}

/// Comparisons of two sums.
pub(super) const COMPARISONS: &[Operator] = &[
    operator("==", "seq"),
    operator("!=", "sne"),
    operator(">=", "sge"),
    reversed("<=", "sge"),
    operator("<", "slt"),
    reversed(">", "slt"),
];
/// Operators of a sum.
pub(super) const SUMS: &[Operator] = &[operator("+", ADD), operator("-", "sub")];
/// Operators of a product.
pub(super) const PRODUCTS: &[Operator] = &[operator("*", MULTIPLY), operator("/", "div")];
/// Assignments that read their target.
pub(super) const ASSIGNMENTS: &[Operator] =
    &[operator("+=", ADD), operator("-=", "sub"), operator("*=", MULTIPLY), operator("/=", "div")];
/// A sum.
pub(super) const ADD: &str = "add";
/// A product.
pub(super) const MULTIPLY: &str = "mul";
/// A copy.
pub(super) const COPY: &str = "mov";
/// A negation.
pub(super) const NEGATE: &str = "neg";
/// Opcodes whose operands may be exchanged.
const COMMUTATIVE: &[&str] = &[ADD, MULTIPLY];
/// Functions whose name differs from that of their opcode.
const FUNCTIONS: &[(&str, &str)] = &[("mul3x3", "m33"), ("mul4x4", "m44")];
/// A function that is suggested for similar names.
const SUGGESTED: &str = "tex";

/// Whether the operands of an opcode may be exchanged.
pub(super) fn commutes(opcode: &str) -> bool {
    COMMUTATIVE.contains(&opcode)
}

/// The opcode of a function.
pub(super) fn function(name: &str) -> Option<&'static Form<Agal>> {
    opcode(FUNCTIONS.iter().find(|f| f.0 == name).map_or(name, |f| f.1))
}

/// Names of functions that are suggested for similar names.
pub(super) fn suggested<'s>() -> impl Iterator<Item = &'s str> {
    FUNCTIONS.iter().map(|f| f.0).chain([SUGGESTED])
}
