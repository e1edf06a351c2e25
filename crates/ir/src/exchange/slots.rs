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

/// The value that is stored at an address as 32-bit words.
pub(super) fn value(b: &mut Builder<'_>, place: Value, ty: Type) -> Value {
    let load = |b: &mut Builder<'_>, ty| b.load(Space::Shared, place, ty);
    match ty.scalar {
        Scalar::I32 | Scalar::F32 => load(b, ty),
        Scalar::I64 | Scalar::F64 => {
            let two = load(b, Scalar::I32.by(2));
            let whole = b.pair(two, Scalar::I64);
            if ty.scalar == Scalar::F64 { b.convert(Convert::Bits, whole, Scalar::F64) } else { whole }
        }
        Scalar::F16 => {
            let word = load(b, Scalar::I32.by(ty.count));
            let bits = b.convert(Convert::Truncate, word, Scalar::I16);
            b.convert(Convert::Bits, bits, Scalar::F16)
        }
        _ => {
            let word = load(b, Scalar::I32.by(ty.count));
            b.convert(Convert::Truncate, word, ty.scalar)
        }
    }
}
