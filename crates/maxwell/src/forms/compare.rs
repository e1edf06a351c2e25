//! Comparisons of integers, the smaller and the larger of two.

use super::sum;
use super::{BOOLEAN, choice, flag, row, set, set_predicates, set_register};
use crate::Maxwell;
use crate::attr::{Attr, FIXED};
use crate::operand::{
    A, B, C, CARRY, CONST_B, CONST_C, D, DEST, DEST_CC, IMM_B, MaxwellLift, PRED_P, PRED_Q, PRED_R, R, REG_A,
    REG_B, REG_B39, REG_C, ZERO, code, set_codes, set_codes_of, wants_codes,
};
use shisa_ir::{Type, Value};
use shisa_rows::{Field, Form, Modifier};

const COMPARE: Field = Field::at(49, 3);
const COMPARISON: Modifier = Modifier::new(COMPARE, super::COMPARISONS);
const UNSIGNED: Modifier = flag(48, &[".U32", ""]).unwritten(".S32");
const EXTENDED: Modifier = flag(43, &["", ".X"]);
const CHOOSE: &[Modifier] = &[COMPARISON, UNSIGNED];
const SETP: &[Modifier] = &[COMPARISON, UNSIGNED, EXTENDED, BOOLEAN];
const SET: &[Modifier] = &[flag(44, &["", ".BF"]), COMPARISON, UNSIGNED, EXTENDED, BOOLEAN];
const PART: Modifier = choice(43, 2, &["", ".XLO", ".XMED", ".XHI"]);
const MINMAX: &[Modifier] = &[UNSIGNED, PART];

const ISET_TIMING: Attr = FIXED.reads_codes(6, 3_432);
const ISETP_TIMING: Attr = FIXED.reads_codes(6, 64_544);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("ICMP", 0x5b40, 0xfff0, &[DEST, REG_A, REG_B, REG_C], icmp).modifiers(CHOOSE).says("Takes the first or the second source by how the third compares to zero.")
        .examples(&[("ICMP.LT.U32 R0, R0, R0, R0;", 0x07e0_5b42_0000_0007_0000)]),
    row("ICMP", 0x4b40, 0xfff0, &[DEST, REG_A, CONST_B, REG_C], icmp).modifiers(CHOOSE).says("Takes the first source or a constant by how the third source compares to zero.")
        .examples(&[("ICMP.T R0, R0, c[0x0][0x0], R0;", 0x07e0_4b4f_0000_0007_0000)]),
    row("ICMP", 0x5340, 0xfff0, &[DEST, REG_A, REG_B39, CONST_C], icmp).modifiers(CHOOSE).says("Takes the first or the second source by how a constant compares to zero.")
        .examples(&[("ICMP.F.U32 R0, R0, R0, c[0x0][0x0];", 0x07e0_5340_0000_0007_0000)]),
    row("ICMP", 0x3640, 0xfef0, &[DEST, REG_A, IMM_B, REG_C], icmp).modifiers(CHOOSE).says("Takes the first source or a number by how the third source compares to zero.")
        .examples(&[("ICMP.F.U32 R0, R0, -0x80000, R0;", 0x07e0_3740_0000_0007_0000)]),
    row("ISET", 0x5b50, 0xfff0, &[DEST_CC, REG_A, REG_B, PRED_R], iset).attr(ISET_TIMING).modifiers(SET).says("Compares, combines the result with a predicate, and gives all ones or 1.0 where it holds.")
        .examples(&[("ISET.BF.F.U32.X.AND R0, R0, R0, P0;", 0x07e0_5b50_1800_0007_0000)]),
    row("ISET", 0x4b50, 0xfff0, &[DEST_CC, REG_A, CONST_B, PRED_R], iset).attr(ISET_TIMING).modifiers(SET).says("Compares with a constant into a register.")
        .examples(&[("ISET.F.U32.AND R0, R0, c[0x0][0x0], P0;", 0x07e0_4b50_0000_0007_0000)]),
    row("ISET", 0x3650, 0xfef0, &[DEST_CC, REG_A, IMM_B, PRED_R], iset).attr(ISET_TIMING).modifiers(SET).says("Compares with a number into a register.")
        .examples(&[("ISET.F.U32.XOR R0, R0, 0x0, P0;", 0x07e0_3650_4000_0007_0000)]),
    row("ISETP", 0x5b60, 0xfff0, &[PRED_P, PRED_Q, REG_A, REG_B, PRED_R], isetp).attr(ISETP_TIMING).modifiers(SETP).says("Compares, and combines the result and its opposite with a predicate.")
        .examples(&[("ISETP.GE.U32.AND P0, PT, RZ, R0, PT;", 0x07e0_5b6c_0380_0007_ff07)]),
    row("ISETP", 0x4b60, 0xfff0, &[PRED_P, PRED_Q, REG_A, CONST_B, PRED_R], isetp).attr(ISETP_TIMING).modifiers(SETP).says("Compares with a constant.")
        .examples(&[("ISETP.GT.U32.AND P0, P1, R82, c[0x10][0x400], P4;", 0x07e0_4b68_0240_1007_5201)]),
    row("ISETP", 0x3660, 0xfef0, &[PRED_P, PRED_Q, REG_A, IMM_B, PRED_R], isetp).attr(ISETP_TIMING).modifiers(SETP).says("Compares with a number.")
        .examples(&[("ISETP.GE.AND P0, PT, R0, 0x6, PT;", 0x07e0_366d_0380_0067_0007)]),
    row("IMNMX", 0x5c20, 0xfff8, &[DEST_CC, REG_A, REG_B, PRED_R], imnmx).modifiers(MINMAX).says("Takes the smaller where the predicate holds, else the larger.")
        .examples(&[("IMNMX.U32.XMED R0, R0, R0, P0;", 0x07e0_5c20_1000_0007_0000)]),
    row("IMNMX", 0x4c20, 0xfff8, &[DEST_CC, REG_A, CONST_B, PRED_R], imnmx).modifiers(MINMAX).says("Takes the smaller of a source and a constant, or the larger.")
        .examples(&[("IMNMX R0, R0, c[0x0][0x0], P0;", 0x07e0_4c21_0000_0007_0000)]),
    row("IMNMX", 0x3820, 0xfef8, &[DEST_CC, REG_A, IMM_B, PRED_R], imnmx).modifiers(MINMAX).says("Takes the smaller of a source and a number, or the larger.")
        .examples(&[("IMNMX.U32 R0, R0, 0x0, P0;", 0x07e0_3820_0000_0007_0000)]),
];

/// How two integers compare.
#[derive(Clone, Copy)]
struct Order {
    /// Whether the first is below the second.
    less: Value,
    /// Whether both are equal.
    equal: Value,
}

/// Compares two sources as a number of the comparisons says.
fn compare(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> Value {
    if set(l, ".X") {
        return compare_wider(l, a, b);
    }
    match COMPARE.get(&l.insn.word) {
        0 => l.constant(Type::BOOL, 0),
        1 => less(l, a, b),
        2 => l.ieq(a, b),
        3 => not_above(l, a, b),
        4 => less(l, b, a),
        5 => l.ine(a, b),
        6 => not_above(l, b, a),
        _ => l.constant(Type::BOOL, 1),
    }
}

fn less(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> Value {
    if set(l, ".U32") { l.ult(a, b) } else { l.slt(a, b) }
}

fn not_above(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> Value {
    if set(l, ".U32") { l.ule(a, b) } else { l.sle(a, b) }
}

/// Compares two numbers of which the sources are the upper halves.
fn compare_wider(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> Value {
    let Order { less, equal } = order_of_wider(l, a, b);
    let not_above = l.or(less, equal);
    match COMPARE.get(&l.insn.word) {
        0 => l.constant(Type::BOOL, 0),
        1 => less,
        2 => equal,
        3 => not_above,
        4 => l.not(not_above),
        5 => l.not(equal),
        6 => l.not(less),
        _ => l.constant(Type::BOOL, 1),
    }
}

/// The codes hold what the subtraction of the lower halves left, as ptxas compiles comparisons of 64 bits.
fn order_of_wider(l: &mut MaxwellLift<'_, '_>, a: Value, b: Value) -> Order {
    let (complement, carry, zero) = (l.not(b), sum::carry_in(l), l.i32(0));
    let difference = sum::added(l, a, complement, Some(carry));
    let less = if set(l, ".U32") {
        let carry = difference.carry(l);
        l.not(carry)
    } else {
        let (negative, overflow) = (l.slt(difference.value, zero), difference.overflow(l));
        l.xor(negative, overflow)
    };
    let (upper, lower) = (l.ieq(difference.value, zero), code(l, ZERO));
    Order { less, equal: l.and(upper, lower) }
}

fn icmp(l: &mut MaxwellLift<'_, '_>) {
    let (a, b, c, zero) = (l.src(A), l.src(B), l.src(C), l.i32(0));
    let held = compare(l, c, zero);
    let chosen = l.select(held, a, b);
    l.set(D, chosen);
}

fn iset(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let held = compare(l, a, b);
    set_register(l, held);
}

fn isetp(l: &mut MaxwellLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let held = compare(l, a, b);
    set_predicates(l, held);
}

fn imnmx(l: &mut MaxwellLift<'_, '_>) {
    if PART.field.get(&l.insn.word) != 0 {
        return part_of_wider(l);
    }
    let (a, b, least) = (l.src(A), l.src(B), l.src(R));
    let (low, high) = match set(l, ".U32") {
        true => (l.umin(a, b), l.umax(a, b)),
        false => (l.smin(a, b), l.smax(a, b)),
    };
    let chosen = l.select(least, low, high);
    l.set(D, chosen);
    set_codes_of(l, chosen);
}

/// One word of the smaller or larger of two wide numbers: ptxas compiles a maximum of 64 bits to `.XHI`, which sets the
/// codes, and then `.XLO`, which reads them.
///
/// The codes hold how the upper words compare: zero if they are equal, and as after a subtraction the carry if the first
/// is not below. Words further down decide only if all above are equal. That the codes are just these is not public, but
/// no instruction other than the next word's reads them.
fn part_of_wider(l: &mut MaxwellLift<'_, '_>) {
    let (a, b, least) = (l.src(A), l.src(B), l.src(R));
    let mut found = Order { less: less(l, a, b), equal: l.ieq(a, b) };
    if !set(l, ".XHI") {
        let (equal, carry) = (code(l, ZERO), code(l, CARRY));
        let below = l.not(carry);
        found.less = l.select(equal, found.less, below);
        found.equal = l.and(found.equal, equal);
    }
    let above = l.not(found.less);
    let first = l.select(least, found.less, above);
    let chosen = l.select(first, a, b);
    l.set(D, chosen);
    if wants_codes(l) {
        let never = l.constant(Type::BOOL, 0);
        set_codes(l, [found.equal, found.less, above, never]);
    }
}
