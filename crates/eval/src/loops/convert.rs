//! Loops of conversions.

use super::lanes::{Loop, ieee, one};
use super::moves::sign_extend;
use shisa_ir::scalar::word::{float, from_half, to_half};
use shisa_ir::scalar::{Whole, WholeRange};
use shisa_ir::{Convert, FloatModel, FloatRule, Round, Scalar};

/// The loop of a conversion that the float model does not affect, if there is one. `Bits`, `ZeroExtend` and `Pair` need
/// no operation, and the planner replaces `Truncate` by an extraction.
pub(super) fn of(op: Convert, rule: FloatRule, from: Scalar, to: Scalar, model: FloatModel) -> Option<Loop> {
    if rule.model && !(model.whole == Whole::Truncate && model.whole_range == WholeRange::Wide) {
        return None;
    }
    let nearest = rule.round == Round::Nearest && !rule.saturate && to == Scalar::F32;
    let width = [to.bits(), 0];
    match (op, from, to) {
        (Convert::FloatToSigned, Scalar::F32, Scalar::I32) => {
            Some(one!("float_to_signed", |x| float(x) as i32 as u32))
        }
        (Convert::FloatToSigned, Scalar::F32, Scalar::I8 | Scalar::I16) => {
            Some(one!("float_to_signed", width, |[bits, _]| {
                let most = (1i32 << (bits.clamp(1, 16) - 1)) - 1;
                move |x| (float(x) as i32).clamp(-1 - most, most) as u32 & (2 * most as u32 + 1)
            }))
        }
        (Convert::FloatToUnsigned, Scalar::F32, Scalar::I32) => {
            Some(one!("float_to_unsigned", |x| float(x) as u32))
        }
        (Convert::FloatToUnsigned, Scalar::F32, Scalar::I8 | Scalar::I16) => {
            Some(one!("float_to_unsigned", width, |[bits, _]| {
                let most = u32::MAX >> (32 - u32::from(bits.clamp(1, 16)));
                move |x| (float(x) as u32).min(most)
            }))
        }
        // Integers are never denormal.
        (Convert::SignedToFloat, Scalar::I32, _) if nearest => {
            Some(one!("signed_to_float", |x| (x as i32 as f32).to_bits()))
        }
        (Convert::UnsignedToFloat, Scalar::I1 | Scalar::I8 | Scalar::I16 | Scalar::I32, _) if nearest => {
            Some(one!("unsigned_to_float", |x| (x as f32).to_bits()))
        }
        (Convert::SignExtend, Scalar::I8 | Scalar::I16, Scalar::I32) => Some(sign_extend(from.bits())),
        (Convert::Float, Scalar::F16, Scalar::F32) if !rule.flush => Some(one!("from_half", from_half)),
        (Convert::Float, Scalar::F32, Scalar::F16) if ieee(rule) => Some(one!("to_half", to_half)),
        (
            Convert::Bits
            | Convert::Float
            | Convert::FloatToSigned
            | Convert::FloatToUnsigned
            | Convert::SignedToFloat
            | Convert::UnsignedToFloat
            | Convert::Truncate
            | Convert::ZeroExtend
            | Convert::SignExtend
            | Convert::Pair,
            ..,
        ) => None,
    }
}
