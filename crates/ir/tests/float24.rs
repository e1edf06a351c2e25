//! float24 against integers: every operation is computed here on big integers, whose bits are then cut and rounded. It
//! shares no code with the implementation.
//!
//! Runs on all pairs of edge values and on random pairs; `FLOAT24_COUNT=10000000` sets ten million random pairs for
//! each operation and rounding.

use shisa_ir::scalar::{Denormals, DotOrder, DotSteps, Overflow, Rounding};
use shisa_ir::{Binary, FloatModel, FloatRule, NanRule, Scalar, Unary};

const RULE: FloatRule =
    FloatRule { zero_product: true, nan: NanRule::Second, model: true, ..FloatRule::IEEE };
const ROUNDINGS: [Rounding; 3] = [Rounding::Truncate, Rounding::Nearest, Rounding::Away];
/// The unit of big numbers is 2 to this power.
const UNIT: i32 = -160;

/// An unsigned number of 384 bits, the lowest 64-bit word first.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Big([u64; 6]);

impl Big {
    const ZERO: Big = Big([0; 6]);

    fn shifted(value: u128, by: u32) -> Big {
        let mut words = [0; 6];
        for (i, half) in [value as u64, (value >> 64) as u64].into_iter().enumerate() {
            let (at, bit) = (i + by as usize / 64, by % 64);
            let wide = u128::from(half) << bit;
            for (word, part) in words[at.min(6)..].iter_mut().zip([wide as u64, (wide >> 64) as u64]) {
                *word |= part;
            }
        }
        Big(words)
    }

    fn add(self, other: Big) -> Big {
        let mut carry = 0;
        Big(std::array::from_fn(|i| {
            let sum = u128::from(self.0[i]) + u128::from(other.0[i]) + carry;
            carry = sum >> 64;
            sum as u64
        }))
    }

    /// The difference; `other` is not larger.
    fn sub(self, other: Big) -> Big {
        let mut borrow = false;
        Big(std::array::from_fn(|i| {
            let (a, first) = self.0[i].overflowing_sub(other.0[i]);
            let (b, second) = a.overflowing_sub(borrow.into());
            borrow = first || second;
            b
        }))
    }

    fn at_least(self, other: Big) -> bool {
        self.0.iter().rev().ge(other.0.iter().rev())
    }

    fn bit(self, n: i32) -> bool {
        n >= 0 && self.0[n as usize / 64] >> (n % 64) & 1 != 0
    }

    fn top(self) -> i32 {
        (0..384).rev().find(|&n| self.bit(n)).unwrap_or(-1)
    }
}

#[derive(Clone, Copy)]
enum Number {
    Nan,
    Inf(bool),
    /// Whether it is negative, and its magnitude in units.
    Finite(bool, Big),
}

/// Sign, significand, and the exponent of the significand's lowest bit.
fn parts(bits: u32) -> (bool, u64, i32) {
    let (exp, frac) = ((bits >> 16 & 0x7f) as i32, u64::from(bits & 0xffff));
    let sig = if exp == 0 { frac } else { frac | 1 << 16 };
    (bits >> 23 != 0, sig, exp.max(1) - 63 - 16)
}

fn operand(bits: u32, model: FloatModel) -> Number {
    let (neg, sig, power) = parts(bits);
    match bits >> 16 & 0x7f {
        0x7f if bits & 0xffff != 0 => Number::Nan,
        0x7f => Number::Inf(neg),
        0 if model.denormals == Denormals::Flush => Number::Finite(neg, Big::ZERO),
        _ => Number::Finite(neg, Big::shifted(sig.into(), (power - UNIT) as u32)),
    }
}

fn add(a: Number, b: Number) -> Number {
    use Number::*;
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Inf(a), Inf(b)) if a != b => Nan,
        (Inf(neg), _) | (_, Inf(neg)) => Inf(neg),
        (Finite(m, a), Finite(n, b)) if m == n => Finite(m, a.add(b)),
        (Finite(m, a), Finite(_, b)) if a.at_least(b) => Finite(m, a.sub(b)),
        (Finite(_, a), Finite(n, b)) => Finite(n, b.sub(a)),
    }
}

fn mul(a: u32, b: u32, model: FloatModel) -> Number {
    use Number::*;
    let ((m, x, p), (n, y, q)) = (parts(a), parts(b));
    match (operand(a, model), operand(b, model)) {
        (Nan, _) | (_, Nan) => Nan,
        (Inf(_), Finite(_, Big::ZERO)) | (Finite(_, Big::ZERO), Inf(_)) => Finite(false, Big::ZERO),
        (Inf(_), _) | (_, Inf(_)) => Inf(m != n),
        (Finite(_, Big::ZERO), _) | (_, Finite(_, Big::ZERO)) => Finite(false, Big::ZERO),
        _ => Finite(m != n, Big::shifted(u128::from(x * y), (p + q - UNIT) as u32)),
    }
}

/// The 24-bit pattern of a number.
fn rounded(x: Number, rounding: Rounding, model: FloatModel) -> u32 {
    let sign = |neg: bool| u32::from(neg) << 23;
    let (neg, magnitude) = match x {
        Number::Nan => return 0x7f_8000,
        Number::Inf(neg) => return sign(neg) | 0x7f_0000,
        Number::Finite(neg, magnitude) => (neg, magnitude),
    };
    let mut last = magnitude.top().max(-62 - UNIT) - 16;
    let mut kept = (0..17).fold(0u32, |kept, i| kept | u32::from(magnitude.bit(last + i)) << i);
    let (half, below) = (magnitude.bit(last - 1), (0..last - 1).any(|n| magnitude.bit(n)));
    let up = match rounding {
        Rounding::Truncate => false,
        Rounding::Nearest => half && (below || kept & 1 == 1),
        Rounding::Away => half,
    };
    kept += u32::from(up);
    if kept == 1 << 17 {
        (kept, last) = (1 << 16, last + 1);
    }
    if kept < 1 << 16 {
        return if kept == 0 || model.denormals == Denormals::Flush { 0 } else { sign(neg) | kept };
    }
    let field = last + 16 + UNIT + 63;
    if field <= 126 {
        return sign(neg) | (field as u32) << 16 | kept & 0xffff;
    }
    match model.overflow {
        Overflow::Infinity => sign(neg) | 0x7f_0000,
        Overflow::Largest => sign(neg) | 0x7e_ffff,
    }
}

/// The binary32 pattern of a 24-bit pattern.
fn wide(bits: u32) -> u32 {
    let (neg, sig, power) = parts(bits);
    let magnitude = match bits >> 16 & 0x7f {
        0x7f if bits & 0xffff != 0 => f32::NAN,
        0x7f => f32::INFINITY,
        _ => (sig as f64 * 2f64.powi(power)) as f32,
    };
    (if neg && magnitude != 0.0 { -magnitude } else { magnitude }).to_bits()
}

/// `sig * 2^power` in units; bit 0 is set if nonzero bits follow.
fn with_rest(sig: u128, rest: bool, power: i32) -> Big {
    Big::shifted(sig << 1 | u128::from(rest), (power - 1 - UNIT) as u32)
}

fn reciprocal(a: u32, model: FloatModel) -> Number {
    let (neg, sig, power) = parts(a);
    match operand(a, model) {
        Number::Nan => Number::Nan,
        Number::Inf(_) => Number::Finite(false, Big::ZERO),
        // There is no negative zero.
        Number::Finite(_, Big::ZERO) => Number::Inf(false),
        Number::Finite(..) => {
            let (q, r) = ((1u128 << 60) / u128::from(sig), (1u128 << 60) % u128::from(sig));
            Number::Finite(neg, with_rest(q, r != 0, -60 - power))
        }
    }
}

fn root(a: u32, model: FloatModel) -> Number {
    let (neg, sig, power) = parts(a);
    match operand(a, model) {
        Number::Nan => Number::Nan,
        Number::Finite(_, Big::ZERO) => Number::Inf(false),
        _ if neg => Number::Nan,
        Number::Inf(_) => Number::Finite(false, Big::ZERO),
        Number::Finite(..) => {
            let (sig, power) = if power % 2 == 0 { (sig, power) } else { (sig << 1, power - 1) };
            let n = ((1u128 << 100) / u128::from(sig)).isqrt();
            Number::Finite(false, with_rest(n, n * n * u128::from(sig) != 1 << 100, -50 - power / 2))
        }
    }
}

fn floor(a: u32, model: FloatModel) -> Number {
    let Number::Finite(neg, magnitude) = operand(a, model) else { return operand(a, model) };
    let (words, one) = (magnitude.0, Big::shifted(1, -UNIT as u32));
    let mut whole = Big(words);
    for n in 0..-UNIT {
        whole.0[n as usize / 64] &= !(1 << (n % 64));
    }
    Number::Finite(neg, if neg && whole != magnitude { whole.add(one) } else { whole })
}

/// 2^(2^-j) for j from 1 on, with 60 fraction bits.
fn roots_of_two() -> Vec<u128> {
    let mut c = 2u128 << 60;
    (0..100)
        .map(|_| {
            c = (c << 60).isqrt();
            c
        })
        .collect()
}

fn power(a: u32, model: FloatModel, roots: &[u128]) -> Number {
    let (neg, magnitude) = match operand(a, model) {
        Number::Finite(neg, magnitude) => (neg, magnitude),
        Number::Inf(true) => return Number::Finite(false, Big::ZERO),
        other => return other,
    };
    // From 128 on, the power exceeds every number.
    if magnitude.top() >= 7 - UNIT {
        return if neg {
            Number::Finite(false, Big::ZERO)
        } else {
            Number::Finite(false, Big::shifted(1, 300))
        };
    }
    let one = Big::shifted(1, -UNIT as u32);
    let whole = (0..7).fold(0, |n, i| n | i32::from(magnitude.bit(i - UNIT)) << i);
    let mut fraction = magnitude;
    (0..7).for_each(|i| fraction.0[(i - UNIT) as usize / 64] &= !(1 << ((i - UNIT) % 64)));
    let (whole, fraction) = match (neg, fraction == Big::ZERO) {
        (false, _) => (whole, fraction),
        (true, true) => (-whole, fraction),
        (true, false) => (-whole - 1, one.sub(fraction)),
    };
    let bits = (1..=100).filter(|&j| fraction.bit(-UNIT - j));
    let product = bits.fold(1u128 << 60, |p, j| (p * roots[j as usize - 1]) >> 60);
    let power = whole - 60;
    if power - 1 < UNIT {
        return Number::Finite(false, Big::ZERO);
    }
    Number::Finite(false, with_rest(product, fraction != Big::ZERO, power))
}

/// The high half of a product.
fn high(a: u128, b: u128) -> u128 {
    let split = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    let middle = ah * bl + ((al * bl) >> 64);
    let (mh, ml) = split(middle);
    ah * bh + mh + ((ml + al * bh) >> 64)
}

fn logarithm(a: u32, model: FloatModel) -> Number {
    let (neg, sig, exponent) = parts(a);
    match operand(a, model) {
        Number::Nan => return Number::Nan,
        Number::Finite(_, Big::ZERO) => return Number::Inf(true),
        _ if neg => return Number::Nan,
        Number::Inf(_) => return Number::Inf(false),
        Number::Finite(..) => {}
    }
    let top = 63 - sig.leading_zeros() as i32;
    let whole = top + exponent;
    // The number from 1 up to 2 is squared repeatedly: each time it reaches 2, the next bit is one.
    let mut y = u128::from(sig) << (127 - top);
    let mut digits = 0u128;
    let mut rest = y != 1 << 127;
    for _ in 0..80 {
        let square = high(y, y);
        let passed = square >> 127 != 0;
        digits = digits << 1 | u128::from(passed);
        y = if passed { square } else { square << 1 };
    }
    rest &= y != 1 << 127 || digits != 0;
    let fraction = with_rest(digits, rest, -80);
    let whole_units = Big::shifted(whole.unsigned_abs().into(), -UNIT as u32);
    if whole < 0 {
        Number::Finite(true, whole_units.sub(fraction))
    } else {
        Number::Finite(false, whole_units.add(fraction))
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 8
    }

    /// Any pattern, or one near another so that sums cancel and products stay in range.
    fn pair(&mut self) -> [u32; 2] {
        let bits = self.next();
        let (a, b) = (bits as u32 & 0xff_ffff, (bits >> 24) as u32 & 0xff_ffff);
        match bits >> 48 & 3 {
            0 => [a, b],
            1 => [a, (a ^ 0x80_0000).wrapping_add((b & 0x1_ffff) >> (b >> 19)) & 0xff_ffff],
            _ => [a & 0x81_ffff | 0x3e_0000, b & 0x87_ffff | 0x38_0000],
        }
    }
}

fn edges() -> Vec<u32> {
    let positive = [
        0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x1_0001, 0x2_0000, 0x1f_ffff, 0x20_0000, 0x2f_0000,
        0x3d_5555, 0x3e_0000, 0x3e_ffff, 0x3f_0000, 0x3f_0001, 0x3f_8000, 0x40_0000, 0x40_8000, 0x45_0000,
        0x45_0001, 0x4f_ffff, 0x5e_0000, 0x5f_0000, 0x7d_ffff, 0x7e_0000, 0x7e_fffe, 0x7e_ffff, 0x7f_0000,
        0x7f_0001, 0x7f_8000,
    ];
    positive.iter().flat_map(|&bits| [bits, bits | 0x80_0000]).collect()
}

fn count() -> usize {
    std::env::var("FLOAT24_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(5_000)
}

/// All pairs of edge values, then random ones.
fn pairs() -> impl Iterator<Item = [u32; 2]> {
    let edges = edges();
    let all: Vec<_> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| [a, b])).collect();
    let mut random = Random(24);
    all.into_iter().chain((0..count()).map(move |_| random.pair()))
}

fn check(name: &str, model: FloatModel, operands: &[u32], got: u64, want: u32) {
    let (got, want) = (got as u32, wide(want));
    let both_nan = f32::from_bits(got).is_nan() && f32::from_bits(want).is_nan();
    assert!(got == want || both_nan, "{name} of {operands:06x?}: {got:08x}, not {want:08x}, in {model:?}");
}

/// Prints how many results were compared; a mismatch has ended the test before.
fn report(name: &str, compared: u64, begun: std::time::Instant) {
    println!("float24 {name}: {compared} results, 0 mismatches, {:.1} s", begun.elapsed().as_secs_f64());
}

/// Every rounding with both kinds of overflow and denormals.
fn models() -> Vec<FloatModel> {
    let mut list = Vec::new();
    for rounding in ROUNDINGS {
        let base = FloatModel { add: rounding, mul: rounding, special: rounding, ..FloatModel::F24 };
        list.push(base);
        list.push(FloatModel { overflow: Overflow::Largest, denormals: Denormals::Keep, ..base });
    }
    list
}

fn binary(name: &str, op: Binary, want: impl Fn(u32, u32, FloatModel) -> u32) {
    let (begun, mut compared) = (std::time::Instant::now(), 0);
    for model in models() {
        for [a, b] in pairs() {
            let [x, y] = [a, b].map(|bits| u64::from(wide(bits)));
            check(name, model, &[a, b], model.binary(op, RULE, Scalar::F32, x, y), want(a, b, model));
            compared += 1;
        }
    }
    report(name, compared, begun);
}

fn unary(name: &str, op: Unary, want: impl Fn(u32, FloatModel) -> Number) {
    let (begun, mut compared) = (std::time::Instant::now(), 0);
    // There are at most 2^24 operands.
    let every = count() >= 1 << 23;
    for model in models() {
        let some = pairs().flatten().take(if every { 0 } else { usize::MAX });
        for a in some.chain(0..if every { 1 << 24 } else { 0 }) {
            let got = model.unary(op, RULE, Scalar::F32, wide(a).into());
            check(name, model, &[a], got, rounded(want(a, model), model.special, model));
            compared += 1;
        }
    }
    report(name, compared, begun);
}

#[test]
fn sums() {
    binary("add", Binary::FAdd, |a, b, m| rounded(add(operand(a, m), operand(b, m)), m.add, m));
    binary("sub", Binary::FSub, |a, b, m| rounded(add(operand(a, m), operand(b ^ 0x80_0000, m)), m.add, m));
}

#[test]
fn products() {
    binary("mul", Binary::FMul, |a, b, m| rounded(mul(a, b, m), m.mul, m));
}

#[test]
fn dot_products() {
    let begun = std::time::Instant::now();
    let mut compared = 0;
    for base in models() {
        for order in [DotOrder::Forward, DotOrder::Backward, DotOrder::Pairs] {
            for steps in [DotSteps::Each, DotSteps::Once] {
                let model = FloatModel { dot_order: order, dot_steps: steps, ..base };
                let (mut stream, mut random) = (pairs(), Random(7));
                while let Some(first) = stream.next() {
                    let rest = [0; 3].map(|_| stream.next().unwrap_or_else(|| random.pair()));
                    let all = [first, rest[0], rest[1], rest[2]];
                    let count = 3 + (first[0] & 1) as usize;
                    let [a, b] = [0, 1].map(|i| all.map(|p| u64::from(wide(p[i]))));
                    let got = model.dot(RULE, Scalar::F32, &a[..count], &b[..count]);
                    let exact: Vec<Number> = all[..count].iter().map(|p| mul(p[0], p[1], model)).collect();
                    let want = match steps {
                        DotSteps::Once => {
                            let sum = exact.into_iter().reduce(add).unwrap_or(Number::Nan);
                            rounded(sum, model.add, model)
                        }
                        DotSteps::Each => {
                            let p: Vec<u32> = exact.iter().map(|&x| rounded(x, model.mul, model)).collect();
                            let plus =
                                |a, b| rounded(add(operand(a, model), operand(b, model)), model.add, model);
                            match (order, count) {
                                (DotOrder::Forward, 3) | (DotOrder::Pairs, 3) => plus(plus(p[0], p[1]), p[2]),
                                (DotOrder::Forward, _) => plus(plus(plus(p[0], p[1]), p[2]), p[3]),
                                (DotOrder::Backward, 3) => plus(plus(p[2], p[1]), p[0]),
                                (DotOrder::Backward, _) => plus(plus(plus(p[3], p[2]), p[1]), p[0]),
                                (DotOrder::Pairs, _) => plus(plus(p[0], p[1]), plus(p[2], p[3])),
                            }
                        }
                    };
                    check("dot", model, all.as_flattened(), got, want);
                    compared += 1;
                }
            }
        }
    }
    report("dot", compared, begun);
}

#[test]
fn reciprocals_and_roots() {
    unary("rcp", Unary::FRcp, reciprocal);
    unary("rsq", Unary::FRsqrt, root);
}

#[test]
fn powers_and_logarithms() {
    let roots = roots_of_two();
    unary("ex2", Unary::FExp2, |a, model| power(a, model, &roots));
    unary("lg2", Unary::FLog2, logarithm);
}

#[test]
fn whole_numbers() {
    unary("flr", Unary::FFloor, floor);
}

/// Minima, maxima and comparisons choose among operands and see denormals.
#[test]
fn choices() {
    let value = |bits: u32| f32::from_bits(wide(bits));
    for op in [Binary::FMin, Binary::FMax, Binary::FEq, Binary::FNe, Binary::FLt, Binary::FLe] {
        for [a, b] in pairs() {
            let (x, y) = (value(a), value(b));
            let first = if op == Binary::FMin { x < y } else { x > y };
            let want = match op {
                Binary::FMin | Binary::FMax => (if first { x } else { y }).to_bits(),
                Binary::FEq => (x == y).into(),
                Binary::FNe => (x != y).into(),
                Binary::FLt => (x < y).into(),
                _ => (x <= y).into(),
            };
            let [p, q] = [x, y].map(|v| u64::from(v.to_bits()));
            let got = FloatModel::F24.binary(op, RULE, Scalar::F32, p, q) as u32;
            let nan = |bits: u32| f32::from_bits(bits).is_nan();
            assert!(
                got == want || nan(got) && nan(want),
                "{op:?} of {a:06x}, {b:06x}: {got:x}, not {want:x}"
            );
        }
    }
}

#[test]
fn halving_one_comes_to_zero() {
    let half = u64::from(0.5f32.to_bits());
    let mut x = u64::from(1f32.to_bits());
    for n in 1..=63 {
        x = FloatModel::F24.binary(Binary::FMul, RULE, Scalar::F32, x, half);
        assert_eq!(x == 0, n == 63, "after {n} halvings");
    }
}

#[test]
fn patterns_convert_both_ways() {
    use shisa_ir::scalar::float24::{decode, encode};
    for bits in 0..1 << 24 {
        let is_nan = bits & 0x7f_ffff > 0x7f_0000;
        if is_nan {
            assert!(f32::from_bits(decode(bits)).is_nan());
        } else {
            assert_eq!(decode(bits), wide(bits), "{bits:06x}");
            let back = if bits == 0x80_0000 { 0 } else { bits };
            assert_eq!(encode(decode(bits), Rounding::Truncate), back, "{bits:06x}");
        }
    }
    let between = 0x3f80_007f;
    assert_eq!(ROUNDINGS.map(|r| encode(between, r)), [0x3f_0000, 0x3f_0001, 0x3f_0001]);
    assert_eq!(ROUNDINGS.map(|r| encode(0x3f80_0040, r)), [0x3f_0000, 0x3f_0000, 0x3f_0001]);
    assert_eq!(encode(f32::MAX.to_bits(), Rounding::Truncate), 0x7f_0000);
}
