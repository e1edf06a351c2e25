//! Loops of operations with two operands.

use super::lanes::{Loop, two};
use shisa_ir::scalar::word::{bits, choose, float, in_binary64, mul_zero};
use shisa_ir::{Binary, FloatRule, NanRule, Round, Scalar};

/// The loop of an operation with a rule without a float model, if there is one. Comparisons do not depend on the float
/// model.
pub(super) fn of(op: Binary, rule: FloatRule, kind: Scalar) -> Option<Loop> {
    // For a rule that flushes, the planner flushes the operands and the result.
    let compared = |l: Loop| (kind == Scalar::F32 && !rule.flush).then_some(l);
    let chosen = |l: Loop| compared(l).filter(|_| !rule.saturate);
    let rounded = |l: Loop| chosen(l).filter(|_| rule.round == Round::Nearest);
    let words = |l: Loop| (kind == Scalar::I32).then_some(l);
    // Narrow operands are zero-extended, which makes these loops correct for every width.
    let narrow = |l: Loop| (kind.bits() <= 32 && !kind.is_float()).then_some(l);
    let second = rule.nan == NanRule::Second;
    match op {
        Binary::FAdd => rounded(two!("fadd", |x, y| bits(float(x) + float(y)))),
        Binary::FSub => rounded(two!("fsub", |x, y| bits(float(x) - float(y)))),
        Binary::FMul | Binary::FDot if rule.zero_product => rounded(two!("fmul.zero", mul_zero)),
        Binary::FMul | Binary::FDot => rounded(two!("fmul", |x, y| bits(float(x) * float(y)))),
        Binary::FDiv => rounded(two!("fdiv", |x, y| bits(float(x) / float(y)))),
        Binary::FMin if second => chosen(two!("fmin.second", |x, y| if float(x) < float(y) { x } else { y })),
        Binary::FMax if second => chosen(two!("fmax.second", |x, y| if float(x) > float(y) { x } else { y })),
        Binary::FMin => chosen(two!("fmin", |x, y| choose(x, y, |x, y| x < y, |x, y| x | y))),
        Binary::FMax => chosen(two!("fmax", |x, y| choose(x, y, |x, y| x > y, |x, y| x & y))),
        Binary::FPow if rule.zero_product => None,
        Binary::FPow => rounded(two!("fpow", |x, y| {
            in_binary64(x, |x| libm::exp2(f64::from(float(y)) * libm::log2(x)))
        })),
        Binary::FEq => compared(two!("feq", |x, y| (float(x) == float(y)).into())),
        Binary::FNe => compared(two!("fne", |x, y| (float(x) != float(y)).into())),
        Binary::FLt => compared(two!("flt", |x, y| (float(x) < float(y)).into())),
        Binary::FLe => compared(two!("fle", |x, y| (float(x) <= float(y)).into())),
        Binary::IAdd => words(two!("iadd", u32::wrapping_add)),
        Binary::ISub => words(two!("isub", u32::wrapping_sub)),
        Binary::IMul => words(two!("imul", u32::wrapping_mul)),
        Binary::UMulHi => words(two!("umul_hi", |x, y| ((u64::from(x) * u64::from(y)) >> 32) as u32)),
        Binary::SMulHi => {
            words(two!("smul_hi", |x, y| { ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32 }))
        }
        Binary::UMin => narrow(two!("umin", u32::min)),
        Binary::UMax => narrow(two!("umax", u32::max)),
        Binary::SMin => words(two!("smin", |x, y| (x as i32).min(y as i32) as u32)),
        Binary::SMax => words(two!("smax", |x, y| (x as i32).max(y as i32) as u32)),
        Binary::And => narrow(two!("and", |x, y| x & y)),
        Binary::Or => narrow(two!("or", |x, y| x | y)),
        Binary::Xor => narrow(two!("xor", |x, y| x ^ y)),
        Binary::Shl => words(two!("shl", |x, y| if y < 32 { x << (y & 31) } else { 0 })),
        Binary::LShr => narrow(two!("lshr", |x, y| if y < 32 { x >> (y & 31) } else { 0 })),
        Binary::AShr => words(two!("ashr", |x, y| ((x as i32) >> y.min(31)) as u32)),
        Binary::IEq => narrow(two!("ieq", |x, y| (x == y).into())),
        Binary::INe => narrow(two!("ine", |x, y| (x != y).into())),
        Binary::ULt => narrow(two!("ult", |x, y| (x < y).into())),
        Binary::ULe => narrow(two!("ule", |x, y| (x <= y).into())),
        Binary::SLt => words(two!("slt", |x, y| ((x as i32) < y as i32).into())),
        Binary::SLe => words(two!("sle", |x, y| (x as i32 <= y as i32).into())),
    }
}
