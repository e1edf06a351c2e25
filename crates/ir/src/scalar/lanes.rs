//! The definition of the operations between the lanes of a wave. Engines call it with one word, or one half of a
//! 64-bit component, for each lane.

use super::{Arithmetic, FloatModel};
use crate::{Binary, LaneOp, Lanes, Scalar, WAVE};

/// One 32-bit word for each lane.
pub type Words = [u32; WAVE];

/// The lanes whose lowest bit is set.
pub fn votes(words: &Words) -> Lanes {
    words.iter().rev().fold(0, |bits, word| bits << 1 | (word & 1))
}

/// The result of [`crate::Op::Lane`] in every lane. `active` are the lanes that run the operation.
pub fn exchange(op: LaneOp, active: Lanes, dst: &mut Words, a: &Words, b: &Words) {
    let there = votes(a) & active;
    match op {
        LaneOp::Any => *dst = [(there != 0).into(); WAVE],
        LaneOp::All => *dst = [(there == active).into(); WAVE],
        LaneOp::Ballot => *dst = [there; WAVE],
        LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => {
            let there = if op == LaneOp::Fetch { Lanes::MAX } else { active };
            for (lane, dst) in dst.iter_mut().enumerate() {
                let other = b[lane] ^ if op == LaneOp::ShuffleXor { lane as u32 } else { 0 };
                *dst = a[source(there, lane, other)];
            }
        }
        LaneOp::QuadOr => {
            for (dst, a) in dst.chunks_exact_mut(4).zip(a.chunks_exact(4)) {
                dst.fill(a.iter().fold(0, |bits, v| bits | v));
            }
        }
    }
}

/// The lane that a shuffle reads: the lane itself if the other lane is not active.
fn source(active: Lanes, lane: usize, other: u32) -> usize {
    let there = other < WAVE as u32 && active >> other & 1 != 0;
    if there { other as usize } else { lane }
}

/// How [`combine`] combines lanes.
#[derive(Clone, Copy, Debug)]
pub struct Combination {
    /// The operation on two values, as [`Arithmetic::Binary`].
    pub op: Arithmetic,
    /// Whether the lanes of each quad are combined separately.
    pub quad: bool,
    /// Whether each lane gets the combination of the lanes before it.
    pub before: bool,
    /// The neutral value.
    pub start: u64,
}

/// The result of [`crate::Op::Combine`] in every lane. `own` is the value of a lane.
pub fn combine(
    how: Combination,
    model: FloatModel,
    active: Lanes,
    own: impl Fn(usize) -> u64,
) -> [u64; WAVE] {
    let words =
        |next: fn(u32, u32) -> u32| scan(how, active, |lane, sum| next(sum as u32, own(lane) as u32).into());
    match how.op {
        Arithmetic::Binary(Binary::IAdd, _, Scalar::I32) => words(u32::wrapping_add),
        Arithmetic::Binary(Binary::And, _, Scalar::I16 | Scalar::I32) => words(|a, b| a & b),
        Arithmetic::Binary(Binary::Or, _, Scalar::I16 | Scalar::I32) => words(|a, b| a | b),
        Arithmetic::Binary(Binary::Xor, _, Scalar::I16 | Scalar::I32) => words(|a, b| a ^ b),
        Arithmetic::Binary(Binary::UMin, _, Scalar::I16 | Scalar::I32) => words(u32::min),
        Arithmetic::Binary(Binary::UMax, _, Scalar::I16 | Scalar::I32) => words(u32::max),
        Arithmetic::Binary(Binary::SMin, _, Scalar::I32) => words(|a, b| (a as i32).min(b as i32) as u32),
        Arithmetic::Binary(Binary::SMax, _, Scalar::I32) => words(|a, b| (a as i32).max(b as i32) as u32),
        _ => scan(how, active, |lane, sum| how.op.evaluate(model, [sum, own(lane), 0])),
    }
}

/// Combines the values of the active lanes in ascending order.
fn scan(how: Combination, active: Lanes, next: impl Fn(usize, u64) -> u64) -> [u64; WAVE] {
    let group = if how.quad { 4 } else { WAVE };
    let mut out = [0; WAVE];
    for (g, out) in out.chunks_mut(group).enumerate() {
        let mut sum = how.start;
        for (i, out) in out.iter_mut().enumerate() {
            let lane = g * group + i;
            *out = sum;
            if active >> lane & 1 != 0 {
                sum = next(lane, sum);
            }
        }
        if !how.before {
            out.fill(sum);
        }
    }
    out
}
