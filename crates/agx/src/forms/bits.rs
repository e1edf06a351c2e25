//! Bits counted, reversed, found and interleaved, in 32 bits.

use super::row;
use crate::Agx;
use crate::facts::Facts;
use crate::operand::{A, ALU_A, ALU_B, AgxLift, B, D, DEST_44, word};
use shisa_ir::{Scalar, Value};
use shisa_rows::{Form, Operand, Spelling};

const ONE: &[Operand<Agx>] = &[DEST_44, ALU_A];
const MASK: u128 = 0xff_fc00_807f;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("bitrev", Facts::UNMEASURED, 6, (MASK, 0x400_003e), ONE, reverse).says("Reverses the order of 32 bits.")
        .examples(&[("bitrev   r0, r1", 0x0642_013e)]),
    row("popcnt", Facts::UNMEASURED, 6, (MASK, 0x800_003e), ONE, count).says("Counts the bits that are set.").spelled(Spelling::new("popcount", ONE))
        .examples(&[("popcnt   r1, u14", 0x099c_053e)]),
    row("ffs", Facts::UNMEASURED, 6, (MASK, 0xc00_003e), ONE, highest).says("Finds the number of the highest bit that is set, -1 where none is.")
        .examples(&[("ffs      r1, r3", 0x0e46_053e)]),
    row("intl", Facts::UNMEASURED, 6, (0xc0_0c00_807f, 0x3e), &[DEST_44, ALU_A, ALU_B], interleave).says("Interleaves 16 bits of each source, the first source's below the second's.")
        .examples(&[("intl     r21, r21l, r21h", 0x0006_b06a_553e), ("intl     r32, r32l, r32h", 0x1504_1040_013e)]),
];

fn reverse(l: &mut AgxLift<'_, '_>) {
    let v = word(l, A);
    let v = l.reverse_bits(v);
    l.set(D, v);
}

fn count(l: &mut AgxLift<'_, '_>) {
    let v = word(l, A);
    let v = l.popcount(v);
    l.set(D, v);
}

fn highest(l: &mut AgxLift<'_, '_>) {
    let v = word(l, A);
    let above = l.leading_zeros(v);
    let last = l.i32(31);
    let v = l.isub(last, above);
    l.set(D, v);
}

fn interleave(l: &mut AgxLift<'_, '_>) {
    let [low, high] = [A, B].map(|slot| {
        let v = word(l, slot);
        spread(l, v)
    });
    let one = l.i32(1);
    let high = l.shl(high, one);
    let v = l.or(low, high);
    l.set(D, v);
}

/// The low 16 bits with a clear bit above each.
fn spread(l: &mut AgxLift<'_, '_>, v: Value) -> Value {
    let half = l.i32(0xffff);
    let mut v = l.and(v, half);
    for (by, kept) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
        let [by, kept] = [by, kept].map(|n| l.constant(Scalar::I32.by(1), n));
        let moved = l.shl(v, by);
        let both = l.or(v, moved);
        v = l.and(both, kept);
    }
    v
}
