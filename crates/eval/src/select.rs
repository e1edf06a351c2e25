//! Chooses the loop for an operation, where there is one that gives the same bits.

use crate::micro::{Fast, Slow};
use shisa_ir::scalar::{Whole, WholeRange};
use shisa_ir::{Binary, Convert, FloatModel, FloatRule, NanRule, Round, Scalar, Ternary, Unary};

/// The loop for an operation whose operands and result have at most 32 bits.
pub(crate) fn fast(op: Slow, model: FloatModel) -> Option<Fast> {
    match op {
        Slow::Unary(_, rule, kind) if model.is_f24(rule, kind) => None,
        Slow::Binary(op, rule, kind) if model.is_f24(rule, kind) && !op.compares() => None,
        Slow::Convert(_, rule, _, to) if model.is_f24(rule, to) => None,
        Slow::Convert(_, rule, ..) if rule.model && !whole_as_usual(model) => None,
        // The planner makes two operations of it.
        Slow::Unary(Unary::FRsqrt, rule, _) if rule.model => None,
        Slow::Unary(op, rule, Scalar::F32) if ieee(rule) || matches!(op, Unary::FNeg | Unary::FAbs) => {
            unary_float(op)
        }
        Slow::Unary(Unary::FNeg, _, Scalar::F16) => Some(Fast::HNeg),
        Slow::Unary(Unary::FAbs, _, Scalar::F16) => Some(Fast::HAbs),
        Slow::Unary(op, _, scalar) => unary_integer(op, scalar),
        Slow::Binary(op, rule, Scalar::F32) => binary_float(op, rule),
        Slow::Binary(op, _, scalar) => binary_integer(op, scalar),
        Slow::Convert(op, rule, from, to) => convert(op, rule, from, to),
        Slow::Ternary(Ternary::Select, _, scalar) if scalar.bits() <= 32 => Some(Fast::Select),
        Slow::Ternary(Ternary::Fma, rule, Scalar::F32) if fused(rule, model) => Some(Fast::Fma),
        Slow::Ternary(Ternary::Fma, rule, Scalar::F16) if fused(rule, model) => Some(Fast::HFma),
        Slow::Ternary(..) => None,
    }
}

/// Whether conversions to integers are those of every other rule.
fn whole_as_usual(model: FloatModel) -> bool {
    model.whole == Whole::Truncate && model.whole_range == WholeRange::Wide
}

/// Rounds to nearest and keeps denormals; the planner has split saturation off.
fn ieee(rule: FloatRule) -> bool {
    rule.round == Round::Nearest && !rule.flush && !rule.saturate
}

/// Whether a product and sum follow the rule of their loop.
fn fused(rule: FloatRule, model: FloatModel) -> bool {
    ieee(rule) && !rule.zero_product && !model.is_f24(rule, Scalar::F32)
}

/// The operation without its flushing, and whether its result needs that too, where flushed operands and result
/// make it the same.
pub(crate) fn unflushed(op: Slow) -> Option<(Slow, bool)> {
    let plain = |rule: FloatRule| (rule.flush && !rule.model).then_some(FloatRule { flush: false, ..rule });
    match op {
        Slow::Unary(Unary::FNeg | Unary::FAbs, ..) => None,
        Slow::Unary(op, rule, Scalar::F32) => Some((Slow::Unary(op, plain(rule)?, Scalar::F32), true)),
        Slow::Binary(op, rule, Scalar::F32) => {
            let exact = op.compares() || matches!(op, Binary::FMin | Binary::FMax);
            Some((Slow::Binary(op, plain(rule)?, Scalar::F32), !exact))
        }
        Slow::Ternary(Ternary::Fma, rule, Scalar::F32) => {
            Some((Slow::Ternary(Ternary::Fma, plain(rule)?, Scalar::F32), true))
        }
        _ => None,
    }
}

fn unary_float(op: Unary) -> Option<Fast> {
    Some(match op {
        Unary::FNeg => Fast::FNeg,
        Unary::FAbs => Fast::FAbs,
        Unary::FSat => Fast::FSat,
        Unary::FFloor => Fast::FFloor,
        Unary::FCeil => Fast::FCeil,
        Unary::FTrunc => Fast::FTrunc,
        Unary::FRound => Fast::FRound,
        Unary::FSqrt => Fast::FSqrt,
        Unary::FRsqrt => Fast::FRsqrt,
        Unary::FRcp => Fast::FRcp,
        Unary::FExp2 => Fast::FExp2,
        Unary::FLog2 => Fast::FLog2,
        Unary::FSin => Fast::FSin,
        Unary::FCos => Fast::FCos,
        Unary::FSinc => Fast::FSinc,
        _ => return None,
    })
}

fn unary_integer(op: Unary, scalar: Scalar) -> Option<Fast> {
    match (op, scalar) {
        (Unary::Not, Scalar::I1) => Some(Fast::LogicalNot),
        (Unary::Not, Scalar::I32) => Some(Fast::Not),
        (Unary::INeg, Scalar::I32) => Some(Fast::INeg),
        (Unary::PopCount, Scalar::I8 | Scalar::I16 | Scalar::I32) => Some(Fast::PopCount),
        (Unary::LeadingZeros, Scalar::I8 | Scalar::I16 | Scalar::I32) => {
            Some(Fast::LeadingZeros { bits: scalar.bits() })
        }
        (Unary::ReverseBits, Scalar::I8 | Scalar::I16 | Scalar::I32) => {
            Some(Fast::ReverseBits { bits: scalar.bits() })
        }
        _ => None,
    }
}

fn binary_float(op: Binary, rule: FloatRule) -> Option<Fast> {
    let second = rule.nan == NanRule::Second;
    if rule.flush {
        return None;
    }
    match op {
        Binary::FEq => return Some(Fast::FEq),
        Binary::FNe => return Some(Fast::FNe),
        Binary::FLt => return Some(Fast::FLt),
        Binary::FLe => return Some(Fast::FLe),
        _ if rule.saturate => return None,
        Binary::FMin => return Some(if second { Fast::FMinSecond } else { Fast::FMin }),
        Binary::FMax => return Some(if second { Fast::FMaxSecond } else { Fast::FMax }),
        _ if rule.round != Round::Nearest => return None,
        _ => {}
    }
    match op {
        Binary::FAdd => Some(Fast::FAdd),
        Binary::FSub => Some(Fast::FSub),
        Binary::FDiv => Some(Fast::FDiv),
        Binary::FMul | Binary::FDot => Some(if rule.zero_product { Fast::FMulZero } else { Fast::FMul }),
        Binary::FPow if !rule.zero_product => Some(Fast::FPow),
        _ => None,
    }
}

fn binary_integer(op: Binary, scalar: Scalar) -> Option<Fast> {
    if scalar.bits() > 32 || scalar.is_float() {
        return None;
    }
    // Zeros above a narrow operand make these right for every width.
    let any_width = match op {
        Binary::And => Some(Fast::And),
        Binary::Or => Some(Fast::Or),
        Binary::Xor => Some(Fast::Xor),
        Binary::UMin => Some(Fast::UMin),
        Binary::UMax => Some(Fast::UMax),
        Binary::LShr => Some(Fast::LShr),
        Binary::IEq => Some(Fast::IEq),
        Binary::INe => Some(Fast::INe),
        Binary::ULt => Some(Fast::ULt),
        Binary::ULe => Some(Fast::ULe),
        _ => None,
    };
    let words_only = match op {
        Binary::IAdd => Some(Fast::IAdd),
        Binary::ISub => Some(Fast::ISub),
        Binary::IMul => Some(Fast::IMul),
        Binary::SMin => Some(Fast::SMin),
        Binary::SMax => Some(Fast::SMax),
        Binary::Shl => Some(Fast::Shl),
        Binary::AShr => Some(Fast::AShr),
        Binary::SLt => Some(Fast::SLt),
        Binary::SLe => Some(Fast::SLe),
        Binary::UMulHi => Some(Fast::UMulHi),
        Binary::SMulHi => Some(Fast::SMulHi),
        _ => None,
    };
    any_width.or(words_only.filter(|_| scalar == Scalar::I32))
}

fn convert(op: Convert, rule: FloatRule, from: Scalar, to: Scalar) -> Option<Fast> {
    let nearest = rule.round == Round::Nearest && !rule.saturate;
    match (op, from, to) {
        (Convert::FloatToSigned, Scalar::F32, Scalar::I32) => Some(Fast::FloatToSigned),
        (Convert::FloatToUnsigned, Scalar::F32, Scalar::I32) => Some(Fast::FloatToUnsigned),
        (Convert::FloatToSigned | Convert::FloatToUnsigned, Scalar::F32, Scalar::I8 | Scalar::I16) => {
            let (signed, bits) = (op == Convert::FloatToSigned, to.bits());
            Some(Fast::FloatToNarrow { signed, bits })
        }
        // Whole numbers are no denormals.
        (Convert::SignedToFloat, Scalar::I32, Scalar::F32) if nearest => Some(Fast::SignedToFloat),
        (Convert::UnsignedToFloat, Scalar::I1 | Scalar::I8 | Scalar::I16 | Scalar::I32, Scalar::F32)
            if nearest =>
        {
            Some(Fast::UnsignedToFloat)
        }
        (Convert::SignExtend, Scalar::I8 | Scalar::I16, Scalar::I32) => {
            Some(Fast::SignExtend { bits: from.bits() })
        }
        (Convert::Float, Scalar::F16, Scalar::F32) if !rule.flush => Some(Fast::FromHalf),
        (Convert::Float, Scalar::F32, Scalar::F16) if ieee(rule) => Some(Fast::ToHalf),
        _ => None,
    }
}
