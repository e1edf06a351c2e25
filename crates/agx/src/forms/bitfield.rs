//! Shifts and bit fields. Amounts have seven bits; bits shifted out are lost. The row's number states how many bits a
//! field has, 0 for all 32.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{A, AgxLift, B, BITS, BITS_A, BITS_B, BITS_C, C, COUNT, D, DEST_60, signed_word, word};
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Form, Operand, Slot, Spelling};

const SHIFT: &[Operand<Agx>] = &[DEST_60, BITS_B, BITS_C];
const FIELD: &[Operand<Agx>] = &[DEST_60, BITS_A, BITS_B, BITS_C, BITS];
const S_MASK: u128 = 0x8c0c_00c0_0fff_807f;
const F_MASK: u128 = 0xc00_807f;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("shl", Facts::COMPLEX, 8, (S_MASK, 0x2e), SHIFT, |l| insert(l, false)).says("Shifts left.").spelled(applegpu::SHIFTED_LEFT)
        .examples(&[("shl      r0, r0, 10", 0x0a24_0000_012e), ("shl      r19, r6, r19", 0x0002_6624_c000_4d2e)]),
    row("shr", Facts::COMPLEX, 8, (S_MASK, 0x802e), SHIFT, |l| extract(l, false)).says("Shifts right, zeros enter.").spelled(applegpu::SHIFTED_RIGHT)
        .examples(&[("shr      r56, r56, 3", 0x1100_0327_0000_e12e)]),
    row("bfi", Facts::COMPLEX, 8, (F_MASK, 0x2e), FIELD, |l| insert(l, true)).yields_to("shl").says("Puts bits of the second source into the first, shifted left by the third.").spelled(Spelling::new("bfi", applegpu::FIELD))
        .examples(&[("bfi      r1, r2, r3, 5, 4", 0x0004_0524_6244_052e)]),
    row("bfeil", Facts::COMPLEX, 8, (F_MASK, 0x802e), FIELD, |l| extract(l, true)).yields_to("shr").says("Puts bits of the second source, shifted right by the third, into the first's lowest.").spelled(Spelling::new("bfeil", applegpu::FIELD))
        .examples(&[("bfeil    r5, 0, r1, r7, 1", 0x0002_4e64_2000_952e), ("bfeil    r31, 0, r52, 15, 2", 0x0100_0fa6_8000_fd2e)]),
    row("extr", Facts::COMPLEX, 8, (F_MASK, 0x400_002e), FIELD, pair).says("Takes 32 bits of the first source and, above it, the second, shifted right by the third.").spelled(Spelling::new("extr", applegpu::FIELD))
        .examples(&[("extr     r9, r4, r5, 17, 0", 0x1124_a648_252e)]),
    row("shlhi", Facts::COMPLEX, 8, (F_MASK, 0x800_002e), FIELD, insert_high).says("Puts what a shift left would lose of the second source into the first.").spelled(Spelling::new("shlhi", applegpu::FIELD))
        .examples(&[("shlhi    r1, r2, r3, 5, 4", 0x0004_0524_6a44_052e)]),
    row("shrhi", Facts::COMPLEX, 8, (F_MASK, 0x800_802e), FIELD, extract_high).says("Puts bits of the second source, 32 further left and shifted right, into the first.").spelled(Spelling::new("shrhi", applegpu::FIELD))
        .examples(&[("shrhi    r1, r2, r3, 5, 4", 0x0004_0524_6a44_852e)]),
    row("asr", Facts::COMPLEX, 8, (F_MASK, 0x400_802e), FIELD, |l| arithmetic(l, false)).says("Shifts the first source right by the second, the sign enters.").spelled(Spelling::new("asr", applegpu::ARITHMETIC))
        .examples(&[("asr      r3, r2, 21, 0, 0", 0x0001_5644_8d2e)]),
    row("asrh", Facts::COMPLEX, 8, (F_MASK, 0xc00_802e), FIELD, |l| arithmetic(l, true)).says("Shifts the first source, 32 bits further left, right by the second, the sign enters.").spelled(Spelling::new("asrh", applegpu::ARITHMETIC))
        .examples(&[("asrh     r3, r2, 21, 0, 0", 0x0001_5e44_8d2e)]),
];

/// The amount of a shift, limited to the given number of bits.
fn amount(l: &mut AgxLift<'_, '_>, slot: Slot, scalar: Scalar) -> Value {
    let v = word(l, slot);
    let seven = l.i32(0x7f);
    let v = l.and(v, seven);
    if scalar == Scalar::I32 { v } else { l.convert(Convert::ZeroExtend, v, scalar) }
}

/// The bits of a field before they are shifted; none are left out where there is no number.
fn field(l: &mut AgxLift<'_, '_>) -> Option<u64> {
    match l.insn.field(COUNT) {
        0 => None,
        n => Some((1 << n) - 1),
    }
}

fn double(l: &mut AgxLift<'_, '_>, v: Value) -> Value {
    l.convert(Convert::ZeroExtend, v, Scalar::I64)
}

/// The low 32 bits.
fn low(l: &mut AgxLift<'_, '_>, v: Value) -> Value {
    l.convert(Convert::Truncate, v, Scalar::I32)
}

fn by_32(l: &mut AgxLift<'_, '_>) -> Value {
    l.constant(Scalar::I64.by(1), 32)
}

/// `bits` where `mask` has bits, the first source elsewhere.
fn merge(l: &mut AgxLift<'_, '_>, bits: Value, mask: Value) {
    let old = word(l, A);
    let others = l.not(mask);
    let (new, kept) = (l.and(bits, mask), l.and(old, others));
    let v = l.or(new, kept);
    l.set(D, v);
}

fn insert(l: &mut AgxLift<'_, '_>, into: bool) {
    let (v, by) = (word(l, B), amount(l, C, Scalar::I32));
    let bits = l.shl(v, by);
    if !into {
        return l.set(D, bits);
    }
    let mask = field(l).unwrap_or(0xffff_ffff);
    let mask = l.constant(Scalar::I32.by(1), mask);
    let mask = l.shl(mask, by);
    merge(l, bits, mask);
}

fn extract(l: &mut AgxLift<'_, '_>, into: bool) {
    let (v, by) = (word(l, B), amount(l, C, Scalar::I32));
    let bits = l.lshr(v, by);
    match field(l).filter(|_| into) {
        Some(mask) => {
            let mask = l.constant(Scalar::I32.by(1), mask);
            merge(l, bits, mask);
        }
        None => l.set(D, bits),
    }
}

fn pair(l: &mut AgxLift<'_, '_>) {
    let (a, b) = (word(l, A), word(l, B));
    let both = l.join(&[a, b]);
    let both = l.pair(both, Scalar::I64);
    let by = amount(l, C, Scalar::I64);
    let bits = l.lshr(both, by);
    let mut bits = low(l, bits);
    if let Some(mask) = field(l) {
        let mask = l.constant(Scalar::I32.by(1), mask);
        bits = l.and(bits, mask);
    }
    l.set(D, bits);
}

fn insert_high(l: &mut AgxLift<'_, '_>) {
    let v = word(l, B);
    let (v, by, half) = (double(l, v), amount(l, C, Scalar::I64), by_32(l));
    let bits = l.shl(v, by);
    let bits = l.lshr(bits, half);
    let bits = low(l, bits);
    // How far the field goes beyond 32.
    let beyond = l.umax(by, half);
    let beyond = l.isub(beyond, half);
    let mask = field(l).unwrap_or(0xffff_ffff);
    let mask = l.constant(Scalar::I64.by(1), mask);
    let mask = l.shl(mask, beyond);
    let mask = low(l, mask);
    merge(l, bits, mask);
}

fn extract_high(l: &mut AgxLift<'_, '_>) {
    let v = word(l, B);
    let (v, by, half) = (double(l, v), amount(l, C, Scalar::I64), by_32(l));
    let bits = l.shl(v, half);
    let bits = l.lshr(bits, by);
    let bits = low(l, bits);
    let near = l.umin(by, half);
    let mask = field(l).unwrap_or(0xffff_ffff) << 32;
    let mask = l.constant(Scalar::I64.by(1), mask);
    let mask = l.lshr(mask, near);
    let mask = low(l, mask);
    merge(l, bits, mask);
}

/// The third source and the number of bits have no meaning here.
fn arithmetic(l: &mut AgxLift<'_, '_>, high: bool) {
    let v = signed_word(l, A);
    let v = if high {
        let (v, half) = (double(l, v), by_32(l));
        let (v, by) = (l.shl(v, half), amount(l, B, Scalar::I64));
        let v = l.ashr(v, by);
        low(l, v)
    } else {
        let by = amount(l, B, Scalar::I32);
        l.ashr(v, by)
    };
    l.set(D, v);
}
