//! Logic on the bits of sources.

use super::{always, choice, flag, row, set};
use crate::Maxwell;
use crate::attr::{Attr, FIXED};
use crate::operand::{
    A, B, BANK, C, CONST_B, Change, Constant, D, DEST_CC, Dest, IMM_B, IMMEDIATE, MaxwellLift, Number, P,
    PRED_SPARE, REG_A, REG_B, REG_C, REUSE_A, REUSE_B, Source, Span, TABLE, TABLE_IMM, TABLE_REG, ZERO, code,
    operand, set_codes, wants_codes,
};
use shisa_ir::{Type, Value};
use shisa_rows::{Field, Form, Modifier, Operand};

const PREDICATE: Field = Field::at(36, 2);
/// What the predicate says of the result.
const PREDICATES: &[&str] = &["", ".T", ".Z", ".NZ"];
const OPERATIONS: &[&str] = &[".AND", ".OR", ".XOR", ".PASS_B"];
const LUT: Modifier = always(&[".LUT"]);
const TABLED: &[Modifier] = &[LUT, flag(38, &["", ".X"]), Modifier::new(PREDICATE, PREDICATES)];
const TABLED_CONST: &[Modifier] = &[LUT, flag(56, &["", ".X"])];
const TABLED_IMM: &[Modifier] = &[LUT, flag(57, &["", ".X"])];
const OPERATION: Modifier = choice(41, 2, OPERATIONS);
const OPERATION_32: Modifier = choice(53, 2, OPERATIONS);
const RESULT_TEST: Modifier = choice(44, 2, PREDICATES);
const TWO: &[Modifier] = &[OPERATION, flag(43, &["", ".X"]), RESULT_TEST];
const TWO_32: &[Modifier] = &[OPERATION_32, flag(57, &["", ".X"])];

const BITS_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(39, 1).then(REUSE_A, 1), &Source::BITS);
const BITS_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(40, 1).then(REUSE_B, 1), &Source::BITS);
const CONST_BITS_B: Operand<Maxwell> = operand(B, BANK.then(40, 1), &Constant::of(Source::BITS));
const IMM_BITS_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(40, 1), &Number::SIGNED.change(Change::Invert));
const DEST_CC32: Operand<Maxwell> =
    operand(D, Field::at(0, 8).then(52, 1), &Dest { codes: true, span: Span::One });
const BITS32_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(55, 1).then(REUSE_A, 1), &Source::BITS);
const BITS32: Operand<Maxwell> =
    operand(B, Field::at(20, 32).then(56, 1), &Number::PLAIN.change(Change::Invert));

const LOP_TIMING: Attr = FIXED.reads_codes(6, 1_067);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("LOP", 0x5c40, 0xfff8, &[PRED_SPARE, DEST_CC, BITS_A, BITS_B], lop).attr(LOP_TIMING).modifiers(TWO).says("Combines bits, and may write to a predicate whether the result is zero.")
        .examples(&[("LOP.AND.X.NZ P0, R0, ~R0, R0;", 0x07e0_5c40_3880_0007_0000), ("LOP.PASS_B R0, R0, ~R0;", 0x07e0_5c47_0700_0007_0000)]),
    row("LOP", 0x4c40, 0xfff8, &[PRED_SPARE, DEST_CC, BITS_A, CONST_BITS_B], lop).attr(LOP_TIMING).modifiers(TWO).says("Combines bits with a constant.")
        .examples(&[("LOP.OR P0, R0, R0, c[0x0][0x0];", 0x07e0_4c40_0200_0007_0000)]),
    row("LOP", 0x3840, 0xfef8, &[PRED_SPARE, DEST_CC, BITS_A, IMM_BITS_B], lop).attr(LOP_TIMING).modifiers(TWO).says("Combines bits with a number.")
        .examples(&[("LOP.XOR R0, R0, 0x0.INV;", 0x07e0_3847_0500_0007_0000)]),
    row("LOP32I", 0x0400, 0xfc00, &[DEST_CC32, BITS32_A, BITS32], lop32i).modifiers(TWO_32).says("Combines bits with a number of 32 bits.")
        .examples(&[("@P6 LOP32I.AND R64, ~R4.reuse, 0x8400388.INV;", 0x0002_07e0_0580_8400_3886_0440)]),
    row("LOP3", 0x5be0, 0xfff8, &[PRED_SPARE, DEST_CC, REG_A, REG_B, REG_C, TABLE_REG], lop3_predicate).modifiers(TABLED).says("Looks each bit up in a table of eight, by the bits of three sources, and may write to a predicate whether the result is zero.")
        .examples(&[("LOP3.LUT P0, R0, R0, R0, R0, 0x0;", 0x07e0_5be0_0000_0007_0000), ("LOP3.LUT R0, R1, R2, R3, 0x96;", 0x07e0_5be7_0189_6027_0100)]),
    row("LOP3", 0x0200, 0xfe00, &[DEST_CC, REG_A, CONST_B, REG_C, TABLE_IMM], lop3).modifiers(TABLED_CONST).says("Looks each bit up, by the bits of a constant and two sources.")
        .examples(&[("LOP3.LUT.X R0, R0, c[0x0][0x0], R0, 0x80;", 0x07e0_0380_0000_0007_0000)]),
    row("LOP3", 0x3c00, 0xfc00, &[DEST_CC, REG_A, IMM_B, REG_C, TABLE_IMM], lop3).modifiers(TABLED_IMM).says("Looks each bit up, by the bits of a number and two sources.")
        .examples(&[("LOP3.LUT R0, R0, 0x0, R0, 0x0;", 0x07e0_3c00_0000_0007_0000)]),
];

/// The function of a truth table: bit 4a + 2b + c of it is the result. Written as a sum modulo 2 of
/// products, which makes of the usual tables what one would write by hand.
fn look_up(l: &mut MaxwellLift<'_, '_>, mut table: u64, sources: [Value; 3]) -> Value {
    // The Möbius transform: afterwards bit n says whether the product of the sources in n is a term.
    for (step, keep) in [(1, 0x55), (2, 0x33), (4, 0x0f)] {
        table ^= (table & keep) << step;
    }
    let mut sum: Option<Value> = None;
    for n in (0..8).filter(|n| table >> n & 1 != 0) {
        let factors = (0..3).rev().filter(|bit| n >> bit & 1 != 0).map(|bit| sources[2 - bit]);
        let term = match factors.reduce(|a, b| l.and(a, b)) {
            Some(product) => product,
            None => l.i32(-1),
        };
        sum = Some(sum.map_or(term, |s| l.xor(s, term)));
    }
    sum.unwrap_or_else(|| l.i32(0))
}

fn looked_up(l: &mut MaxwellLift<'_, '_>) -> Value {
    let table = l.insn.field(TABLE);
    let sources = [A, B, C].map(|slot| l.src(slot));
    look_up(l, table, sources)
}

fn lop3(l: &mut MaxwellLift<'_, '_>) {
    let value = looked_up(l);
    give(l, value);
}

fn lop3_predicate(l: &mut MaxwellLift<'_, '_>) {
    let value = looked_up(l);
    let is_zero = give(l, value);
    set_predicate(l, PREDICATE, is_zero);
}

/// Combines two sources as a number of [`OPERATIONS`] says.
fn combined(l: &mut MaxwellLift<'_, '_>, operation: Field) -> Value {
    let (a, b) = (l.src(A), l.src(B));
    match operation.get(&l.insn.word) {
        0 => l.and(a, b),
        1 => l.or(a, b),
        2 => l.xor(a, b),
        _ => b,
    }
}

fn lop(l: &mut MaxwellLift<'_, '_>) {
    let value = combined(l, OPERATION.field);
    let is_zero = give(l, value);
    set_predicate(l, RESULT_TEST.field, is_zero);
}

fn lop32i(l: &mut MaxwellLift<'_, '_>) {
    let value = combined(l, OPERATION_32.field);
    give(l, value);
}

/// Writes a result, and the codes. Logic has no carry; envytools publishes for Tesla that carry and overflow are cleared.
///
/// Gives whether the result is zero. With `.X` an earlier zero is joined, as in comparisons, so that two instructions
/// test 64 bits; no other use of the codes is known, and no public code has this suffix.
fn give(l: &mut MaxwellLift<'_, '_>, value: Value) -> Value {
    let zero = l.i32(0);
    let mut is_zero = l.ieq(value, zero);
    if set(l, ".X") {
        let old = code(l, ZERO);
        is_zero = l.and(is_zero, old);
    }
    l.set(D, value);
    if wants_codes(l) {
        let (negative, never) = (l.slt(value, zero), l.constant(Type::BOOL, 0));
        set_codes(l, [is_zero, negative, never, never]);
    }
    is_zero
}

/// Writes to a predicate what a number of [`PREDICATES`] says of a result.
fn set_predicate(l: &mut MaxwellLift<'_, '_>, what: Field, is_zero: Value) {
    let held = match what.get(&l.insn.word) {
        0 => l.constant(Type::BOOL, 0),
        1 => l.constant(Type::BOOL, 1),
        2 => is_zero,
        _ => l.not(is_zero),
    };
    l.set(P, held);
}
