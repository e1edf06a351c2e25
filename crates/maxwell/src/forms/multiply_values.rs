//! What products of integers compute.

use super::sum::{self, Summand};
use super::{choice, set, suffixes};
use crate::operand::{A, B, C, D, MaxwellLift, part, set_codes_of, wants_codes};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Field, Modifier, Slot};

/// The signs of the halves that XMAD multiplies.
pub(super) const SIGNS: Modifier =
    choice(48, 2, &["", ".S16.U16", ".U16.S16", ".S16.S16"]).unwritten(".U16.U16");
/// Signs of both factors of 32 bits.
pub(super) const WIDE_SIGNS: &[&str] = &[".U32.U32", ".S32.U32", ".U32.S32", ""];
/// The sources' types of IMADSP: the first's three bits, the second's two, the third's two, of which 3 is
/// undefined.
pub(super) const TYPES: Field = Field::at(48, 3).then(53, 2).then(51, 2);

/// The half of a source that is multiplied, widened to 32 bits.
fn half(l: &mut MaxwellLift<'_, '_>, slot: Slot, bits: Value, signed: bool) -> Value {
    narrow(l, bits, 16 * part(l, slot) as i32, 16, signed)
}

/// `width` bits from bit `lowest` on, widened to 32 bits.
pub(super) fn narrow(
    l: &mut MaxwellLift<'_, '_>,
    bits: Value,
    lowest: i32,
    width: i32,
    signed: bool,
) -> Value {
    if width == 32 {
        return bits;
    }
    let above = l.i32(32 - width);
    if lowest + width == 32 {
        return if signed { l.ashr(bits, above) } else { l.lshr(bits, above) };
    }
    if signed {
        let high = l.i32(32 - width - lowest);
        let high = l.shl(bits, high);
        return l.ashr(high, above);
    }
    let (start, mask) = (l.i32(lowest), l.i32(((1_i64 << width) - 1) as i32));
    let low = if lowest == 0 { bits } else { l.lshr(bits, start) };
    l.and(low, mask)
}

pub(super) fn xmad(l: &mut MaxwellLift<'_, '_>) {
    if [".???5", ".???6", ".???7"].iter().any(|name| set(l, name)) {
        return l.refuse(Diagnostic::error("lift-multiply", "the third source has no mode with this number"));
    }
    let signs = SIGNS.field.get(&l.insn.word);
    let (a, b) = (l.src(A), l.src(B));
    let factors = [half(l, A, a, signs & 1 != 0), half(l, B, b, signs & 2 != 0)];
    let (sixteen, low) = (l.i32(16), l.i32(0xffff));
    let mut product = l.imul(factors[0], factors[1]);
    if set(l, ".PSL") {
        product = l.shl(product, sixteen);
    }
    let upper_b = l.shl(b, sixteen);
    let c = addend(l, [a, b], factors, upper_b);
    let merged = |l: &mut MaxwellLift<'_, '_>, value| match set(l, ".MRG") {
        true => {
            let kept = l.and(value, low);
            l.or(kept, upper_b)
        }
        false => value,
    };
    if wants_codes(l) || set(l, ".X") {
        let sum = sum::full(l, [product, c].map(Summand::plus), 0);
        let value = merged(l, sum.value);
        return sum::finish_as(l, sum, value);
    }
    let sum = l.iadd(product, c);
    let value = merged(l, sum);
    l.set(D, value);
}

/// The third source of XMAD as its mode changes it.
fn addend(l: &mut MaxwellLift<'_, '_>, sources: [Value; 2], factors: [Value; 2], upper_b: Value) -> Value {
    let (c, low, sixteen) = (l.src(C), l.i32(0xffff), l.i32(16));
    match () {
        () if set(l, ".CLO") => l.and(c, low),
        () if set(l, ".CHI") => l.lshr(c, sixteen),
        () if set(l, ".CBCC") => l.iadd(c, upper_b),
        () if set(l, ".CSFU") => {
            let [of_a, of_b] = [(factors[0], sources[1]), (factors[1], sources[0])]
                .map(|(factor, other)| correction(l, factor, other));
            let rest = l.isub(c, of_a);
            l.isub(rest, of_b)
        }
        () => c,
    }
}

/// What `.CSFU` subtracts for a factor: 65536, if it is negative and the lower half of the other source is not zero.
///
/// ptxas adds the upper product of two signed numbers to a sum of the middle products, which IADD3.RS shifts without
/// sign. A middle product, of an upper half and the other source's lower half, is too large by just that number if it
/// is negative. envytools tests the factors instead of the lower halves; then the product of -2^31 and 1 would be wrong.
fn correction(l: &mut MaxwellLift<'_, '_>, factor: Value, other: Value) -> Value {
    let (zero, low, amount) = (l.i32(0), l.i32(0xffff), l.i32(0x1_0000));
    let lower = l.and(other, low);
    let (negative, there) = (l.slt(factor, zero), l.ine(lower, zero));
    let wanted = l.and(negative, there);
    l.select(wanted, amount, zero)
}

/// Whether the first and the second factor of 32 bits have a sign.
fn signs(l: &MaxwellLift<'_, '_>) -> [bool; 2] {
    let names = || suffixes(&l.insn).filter(|suffix| !suffix.is_empty());
    let number = WIDE_SIGNS.iter().position(|name| names().any(|suffix| suffix == *name));
    [1, 2].map(|bit| number.unwrap_or(3) & bit != 0)
}

/// The upper half of a product of 64 bits.
fn high(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> Value {
    match signs(l) {
        [true, true] => l.smul_hi(a, b),
        [false, false] => l.umul_hi(a, b),
        [true, false] => high_of_mixed(l, a, b),
        [false, true] => high_of_mixed(l, b, a),
    }
}

/// A signed number is its bits, less 2^32 if it is negative.
fn high_of_mixed(l: &mut MaxwellLift<'_, '_>, signed: Value, unsigned: Value) -> Value {
    let (product, zero) = (l.umul_hi(signed, unsigned), l.i32(0));
    let negative = l.slt(signed, zero);
    let less = l.select(negative, unsigned, zero);
    l.isub(product, less)
}

pub(super) fn imul(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let product = if set(l, ".HI") { high(l, a, b) } else { l.imul(a, b) };
    l.set(D, product);
    set_codes_of(l, product);
}

/// The half of the product is the first summand, with the sign of the first factor. A negative product has 64 bits, so
/// the sign of its upper half depends on its lower half, unless the carry of the lower half's sum is read. As with PTX's
/// `mad.hi`, the third source is added to the half that is taken, and only that sum saturates.
pub(super) fn imad(l: &mut MaxwellLift<'_, '_>, one_more: i32) {
    let (a, b, c) = (Summand::source(l, A), l.src(B), Summand::source(l, C));
    let low = l.imul(a.value, b);
    if !set(l, ".HI") {
        return sum::add(l, [Summand { value: low, ..a }, c], one_more);
    }
    let product = high(l, a.value, b);
    if !a.negative || set(l, ".X") {
        return sum::add(l, [Summand { value: product, ..a }, c], one_more);
    }
    let (complement, more) = (l.not(product), sum::borrowed(l, low));
    let upper = l.iadd(complement, more);
    sum::add(l, [Summand::plus(upper), c], one_more);
}

/// The lowest bit and the width of each type of a source of IMADSP, by its number without the sign.
const PARTS: [(i32, i32); 4] = [(0, 32), (0, 24), (0, 16), (16, 16)];

/// A product of narrow numbers and a sum, as the names of the types say. The third source has a sign if one of the
/// factors has.
pub(super) fn imadsp(l: &mut MaxwellLift<'_, '_>) {
    let types = TYPES.get(&l.insn.word);
    if types >> 5 == 3 {
        return l
            .refuse(Diagnostic::error("lift-multiply", "the third source has no type with the number 3"));
    }
    // The second source has no type of 32 bits.
    let numbers = [types >> 1 & 3, 1 + (types >> 4 & 1), types >> 5 & 3];
    let (first, second) = (types & 1 != 0, types >> 3 & 1 != 0);
    let signed = [first, second, first || second];
    let mut sources = [A, B, C].map(|slot| l.src(slot));
    for ((source, number), signed) in sources.iter_mut().zip(numbers).zip(signed) {
        let (lowest, width) = PARTS[number as usize];
        *source = narrow(l, *source, lowest, width, signed);
    }
    let [a, b, c] = sources;
    let product = l.imul(a, b);
    sum::add(l, [product, c].map(Summand::plus), 0);
}
