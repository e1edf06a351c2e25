//! What VABSDIFF4 computes: four bytes at once, as PTX's `vabsdiff4`.

use super::multiply_values::narrow;
use super::{choice, set};
use crate::operand::{A, B, C, D, MaxwellLift, part, set_codes_of};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Field, Modifier, Slot};

/// The signs of the first and the second source's bytes.
pub(super) const FOUR_SIGNS: Modifier = choice(48, 2, &[".U8.U8", ".S8.U8", ".U8.S8", ""]);
/// The field of the bytes that are written.
pub(super) const WRITTEN_BYTES: Modifier = Modifier::new(Field::at(36, 2).then(51, 2), BYTES);
/// The bytes that are written.
#[rustfmt::skip]
const BYTES: &[&str] = &[
    ".???0", ".Z", ".W", ".ZW", ".X", ".XZ", ".XW", ".XZW", ".Y", ".YZ", ".YW", ".YZW", ".XY", ".XYZ", ".XYW", "",
];
/// Which bytes of both sources replace the first source's.
#[rustfmt::skip]
pub(super) const ORDER_A: &[&str] = &[
    ".0000", ".1111", ".2222", ".3333", "", ".4321", ".5432", ".6543",
    ".3201", ".3012", ".0213", ".3120", ".1230", ".2310", ".INVALIDASEL4E", ".INVALIDASEL4F",
];
/// Which replace the second source's; the last number makes it a number.
#[rustfmt::skip]
pub(super) const ORDER_B: &[&str] = &[
    ".4444", ".5555", ".6666", ".7777", "", ".6543", ".5432", ".4321",
    ".4567", ".6745", ".5476", ".INVALIDBSEL4B", ".INVALIDBSEL4C", ".INVALIDBSEL4D", ".INVALIDBSEL4E", "",
];

/// The byte of both sources, 0 to 7, that each byte of an operand is. The name of the order has a digit for each byte,
/// from the last to the first, or none where the bytes are in order from `usual` on.
fn order(l: &mut MaxwellLift<'_, '_>, name: &str, usual: i32) -> [i32; 4] {
    match *name.as_bytes() {
        [] => [0, 1, 2, 3].map(|byte| usual + byte),
        [b'.', third, second, first, zeroth] => {
            [zeroth, first, second, third].map(|digit| i32::from(digit & 7))
        }
        _ => {
            l.refuse(Diagnostic::error("lift-parts", "this order of bytes is undefined"));
            [0; 4]
        }
    }
}

/// A byte of both sources, extended.
fn byte(l: &mut MaxwellLift<'_, '_>, sources: [Value; 2], number: i32, signed: bool) -> Value {
    let source = if number < 4 { sources[0] } else { sources[1] };
    narrow(l, source, 8 * (number & 3), 8, signed)
}

/// The name of the order in which a source takes bytes.
fn name(l: &MaxwellLift<'_, '_>, slot: Slot, names: &'static [&'static str]) -> &'static str {
    names.get(part(l, slot) as usize).copied().unwrap_or_default()
}

/// The second source, if each of its four bytes is this number.
fn repeated(l: &mut MaxwellLift<'_, '_>, number: Value) -> Value {
    let (low, times) = (l.i32(0xff), l.i32(0x0101_0101));
    let byte = l.and(number, low);
    l.imul(byte, times)
}

/// Saturated to the range of a byte of the result.
fn saturated(l: &mut MaxwellLift<'_, '_>, magnitude: Value) -> Value {
    let most = if set(l, ".SD") { 0x7f } else { 0xff };
    let most = l.i32(most);
    if set(l, ".SAT") { l.umin(magnitude, most) } else { magnitude }
}

/// The bytes that are written are the magnitudes of the differences; the others are the third source's. With `.ACC` the
/// magnitudes are added to the third source instead.
pub(super) fn vabsdiff4(l: &mut MaxwellLift<'_, '_>, number: bool) {
    if set(l, ".INVALIDRED2") || set(l, ".INVALIDRED3") {
        l.refuse(Diagnostic::error("lift-parts", "this reduction of bytes is undefined"));
    }
    let signs = FOUR_SIGNS.field.get(&l.insn.word);
    let written = WRITTEN_BYTES.names[WRITTEN_BYTES.field.get(&l.insn.word) as usize & 15];
    let (first, other) = (name(l, A, ORDER_A), name(l, B, ORDER_B));
    let (first, other) = (order(l, first, 0), order(l, other, 4));
    let (a, mut b, mut value) = (l.src(A), l.src(B), l.src(C));
    if number {
        b = repeated(l, b);
    }
    for ((n, letter), (first, other)) in (0..).zip("XYZW".chars()).zip(first.into_iter().zip(other)) {
        if !written.is_empty() && !written.contains(letter) {
            continue;
        }
        let (first, other) = (byte(l, [a, b], first, signs & 1 != 0), byte(l, [a, b], other, signs & 2 != 0));
        let (difference, opposite) = (l.isub(first, other), l.isub(other, first));
        let magnitude = l.smax(difference, opposite);
        let magnitude = saturated(l, magnitude);
        value = if set(l, ".ACC") { l.iadd(value, magnitude) } else { merged(l, value, magnitude, n) };
    }
    l.set(D, value);
    set_codes_of(l, value);
}

/// A value with one byte replaced.
fn merged(l: &mut MaxwellLift<'_, '_>, value: Value, byte: Value, number: i32) -> Value {
    let [low, others, up] = [0xff, !(0xff << (8 * number)), 8 * number].map(|n| l.i32(n));
    let (part, kept) = (l.and(byte, low), l.and(value, others));
    let part = l.shl(part, up);
    l.or(kept, part)
}
