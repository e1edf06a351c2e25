//! What shifts and operations on fields of bits compute.

use super::set;
use crate::operand::{A, B, C, D, MaxwellLift, set_codes_of, set_codes_with, wants_codes};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};

/// Refuses the suffixes of shifts that nothing public describes. Their names suggest that they shift parts of a longer
/// number, with codes that the shift of another part left.
fn refuse_parts(l: &mut MaxwellLift<'_, '_>) {
    if [".X", ".XHI", ".INVALIDSHRXMODE1", ".INVALIDMAXSHIFT3"].iter().any(|name| set(l, name)) {
        l.refuse(Diagnostic::error("lift-shift", "nothing public describes this suffix of a shift"));
    }
}

/// By how much to shift: the lowest five bits count, or a shift may take all bits away.
fn amount(l: &mut MaxwellLift<'_, '_>) -> Value {
    let n = l.src(B);
    if !set(l, ".W") {
        return n;
    }
    let lowest = l.i32(31);
    l.and(n, lowest)
}

/// The position of the last bit that a shift by a number moves out.
type Position = fn(&mut MaxwellLift<'_, '_>, Value) -> Value;

/// Writes a shifted number, and the codes: the carry is the last bit that was shifted out, which is at `position` of the
/// source; a shift by one overflows if it changes the sign.
///
/// envytools publishes this for Tesla, where a shift by 32 or more clears the carry. No later description is public.
fn finish(l: &mut MaxwellLift<'_, '_>, source: Value, n: Value, position: Position, shifted: Value) {
    l.set(D, shifted);
    if !wants_codes(l) {
        return;
    }
    let (one, zero, width) = (l.i32(1), l.i32(0), l.i32(32));
    let position = position(l, n);
    let low = l.lshr(source, position);
    let low = l.and(low, one);
    let (out, within) = (l.ine(low, zero), l.ult(n, width));
    let carry = l.and(out, within);
    let differ = l.xor(source, shifted);
    let (changed, once) = (l.slt(differ, zero), l.ieq(n, one));
    let overflow = l.and(changed, once);
    set_codes_with(l, shifted, [carry, overflow]);
}

pub(super) fn shl(l: &mut MaxwellLift<'_, '_>) {
    refuse_parts(l);
    let (a, n) = (l.src(A), amount(l));
    let shifted = l.shl(a, n);
    let last: Position = |l, n| {
        let width = l.i32(32);
        l.isub(width, n)
    };
    finish(l, a, n, last, shifted);
}

/// The first source, from the last bit to the first where the suffix says so.
fn turned(l: &mut MaxwellLift<'_, '_>) -> Value {
    let a = l.src(A);
    if set(l, ".BREV") { l.reverse_bits(a) } else { a }
}

pub(super) fn shr(l: &mut MaxwellLift<'_, '_>) {
    refuse_parts(l);
    let (a, n) = (turned(l), amount(l));
    let shifted = if set(l, ".U32") { l.lshr(a, n) } else { l.ashr(a, n) };
    let last: Position = |l, n| {
        let one = l.i32(1);
        l.isub(n, one)
    };
    finish(l, a, n, last, shifted);
}

/// Of the 64 bits of the third source and the first, the upper half where they are shifted left or the suffix says so,
/// else the lower. `.U64` and `.S64` shift by up to 64 instead of 32 bits: ptxas builds shifts of 64 bits with them, and
/// with `.HI` nouveau does too. NAK states that the hardware rejects `.L.HI`.
pub(super) fn shf(l: &mut MaxwellLift<'_, '_>) {
    refuse_parts(l);
    if set(l, ".L") && set(l, ".HI") {
        l.refuse(Diagnostic::error("lift-shift", "the hardware rejects a shift left with .HI"));
    }
    let (signed, wide) = (set(l, ".S64"), set(l, ".U64") || set(l, ".S64"));
    let (low, n, high) = (l.src(A), l.src(B), l.src(C));
    let most = if wide { 64 } else { 32 };
    let n = if set(l, ".W") {
        let mask = l.i32(most - 1);
        l.and(n, mask)
    } else {
        let most = l.i32(most);
        l.umin(n, most)
    };
    let upper = set(l, ".L") || set(l, ".HI");
    let shifted = if wide || set(l, ".HI") {
        shifted_pair(l, [low, high], n, signed, upper)
    } else {
        shifted_word(l, [low, high], n)
    };
    l.set(D, shifted);
    set_codes_of(l, shifted);
}

/// Half of 64 bits that are shifted by up to 32.
fn shifted_word(l: &mut MaxwellLift<'_, '_>, [low, high]: [Value; 2], n: Value) -> Value {
    let width = l.i32(32);
    let rest = l.isub(width, n);
    let (of_high, of_low) = match set(l, ".L") {
        true => (l.shl(high, n), l.lshr(low, rest)),
        false => (l.shl(high, rest), l.lshr(low, n)),
    };
    l.or(of_high, of_low)
}

/// Half of 64 bits that are shifted by up to 64.
fn shifted_pair(
    l: &mut MaxwellLift<'_, '_>,
    words: [Value; 2],
    n: Value,
    signed: bool,
    upper: bool,
) -> Value {
    let both = l.join(&words);
    let (number, n) = (l.pair(both, Scalar::I64), l.convert(Convert::ZeroExtend, n, Scalar::I64));
    let shifted = match () {
        () if set(l, ".L") => l.shl(number, n),
        () if signed => l.ashr(number, n),
        () => l.lshr(number, n),
    };
    let half = if upper {
        let word = l.constant(Scalar::I64.by(1), 32);
        l.lshr(shifted, word)
    } else {
        shifted
    };
    l.convert(Convert::Truncate, half, Scalar::I32)
}

/// Where a field of bits begins and how wide it is: two bytes of the second source.
fn place(l: &mut MaxwellLift<'_, '_>) -> (Value, Value) {
    let (both, byte, eight) = (l.src(B), l.i32(255), l.i32(8));
    let width = l.lshr(both, eight);
    (l.and(both, byte), l.and(width, byte))
}

/// As PTX's `bfe`: a field that reaches past the last bit continues with zeros or with that bit.
pub(super) fn bfe(l: &mut MaxwellLift<'_, '_>) {
    let (a, (begin, width)) = (turned(l), place(l));
    let whole = l.i32(32);
    let width = l.umin(width, whole);
    let above = l.isub(whole, width);
    // Bits above the last are zero, or like the last. A field that is not there has none.
    let field = match set(l, ".U32") {
        true => {
            let low = l.lshr(a, begin);
            let high = l.shl(low, above);
            l.lshr(high, above)
        }
        false => {
            let low = l.ashr(a, begin);
            let high = l.shl(low, above);
            l.ashr(high, above)
        }
    };
    l.set(D, field);
    set_codes_of(l, field);
}

/// As PTX's `bfi`: bits past the last are dropped.
pub(super) fn bfi(l: &mut MaxwellLift<'_, '_>) {
    let (a, (begin, width), c) = (l.src(A), place(l), l.src(C));
    let (all, whole) = (l.i32(-1), l.i32(32));
    let width = l.umin(width, whole);
    let above = l.isub(whole, width);
    let ones = l.lshr(all, above);
    let (mask, bits) = (l.shl(ones, begin), l.shl(a, begin));
    let others = l.not(mask);
    let (kept, new) = (l.and(c, others), l.and(bits, mask));
    let value = l.or(kept, new);
    l.set(D, value);
    set_codes_of(l, value);
}

pub(super) fn flo(l: &mut MaxwellLift<'_, '_>) {
    let mut bits = l.src(B);
    if !set(l, ".U32") {
        let all = l.i32(31);
        let sign = l.ashr(bits, all);
        bits = l.xor(bits, sign);
    }
    let (above, last) = (l.leading_zeros(bits), l.i32(31));
    // -1 where no bit is found.
    let mut found = l.isub(last, above);
    if set(l, ".SH") {
        let (none, zero) = (l.i32(-1), l.i32(0));
        let nothing = l.ieq(bits, zero);
        found = l.select(nothing, none, above);
    }
    l.set(D, found);
    set_codes_of(l, found);
}

pub(super) fn popc(l: &mut MaxwellLift<'_, '_>) {
    let bits = l.src(B);
    let count = l.popcount(bits);
    l.set(D, count);
}
