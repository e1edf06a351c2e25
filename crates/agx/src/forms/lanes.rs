//! Votes, and exchange between lanes.

use super::{compare, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{
    A, ALU_A, ALU_B, AgxLift, B, D, DEST_44, ROTATE, ROTATES, SCOPE, SHUFFLE, SHUFFLE_QUAD, SHUFFLED, VOTE_A,
    VOTE_B, VOTE_F, VOTE_I, VOTE_QUAD, lane, word,
};
use shisa_ir::{LaneOp, Op, Type, Value};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("ballot", Facts::VOTE, 8, (0xffff_803f_f3ff_007f, 0x1_8000_0001_0032), &[DEST_44], |l| vote(l, |l| l.constant(Type::BOOL, 1))).says("Reads which lanes are active, lane 0 in the lowest bit.").spelled(applegpu::BALLOT)
        .examples(&[("ballot   r10", 0x0001_8000_0001_2932)]),
    row("ballot", Facts::CHOSEN_VOTE, 8, (0x1ffe_0000_0000_007f, 0x32), &[DEST_44, ALU_A, ALU_B, VOTE_QUAD, VOTE_I], |l| vote(l, compare::integers)).yields_to("ballot").says("Reads in which active lanes the comparison holds.").spelled(applegpu::ICMP_BALLOT)
        .examples(&[("ballot   r2, 3, r2, slt", 0xa001_0024_4003_0932), ("ballot   r1, r1, 0, ine", 0x0001_8000_0242_0532)]),
    row("ballot", Facts::CHOSEN_VOTE, 8, (0x1ffe_0000_0000_007f, 0x22), &[DEST_44, VOTE_A, VOTE_B, VOTE_QUAD, VOTE_F], |l| vote(l, compare::floats)).says("Reads in which active lanes the comparison holds.").spelled(applegpu::FCMP_BALLOT)
        .examples(&[("ballot   r1, r1, r34.neg, quad, fltn", 0x6000_01a4_4242_0522)]),
    row("shuffle", Facts::EXCHANGE, 6, (0x800_807f, 0x6f), &[DEST_44, ALU_A, ALU_B, SHUFFLE_QUAD, ROTATE, SHUFFLED], shuffle).says("Reads the first source of another lane, which the second source selects.").spelled(applegpu::SHUFFLE)
        .examples(&[("shuffle  r9, r6, r0h", 0x0004_164c_256f), ("shuffle  r2, r2, 1, quad, xor", 0x0040_1244_096f)]),
];

/// In a vote among four lanes, the lane's own four bits are lowest; bits above them are those of later lanes.
fn vote(l: &mut AgxLift<'_, '_>, condition: fn(&mut AgxLift<'_, '_>) -> Value) {
    let held = condition(l);
    let mut votes = l.push(Op::Lane { op: LaneOp::Ballot, a: held, b: held }, Type::I32);
    if l.insn.form().operand(SCOPE).is_some() && l.insn.field(SCOPE) == 0 {
        let (lane, first) = (lane(l), l.i32(!3));
        let by = l.and(lane, first);
        votes = l.lshr(votes, by);
    }
    l.set(D, votes);
}

/// In an exchange among four lanes, the lowest two bits of the second source are combined by or over all four lanes,
/// inactive lanes included. Each lane states for itself which group of four it reads. Beyond the last lane a lane
/// gets its own number, unless lane numbers wrap around.
fn shuffle(l: &mut AgxLift<'_, '_>) {
    let (own, by) = (l.src(A), word(l, B));
    let joined = l.push(Op::Lane { op: LaneOp::QuadOr, a: by, b: by }, Type::I32);
    let lane = lane(l);
    let [three, upper, last, lanes] = [3, !3, 31, 32].map(|n| l.i32(n));
    let how = l.insn.field(SHUFFLE);
    let wraps = l.insn.field(ROTATES) != 0;
    let combine = |l: &mut AgxLift<'_, '_>, by: Value| match how {
        0 => by,
        1 => l.xor(lane, by),
        2 => l.isub(lane, by),
        _ => l.iadd(lane, by),
    };
    // Within four lanes.
    let inner = combine(l, joined);
    let (inner, four) = (l.and(inner, three), l.and(lane, upper));
    let place = l.or(four, inner);
    let mut v = fetch(l, own, place);
    // The group of four, and whether it exists.
    let other = combine(l, by);
    let there = if l.insn.field(SCOPE) == 0 {
        let four_of_other = l.and(other, upper);
        let number = if how == 0 { by } else { l.xor(four_of_other, four) };
        l.ule(number, three)
    } else {
        let place = if how == 0 {
            other
        } else {
            let (four, inner) = (l.and(other, upper), l.and(lane, three));
            l.or(four, inner)
        };
        let turned = if wraps { l.and(place, last) } else { place };
        v = fetch(l, v, turned);
        l.ult(other, lanes)
    };
    let v = if wraps { v } else { l.select(there, v, own) };
    l.set(D, v);
}

/// `v` of another lane, active or not.
fn fetch(l: &mut AgxLift<'_, '_>, v: Value, lane: Value) -> Value {
    let ty = l.ty(v);
    l.push(Op::Lane { op: LaneOp::Fetch, a: v, b: lane }, ty)
}
