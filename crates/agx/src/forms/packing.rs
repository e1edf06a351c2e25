//! Several elements in a word of 32 bits.

use super::numbers::{float, scaled, unsigned};
use shisa_ir::{Binary, Builder, Convert, FloatRule, Op, Round, Scalar, Type, Value};

/// Several elements in a word of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Three of ten bits and one of two, 0 to 1.
    Tens,
    /// Positive floats of 11, 11 and 10 bits; whether they are truncated instead of rounded.
    Floats(bool),
    /// Three of nine bits with one exponent; whether they are truncated instead of rounded.
    Shared(bool),
}

/// So many bits of a word from a bit on.
fn bits(l: &mut Builder<'_>, word: Value, from: u32, count: u32) -> Value {
    let by = l.i32(from as i32);
    let v = l.lshr(word, by);
    let mask = l.constant(Type::I32, (1 << count) - 1);
    l.and(v, mask)
}

/// A word with bits inserted at a bit.
fn put(l: &mut Builder<'_>, word: Value, v: Value, at: u32) -> Value {
    let by = l.i32(at as i32);
    let v = l.shl(v, by);
    l.or(word, v)
}

/// The elements of a word as floats.
pub(super) fn unpack(l: &mut Builder<'_>, packing: Packing, word: Value) -> [Value; 4] {
    let one = l.f32(1.0, 1);
    match packing {
        Packing::Tens => [(0, 10), (10, 10), (20, 10), (30, 2)].map(|(from, count)| {
            let v = bits(l, word, from, count);
            let v = l.convert(Convert::UnsignedToFloat, v, Scalar::F32);
            scaled(l, v, (1 << count) - 1)
        }),
        Packing::Floats(_) => {
            let [x, y, z] = [(0, 11), (11, 11), (22, 10)].map(|(from, count)| {
                let v = bits(l, word, from, count);
                let by = l.i32(15 - count as i32);
                let v = l.shl(v, by);
                let v = l.convert(Convert::Truncate, v, Scalar::I16);
                let v = l.convert(Convert::Bits, v, Scalar::F16);
                l.convert(Convert::Float, v, Scalar::F32)
            });
            [x, y, z, one]
        }
        Packing::Shared(_) => {
            let exponent = bits(l, word, 27, 5);
            let scale = power(l, exponent, 103);
            let [x, y, z] = [0, 9, 18].map(|from| {
                let v = bits(l, word, from, 9);
                let v = l.convert(Convert::UnsignedToFloat, v, Scalar::F32);
                l.fmul(v, scale)
            });
            [x, y, z, one]
        }
    }
}

/// 2^(n + `more` - 127).
fn power(l: &mut Builder<'_>, n: Value, more: i32) -> Value {
    let (more, by) = (l.i32(more), l.i32(23));
    let n = l.iadd(n, more);
    let n = l.shl(n, by);
    l.convert(Convert::Bits, n, Scalar::F32)
}

/// Registers as the elements of a word. Missing ones are 0.
pub(super) fn pack(l: &mut Builder<'_>, packing: Packing, values: Value) -> Value {
    let count = l.ty(values).count;
    let zero = l.f32(0.0, 1);
    let parts = [0, 1, 2, 3].map(|i| {
        if i >= count {
            return zero;
        }
        let v = l.component(values, i);
        float(l, v)
    });
    let places: &[u32] = match packing {
        Packing::Tens => &[0, 10, 20, 30],
        Packing::Floats(_) => &[0, 11, 22],
        Packing::Shared(_) => &[0, 9, 18],
    };
    let mut word = l.constant(Type::I32, 0);
    let scale = match packing {
        Packing::Shared(cut) => {
            let (exponent, scale) = shared(l, parts, cut);
            word = put(l, word, exponent, 27);
            Some(scale)
        }
        _ => None,
    };
    for (i, (&at, &v)) in places.iter().zip(&parts).enumerate() {
        let v = match packing {
            Packing::Tens => unsigned(l, v, if i < 3 { 10 } else { 2 }),
            Packing::Floats(cut) => short_float(l, v, if i < 2 { 11 } else { 10 }, cut),
            Packing::Shared(cut) => {
                let v = clamped(l, v);
                let v = scale.map_or(v, |scale| l.fmul(v, scale));
                whole(l, v, cut)
            }
        };
        word = put(l, word, v, at);
    }
    word
}

/// A positive float of the given number of bits, with a half's five bits of exponent. Negative numbers
/// become 0, and finite numbers stay finite.
fn short_float(l: &mut Builder<'_>, v: Value, width: u32, cut: bool) -> Value {
    let drop = 15 - width;
    let (zero, infinity) = (l.f32(0.0, 1), l.f32(f32::INFINITY, 1));
    let number = l.feq(v, v);
    let negative = l.flt(v, zero);
    let v = l.select(negative, zero, v);
    // The half below, with its last bit set if bits were truncated: rounding that rounds `v`.
    let rule = core::mem::replace(&mut l.rule, FloatRule { round: Round::Zero, ..FloatRule::IEEE });
    let half = l.convert(Convert::Float, v, Scalar::F16);
    l.rule = rule;
    let back = l.convert(Convert::Float, half, Scalar::F32);
    let inexact = l.fne(back, v);
    let half = l.convert(Convert::Bits, half, Scalar::I16);
    let half = l.convert(Convert::ZeroExtend, half, Scalar::I32);
    let sign = l.constant(Type::I32, 0x7fff);
    let half = l.and(half, sign);
    let by = l.i32(drop as i32);
    let short = if cut {
        l.lshr(half, by)
    } else {
        let (one, none) = (l.i32(1), l.i32(0));
        let sticky = l.select(inexact, one, none);
        let odd = l.or(half, sticky);
        let kept = l.lshr(odd, by);
        let even = l.and(kept, one);
        let almost = l.i32((1 << (drop - 1)) - 1);
        let sum = l.iadd(odd, almost);
        let sum = l.iadd(sum, even);
        l.lshr(sum, by)
    };
    let largest = l.i32(0x7bff >> drop);
    let short =
        l.push(Op::Binary { op: Binary::UMin, rule: FloatRule::IEEE, a: short, b: largest }, Type::I32);
    let (endless, nan) = (l.i32(0x7c00 >> drop), l.i32(0x7e00 >> drop));
    let is_endless = l.feq(v, infinity);
    let short = l.select(is_endless, endless, short);
    l.select(number, short, nan)
}

/// A number clamped to the range of elements with one exponent.
fn clamped(l: &mut Builder<'_>, v: Value) -> Value {
    let (zero, most) = (l.f32(0.0, 1), l.f32(65408.0, 1));
    let positive = l.flt(zero, v);
    let v = l.select(positive, v, zero);
    let above = l.flt(most, v);
    l.select(above, most, v)
}

/// A positive number as an integer, truncated or rounded with halves upwards.
fn whole(l: &mut Builder<'_>, v: Value, cut: bool) -> Value {
    let v = if cut {
        v
    } else {
        let half = l.f32(0.5, 1);
        l.fadd(v, half)
    };
    l.convert(Convert::FloatToUnsigned, v, Scalar::I32)
}

/// The exponent that the largest of three numbers needs, and the corresponding factor.
fn shared(l: &mut Builder<'_>, parts: [Value; 4], cut: bool) -> (Value, Value) {
    let [x, y, z] = [0, 1, 2].map(|i| clamped(l, parts[i]));
    let most = l.fmax(x, y);
    let most = l.fmax(most, z);
    let word = l.convert(Convert::Bits, most, Scalar::I32);
    let (by, least) = (l.i32(23), l.i32(111));
    let exponent = l.lshr(word, by);
    let small = l.ult(exponent, least);
    let exponent = l.select(small, least, exponent);
    let exponent = l.isub(exponent, least);
    let scale_of = |l: &mut Builder<'_>, exponent: Value| {
        let zero = l.i32(0);
        let negative = l.isub(zero, exponent);
        power(l, negative, 151)
    };
    let scale = scale_of(l, exponent);
    let largest = l.fmul(most, scale);
    let largest = whole(l, largest, cut);
    let (limit, one) = (l.i32(512), l.i32(1));
    let over = l.ieq(largest, limit);
    let next = l.iadd(exponent, one);
    let exponent = l.select(over, next, exponent);
    (exponent, scale_of(l, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FILES, REGISTERS};
    use alloc::vec::Vec;
    use shisa_ir::{Block, End, Func, Mask, Nodes, Reg, fold};

    /// The word that three numbers are packed into.
    fn packed(packing: Packing, numbers: [f32; 3]) -> u32 {
        let mut func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
        let mut b = Builder::new(&mut func.nodes, 0);
        let parts = numbers.map(|n| b.f32(n, 1));
        let values = b.join(&parts);
        let word = pack(&mut b, packing, values);
        b.write(Reg::new(REGISTERS, 0), Mask::first(1), word);
        let body = (0..func.nodes.list.len() as u32).map(Value).collect();
        func.blocks.push(Block { params: Vec::new(), body, end: End::Exit });
        fold(&mut func);
        match func.blocks[0].body.last().map(|v| func.nodes.op(*v)) {
            Some(Op::Write { value, .. }) => match func.nodes.op(value) {
                Op::Const(bits) => bits as u32,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    /// The number that bits with so many bits of fraction stand for; the exponent has five.
    fn number(bits: u32, fraction: u32) -> f64 {
        let (exponent, rest) = (bits >> fraction, f64::from(bits & ((1 << fraction) - 1)));
        let unit = 2f64.powi(-(fraction as i32));
        match exponent {
            0 => rest * unit * 2f64.powi(-14),
            _ => (1.0 + rest * unit) * 2f64.powi(exponent as i32 - 15),
        }
    }

    /// Every number of 11 and 10 bits, and what lies between it and the next: to the nearest, ties to even, or cut off.
    #[test]
    fn short_floats_round_to_the_nearest() {
        for (fraction, at, place) in [(6, 0, 0), (6, 11, 1), (5, 22, 2)] {
            let of = |cut: bool, v: f64| {
                let mut numbers = [0.0; 3];
                numbers[place] = v as f32;
                packed(Packing::Floats(cut), numbers) >> at
            };
            let largest = (31 << fraction) - 1;
            for bits in 0..largest {
                let (low, high) = (number(bits, fraction), number(bits + 1, fraction));
                let (middle, step) = ((low + high) / 2.0, (high - low) / 1024.0);
                let even = bits + (bits & 1);
                for (v, nearest) in
                    [(low, bits), (middle - step, bits), (middle, even), (middle + step, bits + 1)]
                {
                    assert_eq!((of(false, v), of(true, v)), (nearest, bits), "{v} after {bits:#x}");
                }
                assert_eq!(of(true, high - step), bits, "cut off before {:#x}", bits + 1);
            }
            // Finite numbers stay finite, negative ones are zero.
            for cut in [false, true] {
                assert_eq!(of(cut, 1e30), largest);
                assert_eq!(of(cut, f64::INFINITY), 31 << fraction);
                assert_eq!(of(cut, -1.0), 0);
                assert_eq!(of(cut, f64::NAN), (31 << fraction) + (1 << (fraction - 1)));
            }
        }
    }
}
