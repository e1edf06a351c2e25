//! Operations as values, and operations without flushing.

use super::*;
use crate::scalar::word::flush;
use alloc::vec::Vec;

const FLUSH: FloatRule = FloatRule { flush: true, ..FloatRule::IEEE };
const MODEL: FloatModel = FloatModel::F32;

#[test]
fn operations_have_their_results() {
    let [one, two, three, four] = [1f32, 2.0, 3.0, 4.0].map(|x| u64::from(x.to_bits()));
    let ten = u64::from(10f32.to_bits());
    let (rule, kind) = (FloatRule::IEEE, Scalar::F32);
    assert_eq!(Arithmetic::Unary(Unary::FNeg, rule, kind).evaluate(MODEL, [one, two, three]), one | 1 << 31);
    assert_eq!(Arithmetic::Binary(Binary::FSub, rule, kind).evaluate(MODEL, [three, two, four]), one);
    assert_eq!(Arithmetic::Ternary(Ternary::Fma, rule, kind).evaluate(MODEL, [two, three, four]), ten);
    let convert = Arithmetic::Convert(Convert::FloatToSigned, rule, kind, Scalar::I32);
    assert_eq!(convert.evaluate(MODEL, [three, one, one]), 3);
}

/// With flushed operands, and a flushed result where the operation asks for it, the plain operation has the result of
/// the one that flushes.
#[test]
fn operations_without_flushing_are_equal_on_flushed_operands() {
    let words: Vec<u64> =
        [0u32, 1, 0x1234, 0x007f_ffff, 0x0080_0000, 0x0080_0001, 0x1f80_0000, 0x3f80_0000, 0x7f7f_ffff]
            .into_iter()
            .chain([0x7f80_0000, 0x7fc0_0000, 0x2000_0000, 0x0100_0001])
            .flat_map(|x| [u64::from(x), u64::from(x | 1 << 31)])
            .collect();
    let equal = |op: Arithmetic, operands: [u64; 3]| {
        let (plain, flushes) = op.unflushed().unwrap_or_else(|| panic!("{op:?} flushes its operands"));
        let result = plain.evaluate(MODEL, operands.map(|x| flush(x as u32).into()));
        let result = if flushes { flush(result as u32).into() } else { result };
        assert_eq!(result, op.evaluate(MODEL, operands), "{op:?} of {operands:x?}");
    };
    let floats = |op: &&Unary| op.is_float() && !matches!(op, Unary::FNeg | Unary::FAbs);
    for &a in &words {
        for op in Unary::ALL.iter().filter(floats) {
            equal(Arithmetic::Unary(*op, FLUSH, Scalar::F32), [a, 0, 0]);
        }
        for &b in &words {
            for op in Binary::ALL.iter().filter(|op| op.is_float()) {
                equal(Arithmetic::Binary(*op, FLUSH, Scalar::F32), [a, b, 0]);
            }
            for &c in &words {
                equal(Arithmetic::Ternary(Ternary::Fma, FLUSH, Scalar::F32), [a, b, c]);
            }
        }
    }
}

#[test]
fn other_operations_have_no_form_without_flushing() {
    let modelled = FloatRule { model: true, ..FLUSH };
    for op in [
        Arithmetic::Unary(Unary::FNeg, FLUSH, Scalar::F32),
        Arithmetic::Unary(Unary::FAbs, FLUSH, Scalar::F32),
        Arithmetic::Unary(Unary::FFloor, FLUSH, Scalar::F16),
        Arithmetic::Unary(Unary::FFloor, FloatRule::IEEE, Scalar::F32),
        Arithmetic::Unary(Unary::FFloor, modelled, Scalar::F32),
        Arithmetic::Binary(Binary::FAdd, FLUSH, Scalar::F64),
        Arithmetic::Binary(Binary::FAdd, modelled, Scalar::F32),
        Arithmetic::Ternary(Ternary::Fma, FLUSH, Scalar::F16),
        Arithmetic::Convert(Convert::Float, FLUSH, Scalar::F32, Scalar::F16),
    ] {
        assert_eq!(op.unflushed(), None, "{op:?}");
    }
}
