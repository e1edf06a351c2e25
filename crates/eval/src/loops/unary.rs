//! Loops of operations with one operand.

use super::lanes::{Loop, ieee, one};
use shisa_ir::scalar::word::{SIGN, bits, ceil, float, floor, in_binary64, round, saturate, trunc};
use shisa_ir::{FloatRule, Scalar, Unary, scalar::sinc};

/// The loop of an operation with a rule without a float model, if there is one.
pub(super) fn of(op: Unary, rule: FloatRule, kind: Scalar) -> Option<Loop> {
    let float_only = |l: Loop| (kind == Scalar::F32 && ieee(rule)).then_some(l);
    let counted = |l: Loop| matches!(kind, Scalar::I8 | Scalar::I16 | Scalar::I32).then_some(l);
    let width = [kind.bits(), 0];
    match op {
        Unary::FNeg => signed(kind, one!("fneg", |x| x ^ SIGN), one!("fneg of halves", |x| x ^ 0x8000)),
        Unary::FAbs => signed(kind, one!("fabs", |x| x & !SIGN), one!("fabs of halves", |x| x & 0x7fff)),
        Unary::FSat => float_only(one!("fsat", |x| saturate(float(x)))),
        Unary::FFloor => float_only(one!("ffloor", |x| bits(floor(float(x))))),
        Unary::FCeil => float_only(one!("fceil", |x| bits(ceil(float(x))))),
        Unary::FTrunc => float_only(one!("ftrunc", |x| bits(trunc(float(x))))),
        Unary::FRound => float_only(one!("fround", |x| bits(round(float(x))))),
        Unary::FSqrt => float_only(one!("fsqrt", |x| bits(float(x).sqrt()))),
        // With a float model, the planner splits it into two operations.
        Unary::FRsqrt if rule.model => None,
        // Rounding twice yields the correctly rounded result for every binary32 operand.
        Unary::FRsqrt => float_only(one!("frsqrt", |x| bits((1.0 / f64::from(float(x)).sqrt()) as f32))),
        Unary::FRcp => float_only(one!("frcp", |x| bits(1.0 / float(x)))),
        Unary::FExp2 => float_only(one!("fexp2", |x| in_binary64(x, libm::exp2))),
        Unary::FLog2 => float_only(one!("flog2", |x| in_binary64(x, libm::log2))),
        Unary::FSin => float_only(one!("fsin", |x| in_binary64(x, libm::sin))),
        Unary::FCos => float_only(one!("fcos", |x| in_binary64(x, libm::cos))),
        Unary::FSinc => float_only(one!("fsinc", |x| in_binary64(x, sinc))),
        Unary::INeg => (kind == Scalar::I32).then_some(one!("ineg", u32::wrapping_neg)),
        Unary::Not => match kind {
            Scalar::I1 => Some(one!("not of i1", |x| x ^ 1)),
            Scalar::I32 => Some(one!("not", |x: u32| !x)),
            _ => None,
        },
        Unary::PopCount => counted(one!("popcount", u32::count_ones)),
        Unary::LeadingZeros => counted(one!("leading_zeros", width, |[bits, _]| {
            let above = 32 - u32::from(bits.clamp(1, 32));
            move |x: u32| x.leading_zeros().wrapping_sub(above)
        })),
        Unary::ReverseBits => counted(one!("reverse_bits", width, |[bits, _]| {
            let above = 32 - u32::from(bits.clamp(1, 32));
            move |x: u32| x.reverse_bits() >> above
        })),
    }
}

/// Operations on the sign bit, which ignore the rule.
fn signed(kind: Scalar, word: Loop, half: Loop) -> Option<Loop> {
    match kind {
        Scalar::F32 => Some(word),
        Scalar::F16 => Some(half),
        _ => None,
    }
}
