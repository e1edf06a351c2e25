//! Integer arithmetic and comparison.

use super::{choice, fixed, flag, row};
use crate::Maxwell;
use crate::operand::{
    A, B, C, CONST_B, CONST_HALF_B, CONST_INT_B, D, DEST_CC, HALF_A, HALF_B, HALF_IMM_B, IMM_B, INT_A, INT_B,
    MaxwellLift, P, PRED_P, PRED_Q, PRED_R, Q, R, REG_A, REG_B, REG_C, carry, part, refuse_codes, set_codes,
    wants_codes,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Type, Value};
use shisa_rows::{Field, Form, Modifier, Slot};

const SATURATE: Modifier = flag(50, &["", ".SAT"]);
const EXTENDED: Modifier = flag(43, &["", ".X"]);
const SIGNS: Modifier = choice(48, 2, &["", ".S16.U16", ".U16.S16", ".S16.S16"]);
const ADD: &[Modifier] = &[SATURATE, EXTENDED];
/// The signs of the sources of a sum.
const NEGATED: Field = Field::at(48, 2);
const COMPARE: Field = Field::at(49, 3);
const SET: &[Modifier] = &[
    Modifier { field: COMPARE, names: &[".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T"] },
    flag(48, &[".U32", ""]),
    EXTENDED,
    choice(45, 2, &[".AND", ".OR", ".XOR", ".INVALIDBOP3"]),
];
const MULTIPLY: &[Modifier] = &[
    SIGNS,
    flag(36, &["", ".PSL"]),
    choice(50, 3, &["", ".CLO", ".CHI", ".CSFU", ".CBCC"]),
    flag(37, &["", ".MRG"]),
    flag(38, &["", ".X"]),
];
const MULTIPLY_IMM: &[Modifier] = &[
    flag(48, &["", ".S16.U16"]),
    flag(36, &["", ".PSL"]),
    choice(50, 3, &["", ".CLO", ".CHI", ".CSFU", ".CBCC"]),
    flag(37, &["", ".MRG"]),
    flag(38, &["", ".X"]),
];
const MULTIPLY_CONST: &[Modifier] = &[
    SIGNS,
    flag(55, &["", ".PSL"]),
    choice(50, 2, &["", ".CLO", ".CHI", ".CSFU"]),
    flag(56, &["", ".MRG"]),
    flag(54, &["", ".X"]),
];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("IADD", (0x5c13_0000_0000_0000, 0xfffb_0000_0000_0000), &[DEST_CC, REG_A, REG_B], |l| iadd(l, 1)).modifiers(PLUS_ONE).says("Adds, plus one.")
        .examples(&[("IADD.PO R1, R0, R2;", 0x07e0_5c13_0000_0027_0001)]),
    fixed("IADD", (0x4c13_0000_0000_0000, 0xfffb_0000_0000_0000), &[DEST_CC, REG_A, CONST_B], |l| iadd(l, 1)).modifiers(PLUS_ONE).says("Adds a constant, plus one.")
        .examples(&[("IADD.PO R1, R0, c[0x0][0x8];", 0x07e0_4c13_0000_0027_0001)]),
    row("IADD", 0x5c10, 0xfff8, &[DEST_CC, INT_A, INT_B], |l| iadd(l, 0)).modifiers(ADD).yields_to("IADD").says("Adds.")
        .examples(&[("IADD R1, -R0, R2;", 0x07e0_5c12_0000_0027_0001)]),
    row("IADD", 0x4c10, 0xfff8, &[DEST_CC, INT_A, CONST_INT_B], |l| iadd(l, 0)).modifiers(ADD).yields_to("IADD").says("Adds a constant.")
        .examples(&[("IADD R0.CC, R0, c[0x0][0x140];", 0x07e0_4c10_8000_0507_0000), ("IADD.X R1, RZ, c[0x0][0x144];", 0x07e0_4c10_0800_0517_ff01)]),
    row("IADD", 0x3810, 0xfef9, &[DEST_CC, INT_A, IMM_B], |l| iadd(l, 0)).modifiers(ADD).says("Adds a number.")
        .examples(&[("@!P3 IADD R32, R2, -0x6d7f5;", 0x07e0_3910_0012_80bb_0220)]),
    row("ISETP", 0x5b60, 0xfff0, &[PRED_P, PRED_Q, REG_A, REG_B, PRED_R], isetp).modifiers(SET).says("Compares, and combines the result and its opposite with a predicate.")
        .examples(&[("ISETP.GE.U32.AND P0, PT, RZ, R0, PT;", 0x07e0_5b6c_0380_0007_ff07)]),
    row("ISETP", 0x4b60, 0xfff0, &[PRED_P, PRED_Q, REG_A, CONST_B, PRED_R], isetp).modifiers(SET).says("Compares with a constant.")
        .examples(&[("ISETP.GT.U32.AND P0, P1, R82, c[0x10][0x400], P4;", 0x07e0_4b68_0240_1007_5201)]),
    row("ISETP", 0x3660, 0xfef0, &[PRED_P, PRED_Q, REG_A, IMM_B, PRED_R], isetp).modifiers(SET).says("Compares with a number.")
        .examples(&[("ISETP.GE.AND P0, PT, R0, 0x6, PT;", 0x07e0_366d_0380_0067_0007)]),
    row("XMAD", 0x5b00, 0xffc0, &[DEST_CC, HALF_A, HALF_B, REG_C], xmad).modifiers(MULTIPLY).says("Multiplies halves and adds.")
        .examples(&[("XMAD.PSL.CBCC R5, R4.H1, R5.H1, R1;", 0x07e0_5b30_0098_0057_0405), ("XMAD.MRG R5, R4.reuse, R3.H1, RZ;", 0x0002_07e0_5b00_7fa8_0037_0405)]),
    fixed("XMAD", (0x3600_0000_0000_0000, 0xfec2_0000_0000_0000), &[DEST_CC, HALF_A, HALF_IMM_B, REG_C], xmad).modifiers(MULTIPLY_IMM).says("Multiplies a half by a number and adds.")
        .examples(&[("XMAD.PSL R1, R1.H1, 0x6, R2;", 0x07e0_3620_0110_0067_0101)]),
    row("XMAD", 0x4e00, 0xfe00, &[DEST_CC, HALF_A, CONST_HALF_B, REG_C], xmad).modifiers(MULTIPLY_CONST).says("Multiplies halves, one of a constant, and adds.")
        .examples(&[("XMAD.CLO.X R0, R34, c[0x0] [0x6010], R8;", 0x07e0_4e44_0401_8047_2200)]),
];

/// Suffixes where the bits of both signs are set, which means plus one.
const PLUS_ONE: &[Modifier] = &[super::always(&[".PO"]), SATURATE, EXTENDED];

/// The bit of a suffix that the row has.
fn set(l: &MaxwellLift<'_, '_>, name: &str) -> bool {
    l.insn.form().modifiers.iter().any(|m| m.names.get(m.field.get(&l.insn.word) as usize) == Some(&name))
}

fn iadd(l: &mut MaxwellLift<'_, '_>, one_more: i32) {
    if set(l, ".SAT") {
        return l.refuse(Diagnostic::error("lift-saturate", "saturating integer sums are not known"));
    }
    let (a, b) = (l.src(A), l.src(B));
    let mut carry_in = l.i32(one_more);
    if set(l, ".X") {
        let carry = carry(l);
        carry_in = l.iadd(carry_in, carry);
    }
    let partial = l.iadd(a, b);
    let sum = l.iadd(partial, carry_in);
    if !wants_codes(l) {
        return l.set(D, sum);
    }
    if NEGATED.get(&l.insn.word) != 0 && one_more == 0 {
        return l.refuse(Diagnostic::error("lift-codes", "condition codes of differences are not known"));
    }
    // A sum below one of its parts has wrapped around; of two sums at most one does.
    let (first, second) = (l.ult(partial, a), l.ult(sum, carry_in));
    let carry = l.or(first, second);
    let zero = l.i32(0);
    let (is_zero, negative) = (l.ieq(sum, zero), l.slt(sum, zero));
    // Overflow: both operands have the sign that the sum has not.
    let (da, db) = (l.xor(a, sum), l.xor(b, sum));
    let both = l.and(da, db);
    let overflow = l.slt(both, zero);
    l.set(D, sum);
    set_codes(l, [is_zero, negative, carry, overflow]);
}

fn isetp(l: &mut MaxwellLift<'_, '_>) {
    if set(l, ".X") || set(l, ".INVALIDBOP3") {
        return l.refuse(Diagnostic::error("lift-compare", "extended comparisons are not known"));
    }
    let (a, b, with) = (l.src(A), l.src(B), l.src(R));
    let unsigned = set(l, ".U32");
    let less = |l: &mut MaxwellLift<'_, '_>, a, b| if unsigned { l.ult(a, b) } else { l.slt(a, b) };
    let not_above = |l: &mut MaxwellLift<'_, '_>, a, b| if unsigned { l.ule(a, b) } else { l.sle(a, b) };
    let held = match COMPARE.get(&l.insn.word) {
        0 => l.constant(Type::BOOL, 0),
        1 => less(l, a, b),
        2 => l.ieq(a, b),
        3 => not_above(l, a, b),
        4 => less(l, b, a),
        5 => l.ine(a, b),
        6 => not_above(l, b, a),
        _ => l.constant(Type::BOOL, 1),
    };
    let opposite = l.not(held);
    for (slot, v) in [(P, held), (Q, opposite)] {
        let joined = match () {
            () if set(l, ".OR") => l.or(v, with),
            () if set(l, ".XOR") => l.xor(v, with),
            () => l.and(v, with),
        };
        l.set(slot, joined);
    }
}

/// The half of a source that is multiplied, widened to 32 bits.
fn half(l: &mut MaxwellLift<'_, '_>, slot: Slot, bits: Value, signed: bool) -> Value {
    let sixteen = l.i32(16);
    match (part(l, slot) != 0, signed) {
        (true, true) => l.ashr(bits, sixteen),
        (true, false) => l.lshr(bits, sixteen),
        (false, true) => {
            let high = l.shl(bits, sixteen);
            l.ashr(high, sixteen)
        }
        (false, false) => {
            let low = l.i32(0xffff);
            l.and(bits, low)
        }
    }
}

fn xmad(l: &mut MaxwellLift<'_, '_>) {
    if set(l, ".CSFU") || set(l, ".X") {
        return l.refuse(Diagnostic::error("lift-multiply", "this mode of the product is not known"));
    }
    let signs = SIGNS.field.get(&l.insn.word);
    let (a, b, mut c) = (l.src(A), l.src(B), l.src(C));
    let (ha, hb) = (half(l, A, a, signs & 1 != 0), half(l, B, b, signs & 2 != 0));
    let sixteen = l.i32(16);
    let low = l.i32(0xffff);
    let mut product = l.imul(ha, hb);
    if set(l, ".PSL") {
        product = l.shl(product, sixteen);
    }
    let upper_b = l.shl(b, sixteen);
    c = match () {
        () if set(l, ".CLO") => l.and(c, low),
        () if set(l, ".CHI") => l.lshr(c, sixteen),
        () if set(l, ".CBCC") => l.iadd(c, upper_b),
        () => c,
    };
    let mut sum = l.iadd(product, c);
    if set(l, ".MRG") {
        let kept = l.and(sum, low);
        sum = l.or(kept, upper_b);
    }
    refuse_codes(l);
    l.set(D, sum);
}
