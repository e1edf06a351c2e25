//! What SHFL does.

use crate::SPECIALS;
use crate::operand::{A, B, C, D, MaxwellLift, P};
use crate::registers::special;
use shisa_ir::{LaneOp, Op, Reg, Swizzle, Type, Value};
use shisa_rows::Field;

/// How the lane is found.
const SHUFFLE_MODE: Field = Field::at(30, 2);

/// Reads a register of another lane, as PTX defines `shfl`. The third source has two fields of 5 bits: bits 0 to 4 limit
/// the lane, bits 8 to 12 are the bits of a lane's number that select its segment. A lane past the limit reads its own
/// register. PTX leaves the register of an inactive lane undefined: it is read as it is.
pub(super) fn shuffle(l: &mut MaxwellLift<'_, '_>) {
    let lane = lane_number(l);
    let (value, by, segment) = (l.src(A), l.src(B), l.src(C));
    let by = five_bits(l, by, 0);
    let limit = five_bits(l, segment, 0);
    let mask = five_bits(l, segment, 8);
    let rest = l.not(mask);
    let first = l.and(lane, mask);
    let last = l.and(limit, rest);
    let last = l.or(first, last);
    let other = match SHUFFLE_MODE.get(&l.insn.word) {
        0 => {
            let within = l.and(by, rest);
            l.or(first, within)
        }
        1 => l.isub(lane, by),
        2 => l.iadd(lane, by),
        _ => l.xor(lane, by),
    };
    let up = SHUFFLE_MODE.get(&l.insn.word) == 1;
    let in_range = if up { l.sle(last, other) } else { l.sle(other, last) };
    let from = l.select(in_range, other, lane);
    let found = l.push(Op::Lane { op: LaneOp::Fetch, a: value, b: from }, Type::I32);
    l.set(D, found);
    l.set(P, in_range);
}

fn five_bits(l: &mut MaxwellLift<'_, '_>, v: Value, from: i32) -> Value {
    let (from, all) = (l.i32(from), l.i32(31));
    let low = l.lshr(v, from);
    l.and(low, all)
}

/// The number of the lane in its wave.
fn lane_number(l: &mut MaxwellLift<'_, '_>) -> Value {
    l.read(Reg::new(SPECIALS, special::LANE.into()), Swizzle::IDENTITY, Type::I32)
}
