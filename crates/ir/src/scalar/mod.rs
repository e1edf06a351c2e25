//! The definition of every pure operation on one component. Constant folding, the evaluator and the tests of the fast
//! engines all call it.
//!
//! A component is passed as a `u64` whose low bits hold it; the bits above its width are ignored in operands and zero
//! in results. `i1` is 0 or 1.
//!
//! # Floats
//!
//! * Results are exact, then rounded once in the rule's direction. Sine, cosine, exponential, logarithm and power
//!   of `f16` and `f32` are computed in binary64 to within about one ulp and then rounded once;
//!   those of `f64`, and its reciprocal square root, are rounded to nearest.
//! * `flush`: a denormal operand is replaced by zero with the same sign, and so is a result that is denormal
//!   after rounding.
//! * `saturate`: the result is clamped to 0 … 1; NaN and -0 become +0.
//! * `zero_product`: in a product, zero times infinity is +0.
//! * The NaN result of an operation is the positive quiet NaN without payload, whatever the operands were.
//! * [`Unary::FNeg`] and [`Unary::FAbs`] change the sign bit and nothing else; they ignore the rule.
//! * Minimum and maximum order -0 below +0, except under [`NanRule::Second`]. Comparisons treat them as equal.
//! * `model` is ignored here; [`FloatModel`] resolves it with functions of the same names.
//!
//! [`Convert::Pair`] regroups components and has no effect on a single one; see [`pair`] and [`halves`].

mod atomics;
pub mod float24;
pub mod lanes;
mod model;
mod modelled;
mod operation;
mod soft;
#[cfg(test)]
mod tests;
pub mod word;

use crate::{Binary, Convert, FloatRule, NanRule, Round, Scalar, Ternary, Unary};
pub use atomics::stored;
pub use model::{Denormals, DotOrder, DotSteps, FloatModel, Numbers, Overflow, Rounding, Whole, WholeRange};
pub use operation::Arithmetic;

use core::cmp::Ordering;
use soft::{Exact, Format, Num, below, compare};

/// The low `scalar.bits()` bits.
const fn low(scalar: Scalar, a: u64) -> u64 {
    a & (u64::MAX >> (64 - scalar.bits()))
}

/// As a signed integer.
const fn signed(scalar: Scalar, a: u64) -> i64 {
    let unused = 64 - scalar.bits();
    ((a << unused) as i64) >> unused
}

/// The operation on one component of kind `scalar`.
pub fn unary(op: Unary, rule: FloatRule, scalar: Scalar, a: u64) -> u64 {
    let a = low(scalar, a);
    match (integer_unary(op, scalar, a), Float::new(scalar, rule)) {
        (Some(bits), _) => low(scalar, bits),
        (None, Some(f)) => f.unary(op, a),
        (None, None) => 0,
    }
}

/// The operation on one component of kind `scalar` (the operands' kind); comparisons yield 0 or 1. [`Binary::FDot`] is
/// the case of one component; [`dot`] takes more.
pub fn binary(op: Binary, rule: FloatRule, scalar: Scalar, a: u64, b: u64) -> u64 {
    let (a, b) = (low(scalar, a), low(scalar, b));
    match (integer_binary(op, scalar, a, b), Float::new(scalar, rule)) {
        (Some(bits), _) => low(scalar, bits),
        (None, Some(f)) => f.binary(op, a, b),
        (None, None) => 0,
    }
}

/// The operation on one component of kind `scalar` (the result's kind).
pub fn ternary(op: Ternary, rule: FloatRule, scalar: Scalar, a: u64, b: u64, c: u64) -> u64 {
    match (op, Float::new(scalar, rule)) {
        (Ternary::Select, _) => low(scalar, if a & 1 != 0 { b } else { c }),
        (Ternary::Fma, Some(f)) => f.fma(low(scalar, a), low(scalar, b), low(scalar, c)),
        (Ternary::Fma, None) => 0,
    }
}

/// The conversion of one component of kind `from` to kind `to`.
pub fn convert(op: Convert, rule: FloatRule, from: Scalar, to: Scalar, a: u64) -> u64 {
    let a = low(from, a);
    let integer = |neg: bool, magnitude: u64| match Float::new(to, rule) {
        Some(f) => f.finish(Num::Finite(Exact { neg, exp: 0, sig: magnitude.into() })),
        None => 0,
    };
    let bits = match op {
        Convert::Bits | Convert::Truncate | Convert::ZeroExtend | Convert::Pair => a,
        Convert::SignExtend => signed(from, a) as u64,
        Convert::UnsignedToFloat => integer(false, a),
        Convert::SignedToFloat => integer(signed(from, a) < 0, signed(from, a).unsigned_abs()),
        Convert::Float => match (Float::new(from, rule), Float::new(to, rule)) {
            (Some(from), Some(to)) => to.finish(from.num(a)),
            _ => 0,
        },
        Convert::FloatToSigned | Convert::FloatToUnsigned => match Float::new(from, rule) {
            Some(f) => to_integer(f.num(a), op == Convert::FloatToSigned, to),
            None => 0,
        },
    };
    low(to, bits)
}

/// The sum of the products of components, from the first to the last. Every step is rounded; only the sum saturates.
/// Components without a counterpart in the shorter slice are ignored.
pub fn dot(rule: FloatRule, scalar: Scalar, a: &[u64], b: &[u64]) -> u64 {
    let step = FloatRule { saturate: false, ..rule };
    let products = a.iter().zip(b).map(|(&a, &b)| binary(Binary::FMul, step, scalar, a, b));
    let sum = products.reduce(|sum, p| binary(Binary::FAdd, step, scalar, sum, p)).unwrap_or(0);
    if rule.saturate { unary(Unary::FSat, step, scalar, sum) } else { sum }
}

/// [`Convert::Pair`] to 64 bits.
pub const fn pair(parts: [u64; 2]) -> u64 {
    (parts[1] << 32) | (parts[0] & 0xffff_ffff)
}

/// [`Convert::Pair`] from 64 bits.
pub const fn halves(a: u64) -> [u64; 2] {
    [a & 0xffff_ffff, a >> 32]
}

fn integer_unary(op: Unary, scalar: Scalar, a: u64) -> Option<u64> {
    let bits = u32::from(scalar.bits());
    Some(match op {
        Unary::INeg => a.wrapping_neg(),
        Unary::Not => !a,
        Unary::PopCount => u64::from(a.count_ones()),
        Unary::LeadingZeros => u64::from(a.leading_zeros() + bits - 64),
        Unary::ReverseBits => a.reverse_bits() >> (64 - bits),
        _ => return None,
    })
}

fn integer_binary(op: Binary, scalar: Scalar, a: u64, b: u64) -> Option<u64> {
    use Binary::*;
    let bits = u64::from(scalar.bits());
    let (sa, sb) = (signed(scalar, a), signed(scalar, b));
    Some(match op {
        IAdd => a.wrapping_add(b),
        ISub => a.wrapping_sub(b),
        IMul => a.wrapping_mul(b),
        UMulHi => ((u128::from(a) * u128::from(b)) >> bits) as u64,
        SMulHi => ((i128::from(sa) * i128::from(sb)) >> bits) as u64,
        UMin => a.min(b),
        UMax => a.max(b),
        SMin => sa.min(sb) as u64,
        SMax => sa.max(sb) as u64,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => {
            if b < bits {
                a << b
            } else {
                0
            }
        }
        LShr => {
            if b < bits {
                a >> b
            } else {
                0
            }
        }
        AShr => (sa >> b.min(63)) as u64,
        IEq => (a == b).into(),
        INe => (a != b).into(),
        ULt => (a < b).into(),
        ULe => (a <= b).into(),
        SLt => (sa < sb).into(),
        SLe => (sa <= sb).into(),
        FAdd | FSub | FMul | FDiv | FMin | FMax | FPow | FDot | FEq | FNe | FLt | FLe => return None,
    })
}

/// Toward zero, clamped to the range of `to`.
fn to_integer(x: Num, is_signed: bool, to: Scalar) -> u64 {
    let max = if is_signed { low(to, u64::MAX) >> 1 } else { low(to, u64::MAX) };
    let clamp = |neg: bool, magnitude: u64| match (neg, is_signed) {
        (false, _) => magnitude.min(max),
        (true, true) => magnitude.min(max + 1).wrapping_neg(),
        (true, false) => 0,
    };
    match x {
        Num::Nan => 0,
        Num::Inf(neg) => clamp(neg, u64::MAX),
        Num::Finite(x) => clamp(x.neg, x.truncated().unwrap_or(u64::MAX)),
    }
}

/// A float format with a rule.
#[derive(Clone, Copy)]
struct Float {
    format: Format,
    rule: FloatRule,
}

impl Float {
    fn new(scalar: Scalar, rule: FloatRule) -> Option<Float> {
        Format::of(scalar).map(|format| Float { format, rule })
    }

    /// An operand, flushed if the rule says so.
    fn operand(self, bits: u64) -> u64 {
        if self.rule.flush { self.format.flush(bits) } else { bits }
    }

    fn num(self, bits: u64) -> Num {
        self.format.decode(self.operand(bits))
    }

    /// Rounds, flushes and saturates.
    fn finish(self, x: Num) -> u64 {
        self.clamp(self.operand(self.format.encode(x, self.rule.round)))
    }

    fn clamp(self, bits: u64) -> u64 {
        if self.rule.saturate { self.saturated(bits) } else { bits }
    }

    fn saturated(self, bits: u64) -> u64 {
        let f = self.format;
        if f.is_nan(bits) || bits & f.sign() != 0 { 0 } else { bits.min(f.one()) }
    }

    fn unary(self, op: Unary, a: u64) -> u64 {
        let f = self.format;
        let x = self.num(a);
        let integral = |round| match x {
            Num::Finite(x) => Num::Finite(x.integral(round)),
            other => other,
        };
        let result = match op {
            Unary::FNeg => return a ^ f.sign(),
            Unary::FAbs => return a & !f.sign(),
            Unary::FSat => return self.saturated(self.operand(a)),
            Unary::FFloor => integral(Round::Down),
            Unary::FCeil => integral(Round::Up),
            Unary::FTrunc => integral(Round::Zero),
            Unary::FRound => integral(Round::Nearest),
            Unary::FSqrt => match x {
                Num::Finite(x) if x.sig == 0 => Num::Finite(x),
                Num::Finite(x) if !x.neg => Num::Finite(x.sqrt()),
                Num::Inf(false) => x,
                _ => Num::Nan,
            },
            Unary::FRsqrt => match x {
                Num::Finite(x) if x.sig == 0 => Num::Inf(x.neg),
                Num::Finite(x) if !x.neg && f == Format::F64 => {
                    in_binary64(Num::Finite(x), |x| 1.0 / libm::sqrt(x))
                }
                Num::Finite(x) if !x.neg => Num::Finite(x.rsqrt()),
                Num::Inf(false) => ZERO,
                _ => Num::Nan,
            },
            Unary::FRcp => divide(f.decode(f.one()), x),
            Unary::FExp2 => in_binary64(x, libm::exp2),
            Unary::FLog2 => in_binary64(x, libm::log2),
            Unary::FSin => in_binary64(x, libm::sin),
            Unary::FCos => in_binary64(x, libm::cos),
            Unary::FSinc => in_binary64(x, sinc),
            Unary::INeg | Unary::Not | Unary::PopCount | Unary::LeadingZeros | Unary::ReverseBits => Num::Nan,
        };
        self.finish(result)
    }

    fn binary(self, op: Binary, a: u64, b: u64) -> u64 {
        use Ordering::*;
        let f = self.format;
        let (a, b) = (self.operand(a), self.operand(b));
        let order = compare(f, a, b);
        let (x, y) = (f.decode(a), f.decode(b));
        let result = match op {
            Binary::FEq => return (order == Some(Equal)).into(),
            Binary::FNe => return (order != Some(Equal)).into(),
            Binary::FLt => return (order == Some(Less)).into(),
            Binary::FLe => return matches!(order, Some(Less | Equal)).into(),
            Binary::FMin => return self.clamp(self.choose(a, b, order == Some(Less), below(f, a, b))),
            Binary::FMax => return self.clamp(self.choose(a, b, order == Some(Greater), below(f, b, a))),
            Binary::FAdd => self.sum(x, y),
            Binary::FSub => self.sum(x, negated(y)),
            Binary::FMul | Binary::FDot => self.product(x, y),
            Binary::FDiv => divide(x, y),
            Binary::FPow => {
                let log = in_binary64(x, libm::log2);
                in_binary64(self.product(y, log), libm::exp2)
            }
            _ => Num::Nan,
        };
        self.finish(result)
    }

    /// Minimum or maximum: `first` if `a` wins by comparison, `ordered` if it wins when zeros have signs.
    fn choose(self, a: u64, b: u64, first: bool, ordered: bool) -> u64 {
        let f = self.format;
        match (self.rule.nan, f.is_nan(a), f.is_nan(b)) {
            (NanRule::Second, ..) => {
                if first {
                    a
                } else {
                    b
                }
            }
            (_, true, true) => f.nan(),
            (_, true, false) => b,
            (_, false, true) => a,
            (_, false, false) => {
                if ordered {
                    a
                } else {
                    b
                }
            }
        }
    }

    fn fma(self, a: u64, b: u64, c: u64) -> u64 {
        let product = self.product(self.num(a), self.num(b));
        self.finish(self.sum(product, self.num(c)))
    }

    fn sum(self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Finite(a), Num::Finite(b)) => Num::Finite(a.add(b, self.rule.round)),
            (Num::Nan, _) | (_, Num::Nan) => Num::Nan,
            (Num::Inf(a), Num::Inf(b)) if a != b => Num::Nan,
            (Num::Inf(neg), _) | (_, Num::Inf(neg)) => Num::Inf(neg),
        }
    }

    fn product(self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Finite(a), Num::Finite(b)) => Num::Finite(a.mul(b)),
            (Num::Nan, _) | (_, Num::Nan) => Num::Nan,
            (Num::Inf(a), Num::Inf(b)) => Num::Inf(a != b),
            (Num::Finite(x), Num::Inf(neg)) | (Num::Inf(neg), Num::Finite(x)) => match x.sig {
                0 if self.rule.zero_product => ZERO,
                0 => Num::Nan,
                _ => Num::Inf(x.neg != neg),
            },
        }
    }
}

const ZERO: Num = Num::Finite(Exact { neg: false, exp: 0, sig: 0 });

fn negated(x: Num) -> Num {
    match x {
        Num::Nan => Num::Nan,
        Num::Inf(neg) => Num::Inf(!neg),
        Num::Finite(x) => Num::Finite(Exact { neg: !x.neg, ..x }),
    }
}

fn divide(a: Num, b: Num) -> Num {
    match (a, b) {
        (Num::Nan, _) | (_, Num::Nan) | (Num::Inf(_), Num::Inf(_)) => Num::Nan,
        (Num::Inf(neg), Num::Finite(b)) => Num::Inf(neg != b.neg),
        (Num::Finite(a), Num::Inf(neg)) => Num::Finite(Exact { neg: a.neg != neg, exp: 0, sig: 0 }),
        (Num::Finite(a), Num::Finite(b)) => match (a.sig, b.sig) {
            (0, 0) => Num::Nan,
            (_, 0) => Num::Inf(a.neg != b.neg),
            (0, _) => Num::Finite(Exact { neg: a.neg != b.neg, ..a }),
            _ => Num::Finite(a.div(b)),
        },
    }
}

/// [`Unary::FSinc`] in binary64.
pub fn sinc(x: f64) -> f64 {
    use core::f64::consts::FRAC_PI_2;
    if x == 0.0 { FRAC_PI_2 } else { libm::sin(x * FRAC_PI_2) / x }
}

/// A function computed in binary64.
fn in_binary64(x: Num, function: impl Fn(f64) -> f64) -> Num {
    let x = Format::F64.encode(x, Round::Nearest);
    Format::F64.decode(function(f64::from_bits(x)).to_bits())
}
