//! Values in the slots of lanes, as 32-bit words.

use crate::*;

/// A value as 32-bit words.
pub(super) fn words(b: &mut Builder<'_>, a: Value) -> Value {
    match b.ty(a).scalar {
        Scalar::I32 | Scalar::F32 => a,
        Scalar::I64 | Scalar::F64 => {
            let bits =
                if b.ty(a).scalar == Scalar::F64 { b.convert(Convert::Bits, a, Scalar::I64) } else { a };
            b.push(Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: bits }, Scalar::I32.by(2))
        }
        Scalar::F16 => {
            let bits = b.convert(Convert::Bits, a, Scalar::I16);
            b.convert(Convert::ZeroExtend, bits, Scalar::I32)
        }
        _ => b.convert(Convert::ZeroExtend, a, Scalar::I32),
    }
}

/// The type of a value as 32-bit words.
pub(super) fn words_type(ty: Type) -> Type {
    match ty.scalar {
        Scalar::I32 | Scalar::F32 => ty,
        Scalar::I64 | Scalar::F64 => Scalar::I32.by(2),
        _ => Scalar::I32.by(ty.count),
    }
}

/// The value that `load` reads as 32-bit words of a type.
pub(super) fn value(
    b: &mut Builder<'_>,
    ty: Type,
    load: impl FnOnce(&mut Builder<'_>, Type) -> Value,
) -> Value {
    let words = load(b, words_type(ty));
    match ty.scalar {
        Scalar::I32 | Scalar::F32 => words,
        Scalar::I64 | Scalar::F64 => {
            let whole = b.pair(words, Scalar::I64);
            if ty.scalar == Scalar::F64 { b.convert(Convert::Bits, whole, Scalar::F64) } else { whole }
        }
        Scalar::F16 => {
            let bits = b.convert(Convert::Truncate, words, Scalar::I16);
            b.convert(Convert::Bits, bits, Scalar::F16)
        }
        _ => b.convert(Convert::Truncate, words, ty.scalar),
    }
}
