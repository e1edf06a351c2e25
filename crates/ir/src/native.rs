//! Operations on values of 64 bits that languages with such values define to the bit.

use crate::{Binary, Convert, FloatRule, Nodes, Op, Scalar, Ternary, Type, Value};

/// Whether an operation is arithmetic of 64-bit floats that shading languages with such floats define as IEEE 754 does: sums,
/// products, comparisons, and conversions from and to 32-bit integers, of single values. They round to the nearest number and
/// preserve denormals. Conversions from and to 32-bit floats are none, because languages may flush denormals of those.
pub fn is_double_arithmetic(nodes: &Nodes, op: Op, ty: Type) -> bool {
    is_double(op, ty, |v| nodes.ty(v))
}

/// Whether an operation is arithmetic of 64-bit integers that shading languages with such integers define: sums, products,
/// shifts, comparisons, minimum and maximum, and conversions from and to 32-bit floats, of single values.
pub fn is_int64_arithmetic(nodes: &Nodes, op: Op, ty: Type) -> bool {
    is_int64(op, ty, |v| nodes.ty(v))
}

/// As [`is_double_arithmetic`], of values of the types that `of` returns.
pub(crate) fn is_double(op: Op, ty: Type, of: impl Fn(Value) -> Type) -> bool {
    use Binary::*;
    let double = Scalar::F64.by(1);
    match op {
        Op::Binary { op: FAdd | FSub | FMul | FEq | FNe | FLt | FLe, rule, a, b } => {
            is_plain(rule) && of(a) == double && of(b) == double
        }
        Op::Ternary { op: Ternary::Fma, rule, a, .. } => is_plain(rule) && of(a) == double,
        Op::Convert { op: Convert::SignedToFloat | Convert::UnsignedToFloat, rule, a } => {
            is_plain(rule) && ty == double && of(a) == Type::I32
        }
        Op::Convert { op: Convert::FloatToSigned | Convert::FloatToUnsigned, rule, a } => {
            is_plain(rule) && ty == Type::I32 && of(a) == double
        }
        _ => false,
    }
}

/// As [`is_int64_arithmetic`], of values of the types that `of` returns.
pub(crate) fn is_int64(op: Op, ty: Type, of: impl Fn(Value) -> Type) -> bool {
    use Binary::*;
    match op {
        Op::Binary { op, a, .. } => {
            let sums = matches!(op, IAdd | ISub | IMul | Shl | LShr | AShr | UMin | UMax | SMin | SMax);
            let comparisons = matches!(op, IEq | INe | ULt | ULe | SLt | SLe);
            (sums || comparisons) && of(a) == Type::I64
        }
        Op::Convert { op: Convert::SignedToFloat | Convert::UnsignedToFloat, rule, a } => {
            is_plain(rule) && ty == Type::F32 && of(a) == Type::I64
        }
        Op::Convert { op: Convert::FloatToSigned | Convert::FloatToUnsigned, rule, a } => {
            is_plain(rule) && ty == Type::I64 && of(a) == Type::F32
        }
        _ => false,
    }
}

fn is_plain(rule: FloatRule) -> bool {
    rule == FloatRule { nan: rule.nan, ..FloatRule::IEEE }
}
