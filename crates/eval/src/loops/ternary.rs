//! Loops of operations with three operands.

use super::lanes::{Loop, ieee, three};
use shisa_ir::scalar::word::{float, fused, fused_half, select};
use shisa_ir::{FloatRule, Scalar, Ternary};

/// The loop of an operation with a rule without a float model, if there is one.
pub(super) fn of(op: Ternary, rule: FloatRule, kind: Scalar) -> Option<Loop> {
    let exact = ieee(rule) && !rule.zero_product;
    match (op, kind) {
        (Ternary::Select, kind) if kind.bits() <= 32 => Some(SELECT),
        (Ternary::Fma, Scalar::F32) if exact => {
            Some(three!("fma", |a, b, c| fused(float(a), float(b), float(c))))
        }
        (Ternary::Fma, Scalar::F16) if exact => Some(three!("fma of halves", fused_half)),
        (Ternary::Select | Ternary::Fma, _) => None,
    }
}

/// `a & 1 ? b : c`
const SELECT: Loop = three!("select", select);
