//! What video instructions compute: one byte, half or whole of each source, then a second operation or a merge with the
//! third source.
//!
//! PTX defines its instructions of the same names, and ptxas compiles each form of them to one instruction here; the
//! numbers between the two operations have 33 bits with sign there, of which the hardware keeps 32 for a second operation.
//! PTX defines no condition codes for them.

use super::multiply_values::narrow;
use super::{COMPARISONS, choice, set, set_predicates};
use crate::operand::{A, B, C, D, MaxwellLift, lane_of, set_codes_of, without_sign};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Type, Value};
use shisa_rows::{Field, Modifier, Slot};

/// Whether the first source has a sign.
pub(super) const SIGN_A: Field = Field::at(48, 1);
/// Whether the second source has a sign.
pub(super) const SIGN_B: Field = Field::at(49, 1);
/// What is done with the result and the third source.
pub(super) const SECOND: Modifier =
    choice(51, 3, &[".MRG_16H", ".MRG_16L", ".MRG_8B0", ".MRG_8B2", ".ACC", ".MIN", ".MAX", ""]);
/// By how much the sum of VMAD is shifted.
pub(super) const SCALE: Modifier = choice(51, 2, &["", ".SHR_7", ".SHR_15", ".INVALIDVMADSCALE3"]);
/// How VSET compares.
pub(super) const COMPARE: Modifier = choice(54, 3, COMPARISONS);
/// How VSETP compares.
pub(super) const COMPARE_P: Modifier = Modifier::new(Field::at(43, 2).then(47, 1), COMPARISONS);

/// Numbers between the operations.
const WIDE: Type = Scalar::I64.by(1);

/// A constant between the operations.
fn wide(l: &mut MaxwellLift<'_, '_>, number: i64) -> Value {
    l.constant(WIDE, number as u64)
}

/// Extends 32 bits.
fn widened(l: &mut MaxwellLift<'_, '_>, bits: Value, signed: bool) -> Value {
    let how = if signed { Convert::SignExtend } else { Convert::ZeroExtend };
    l.convert(how, bits, Scalar::I64)
}

/// The lane of a source, extended as its type says, and whether it is negated after that. Numbers in the instruction
/// have 16 bits.
fn lane(l: &mut MaxwellLift<'_, '_>, slot: Slot, signed: bool) -> (Value, bool) {
    let (lowest, width) = match lane_of(l, slot) {
        Some(byte @ 0..4) => (8 * byte as i32, 8),
        None | Some(4) => (0, 16),
        Some(5) => (16, 16),
        Some(6) => (0, 32),
        Some(_) => {
            l.refuse(Diagnostic::error("lift-parts", "no register has a lane with the number 7"));
            (0, 32)
        }
    };
    let (bits, negative) = without_sign(l, slot);
    let part = narrow(l, bits, lowest, width, signed);
    (widened(l, part, signed), negative)
}

/// Whether the first and the second source have a sign.
fn signs(l: &MaxwellLift<'_, '_>) -> [bool; 2] {
    [SIGN_A, SIGN_B].map(|field| field.get(&l.insn.word) != 0)
}

/// The lanes of both sources with their signs.
fn lanes(l: &mut MaxwellLift<'_, '_>) -> [Value; 2] {
    let [first, second] = signs(l);
    [(A, first), (B, second)].map(|(slot, signed)| {
        let (value, negative) = lane(l, slot, signed);
        if negative { l.ineg(value) } else { value }
    })
}

/// Limits a number to what `bits` bits hold.
fn clamped(l: &mut MaxwellLift<'_, '_>, value: Value, bits: u32, signed: bool) -> Value {
    let (least, most) = if signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let (least, most) = (wide(l, least), wide(l, most));
    let below = l.smin(value, most);
    l.smax(below, least)
}

/// The lower 32 bits.
fn truncated(l: &mut MaxwellLift<'_, '_>, value: Value) -> Value {
    l.convert(Convert::Truncate, value, Scalar::I32)
}

/// Writes a result after the second operation, by its number in [`SECOND`]; it saturates first, to the range of the part
/// that is merged.
fn finish(l: &mut MaxwellLift<'_, '_>, result: Value, signed: bool) {
    let second = SECOND.field.get(&l.insn.word);
    let bits = match second {
        0 | 1 => 16,
        2 | 3 => 8,
        _ => 32,
    };
    let saturated = if set(l, ".SAT") { clamped(l, result, bits, signed) } else { result };
    let value = match second {
        0 => merged(l, saturated, 16, 16),
        1 => merged(l, saturated, 0, 16),
        2 => merged(l, saturated, 0, 8),
        3 => merged(l, saturated, 16, 8),
        4 => {
            let (sum, c) = (truncated(l, saturated), l.src(C));
            l.iadd(sum, c)
        }
        5 | 6 => limited(l, saturated, signed, second == 5),
        _ => truncated(l, saturated),
    };
    l.set(D, value);
    set_codes_of(l, value);
}

/// The third source with `width` bits of a result from bit `lowest` on.
fn merged(l: &mut MaxwellLift<'_, '_>, result: Value, lowest: i32, width: i32) -> Value {
    let (bits, c) = (truncated(l, result), l.src(C));
    let mask = (1 << width) - 1;
    let [low, others, up] = [mask, !(mask << lowest), lowest].map(|n| l.i32(n));
    let (part, kept) = (l.and(bits, low), l.and(c, others));
    let part = l.shl(part, up);
    l.or(kept, part)
}

/// The smaller or the larger of a result and the third source. The result loses all bits above its 32 before that: PTX
/// compares 33 bits, but tests that others ran on a Switch show 32.
fn limited(l: &mut MaxwellLift<'_, '_>, result: Value, signed: bool, least: bool) -> Value {
    let (result, c) = (truncated(l, result), l.src(C));
    match (signed, least) {
        (true, true) => l.smin(result, c),
        (true, false) => l.smax(result, c),
        (false, true) => l.umin(result, c),
        (false, false) => l.umax(result, c),
    }
}

pub(super) fn vadd(l: &mut MaxwellLift<'_, '_>) {
    let [a, b] = lanes(l);
    let mut sum = l.iadd(a, b);
    if set(l, ".PO") {
        let one = wide(l, 1);
        sum = l.iadd(sum, one);
    }
    let signed = !set(l, ".UD");
    finish(l, sum, signed);
}

pub(super) fn vabsdiff(l: &mut MaxwellLift<'_, '_>) {
    let [a, b] = lanes(l);
    let difference = l.isub(a, b);
    let opposite = l.ineg(difference);
    let magnitude = l.smax(difference, opposite);
    let signed = set(l, ".SD");
    finish(l, magnitude, signed);
}

pub(super) fn vmnmx(l: &mut MaxwellLift<'_, '_>) {
    let [a, b] = lanes(l);
    let chosen = if set(l, ".MX") { l.smax(a, b) } else { l.smin(a, b) };
    let signed = !set(l, ".UD");
    finish(l, chosen, signed);
}

/// Compares the lanes of both sources as a number of the comparisons says.
fn compare(l: &mut MaxwellLift<'_, '_>, how: u64) -> Value {
    let [a, b] = lanes(l);
    match how {
        0 => l.constant(Type::BOOL, 0),
        1 => l.slt(a, b),
        2 => l.ieq(a, b),
        3 => l.sle(a, b),
        4 => l.slt(b, a),
        5 => l.ine(a, b),
        6 => l.sle(b, a),
        _ => l.constant(Type::BOOL, 1),
    }
}

/// The result is 1 or 0, without sign.
pub(super) fn vset(l: &mut MaxwellLift<'_, '_>) {
    let held = compare(l, COMPARE.field.get(&l.insn.word));
    let (one, zero) = (wide(l, 1), wide(l, 0));
    let result = l.select(held, one, zero);
    finish(l, result, false);
}

pub(super) fn vsetp(l: &mut MaxwellLift<'_, '_>) {
    let held = compare(l, COMPARE_P.field.get(&l.insn.word));
    set_predicates(l, held);
}

/// The first source, and by how much to shift: a number without sign, of which the lowest five bits count or which is
/// at most 32.
fn shift(l: &mut MaxwellLift<'_, '_>) -> [Value; 2] {
    let [signed, _] = signs(l);
    let ((a, _), (n, _)) = (lane(l, A, signed), lane(l, B, false));
    let n = if set(l, ".W") {
        let lowest = wide(l, 31);
        l.and(n, lowest)
    } else {
        let most = wide(l, 32);
        l.umin(n, most)
    };
    [a, n]
}

/// A number of 33 bits that is shifted by 32 needs 65 bits. It is shifted by up to 31, limited to what saturates all the
/// same, and then shifted by the rest.
pub(super) fn vshl(l: &mut MaxwellLift<'_, '_>) {
    let [a, n] = shift(l);
    let most = wide(l, 31);
    let first = l.umin(n, most);
    let (mut shifted, rest) = (l.shl(a, first), l.isub(n, first));
    if set(l, ".SAT") {
        shifted = clamped(l, shifted, 40, true);
    }
    let shifted = l.shl(shifted, rest);
    let signed = !set(l, ".UD");
    finish(l, shifted, signed);
}

pub(super) fn vshr(l: &mut MaxwellLift<'_, '_>) {
    let [a, n] = shift(l);
    let shifted = l.ashr(a, n);
    let signed = !set(l, ".UD");
    finish(l, shifted, signed);
}

/// A product of up to 64 bits and a sum. It is signed unless both factors have no sign and nothing is negated, as PTX
/// defines. PTX gives it 128 bits; 64 bits hold all of it but negated products of two numbers of 32 bits without sign,
/// which are limited first where they saturate all the same.
pub(super) fn vmad(l: &mut MaxwellLift<'_, '_>) {
    let [first, second] = signs(l);
    let ((a, minus_product), (b, _)) = (lane(l, A, first), lane(l, B, second));
    let (c, minus_c) = without_sign(l, C);
    let signed = first || second || minus_product || minus_c;
    let mut product = l.imul(a, b);
    if set(l, ".SAT") && signed && !first && !second {
        let most = wide(l, 1 << 62);
        product = l.umin(product, most);
    }
    let product = if minus_product { l.not(product) } else { product };
    let c = if minus_c { l.not(c) } else { c };
    let c = widened(l, c, signed);
    let one = wide(l, i64::from(minus_product || minus_c || set(l, ".PO")));
    let sum = l.iadd(product, c);
    let sum = l.iadd(sum, one);
    let scaled = scaled(l, sum, signed);
    let limited = match (set(l, ".SAT"), signed) {
        (false, _) => scaled,
        (true, true) => clamped(l, scaled, 32, true),
        (true, false) => {
            let most = wide(l, i64::from(u32::MAX));
            l.umin(scaled, most)
        }
    };
    let value = truncated(l, limited);
    l.set(D, value);
    set_codes_of(l, value);
}

/// A sum shifted right as a number in [`SCALE`] says.
fn scaled(l: &mut MaxwellLift<'_, '_>, sum: Value, signed: bool) -> Value {
    let n = match SCALE.field.get(&l.insn.word) {
        0 => return sum,
        1 => 7,
        2 => 15,
        _ => {
            l.refuse(Diagnostic::error("lift-scale", "products have no scale with the number 3"));
            0
        }
    };
    let n = wide(l, n);
    if signed { l.ashr(sum, n) } else { l.lshr(sum, n) }
}
