//! Tests against the host's arithmetic and, for other formats and directions, against a search for the neighbours of a
//! result that binary64 holds exactly.

extern crate std;
use super::*;
use crate::{FloatRule as Rule, Scalar::*};
use std::vec::Vec;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// Zeros, denormals, one, neighbours of powers of two, largest, infinities, NaNs of both signs, then noise.
fn samples(scalar: Scalar, noise: usize) -> Vec<u64> {
    let f = Format::of(scalar).unwrap();
    let mut list = Vec::new();
    for x in
        [0, 1, f.inf() >> 1, f.one(), f.one() + 1, f.one() - 1, f.inf() - 1, f.inf(), f.inf() + 1, f.nan()]
    {
        list.extend([x, x | f.sign()]);
    }
    let smallest_normal = f.inf() & f.inf().wrapping_neg();
    list.extend([smallest_normal, smallest_normal - 1, smallest_normal + 1, f.one() + smallest_normal]);
    let mut random = Random(7);
    list.extend((0..noise).map(|_| low(scalar, random.next())));
    // Near one, so that sums cancel and products stay in range.
    list.extend(
        (0..noise).map(|_| (f.one() & !(smallest_normal - 1)) ^ (random.next() & (3 * smallest_normal - 1))),
    );
    list
}

const ROUNDS: [Round; 4] = [Round::Nearest, Round::Zero, Round::Up, Round::Down];

fn value(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        F32 => f32::from_bits(bits as u32).into(),
        F64 => f64::from_bits(bits),
        _ => {
            let (exp, frac) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
            let magnitude = match exp {
                31 if frac == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                0 => frac * 2f64.powi(-24),
                _ => (1024.0 + frac) * 2f64.powi(exp - 25),
            };
            if bits >> 15 & 1 != 0 { -magnitude } else { magnitude }
        }
    }
}

/// The neighbour of the exact `x` in the rounding direction, found by bisection over all magnitudes.
fn rounded(scalar: Scalar, x: f64, round: Round) -> u64 {
    let f = Format::of(scalar).unwrap();
    let sign = if x.is_sign_negative() { f.sign() } else { 0 };
    if x.is_nan() {
        return f.nan();
    }
    let m = x.abs();
    let (mut below, mut above) = (0, f.inf());
    while above - below > 1 {
        let middle = (below + above) / 2;
        if value(scalar, middle) <= m { below = middle } else { above = middle }
    }
    if m == f64::INFINITY || value(scalar, below) == m {
        return sign | if m == f64::INFINITY { f.inf() } else { below };
    }
    // Above the largest finite number, the next step of the grid is the upper neighbour.
    let upper = if above == f.inf() {
        2.0 * value(scalar, below) - value(scalar, below - 1)
    } else {
        value(scalar, above)
    };
    let (down, up) = (m - value(scalar, below), upper - m);
    let away = match round {
        Round::Nearest => up < down || up == down && below & 1 == 1,
        Round::Zero => false,
        Round::Up => sign == 0,
        Round::Down => sign != 0,
    };
    sign | if away { above } else { below }
}

fn same(got: u64, want: u64, what: &dyn std::fmt::Debug) {
    assert_eq!(got, want, "got {got:#x}, want {want:#x}: {what:?}");
}

#[test]
fn small_formats_round_exact_results_in_every_direction() {
    for (scalar, noise) in [(F16, 60), (F32, 60)] {
        let list = samples(scalar, noise);
        for &a in &list {
            for &b in &list {
                let (x, y) = (value(scalar, a), value(scalar, b));
                for round in ROUNDS {
                    let rule = Rule { round, ..Rule::IEEE };
                    let op = |op| binary(op, rule, scalar, a, b);
                    same(op(Binary::FMul), rounded(scalar, x * y, round), &("mul", scalar, a, b, round));
                    // Sums of f16 are exact in binary64, and so are sums of f32 whose exponents are close enough.
                    let sum = x + y;
                    let exact = sum - x == y && sum - y == x || !sum.is_finite();
                    if exact && sum != 0.0 {
                        same(op(Binary::FAdd), rounded(scalar, sum, round), &("add", scalar, a, b, round));
                    }
                }
                let quotient = binary(Binary::FDiv, Rule::IEEE, scalar, a, b);
                same(quotient, rounded(scalar, x / y, Round::Nearest), &("div", scalar, a, b));
            }
            for round in ROUNDS {
                let rule = Rule { round, ..Rule::IEEE };
                let root = value(scalar, a).sqrt();
                if root * root == value(scalar, a) || round == Round::Nearest {
                    same(
                        unary(Unary::FSqrt, rule, scalar, a),
                        rounded(scalar, root, round),
                        &("sqrt", a, round),
                    );
                }
            }
        }
    }
}

#[test]
fn f32_and_f64_to_nearest_are_the_hosts() {
    let canonical = |x: f32| u64::from(if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() });
    let list = samples(F32, 150);
    for &a in &list {
        let x = f32::from_bits(a as u32);
        same(unary(Unary::FSqrt, Rule::IEEE, F32, a), canonical(x.sqrt()), &("sqrt", a));
        same(unary(Unary::FRcp, Rule::IEEE, F32, a), canonical(1.0 / x), &("rcp", a));
        for (i, &b) in list.iter().enumerate() {
            let y = f32::from_bits(b as u32);
            let op = |op| binary(op, Rule::IEEE, F32, a, b);
            same(op(Binary::FAdd), canonical(x + y), &("add", a, b));
            same(op(Binary::FSub), canonical(x - y), &("sub", a, b));
            same(op(Binary::FMul), canonical(x * y), &("mul", a, b));
            same(op(Binary::FDiv), canonical(x / y), &("div", a, b));
            for (op, want) in
                [(Binary::FEq, x == y), (Binary::FNe, x != y), (Binary::FLt, x < y), (Binary::FLe, x <= y)]
            {
                same(binary(op, Rule::IEEE, F32, a, b), want.into(), &(op, a, b));
            }
            let c = list[(i * 7 + 3) % list.len()];
            let want = canonical(x.mul_add(y, f32::from_bits(c as u32)));
            same(ternary(Ternary::Fma, Rule::IEEE, F32, a, b, c), want, &("fma", a, b, c));
        }
    }
    let canonical = |x: f64| if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() };
    let list = samples(F64, 150);
    for &a in &list {
        let x = f64::from_bits(a);
        same(unary(Unary::FSqrt, Rule::IEEE, F64, a), canonical(x.sqrt()), &("sqrt", a));
        for (i, &b) in list.iter().enumerate() {
            let y = f64::from_bits(b);
            let op = |op| binary(op, Rule::IEEE, F64, a, b);
            same(op(Binary::FAdd), canonical(x + y), &("add", a, b));
            same(op(Binary::FMul), canonical(x * y), &("mul", a, b));
            same(op(Binary::FDiv), canonical(x / y), &("div", a, b));
            let c = list[(i * 7 + 3) % list.len()];
            let want = canonical(x.mul_add(y, f64::from_bits(c)));
            same(ternary(Ternary::Fma, Rule::IEEE, F64, a, b, c), want, &("fma", a, b, c));
        }
    }
}

#[test]
fn directed_results_enclose_the_nearest_by_one_step() {
    let list = samples(F64, 80);
    let by = |round, op, a, b| f64::from_bits(binary(op, Rule { round, ..Rule::IEEE }, F64, a, b));
    for &a in &list {
        for &b in &list {
            for op in [Binary::FAdd, Binary::FMul, Binary::FDiv] {
                let [near, zero, up, down] = ROUNDS.map(|r| by(r, op, a, b));
                if near.is_nan() {
                    assert!(up.is_nan() && down.is_nan() && zero.is_nan());
                    continue;
                }
                assert!(down <= near && near <= up, "{op:?} {a:#x} {b:#x}");
                assert!(up == down || up.next_down() == down, "{op:?} {a:#x} {b:#x}");
                assert_eq!(zero.abs(), up.abs().min(down.abs()), "{op:?} {a:#x} {b:#x}");
                let (x, y) = (f64::from_bits(a), f64::from_bits(b));
                let error = x.mul_add(y, -near);
                if op == Binary::FMul && near.is_normal() && near.abs() > 1e-200 && near.abs() < 1e300 {
                    assert_eq!(up == near, error <= 0.0, "{a:#x} {b:#x}");
                    assert_eq!(down == near, error >= 0.0, "{a:#x} {b:#x}");
                }
            }
        }
    }
}

#[test]
fn reciprocal_roots_are_rounded_correctly() {
    // y = 1/sqrt(x) rounded down means y²x ≤ 1 < (y+)²x. Squares of f32 are exact in binary64, and a fused multiply-add
    // yields the sign of y²x - 1.
    for &a in &samples(F32, 2000) {
        let x = f64::from(f32::from_bits(a as u32));
        if !(x > 0.0 && x.is_finite()) {
            continue;
        }
        let down = unary(Unary::FRsqrt, Rule { round: Round::Down, ..Rule::IEEE }, F32, a) as u32;
        let up = unary(Unary::FRsqrt, Rule { round: Round::Up, ..Rule::IEEE }, F32, a) as u32;
        let residue = |y: u32| (f64::from(f32::from_bits(y)).powi(2)).mul_add(x, -1.0);
        assert!(residue(down) <= 0.0 && residue(up) >= 0.0, "{a:#x}");
        assert!(up - down == u32::from(residue(down) != 0.0), "{a:#x}");
    }
    let rsqrt = |x: f32| unary(Unary::FRsqrt, Rule::IEEE, F32, x.to_bits().into()) as u32;
    assert_eq!(rsqrt(4.0), 0.5f32.to_bits());
    assert_eq!(rsqrt(0.0), f32::INFINITY.to_bits());
    assert_eq!(rsqrt(-0.0), f32::NEG_INFINITY.to_bits());
    assert_eq!(rsqrt(f32::INFINITY), 0);
    assert_eq!(rsqrt(-1.0), 0x7fc0_0000);
    assert_eq!(f64::from_bits(unary(Unary::FRsqrt, Rule::IEEE, F64, 0.25f64.to_bits())), 2.0);
}

#[test]
fn transcendental_functions_round_the_binary64_value() {
    type Host = fn(f64) -> f64;
    fn sinc(x: f64) -> f64 {
        if x == 0.0 { core::f64::consts::FRAC_PI_2 } else { (x * core::f64::consts::FRAC_PI_2).sin() / x }
    }
    let cases: [(Unary, Host); 5] = [
        (Unary::FExp2, f64::exp2),
        (Unary::FLog2, f64::log2),
        (Unary::FSin, f64::sin),
        (Unary::FCos, f64::cos),
        (Unary::FSinc, sinc),
    ];
    for (op, host) in cases {
        for &a in &samples(F32, 300) {
            let got = f32::from_bits(unary(op, Rule::IEEE, F32, a) as u32);
            let want = host(f64::from(f32::from_bits(a as u32))) as f32;
            // The host's library may be off by one ulp of binary64, so a tie may round up or down.
            let near = got == want || got.next_up() == want || got.next_down() == want;
            assert!(near || got.is_nan() && want.is_nan(), "{op:?} {a:#x}: {got} {want}");
        }
    }
    let pow = |a: f32, b: f32, rule| {
        f32::from_bits(binary(Binary::FPow, rule, F32, a.to_bits().into(), b.to_bits().into()) as u32)
    };
    assert_eq!(pow(2.0, 10.0, Rule::IEEE), 1024.0);
    assert_eq!(pow(3.0, 2.5, Rule::IEEE), 3f64.powf(2.5) as f32);
    assert_eq!(pow(0.0, 2.0, Rule::IEEE), 0.0);
    assert!(pow(-2.0, 2.0, Rule::IEEE).is_nan());
    assert!(pow(0.0, 0.0, Rule::IEEE).is_nan());
    assert_eq!(pow(0.0, 0.0, Rule { zero_product: true, ..Rule::IEEE }), 1.0);
}

#[test]
fn integral_functions_are_the_hosts() {
    for &a in &samples(F32, 400) {
        let x = f32::from_bits(a as u32);
        let host = [x.floor(), x.ceil(), x.trunc(), x.round_ties_even()];
        for (op, want) in [Unary::FFloor, Unary::FCeil, Unary::FTrunc, Unary::FRound].into_iter().zip(host) {
            let want = if want.is_nan() { 0x7fc0_0000 } else { want.to_bits() };
            same(unary(op, Rule::IEEE, F32, a), want.into(), &(op, a));
        }
    }
}

/// IEEE 754, 6.3: a sum that is zero although its terms are not, or whose terms are zeros of different signs, is -0 where
/// it is rounded down and +0 elsewhere. Zeros of one sign keep it.
#[test]
fn sums_that_are_zero_have_the_sign_of_the_direction() {
    for scalar in [F16, F32, F64] {
        let f = Format::of(scalar).unwrap();
        let (minus, one) = (f.sign(), f.one());
        for a in samples(scalar, 20).into_iter().filter(|a| a & f.inf() != f.inf()) {
            for round in ROUNDS {
                let rule = Rule { round, ..Rule::IEEE };
                let want = if round == Round::Down { minus } else { 0 };
                let context = (scalar, a, round);
                same(binary(Binary::FSub, rule, scalar, a, a), want, &("a - a", context));
                same(binary(Binary::FAdd, rule, scalar, a, a ^ minus), want, &("a + -a", context));
                same(ternary(Ternary::Fma, rule, scalar, a, one, a ^ minus), want, &("a * 1 - a", context));
                same(ternary(Ternary::Fma, rule, scalar, minus, one, 0), want, &("-0 * 1 + 0", context));
                same(binary(Binary::FAdd, rule, scalar, minus, minus), minus, &("-0 + -0", context));
                same(binary(Binary::FAdd, rule, scalar, 0, 0), 0, &("0 + 0", context));
            }
        }
    }
}

#[test]
fn rules_flush_saturate_and_absorb() {
    let flush = Rule { flush: true, ..Rule::IEEE };
    let tiny = 0x0000_0001u64;
    let bits = |x: f32| u64::from(x.to_bits());
    assert_eq!(binary(Binary::FAdd, flush, F32, tiny, bits(0.0)), 0);
    assert_eq!(
        binary(Binary::FMul, flush, F32, 0x8080_0000, bits(0.5)),
        0x8000_0000,
        "result keeps its sign"
    );
    assert_eq!(binary(Binary::FEq, flush, F32, tiny, 0x8000_0001), 1);
    assert_eq!(binary(Binary::FMax, flush, F32, tiny, bits(-1.0)), 0);
    assert_eq!(unary(Unary::FNeg, flush, F32, tiny), 0x8000_0001, "sign changes ignore the rule");
    assert_eq!(unary(Unary::FAbs, flush, F32, 0xffc0_0001), 0x7fc0_0001);

    let sat = Rule { saturate: true, ..Rule::IEEE };
    assert_eq!(binary(Binary::FAdd, sat, F32, bits(0.75), bits(0.5)), bits(1.0));
    assert_eq!(binary(Binary::FSub, sat, F32, bits(0.25), bits(0.5)), 0);
    assert_eq!(binary(Binary::FMul, sat, F32, bits(-0.0), bits(1.0)), 0);
    assert_eq!(binary(Binary::FSub, sat, F32, bits(f32::INFINITY), bits(f32::INFINITY)), 0);
    for (x, want) in [(f32::NAN, 0.0), (-0.0, 0.0), (0.5, 0.5), (2.0, 1.0), (f32::INFINITY, 1.0), (-3.0, 0.0)]
    {
        assert_eq!(unary(Unary::FSat, Rule::IEEE, F32, bits(x)), bits(want), "{x}");
    }

    let absorb = Rule { zero_product: true, ..Rule::IEEE };
    assert_eq!(binary(Binary::FMul, absorb, F32, bits(-0.0), bits(f32::INFINITY)), 0);
    assert_eq!(binary(Binary::FMul, absorb, F32, bits(f32::NAN), 0), 0x7fc0_0000);
    assert_eq!(ternary(Ternary::Fma, absorb, F32, bits(f32::INFINITY), 0, bits(1.0)), bits(1.0));

    let a = [1.0, 2.0, f32::INFINITY].map(bits);
    let b = [3.0, -4.0, 0.0].map(bits);
    assert_eq!(dot(absorb, F32, &a, &b), bits(-5.0));
    assert_eq!(dot(Rule { saturate: true, ..absorb }, F32, &a, &b), 0);
    assert_eq!(dot(sat, F32, &a[..2], &[bits(3.0), bits(-1.0)]), bits(1.0), "only the sum saturates");
    assert_eq!(dot(Rule::IEEE, F32, &a, &b), 0x7fc0_0000);
}

#[test]
fn minimum_and_maximum_of_special_values() {
    let nan = u64::from(f32::NAN.to_bits());
    let bits = |x: f32| u64::from(x.to_bits());
    for nan_rule in [NanRule::Any, NanRule::Number] {
        let rule = Rule { nan: nan_rule, ..Rule::IEEE };
        for op in [Binary::FMin, Binary::FMax] {
            assert_eq!(binary(op, rule, F32, nan, bits(3.0)), bits(3.0));
            assert_eq!(binary(op, rule, F32, bits(3.0), nan | 1), bits(3.0));
            assert_eq!(binary(op, rule, F32, nan | 1, nan | 2), nan);
        }
        assert_eq!(binary(Binary::FMin, rule, F32, bits(0.0), bits(-0.0)), bits(-0.0));
        assert_eq!(binary(Binary::FMax, rule, F32, bits(-0.0), bits(0.0)), bits(0.0));
    }
    let rule = Rule { nan: NanRule::Second, ..Rule::IEEE };
    for op in [Binary::FMin, Binary::FMax] {
        assert_eq!(binary(op, rule, F32, nan, bits(3.0)), bits(3.0));
        assert_eq!(binary(op, rule, F32, bits(3.0), nan | 1), nan | 1);
        assert_eq!(binary(op, rule, F32, bits(0.0), bits(-0.0)), bits(-0.0));
        assert_eq!(binary(op, rule, F32, bits(-0.0), bits(0.0)), bits(0.0));
    }
    assert_eq!(binary(Binary::FMax, Rule::IEEE, F32, bits(-2.0), bits(-1.0)), bits(-1.0));
    assert_eq!(
        binary(Binary::FMin, Rule::IEEE, F32, bits(-2.0), bits(f32::NEG_INFINITY)),
        bits(f32::NEG_INFINITY)
    );
}

#[test]
fn conversions() {
    for &a in &samples(F32, 400) {
        let x = f32::from_bits(a as u32);
        let to = |op, scalar| convert(op, Rule::IEEE, F32, scalar, a);
        same(to(Convert::FloatToSigned, I32), (x as i32 as u32).into(), &a);
        same(to(Convert::FloatToUnsigned, I32), (x as u32).into(), &a);
        same(to(Convert::FloatToSigned, I16), (x as i16 as u16).into(), &a);
        same(to(Convert::FloatToUnsigned, I8), (x as u8).into(), &a);
        same(to(Convert::FloatToSigned, I64), x as i64 as u64, &a);
        same(to(Convert::FloatToUnsigned, I64), x as u64, &a);
        if !x.is_nan() {
            same(to(Convert::Float, F64), f64::from(x).to_bits(), &a);
        }
        for round in ROUNDS {
            let rule = Rule { round, ..Rule::IEEE };
            same(
                convert(Convert::Float, rule, F32, F16, a),
                rounded(F16, x.into(), round),
                &("f16", a, round),
            );
        }
    }
    let mut random = Random(3);
    for i in 0..2000 {
        let a = random.next() >> (i % 64);
        let to = |op, from, to| convert(op, Rule::IEEE, from, to, a);
        same(to(Convert::SignedToFloat, I64, F32), (a as i64 as f32).to_bits().into(), &a);
        same(to(Convert::UnsignedToFloat, I64, F32), (a as f32).to_bits().into(), &a);
        same(to(Convert::UnsignedToFloat, I64, F64), (a as f64).to_bits(), &a);
        same(to(Convert::SignedToFloat, I32, F32), (a as i32 as f32).to_bits().into(), &a);
        same(to(Convert::SignExtend, I16, I32), (a as i16 as i32 as u32).into(), &a);
        same(to(Convert::SignExtend, I8, I64), a as i8 as i64 as u64, &a);
        same(to(Convert::ZeroExtend, I8, I32), a & 255, &a);
        same(to(Convert::Truncate, I64, I16), a & 0xffff, &a);
        same(to(Convert::Bits, F32, I32), a & 0xffff_ffff, &a);
        same(pair(halves(a)), a, &a);
    }
    assert_eq!(convert(Convert::UnsignedToFloat, Rule::IEEE, I1, F32, 1), 1f32.to_bits().into());
    assert_eq!(convert(Convert::SignedToFloat, Rule::IEEE, I1, F32, 1), (-1f32).to_bits().into());
    assert_eq!(convert(Convert::SignExtend, Rule::IEEE, I1, I32, 1), 0xffff_ffff);
}

#[test]
fn integers() {
    let edges =
        [0u64, 1, 2, 31, 32, 33, 63, 64, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xdead_beef, u64::MAX];
    for a in edges {
        for b in edges {
            let (x, y) = (a as u32, b as u32);
            let (i, j) = (x as i32, y as i32);
            let cases = [
                (Binary::IAdd, x.wrapping_add(y)),
                (Binary::ISub, x.wrapping_sub(y)),
                (Binary::IMul, x.wrapping_mul(y)),
                (Binary::UMulHi, ((u64::from(x) * u64::from(y)) >> 32) as u32),
                (Binary::SMulHi, ((i64::from(i) * i64::from(j)) >> 32) as u32),
                (Binary::UMin, x.min(y)),
                (Binary::UMax, x.max(y)),
                (Binary::SMin, i.min(j) as u32),
                (Binary::SMax, i.max(j) as u32),
                (Binary::And, x & y),
                (Binary::Or, x | y),
                (Binary::Xor, x ^ y),
                (Binary::Shl, x.checked_shl(y).unwrap_or(0)),
                (Binary::LShr, x.checked_shr(y).unwrap_or(0)),
                (Binary::AShr, (i >> y.min(31)) as u32),
                (Binary::IEq, (x == y).into()),
                (Binary::INe, (x != y).into()),
                (Binary::ULt, (x < y).into()),
                (Binary::ULe, (x <= y).into()),
                (Binary::SLt, (i < j).into()),
                (Binary::SLe, (i <= j).into()),
            ];
            for (op, want) in cases {
                same(binary(op, Rule::IEEE, I32, a, b), want.into(), &(op, a, b));
            }
            let wide = binary(Binary::SMulHi, Rule::IEEE, I64, a, b) as i64;
            assert_eq!(i128::from(wide), (i128::from(a as i64) * i128::from(b as i64)) >> 64);
        }
        let x = a as u32;
        let cases = [
            (Unary::INeg, x.wrapping_neg()),
            (Unary::Not, !x),
            (Unary::PopCount, x.count_ones()),
            (Unary::LeadingZeros, x.leading_zeros()),
            (Unary::ReverseBits, x.reverse_bits()),
        ];
        for (op, want) in cases {
            same(unary(op, Rule::IEEE, I32, a), want.into(), &(op, a));
        }
        same(unary(Unary::LeadingZeros, Rule::IEEE, I8, a), u64::from((a as u8).leading_zeros()), &a);
        same(unary(Unary::ReverseBits, Rule::IEEE, I64, a), a.reverse_bits(), &a);
        same(
            binary(Binary::AShr, Rule::IEEE, I8, 0x80, a),
            if a & 0xff > 6 { 0xff } else { (-128i8 >> (a & 7)) as u8 as u64 },
            &a,
        );
    }
    assert_eq!(unary(Unary::Not, Rule::IEEE, I1, 0), 1);
    assert_eq!(ternary(Ternary::Select, Rule::IEEE, I32, 1, 5, 6), 5);
    assert_eq!(ternary(Ternary::Select, Rule::IEEE, I32, 0, 5, 6), 6);
}

#[test]
fn operations_of_another_kind_answer_zero() {
    assert_eq!(unary(Unary::FSqrt, Rule::IEEE, I32, 4), 0);
    assert_eq!(binary(Binary::FAdd, Rule::IEEE, I32, 4, 4), 0);
    assert_eq!(convert(Convert::Float, Rule::IEEE, I32, F32, 4), 0);
}

#[test]
fn words_convert_to_halves_and_back() {
    for half in 0..=0xffffu32 {
        let single = word::from_half(half);
        if half & 0x7fff > 0x7c00 {
            assert!(f32::from_bits(single).is_nan(), "{half:04x}");
            continue;
        }
        assert_eq!(f64::from(f32::from_bits(single)), value(F16, half.into()), "{half:04x}");
        assert_eq!(word::to_half(single), half, "{half:04x}");
        // Between it and the next larger magnitude: the middle goes to the even one, others to the nearer one.
        let next = half + 1;
        if half & 0x7fff < 0x7bff {
            let middle = (value(F16, half.into()) + value(F16, next.into())) / 2.0;
            let bits = (middle as f32).to_bits();
            assert_eq!(word::to_half(bits), if half & 1 == 0 { half } else { next }, "{half:04x}");
            assert_eq!((word::to_half(bits - 1), word::to_half(bits + 1)), (half, next), "{half:04x}");
        }
    }
    let largest = 65_520f32.to_bits();
    assert_eq!((word::to_half(largest - 1), word::to_half(largest)), (0x7bff, 0x7c00));
    assert_eq!(word::to_half(0x7f80_0000), 0x7c00);
    assert!(word::to_half(0x7f80_0001) & 0x7fff > 0x7c00);
}

#[test]
fn words_multiply_zero_by_infinity_to_zero() {
    let [zero, two, three, infinity, nan] = [0.0, 2.0, 3.0, f32::INFINITY, f32::NAN].map(f32::to_bits);
    let sign = 1 << 31;
    for (x, y) in [(zero, infinity), (infinity, zero), (zero | sign, infinity), (zero, infinity | sign)] {
        assert_eq!(word::mul_zero(x, y), 0);
    }
    assert_eq!(word::mul_zero(two, three), 6f32.to_bits());
    assert_eq!(word::mul_zero(two, infinity | sign), infinity | sign);
    for (x, y) in [(nan, zero), (zero, nan), (nan, nan), (nan, two)] {
        assert!(f32::from_bits(word::mul_zero(x, y)).is_nan());
    }
}

/// A neutral value combined with a number is the number.
#[test]
fn neutral_values_change_nothing() {
    use crate::{Binary, Combine, FloatRule};
    let integers = [
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::IAdd,
        Binary::UMin,
        Binary::UMax,
        Binary::SMin,
        Binary::SMax,
    ];
    let mut known = 0;
    for scalar in [I8, I16, I32, I64] {
        for op in integers {
            let neutral = Combine::neutral(op, scalar).expect("integers have a neutral value");
            for x in [0, 1, 0x7f, 0x80, u64::MAX, 0x1234_5678_9abc_def0].map(|x| low(scalar, x)) {
                assert_eq!(
                    binary(op, FloatRule::default(), scalar, neutral, x),
                    x,
                    "{op:?} {scalar:?} {x:x}"
                );
            }
            known += 1;
        }
        assert_eq!(Combine::neutral(Binary::FAdd, scalar), None);
    }
    for scalar in [F16, F32, F64] {
        let format = Format::of(scalar).unwrap();
        for op in [Binary::FAdd, Binary::FMul, Binary::FMin, Binary::FMax] {
            let neutral = Combine::neutral(op, scalar).expect("floats have a neutral value");
            for x in samples(scalar, 20).into_iter().filter(|x| x & !format.sign() <= format.inf()) {
                assert_eq!(
                    binary(op, FloatRule::default(), scalar, neutral, x),
                    x,
                    "{op:?} {scalar:?} {x:x}"
                );
            }
            known += 1;
        }
        assert_eq!(Combine::neutral(Binary::IAdd, scalar), None);
    }
    assert_eq!(known, 4 * 8 + 3 * 4);
}
