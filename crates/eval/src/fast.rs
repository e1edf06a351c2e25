//! The loops behind [`Fast`]. Each is bit-equal to `shisa_ir::scalar`, which the tests hold it to.

use crate::{micro::Fast, wave::Plane};
use shisa_ir::WAVE;

/// The NaN that every operation answers with.
const NAN: u32 = 0x7fc0_0000;
const SIGN: u32 = 0x8000_0000;
/// From here on every binary32 number is integral.
const INTEGRAL: f32 = 8_388_608.0;

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// The bits of a result, NaN made canonical.
fn bits(x: f32) -> u32 {
    if x.is_nan() { NAN } else { x.to_bits() }
}

/// The nearest integral number, ties to even, by adding and taking away 2^23: no call, no branch.
/// Larger numbers, infinities and NaN come back as they are.
fn round(x: f32) -> f32 {
    let nearest = (x.abs() + INTEGRAL) - INTEGRAL;
    if x.abs() < INTEGRAL { nearest.copysign(x) } else { x }
}

fn floor(x: f32) -> f32 {
    let r = round(x);
    if r > x { r - 1.0 } else { r }
}

fn ceil(x: f32) -> f32 {
    let r = round(x);
    // A negative number that rounds up to zero keeps its sign.
    if r < x { (r + 1.0).copysign(x) } else { r }
}

fn trunc(x: f32) -> f32 {
    floor(x.abs()).copysign(x)
}

fn saturate(x: f32) -> u32 {
    // Both tests are false for NaN; zero of either sign gives +0.
    if x >= 1.0 {
        1f32.to_bits()
    } else if x > 0.0 {
        x.to_bits()
    } else {
        0
    }
}

/// Minimum when `less(a, b)` means a < b; `tie` decides between equal operands (zeros of two signs). An
/// operand that is NaN loses.
fn choose(a: u32, b: u32, less: impl Fn(f32, f32) -> bool, tie: impl Fn(u32, u32) -> u32) -> u32 {
    let (x, y) = (float(a), float(b));
    // `|` and not `||`: the loop stays free of branches.
    let first = less(x, y) | y.is_nan();
    let second = less(y, x) | x.is_nan();
    let other = if second { b } else { tie(a, b) };
    bits(float(if first { a } else { other }))
}

fn in_binary64(x: u32, f: impl Fn(f64) -> f64) -> u32 {
    bits(f(f64::from(float(x))) as f32)
}

/// The product is exact in binary64. The sum is rounded to odd there, by what it leaves, and so is rounded
/// once in the end.
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> u32 {
    let (p, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = p + c;
    let part = sum - p;
    let left = (p - (sum - part)) + (c - part);
    let odd = to_odd(sum.to_bits(), left > 0.0, left < 0.0, sum > 0.0);
    bits(f64::from_bits(odd) as f32)
}

/// As [`fused`], of numbers of 16 bits: to odd in binary64, to odd in binary32, and then rounded.
#[inline(always)]
fn fused_half(a: u32, b: u32, c: u32) -> u32 {
    let [a, b, c] = [a, b, c].map(|x| float(from_half(x)));
    // The product is exact in binary32.
    let (p, c) = (f64::from(a * b), f64::from(c));
    let sum = p + c;
    let part = sum - p;
    let left = (p - (sum - part)) + (c - part);
    let odd = to_odd(sum.to_bits(), left > 0.0, left < 0.0, sum > 0.0);
    let sum = f64::from_bits(odd);
    let near = sum as f32;
    let left = sum - f64::from(near);
    let odd = to_odd(near.to_bits().into(), left > 0.0, left < 0.0, near > 0.0);
    to_half(odd as u32)
}

/// The bits of a number that was rounded, as if rounded to odd, given the sign of what it leaves.
#[inline(always)]
fn to_odd(bits: u64, above: bool, below: bool, positive: bool) -> u64 {
    let next = if above == positive { 1 } else { u64::MAX };
    bits.wrapping_add(if (above | below) & (bits & 1 == 0) { next } else { 0 })
}

/// Shifted into place a half has the exponent of a binary32 number that is 2^112 times as small.
#[inline(always)]
fn from_half(x: u32) -> u32 {
    let (sign, magnitude) = ((x & 0x8000) << 16, x & 0x7fff);
    let scaled = (float(magnitude << 13) * float(0x7780_0000)).to_bits();
    let endless = if magnitude == 0x7c00 { 0x7f80_0000 } else { scaled };
    if magnitude > 0x7c00 { NAN } else { endless | sign }
}

/// Adding a number whose last bit is the last one that a half keeps rounds to it.
#[inline(always)]
fn to_half(x: u32) -> u32 {
    let (sign, magnitude) = (x >> 16 & 0x8000, x & 0x7fff_ffff);
    // Denormal halves, and zero: 0.5 counts in units of 2^-24.
    let small = (float(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let odd = magnitude >> 13 & 1;
    let large = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
    let half = if magnitude < 0x3880_0000 { small } else { large.min(0x7c00) };
    if magnitude > 0x7f80_0000 { 0x7e00 } else { half | sign }
}

#[inline(always)]
fn map1(dst: &mut Plane, a: &Plane, f: impl Fn(u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l]);
    }
}

#[inline(always)]
fn map2(dst: &mut Plane, a: &Plane, b: &Plane, f: impl Fn(u32, u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l], b.0[l]);
    }
}

/// `dst = op(a, b, c)` in every lane; operations of fewer operands ignore the rest.
#[inline]
pub(crate) fn run(op: Fast, dst: &mut Plane, [a, b, c]: [&Plane; 3]) {
    macro_rules! unary {
        ($f:expr) => {
            map1(dst, a, $f)
        };
    }
    macro_rules! binary {
        ($f:expr) => {
            map2(dst, a, b, $f)
        };
    }
    match op {
        Fast::Copy => *dst = *a,
        Fast::FNeg => unary!(|x| x ^ SIGN),
        Fast::FAbs => unary!(|x| x & !SIGN),
        Fast::FSat => unary!(|x| saturate(float(x))),
        Fast::FFloor => unary!(|x| bits(floor(float(x)))),
        Fast::FCeil => unary!(|x| bits(ceil(float(x)))),
        Fast::FTrunc => unary!(|x| bits(trunc(float(x)))),
        Fast::FRound => unary!(|x| bits(round(float(x)))),
        Fast::FSqrt => unary!(|x| bits(float(x).sqrt())),
        // Rounding twice gives the correctly rounded result for every binary32 operand.
        Fast::FRsqrt => unary!(|x| bits((1.0 / f64::from(float(x)).sqrt()) as f32)),
        Fast::FRcp => unary!(|x| bits(1.0 / float(x))),
        Fast::FExp2 => unary!(|x| in_binary64(x, libm::exp2)),
        Fast::FLog2 => unary!(|x| in_binary64(x, libm::log2)),
        Fast::FSin => unary!(|x| in_binary64(x, libm::sin)),
        Fast::FCos => unary!(|x| in_binary64(x, libm::cos)),
        Fast::FSinc => unary!(|x| in_binary64(x, shisa_ir::scalar::sinc)),
        Fast::FAdd => binary!(|x, y| bits(float(x) + float(y))),
        Fast::FSub => binary!(|x, y| bits(float(x) - float(y))),
        Fast::FMul => binary!(|x, y| bits(float(x) * float(y))),
        Fast::FMulZero => binary!(|x, y| {
            let (x, y) = (float(x), float(y));
            let product = bits(x * y);
            // `&` and not `&&`: the loop stays free of branches.
            if (product == NAN) & !(x.is_nan() | y.is_nan()) { 0 } else { product }
        }),
        Fast::FDiv => binary!(|x, y| bits(float(x) / float(y))),
        Fast::FMin => binary!(|x, y| choose(x, y, |x, y| x < y, |x, y| x | y)),
        Fast::FMax => binary!(|x, y| choose(x, y, |x, y| x > y, |x, y| x & y)),
        Fast::FMinSecond => binary!(|x, y| if float(x) < float(y) { x } else { y }),
        Fast::FMaxSecond => binary!(|x, y| if float(x) > float(y) { x } else { y }),
        Fast::FPow => binary!(|x, y| in_binary64(x, |x| libm::exp2(f64::from(float(y)) * libm::log2(x)))),
        Fast::Fma => {
            for l in 0..WAVE {
                dst.0[l] = fused(float(a.0[l]), float(b.0[l]), float(c.0[l]));
            }
        }
        Fast::Flush => unary!(|x| if x & 0x7f80_0000 == 0 { x & SIGN } else { x }),
        Fast::FEq => binary!(|x, y| (float(x) == float(y)).into()),
        Fast::FNe => binary!(|x, y| (float(x) != float(y)).into()),
        Fast::FLt => binary!(|x, y| (float(x) < float(y)).into()),
        Fast::FLe => binary!(|x, y| (float(x) <= float(y)).into()),
        Fast::INeg => unary!(u32::wrapping_neg),
        Fast::Not => unary!(|x: u32| !x),
        Fast::LogicalNot => unary!(|x| x ^ 1),
        Fast::IAdd => binary!(u32::wrapping_add),
        Fast::ISub => binary!(u32::wrapping_sub),
        Fast::IMul => binary!(u32::wrapping_mul),
        Fast::UMin => binary!(|x, y| x.min(y)),
        Fast::UMax => binary!(|x, y| x.max(y)),
        Fast::SMin => binary!(|x, y| (x as i32).min(y as i32) as u32),
        Fast::SMax => binary!(|x, y| (x as i32).max(y as i32) as u32),
        Fast::And => binary!(|x, y| x & y),
        Fast::Or => binary!(|x, y| x | y),
        Fast::Xor => binary!(|x, y| x ^ y),
        Fast::Shl => binary!(|x, y| if y < 32 { x << (y & 31) } else { 0 }),
        Fast::LShr => binary!(|x, y| if y < 32 { x >> (y & 31) } else { 0 }),
        Fast::AShr => binary!(|x, y| ((x as i32) >> y.min(31)) as u32),
        Fast::IEq => binary!(|x, y| (x == y).into()),
        Fast::INe => binary!(|x, y| (x != y).into()),
        Fast::ULt => binary!(|x, y| (x < y).into()),
        Fast::ULe => binary!(|x, y| (x <= y).into()),
        Fast::SLt => binary!(|x, y| ((x as i32) < y as i32).into()),
        Fast::SLe => binary!(|x, y| (x as i32 <= y as i32).into()),
        Fast::UMulHi => binary!(|x, y| ((u64::from(x) * u64::from(y)) >> 32) as u32),
        Fast::SMulHi => binary!(|x, y| ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32),
        Fast::PopCount => unary!(u32::count_ones),
        Fast::LeadingZeros { bits } => {
            let above = 32 - u32::from(bits.clamp(1, 32));
            unary!(|x: u32| x.leading_zeros().wrapping_sub(above));
        }
        Fast::ReverseBits { bits } => {
            let above = 32 - u32::from(bits.clamp(1, 32));
            unary!(|x: u32| x.reverse_bits() >> above);
        }
        Fast::Select => {
            for l in 0..WAVE {
                let mask = 0u32.wrapping_sub(a.0[l] & 1);
                dst.0[l] = (b.0[l] & mask) | (c.0[l] & !mask);
            }
        }
        Fast::FloatToSigned => unary!(|x| float(x) as i32 as u32),
        Fast::FloatToUnsigned => unary!(|x| float(x) as u32),
        Fast::FloatToNarrow { signed: true, bits } => {
            let most = (1i32 << (bits.clamp(1, 16) - 1)) - 1;
            unary!(|x| (float(x) as i32).clamp(-1 - most, most) as u32 & (2 * most as u32 + 1));
        }
        Fast::FloatToNarrow { signed: false, bits } => {
            let most = u32::MAX >> (32 - u32::from(bits.clamp(1, 16)));
            unary!(|x| (float(x) as u32).min(most));
        }
        Fast::SignedToFloat => unary!(|x| (x as i32 as f32).to_bits()),
        Fast::UnsignedToFloat => unary!(|x| (x as f32).to_bits()),
        Fast::Insert { shift } => binary!(|x, y| x | y << (shift & 31)),
        Fast::Extract { shift, bits } => {
            let mask = u32::MAX >> (32 - u32::from(bits.clamp(1, 32)));
            unary!(|x| (x >> (shift & 31)) & mask);
        }
        Fast::SignExtend { bits } => {
            let above = 32 - u32::from(bits.clamp(1, 32));
            unary!(|x| ((x << above) as i32 >> above) as u32);
        }
        Fast::FromHalf => unary!(from_half),
        Fast::ToHalf => unary!(to_half),
        Fast::HNeg => unary!(|x| x ^ 0x8000),
        Fast::HAbs => unary!(|x| x & 0x7fff),
        Fast::HFma => {
            for l in 0..WAVE {
                dst.0[l] = fused_half(a.0[l], b.0[l], c.0[l]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        micro::{Micro, Slow},
        select,
        testing::{self, Code, edges, input},
    };
    use shisa_ir::{
        Binary, Convert, FloatModel, FloatRule, Mask, NanRule, Round, Scalar, Swizzle, Ternary, Unary, scalar,
    };

    /// Runs a loop on all pairs of edge values, 32 at a time, against the scalar semantics.
    fn agrees(op: Slow, width: u8) {
        let fast = select::fast(op, FloatModel::F32).unwrap_or_else(|| panic!("{op:?} has no loop"));
        let mask = u32::MAX >> (32 - width);
        let values: Vec<u32> = edges().iter().map(|v| v & mask).chain(0..40).map(|v| v & mask).collect();
        for &b in &values {
            for chunk in values.chunks(WAVE) {
                let mut a = Plane::ZERO;
                a.0[..chunk.len()].copy_from_slice(chunk);
                let (b, c) = (Plane::splat(b), Plane::splat(b ^ 0x0055_aa55 & mask));
                let mut got = Plane::ZERO;
                run(fast, &mut got, [&a, &b, &c]);
                for l in 0..WAVE {
                    let [x, y, z] = [&a, &b, &c].map(|p| u64::from(p.0[l]));
                    let want = match op {
                        Slow::Unary(op, rule, kind) => scalar::unary(op, rule, kind, x),
                        Slow::Binary(op, rule, kind) => scalar::binary(op, rule, kind, x, y),
                        Slow::Ternary(op, rule, kind) => scalar::ternary(op, rule, kind, x, y, z),
                        Slow::Convert(op, rule, from, to) => scalar::convert(op, rule, from, to, x),
                    };
                    assert_eq!(u64::from(got.0[l]), want, "{op:?} of {x:#x}, {y:#x}, {z:#x}");
                }
            }
        }
    }

    const UNARY: [Unary; 20] = {
        use Unary::*;
        [
            FNeg,
            FAbs,
            FSat,
            FFloor,
            FCeil,
            FTrunc,
            FRound,
            FSqrt,
            FRsqrt,
            FRcp,
            FExp2,
            FLog2,
            FSin,
            FCos,
            FSinc,
            INeg,
            Not,
            PopCount,
            LeadingZeros,
            ReverseBits,
        ]
    };
    const BINARY: [Binary; 33] = {
        use Binary::*;
        [
            FAdd, FSub, FMul, FDiv, FMin, FMax, FPow, FDot, FEq, FNe, FLt, FLe, IAdd, ISub, IMul, UMulHi,
            SMulHi, UMin, UMax, SMin, SMax, And, Or, Xor, Shl, LShr, AShr, IEq, INe, ULt, ULe, SLt, SLe,
        ]
    };
    /// All halves become what they are in binary32, and binary32 numbers next to and between halves the nearest.
    #[test]
    fn halves_are_converted_exactly() {
        let rule = FloatRule::IEEE;
        let mut dst = Plane::ZERO;
        for base in (0..0x10000u32).step_by(WAVE) {
            let half = Plane(std::array::from_fn(|l| base + l as u32));
            run(Fast::FromHalf, &mut dst, [&half; 3]);
            for (half, got) in half.0.iter().zip(dst.0) {
                let want = scalar::convert(Convert::Float, rule, Scalar::F16, Scalar::F32, u64::from(*half));
                assert_eq!(u64::from(got), want, "{half:#x}");
            }
            let exact = dst;
            for by in [0, 1, u32::MAX, 0xfff, 0x1000, 0x1001, 0x800] {
                let near = Plane(exact.0.map(|x| x.wrapping_add(by)));
                run(Fast::ToHalf, &mut dst, [&near; 3]);
                for (near, got) in near.0.iter().zip(dst.0) {
                    let want =
                        scalar::convert(Convert::Float, rule, Scalar::F32, Scalar::F16, u64::from(*near));
                    assert_eq!(u64::from(got), want, "{near:#x}");
                }
            }
        }
    }

    const RULES: [FloatRule; 5] = {
        let ieee = FloatRule::IEEE;
        [
            ieee,
            FloatRule { nan: NanRule::Number, ..ieee },
            FloatRule { nan: NanRule::Second, ..ieee },
            FloatRule { zero_product: true, ..ieee },
            FloatRule { round: Round::Up, ..ieee },
        ]
    };

    /// Every loop that the planner can choose gives the bits of the scalar semantics.
    #[test]
    fn every_loop_equals_the_scalar_semantics() {
        let narrow = [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::F16, Scalar::F32];
        let mut checked = 0;
        let mut check = |op: Slow, width: u8| {
            if select::fast(op, FloatModel::F32).is_some() {
                agrees(op, width);
                checked += 1;
            }
        };
        for kind in narrow {
            for rule in RULES {
                UNARY.iter().for_each(|&op| check(Slow::Unary(op, rule, kind), kind.bits()));
                BINARY.iter().for_each(|&op| check(Slow::Binary(op, rule, kind), kind.bits()));
            }
            check(Slow::Ternary(Ternary::Select, FloatRule::IEEE, kind), kind.bits());
            check(Slow::Ternary(Ternary::Fma, FloatRule::IEEE, kind), kind.bits());
            for to in narrow {
                for op in [
                    Convert::SignExtend,
                    Convert::Float,
                    Convert::FloatToSigned,
                    Convert::FloatToUnsigned,
                    Convert::SignedToFloat,
                    Convert::UnsignedToFloat,
                ] {
                    check(Slow::Convert(op, FloatRule::IEEE, kind, to), kind.bits());
                }
            }
        }
        assert!(checked > 150, "only {checked} loops were reached");
    }

    /// Holds a loop of fused products to the scalar semantics on numbers made of random bits.
    fn fused(op: Fast, kind: Scalar, make: fn(u32) -> u32) {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            make(state)
        };
        for _ in 0..2000 {
            let planes: [Plane; 3] = std::array::from_fn(|_| Plane(std::array::from_fn(|_| random())));
            let mut got = Plane::ZERO;
            run(op, &mut got, planes.each_ref());
            for l in 0..WAVE {
                let [a, b, c] = planes.each_ref().map(|p| u64::from(p.0[l]));
                let want = scalar::ternary(Ternary::Fma, FloatRule::IEEE, kind, a, b, c);
                assert_eq!(u64::from(got.0[l]), want, "{a:#x} * {b:#x} + {c:#x}");
            }
        }
    }

    /// Sums that lie next to the middle between two numbers are rounded once. Few significant bits and near
    /// exponents make those likely.
    #[test]
    fn fused_products_are_rounded_once() {
        fused(Fast::HFma, Scalar::F16, |bits| (bits >> 8 & 0xfc07) | (bits >> 3 & 0x380 & bits));
        fused(Fast::Fma, Scalar::F32, |bits| {
            let exponent = 100 + (bits >> 9) % 56;
            bits & 0x8000_0000 | exponent << 23 | (bits >> 3 & 0x7) << 20 | bits >> 30 & 1
        });
    }

    /// Under the IEEE rule every binary32 operation has a loop.
    #[test]
    fn binary32_has_loops() {
        for op in UNARY.into_iter().take(14) {
            assert!(
                select::fast(Slow::Unary(op, FloatRule::IEEE, Scalar::F32), FloatModel::F32).is_some(),
                "{op:?}"
            );
        }
        for op in BINARY.into_iter().take(12) {
            assert!(
                select::fast(Slow::Binary(op, FloatRule::IEEE, Scalar::F32), FloatModel::F32).is_some(),
                "{op:?}"
            );
        }
    }

    /// Rules that the loops do not keep go lane by lane.
    #[test]
    fn other_rules_have_no_loops() {
        for rule in [
            FloatRule { flush: true, ..FloatRule::IEEE },
            FloatRule { round: Round::Zero, ..FloatRule::IEEE },
            FloatRule { saturate: true, ..FloatRule::IEEE },
        ] {
            assert_eq!(select::fast(Slow::Binary(Binary::FAdd, rule, Scalar::F32), FloatModel::F32), None);
            assert_eq!(select::fast(Slow::Unary(Unary::FSqrt, rule, Scalar::F32), FloatModel::F32), None);
        }
    }

    /// The reciprocal root by way of binary64, over all significands and both parities of the exponent;
    /// the rest scale exactly.
    #[test]
    fn reciprocal_root_is_rounded_once() {
        for base in (0x3f80_0000u32..0x4080_0000).step_by(WAVE) {
            let a = Plane(std::array::from_fn(|l| base + l as u32));
            let mut dst = Plane::ZERO;
            run(Fast::FRsqrt, &mut dst, [&a; 3]);
            for (a, got) in a.0.iter().zip(dst.0) {
                let want = scalar::unary(Unary::FRsqrt, FloatRule::IEEE, Scalar::F32, u64::from(*a));
                assert_eq!(u64::from(got), want, "{a:#x}");
            }
        }
    }

    /// Saturation is split off, and a dot product is a chain of loops: both equal the scalar semantics.
    #[test]
    fn saturation_and_dot_products_in_programs() {
        let mut code = Code::new();
        let ty = Scalar::F32.by(4);
        code.op(|b| {
            b.rule = FloatRule { saturate: true, ..FloatRule::IEEE };
            let (x, y) = (b.read(input(0), Swizzle::IDENTITY, ty), b.read(input(4), Swizzle::IDENTITY, ty));
            let sum = b.fadd(x, y);
            b.write(testing::r(0), Mask::ALL, sum);
            let dot = b.fdot(x, y);
            b.write(testing::r(4), Mask::first(1), dot);
            b.rule = FloatRule::IEEE;
            let dot = b.fdot(x, y);
            b.write(testing::r(5), Mask::first(1), dot);
        });
        let program = code.program();
        assert!(program.ops.iter().all(|m| matches!(m, Micro::Fast { .. } | Micro::Write { .. })));
        let mut m = testing::machine(&program);
        let values = edges();
        for unit in 0..8u16 {
            for lane in 0..WAVE {
                let bits = values[(lane * 7 + usize::from(unit) * 13) % values.len()];
                m.set_input(input(unit), lane, bits).unwrap();
            }
        }
        m.step(&mut crate::NoEnvironment, &mut crate::NoObserver).unwrap();
        let saturate = FloatRule { saturate: true, ..FloatRule::IEEE };
        for lane in 0..WAVE {
            let at = |unit| u64::from(m.register(input(unit), lane));
            for i in 0..4 {
                let want = scalar::binary(Binary::FAdd, saturate, Scalar::F32, at(i), at(i + 4));
                assert_eq!(u64::from(m.register(testing::r(i), lane)), want);
            }
            let (a, b) = ([0, 1, 2, 3].map(at), [4, 5, 6, 7].map(at));
            for (unit, rule) in [(4, saturate), (5, FloatRule::IEEE)] {
                let want = scalar::dot(rule, Scalar::F32, &a, &b);
                assert_eq!(u64::from(m.register(testing::r(unit), lane)), want, "{a:x?} {b:x?}");
            }
        }
    }
}
