//! Normalised numbers and floats, as elements of memory.

use shisa_ir::{Builder, Convert, Scalar, Value};

/// A float divided by a whole number.
pub(super) fn scaled(l: &mut Builder<'_>, v: Value, by: u64) -> Value {
    let by = l.f32(by as f32, 1);
    l.fdiv(v, by)
}

/// A register as a float of 32 bits.
pub(super) fn float(l: &mut Builder<'_>, v: Value) -> Value {
    if l.ty(v).scalar == Scalar::I16 {
        let half = l.convert(Convert::Bits, v, Scalar::F16);
        return l.convert(Convert::Float, half, Scalar::F32);
    }
    l.convert(Convert::Bits, v, Scalar::F32)
}

/// A float from 0 to 1 in the given number of bits, rounded; NaN is 0.
pub(super) fn unsigned(l: &mut Builder<'_>, v: Value, bits: u8) -> Value {
    let v = l.fsat(v);
    let by = l.f32((u64::MAX >> (64 - bits)) as f32, 1);
    let v = l.fmul(v, by);
    let v = l.fround(v);
    l.convert(Convert::FloatToUnsigned, v, Scalar::I32)
}

/// Converts an sRGB value to a linear one.
pub(super) fn linear(l: &mut Builder<'_>, v: Value) -> Value {
    let [low, slope, offset, scale, exponent] = [0.04045, 12.92, 0.055, 1.055, 2.4].map(|x| l.f32(x, 1));
    let straight = l.fdiv(v, slope);
    let sum = l.fadd(v, offset);
    let base = l.fdiv(sum, scale);
    let power = l.fpow(base, exponent);
    let below = l.fle(v, low);
    l.select(below, straight, power)
}

/// The inverse of [`linear`].
pub(super) fn curved(l: &mut Builder<'_>, v: Value) -> Value {
    let v = l.fsat(v);
    let [low, slope, offset, scale, exponent] =
        [0.003_130_8, 12.92, 0.055, 1.055, 1.0 / 2.4].map(|x| l.f32(x, 1));
    let straight = l.fmul(v, slope);
    let power = l.fpow(v, exponent);
    let power = l.fmul(power, scale);
    let power = l.fsub(power, offset);
    let below = l.fle(v, low);
    l.select(below, straight, power)
}
