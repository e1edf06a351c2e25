//! Combinations over lanes against sums, extremes and bits that are computed here from the lanes' numbers.

use shisa_ir::scalar::Arithmetic;
use shisa_ir::scalar::lanes::{Combination, combine};
use shisa_ir::{Binary, FloatModel, FloatRule, Scalar, WAVE};

const QUAD: usize = 4;
/// Sets of active lanes: none, one at each end, all, halves, and mixed quads.
const ACTIVE: [u32; 8] = [0, 1, 1 << 31, u32::MAX, 0xffff_0000, 0x0000_fffe, 0x5a5a_1234, 0x8000_0001];

/// An operation, its kind, its neutral value, and what it computes.
type Case = (Binary, Scalar, u64, fn(u64, u64) -> u64);

const CASES: [Case; 14] = [
    (Binary::IAdd, Scalar::I32, 0, |a, b| (a as u32).wrapping_add(b as u32).into()),
    (Binary::And, Scalar::I16, 0xffff, |a, b| a & b),
    (Binary::And, Scalar::I32, 0xffff_ffff, |a, b| a & b),
    (Binary::Or, Scalar::I16, 0, |a, b| a | b),
    (Binary::Or, Scalar::I32, 0, |a, b| a | b),
    (Binary::Xor, Scalar::I32, 0, |a, b| a ^ b),
    (Binary::UMin, Scalar::I16, 0xffff, std::cmp::min),
    (Binary::UMin, Scalar::I32, 0xffff_ffff, std::cmp::min),
    (Binary::UMax, Scalar::I32, 0, std::cmp::max),
    (Binary::SMin, Scalar::I32, 0x7fff_ffff, |a, b| (a as i32).min(b as i32) as u32 as u64),
    (Binary::SMax, Scalar::I32, 0x8000_0000, |a, b| (a as i32).max(b as i32) as u32 as u64),
    (Binary::SMin, Scalar::I16, 0x7fff, |a, b| (a as i16).min(b as i16) as u16 as u64),
    (Binary::SMax, Scalar::I64, 1 << 63, |a, b| (a as i64).max(b as i64) as u64),
    (Binary::IAdd, Scalar::I64, 0, u64::wrapping_add),
];

#[test]
fn lanes_combine_as_their_operation_states() {
    let spread = |lane: usize| (lane as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for (op, scalar, start, next) in CASES {
        // Two neighbouring lanes always share some bits.
        let own = |lane: usize| (spread(lane) | spread(lane / 2) & 0xff) & (u64::MAX >> (64 - scalar.bits()));
        for (active, quad, before) in ACTIVE
            .iter()
            .flat_map(|a| [(a, false, false), (a, false, true), (a, true, false), (a, true, true)])
        {
            let how =
                Combination { op: Arithmetic::Binary(op, FloatRule::IEEE, scalar), quad, before, start };
            let got = combine(how, FloatModel::F32, *active, own);
            for (lane, got) in got.into_iter().enumerate() {
                let group = if quad { lane / QUAD * QUAD..(lane / QUAD + 1) * QUAD } else { 0..WAVE };
                let counted = group.filter(|l| active >> l & 1 == 1 && (!before || *l < lane));
                let wanted = counted.map(own).fold(start, next);
                assert_eq!(got, wanted, "{op:?} {scalar:?} of {active:#x}, {quad} {before}, lane {lane}");
            }
        }
    }
}
