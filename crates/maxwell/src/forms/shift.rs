//! Shifts, and fields of bits.

use super::{always, choice, flag, row, set};
use crate::Maxwell;
use crate::attr::Attr;
use crate::attr::VARIABLE;
use crate::operand::{
    A, B, BANK, C, CONST_B, CONST_C, Change, Constant, D, DEST, DEST_CC, IMM_B, IMMEDIATE, MaxwellLift,
    Number, REG_A, REG_B, REG_B39, REG_C, Source, operand, refuse_codes,
};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Field, Form, Modifier, Operand};

const UNSIGNED: Modifier = flag(48, &[".U32", ""]);
const WRAP: Modifier = flag(39, &["", ".W"]);
const REVERSE: Modifier = flag(40, &["", ".BREV"]);
const LEFT: &[Modifier] = &[WRAP, flag(43, &["", ".X"])];
const RIGHT: &[Modifier] =
    &[UNSIGNED, WRAP, choice(43, 2, &["", ".INVALIDSHRXMODE1", ".X", ".XHI"]), REVERSE];
const EXTRACT: &[Modifier] = &[UNSIGNED, REVERSE];
const FIND: &[Modifier] = &[UNSIGNED, flag(41, &["", ".SH"])];
const PERMUTE: &[Modifier] = &[choice(48, 4, PERMUTATIONS)];
#[rustfmt::skip]
const PERMUTATIONS: &[&str] = &[
    "", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16", ".INVALIDPMODE7",
    ".???8", ".???9", ".???10", ".???11", ".???12", ".???13", ".???14", ".???15",
];
const FUNNEL_WRAP: Modifier = flag(50, &["", ".W"]);
const FUNNEL_WIDTH: Modifier = choice(37, 2, &["", ".INVALIDMAXSHIFT3", ".U64", ".S64"]);
const FUNNEL_PART: Modifier = choice(48, 2, &["", ".HI", ".X", ".XHI"]);
const FUNNEL_LEFT: &[Modifier] = &[always(&[".L"]), FUNNEL_WRAP, FUNNEL_WIDTH, FUNNEL_PART];
const FUNNEL_RIGHT: &[Modifier] = &[always(&[".R"]), FUNNEL_WRAP, FUNNEL_WIDTH, FUNNEL_PART];

/// By how much to shift.
const SHIFT_B: Operand<Maxwell> = operand(B, Field::at(20, 6), &Number::PLAIN);
const BITS_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(40, 1), &Source::BITS);
const CONST_BITS_B: Operand<Maxwell> = operand(B, BANK.then(40, 1), &Constant::of(Source::BITS));
const IMM_BITS_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(40, 1), &Number::SIGNED.change(Change::Invert));

const FLO_TIMING: Attr = VARIABLE.reads(2, 2_788);
const POPC_TIMING: Attr = VARIABLE.reads(2, 1_726);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("SHL", 0x5c48, 0xfff8, &[DEST_CC, REG_A, REG_B], shl).modifiers(LEFT).says("Shifts left.")
        .examples(&[("SHL.W.X R0, R0, R0;", 0x07e0_5c48_0880_0007_0000)]),
    row("SHL", 0x4c48, 0xfff8, &[DEST_CC, REG_A, CONST_B], shl).modifiers(LEFT).says("Shifts left by a constant.")
        .examples(&[("SHL R0, R0, c[0x0][0x0];", 0x07e0_4c48_0000_0007_0000)]),
    row("SHL", 0x3848, 0xfef8, &[DEST_CC, REG_A, IMM_B], shl).modifiers(LEFT).says("Shifts left by a number.")
        .examples(&[("SHL R0, R0, 0x0;", 0x07e0_3848_0000_0007_0000)]),
    row("SHR", 0x5c28, 0xfff8, &[DEST_CC, REG_A, REG_B], shr).modifiers(RIGHT).says("Shifts right, with or without sign.")
        .examples(&[("SHR.U32.W.BREV R0, R0, R0;", 0x07e0_5c28_0180_0007_0000)]),
    row("SHR", 0x4c28, 0xfff8, &[DEST_CC, REG_A, CONST_B], shr).modifiers(RIGHT).says("Shifts right by a constant.")
        .examples(&[("SHR.U32.XHI R0, R0, c[0x0][0x0];", 0x07e0_4c28_1800_0007_0000)]),
    row("SHR", 0x3828, 0xfef8, &[DEST_CC, REG_A, IMM_B], shr).modifiers(RIGHT).says("Shifts right by a number.")
        .examples(&[("SHR R0, R0, 0x0;", 0x07e0_3829_0000_0007_0000)]),
    row("SHF", 0x5bf8, 0xfff8, &[DEST_CC, REG_A, REG_B, REG_C], shf).modifiers(FUNNEL_LEFT).says("Shifts two registers as one number left; the upper half.")
        .examples(&[("SHF.L.W.S64.XHI R0, R0, R0, R0;", 0x07e0_5bff_0060_0007_0000)]),
    row("SHF", 0x5cf8, 0xfff8, &[DEST_CC, REG_A, REG_B, REG_C], shf).modifiers(FUNNEL_RIGHT).says("Shifts two registers as one number right; the lower half.")
        .examples(&[("SHF.R.U64 R0, R0, R0, R0;", 0x07e0_5cf8_0040_0007_0000)]),
    row("SHF", 0x36f8, 0xfef8, &[DEST_CC, REG_A, SHIFT_B, REG_C], shf).modifiers(FUNNEL_LEFT).says("Shifts two registers as one number left by a number.")
        .examples(&[("SHF.L.HI R0, R0, 0x0, R0;", 0x07e0_36f9_0000_0007_0000)]),
    row("SHF", 0x38f8, 0xfef8, &[DEST_CC, REG_A, SHIFT_B, REG_C], shf).modifiers(FUNNEL_RIGHT).says("Shifts two registers as one number right by a number.")
        .examples(&[("SHF.R R0, R0, 0x0, R0;", 0x07e0_38f8_0000_0007_0000)]),
    row("BFE", 0x5c00, 0xfff8, &[DEST_CC, REG_A, REG_B], bfe).modifiers(EXTRACT).says("Takes a field of bits; the second source's bytes say where it begins and how wide it is.")
        .examples(&[("BFE.U32.BREV R0, R0, R0;", 0x07e0_5c00_0100_0007_0000)]),
    row("BFE", 0x4c00, 0xfff8, &[DEST_CC, REG_A, CONST_B], bfe).modifiers(EXTRACT).says("Takes a field of bits that a constant describes.")
        .examples(&[("BFE R0, R0, c[0x0][0x0];", 0x07e0_4c01_0000_0007_0000)]),
    row("BFE", 0x3800, 0xfef8, &[DEST_CC, REG_A, IMM_B], bfe).modifiers(EXTRACT).says("Takes a field of bits that a number describes.")
        .examples(&[("BFE.U32 R0, R0, 0x0;", 0x07e0_3800_0000_0007_0000)]),
    row("BFI", 0x5bf0, 0xfff8, &[DEST_CC, REG_A, REG_B, REG_C], bfi).says("Puts a field of bits into the third source; the second says where and how wide.")
        .examples(&[("BFI R0.CC, R0, R0, R0;", 0x07e0_5bf0_8000_0007_0000)]),
    row("BFI", 0x4bf0, 0xfff8, &[DEST_CC, REG_A, CONST_B, REG_C], bfi).says("Puts a field of bits that a constant describes into the third source.")
        .examples(&[("BFI R0, R0, c[0x0][0x0], R0;", 0x07e0_4bf0_0000_0007_0000)]),
    row("BFI", 0x53f0, 0xfff8, &[DEST_CC, REG_A, REG_B39, CONST_C], bfi).says("Puts a field of bits into a constant.")
        .examples(&[("BFI R0, R0, R0, c[0x0][0x0];", 0x07e0_53f0_0000_0007_0000)]),
    row("BFI", 0x36f0, 0xfef8, &[DEST_CC, REG_A, IMM_B, REG_C], bfi).says("Puts a field of bits that a number describes into the third source.")
        .examples(&[("BFI R0, R0, 0x0, R0;", 0x07e0_36f0_0000_0007_0000)]),
    row("PRMT", 0x5bc0, 0xfff0, &[DEST, REG_A, REG_B, REG_C], prmt).modifiers(PERMUTE).says("Chooses four of the eight bytes of the first and third source; the second says which.")
        .examples(&[("PRMT.ECL R0, R0, R0, R0;", 0x07e0_5bc4_0000_0007_0000)]),
    row("PRMT", 0x4bc0, 0xfff0, &[DEST, REG_A, CONST_B, REG_C], prmt).modifiers(PERMUTE).says("Chooses bytes as a constant says.")
        .examples(&[("PRMT.???15 R0, R0, c[0x0][0x0], R0;", 0x07e0_4bcf_0000_0007_0000)]),
    row("PRMT", 0x53c0, 0xfff0, &[DEST, REG_A, REG_B39, CONST_C], prmt).modifiers(PERMUTE).says("Chooses bytes of a source and a constant.")
        .examples(&[("PRMT R0, R0, R0, c[0x0][0x0];", 0x07e0_53c0_0000_0007_0000)]),
    row("PRMT", 0x36c0, 0xfef0, &[DEST, REG_A, IMM_B, REG_C], prmt).modifiers(PERMUTE).says("Chooses bytes as a number says.")
        .examples(&[("PRMT R0, R0, 0x0, R0;", 0x07e0_36c0_0000_0007_0000)]),
    row("FLO", 0x5c30, 0xfff8, &[DEST_CC, BITS_B], flo).attr(FLO_TIMING).modifiers(FIND).says("Finds the highest bit that is set, or differs from the sign.")
        .examples(&[("FLO.U32.SH R0, ~R0;", 0x07e0_5c30_0300_0007_0000)]),
    row("FLO", 0x4c30, 0xfff8, &[DEST_CC, CONST_BITS_B], flo).attr(FLO_TIMING).modifiers(FIND).says("Finds the highest bit of a constant.")
        .examples(&[("FLO R0, c[0x0][0x0];", 0x07e0_4c31_0000_0007_0000)]),
    row("FLO", 0x3830, 0xfef8, &[DEST_CC, IMM_BITS_B], flo).attr(FLO_TIMING).modifiers(FIND).says("Finds the highest bit of a number.")
        .examples(&[("FLO.U32 R0, 0x0.INV;", 0x07e0_3830_0100_0007_0000)]),
    row("POPC", 0x5c08, 0xfff8, &[DEST, BITS_B], popc).attr(POPC_TIMING).says("Counts the bits that are set.")
        .examples(&[("POPC R0, ~R0;", 0x07e0_5c08_0100_0007_0000)]),
    row("POPC", 0x4c08, 0xfff8, &[DEST, CONST_BITS_B], popc).attr(POPC_TIMING).says("Counts the bits of a constant.")
        .examples(&[("POPC R0, c[0x0][0x0];", 0x07e0_4c08_0000_0007_0000)]),
    row("POPC", 0x3808, 0xfef8, &[DEST, IMM_BITS_B], popc).attr(POPC_TIMING).says("Counts the bits of a number.")
        .examples(&[("POPC R0, 0x0.INV;", 0x07e0_3808_0100_0007_0000)]),
];

/// Refuses suffixes of which it is not known what they do.
fn refuse_others(l: &mut MaxwellLift<'_, '_>, known: &[&str]) {
    let named = l.insn.form().modifiers.iter().map(|m| m.names.get(m.field.get(&l.insn.word) as usize));
    if !named.into_iter().all(|name| name.is_some_and(|name| name.is_empty() || known.contains(name))) {
        l.refuse(Diagnostic::error("lift-shift", "what this suffix does is not known"));
    }
}

/// By how much to shift: the lowest five bits count, or a shift may take all bits away.
fn amount(l: &mut MaxwellLift<'_, '_>) -> Value {
    let n = l.src(B);
    let lowest = l.i32(31);
    if set(l, ".W") { l.and(n, lowest) } else { n }
}

fn shl(l: &mut MaxwellLift<'_, '_>) {
    refuse_others(l, &[".W"]);
    refuse_codes(l);
    let (a, n) = (l.src(A), amount(l));
    let shifted = l.shl(a, n);
    l.set(D, shifted);
}

/// The first source, from the last bit to the first where the suffix says so.
fn turned(l: &mut MaxwellLift<'_, '_>) -> Value {
    let a = l.src(A);
    if set(l, ".BREV") { l.reverse_bits(a) } else { a }
}

fn shr(l: &mut MaxwellLift<'_, '_>) {
    refuse_others(l, &[".U32", ".W", ".BREV"]);
    refuse_codes(l);
    let (a, n) = (turned(l), amount(l));
    let shifted = if set(l, ".U32") { l.lshr(a, n) } else { l.ashr(a, n) };
    l.set(D, shifted);
}

/// Of the 64 bits of the third source and the first, the upper half where they are shifted left, else the lower;
/// 32 bits at most.
fn shf(l: &mut MaxwellLift<'_, '_>) {
    refuse_others(l, &[".L", ".R", ".W"]);
    refuse_codes(l);
    let (low, n, high, width) = (l.src(A), amount(l), l.src(C), l.i32(32));
    let n = l.umin(n, width);
    let rest = l.isub(width, n);
    let (of_high, of_low) = match set(l, ".L") {
        true => (l.shl(high, n), l.lshr(low, rest)),
        false => (l.shl(high, rest), l.lshr(low, n)),
    };
    let shifted = l.or(of_high, of_low);
    l.set(D, shifted);
}

/// Where a field of bits begins and how wide it is: two bytes of the second source.
fn place(l: &mut MaxwellLift<'_, '_>) -> (Value, Value) {
    let (both, byte, eight) = (l.src(B), l.i32(255), l.i32(8));
    let width = l.lshr(both, eight);
    (l.and(both, byte), l.and(width, byte))
}

fn bfe(l: &mut MaxwellLift<'_, '_>) {
    refuse_codes(l);
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
}

fn bfi(l: &mut MaxwellLift<'_, '_>) {
    refuse_codes(l);
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
}

/// Four bits for each byte of the result: which of the eight bytes of the first and the third source, and whether only
/// its sign is taken.
fn prmt(l: &mut MaxwellLift<'_, '_>) {
    refuse_others(l, &[]);
    let (a, which, c) = (l.src(A), l.src(B), l.src(C));
    let (mut value, zero) = (l.i32(0), l.i32(0));
    for byte in 0..4 {
        let at = l.i32(4 * byte);
        let choice = l.lshr(which, at);
        let [other, place, sign] = [4, 3, 8].map(|bits| {
            let bits = l.i32(bits);
            l.and(choice, bits)
        });
        let other = l.ine(other, zero);
        let source = l.select(other, c, a);
        let three = l.i32(3);
        let begin = l.shl(place, three);
        // The byte uppermost, so that its sign is the number's.
        let low = l.lshr(source, begin);
        let upper = l.i32(24);
        let high = l.shl(low, upper);
        let spread = l.i32(31);
        let signs = l.ashr(high, spread);
        let only_sign = l.ine(sign, zero);
        let taken = l.select(only_sign, signs, high);
        let (back, up) = (l.i32(24), l.i32(8 * byte));
        let taken = l.lshr(taken, back);
        let taken = l.shl(taken, up);
        value = l.or(value, taken);
    }
    l.set(D, value);
}

fn flo(l: &mut MaxwellLift<'_, '_>) {
    refuse_codes(l);
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
}

fn popc(l: &mut MaxwellLift<'_, '_>) {
    let bits = l.src(B);
    let count = l.popcount(bits);
    l.set(D, count);
}
