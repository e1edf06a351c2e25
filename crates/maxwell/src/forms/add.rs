//! Sums of integers.

use super::sum::{self, Sum, Summand};
use super::{always, choice, flag, row, set};
use crate::Maxwell;
use crate::attr::{Attr, FIXED};
use crate::operand::{
    A, B, BANK, C, CONST_B, CONST_INT_B, Change, Constant, D, DEST_CC, Dest, IMM_B, IMMEDIATE, INT_A, INT_B,
    MaxwellLift, N, Number, OVERFLOW, P, PRED_SPARE, PT, REG_A, REG_B, REG_C, REUSE_A, REUSE_B, REUSE_C,
    Source, Span, code, operand, part, unless_usual, wants_codes,
};
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Form, Modifier, Operand, Slot};

const SATURATE: Modifier = flag(50, &["", ".SAT"]);
const EXTENDED: Modifier = flag(43, &["", ".X"]);
const ADD: &[Modifier] = &[SATURATE, EXTENDED];
/// Suffixes where the bits of both signs are set, which means plus one.
const PLUS_ONE: &[Modifier] = &[always(&[".PO"]), SATURATE, EXTENDED];
const ADD_32: &[Modifier] = &[flag(54, &["", ".SAT"]), flag(53, &["", ".X"])];
const PLUS_ONE_32: &[Modifier] = &[always(&[".PO"]), flag(54, &["", ".SAT"]), flag(53, &["", ".X"])];
const ONLY_PLUS_ONE: &[Modifier] = &[always(&[".PO"])];
const LEA_NAMES: &[Modifier] = &[flag(46, &["", ".X"])];
const HIGH: &[Modifier] = &[always(&[".HI"]), flag(38, &["", ".X"])];
const HIGH_CONST: &[Modifier] = &[always(&[".HI"]), flag(57, &["", ".X"])];
const ADD3: &[Modifier] = &[flag(48, &["", ".X"])];
const ADD3_SHIFTED: &[Modifier] = &[choice(37, 2, &["", ".RS", ".LS", ".???3"]), flag(48, &["", ".X"])];

/// A number with sign, and whether it is negated.
const IMM_NEG_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(48, 1), &Number::SIGNED.change(Change::Negate));
/// A number of 32 bits with sign.
const SIGNED32: Operand<Maxwell> = operand(B, Field::at(20, 32), &Number::SIGNED);
/// First source of a sum with 32 bits in the instruction.
const INT_A56: Operand<Maxwell> = operand(A, Field::at(8, 8).then(56, 1).then(REUSE_A, 1), &Source::INTEGER);
/// A destination and the bit of the condition codes, where 32 bits are in the instruction.
const DEST_CC32: Operand<Maxwell> =
    operand(D, Field::at(0, 8).then(52, 1), &Dest { codes: true, span: Span::One });
const SHIFT: Operand<Maxwell> = operand(N, Field::at(39, 5), &Number::PLAIN);
const SHIFT32: Operand<Maxwell> = operand(N, Field::at(53, 5), &Number::PLAIN);

const HALVES: &[&str] = &["", ".H0", ".H1", ".???3"];
const PART: Source = Source::INTEGER.parts(HALVES);
const PART_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(51, 1).then(35, 2).then(REUSE_A, 1), &PART);
const PART_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(50, 1).then(33, 2).then(REUSE_B, 1), &PART);
const PART_C: Operand<Maxwell> = operand(C, Field::at(39, 8).then(49, 1).then(31, 2).then(REUSE_C, 1), &PART);
const INT_A51: Operand<Maxwell> = operand(A, Field::at(8, 8).then(51, 1).then(REUSE_A, 1), &Source::INTEGER);
const INT_C49: Operand<Maxwell> = operand(C, Field::at(39, 8).then(49, 1).then(REUSE_C, 1), &Source::INTEGER);
const CONST_INT_B50: Operand<Maxwell> = operand(B, BANK.then(50, 1), &Constant::of(Source::INTEGER));
const UNSIGNED_NEG_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(50, 1), &Number::SILENTLY_SIGNED.change(Change::Negate));

const INT_A45: Operand<Maxwell> = operand(A, Field::at(8, 8).then(45, 1).then(REUSE_A, 1), &Source::INTEGER);
const INT_A37: Operand<Maxwell> = operand(A, Field::at(8, 8).then(37, 1).then(REUSE_A, 1), &Source::INTEGER);
const LEA_SHIFT: Operand<Maxwell> = operand(N, Field::at(39, 5), &unless_usual(0));
const HIGH_SHIFT: Operand<Maxwell> = operand(N, Field::at(28, 5), &unless_usual(0));
const CONST_SHIFT: Operand<Maxwell> = operand(N, Field::at(51, 5), &unless_usual(0));

const IADD_TIMING: Attr = FIXED.reads_codes(6, 363_755);
const IADD32I_TIMING: Attr = FIXED.reads_codes(6, 3_496);
const IADD3_TIMING: Attr = FIXED.reads_codes(6, 19_492);
const LEA_TIMING: Attr = FIXED.reads_codes(6, 130_833);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("IADD", 0x5c13, 0xfffb, &[DEST_CC, REG_A, REG_B], |l| iadd(l, 1)).attr(IADD_TIMING).modifiers(PLUS_ONE).says("Adds, plus one.")
        .examples(&[("IADD.PO R1, R0, R2;", 0x07e0_5c13_0000_0027_0001)]),
    row("IADD", 0x4c13, 0xfffb, &[DEST_CC, REG_A, CONST_B], |l| iadd(l, 1)).attr(IADD_TIMING).modifiers(PLUS_ONE).says("Adds a constant, plus one.")
        .examples(&[("IADD.PO R1, R0, c[0x0][0x8];", 0x07e0_4c13_0000_0027_0001)]),
    row("IADD", 0x3813, 0xfefb, &[DEST_CC, REG_A, IMM_B], |l| iadd(l, 1)).attr(IADD_TIMING).modifiers(PLUS_ONE).says("Adds a number, plus one.")
        .examples(&[("IADD.PO.SAT R0, R0, 0x0;", 0x07e0_3817_0000_0007_0000)]),
    row("IADD", 0x5c10, 0xfff8, &[DEST_CC, INT_A, INT_B], |l| iadd(l, 0)).attr(IADD_TIMING).modifiers(ADD).yields_to("IADD").says("Adds.")
        .examples(&[("IADD R1, -R0, R2;", 0x07e0_5c12_0000_0027_0001)]),
    row("IADD", 0x4c10, 0xfff8, &[DEST_CC, INT_A, CONST_INT_B], |l| iadd(l, 0)).attr(IADD_TIMING).modifiers(ADD).yields_to("IADD").says("Adds a constant.")
        .examples(&[("IADD R0.CC, R0, c[0x0][0x140];", 0x07e0_4c10_8000_0507_0000), ("IADD.X R1, RZ, c[0x0][0x144];", 0x07e0_4c10_0800_0517_ff01)]),
    row("IADD", 0x3810, 0xfef8, &[DEST_CC, INT_A, IMM_NEG_B], |l| iadd(l, 0)).attr(IADD_TIMING).modifiers(ADD).yields_to("IADD").says("Adds a number.")
        .examples(&[("@!P3 IADD R32, R2, -0x6d7f5;", 0x07e0_3910_0012_80bb_0220), ("IADD R0, R0, 0x0.NEG;", 0x07e0_3811_0000_0007_0000)]),
    row("IADD32I", 0x1d80, 0xff80, &[DEST_CC32, REG_A, SIGNED32], |l| iadd(l, 1)).attr(IADD32I_TIMING).modifiers(PLUS_ONE_32).says("Adds a number of 32 bits, plus one.")
        .examples(&[("IADD32I.PO R0, R0, 0x0;", 0x07e0_1d80_0000_0007_0000)]),
    row("IADD32I", 0x1c00, 0xfe80, &[DEST_CC32, INT_A56, SIGNED32], |l| iadd(l, 0)).attr(IADD32I_TIMING).modifiers(ADD_32).yields_to("IADD32I").says("Adds a number of 32 bits.")
        .examples(&[("IADD32I.SAT.X R0, -R0, 0x0;", 0x07e0_1d60_0000_0007_0000)]),
    row("IADD3", 0x5cc0, 0xfff0, &[DEST_CC, PART_A, PART_B, PART_C], iadd3).attr(IADD3_TIMING).modifiers(ADD3_SHIFTED).says("Adds three sources or halves of them; the sum of the first two may be shifted by 16 bits before.")
        .examples(&[("IADD3.RS R8.CC, -R0, R64.H0, R32.H1;", 0x07e0_5cc8_9023_0407_0008), ("IADD3 R0, R0, R0, R0.???3;", 0x07e0_5cc0_0001_8007_0000)]),
    row("IADD3", 0x4cc0, 0xfff0, &[DEST_CC, INT_A51, CONST_INT_B50, INT_C49], iadd3).attr(IADD3_TIMING).modifiers(ADD3).says("Adds a constant and two sources.")
        .examples(&[("IADD3 R0, R0, c[0x0][0x0], R0;", 0x07e0_4cc0_0000_0007_0000)]),
    row("IADD3", 0x38c0, 0xfef0, &[DEST_CC, INT_A51, UNSIGNED_NEG_B, INT_C49], iadd3).attr(IADD3_TIMING).modifiers(ADD3).says("Adds a number and two sources; the number has a sign, though its text has none.")
        .examples(&[("IADD3 R0, -R0, 0x0.NEG, R0;", 0x07e0_38cc_0000_0007_0000), ("IADD3 R0, R0, 0x80000, R0;", 0x07e0_39c0_0000_0007_0000)]),
    row("ISCADD", 0x5c1b, 0xfffb, &[DEST_CC, REG_A, REG_B, SHIFT], |l| iscadd(l, 1)).modifiers(ONLY_PLUS_ONE).says("Shifts left and adds, plus one.")
        .examples(&[("ISCADD.PO R0, R0, R0, 0x0;", 0x07e0_5c1b_0000_0007_0000)]),
    row("ISCADD", 0x4c1b, 0xfffb, &[DEST_CC, REG_A, CONST_B, SHIFT], |l| iscadd(l, 1)).modifiers(ONLY_PLUS_ONE).says("Shifts left and adds a constant, plus one.")
        .examples(&[("ISCADD.PO R0, R0, c[0x0][0x0], 0x0;", 0x07e0_4c1b_0000_0007_0000)]),
    row("ISCADD", 0x381b, 0xfefb, &[DEST_CC, REG_A, IMM_B, SHIFT], |l| iscadd(l, 1)).modifiers(ONLY_PLUS_ONE).says("Shifts left and adds a number, plus one.")
        .examples(&[("ISCADD.PO R0, R0, 0x0, 0x0;", 0x07e0_381b_0000_0007_0000)]),
    row("ISCADD", 0x5c18, 0xfff8, &[DEST_CC, INT_A, INT_B, SHIFT], |l| iscadd(l, 0)).yields_to("ISCADD").says("Shifts left and adds.")
        .examples(&[("ISCADD R0, R0, -R0, 0x0;", 0x07e0_5c19_0000_0007_0000)]),
    row("ISCADD", 0x4c18, 0xfff8, &[DEST_CC, INT_A, CONST_INT_B, SHIFT], |l| iscadd(l, 0)).yields_to("ISCADD").says("Shifts left and adds a constant.")
        .examples(&[("ISCADD R0, R0, c[0x0][0x0], 0x0;", 0x07e0_4c18_0000_0007_0000)]),
    row("ISCADD", 0x3818, 0xfef8, &[DEST_CC, INT_A, IMM_NEG_B, SHIFT], |l| iscadd(l, 0)).yields_to("ISCADD").says("Shifts left and adds a number.")
        .examples(&[("ISCADD R0, R0, 0x0.NEG, 0x0;", 0x07e0_3819_0000_0007_0000)]),
    row("ISCADD32I", 0x1400, 0xfc00, &[DEST_CC32, REG_A, SIGNED32, SHIFT32], |l| iscadd(l, 0)).says("Shifts left and adds a number of 32 bits.")
        .examples(&[("ISCADD32I R0, R0, -0x80000000, 0x16;", 0x07e0_16c8_0000_0007_0000)]),
    row("LEA", 0x5bd8, 0xfff8, &[PRED_SPARE, DEST_CC, INT_A37, REG_B, REG_C, HIGH_SHIFT], lea_high).attr(LEA_TIMING).modifiers(HIGH).says("Shifts 64 bits of two sources left and adds the upper half.")
        .examples(&[("LEA.HI.X P0, R0, -R15, R0, R1, 0x10;", 0x07e0_5bd8_00e1_0007_0f00), ("LEA.HI R0, R0, R0, R0;", 0x07e0_5bdf_0000_0007_0000)]),
    row("LEA", 0x1800, 0xfc00, &[PRED_SPARE, DEST_CC, INT_A56, CONST_B, REG_C, CONST_SHIFT], lea_high).attr(LEA_TIMING).modifiers(HIGH_CONST).says("Shifts 64 bits of two sources left and adds the upper half to a constant.")
        .examples(&[("LEA.HI R0, R0, c[0x0][0x0], R0, 0x1;", 0x07e0_180f_0000_0007_0000), ("LEA.HI P0, R0, R0, c[0x0][0x0], R0;", 0x07e0_1800_0000_0007_0000)]),
    row("LEA", 0x5bd0, 0xfff8, &[PRED_SPARE, DEST_CC, INT_A45, REG_B, LEA_SHIFT], lea).attr(LEA_TIMING).modifiers(LEA_NAMES).says("Shifts left and adds; a predicate takes the carry.")
        .examples(&[("LEA P0, R0, -R0, R0;", 0x07e0_5bd0_2000_0007_0000), ("@P0 LEA R0, RZ, R0, 0xe;", 0x07e0_5bd7_0700_0000_ff00)]),
    row("LEA", 0x4bd0, 0xfff8, &[PRED_SPARE, DEST_CC, INT_A45, CONST_B, LEA_SHIFT], lea).attr(LEA_TIMING).modifiers(LEA_NAMES).says("Shifts left and adds a constant.")
        .examples(&[("LEA.X P0, R0, R0, c[0x0][0x0];", 0x07e0_4bd0_4000_0007_0000)]),
    row("LEA", 0x36d0, 0xfef8, &[PRED_SPARE, DEST_CC, INT_A45, IMM_B, LEA_SHIFT], lea).attr(LEA_TIMING).modifiers(LEA_NAMES).says("Shifts left and adds a number.")
        .examples(&[("@P0 LEA P0, R0, RZ, 0x0, 0xe;", 0x07e0_36d0_0700_0000_ff00)]),
];

fn iadd(l: &mut MaxwellLift<'_, '_>, one_more: i32) {
    let summands = [A, B].map(|slot| Summand::source(l, slot));
    sum::add(l, summands, one_more);
}

/// A source of a sum of three, or a half of it without sign.
fn summand(l: &mut MaxwellLift<'_, '_>, slot: Slot) -> Summand {
    let whole = Summand::source(l, slot);
    let value = match part(l, slot) {
        0 => whole.value,
        1 => {
            let low = l.i32(0xffff);
            l.and(whole.value, low)
        }
        2 => {
            let sixteen = l.i32(16);
            l.lshr(whole.value, sixteen)
        }
        _ => {
            l.refuse(Diagnostic::error("lift-parts", "no source has a half with the number 3"));
            whole.value
        }
    };
    Summand { value, ..whole }
}

fn iadd3(l: &mut MaxwellLift<'_, '_>) {
    let summands = [A, B, C].map(|slot| summand(l, slot));
    match () {
        () if set(l, ".???3") => {
            l.refuse(Diagnostic::error("lift-parts", "sums have no shift with the number 3"));
        }
        () if set(l, ".RS") || set(l, ".LS") => shifted_three(l, summands),
        () if set(l, ".X") || wants_codes(l) => three_with_codes(l, summands),
        () => {
            let [a, b, c] = summands.map(|summand| summand.signed(l));
            let first = l.iadd(a, b);
            let sum = l.iadd(first, c);
            l.set(D, sum);
        }
    }
}

/// The sum of the first two has 33 bits before it is shifted right: envytools states so, and ptxas' products of 64 bits
/// rely on it.
fn shifted_three(l: &mut MaxwellLift<'_, '_>, [a, b, c]: [Summand; 3]) {
    let (a, b, sixteen) = (a.signed(l), b.signed(l), l.i32(16));
    let first = sum::added(l, a, b, None);
    let shifted = if set(l, ".LS") {
        l.shl(first.value, sixteen)
    } else {
        let (low, carry) = (l.lshr(first.value, sixteen), first.carry(l));
        let (bit, none) = (l.i32(0x1_0000), l.i32(0));
        let high = l.select(carry, bit, none);
        l.or(low, high)
    };
    sum::add(l, [Summand::plus(shifted), c], 0);
}

/// The hardware adds the first two summands, then the third, and each sum has a carry. Overflow is the carry of the first
/// sum and carry is that of the second: tests that others ran on a Switch show it. `.X` adds one for each of both.
fn three_with_codes(l: &mut MaxwellLift<'_, '_>, summands: [Summand; 3]) {
    let [first, second] = if set(l, ".X") {
        let (one, zero, overflow) = (l.i32(1), l.i32(0), code(l, OVERFLOW));
        [l.select(overflow, one, zero), sum::carry_in(l)].map(Some)
    } else {
        // Each sum can add one, which is enough for two summands that are subtracted.
        match summands.map(|summand| summand.negative) {
            [true, true, true] => {
                return l
                    .refuse(Diagnostic::error("lift-codes", "a carry of 3 has no known condition codes"));
            }
            [a, b, c] => [a || b, a && b || c].map(|more| more.then(|| l.i32(1))),
        }
    };
    let [a, b, c] = summands.map(|summand| summand.bits(l));
    let two = sum::added(l, a, b, first);
    let three = sum::added(l, two.value, c, second);
    l.set(D, three.value);
    if wants_codes(l) {
        let flags = [three.carry(l), two.carry(l)];
        sum::finish_codes(l, three.value, flags);
    }
}

/// The first source, shifted; its sign is that of the shifted number.
fn shifted(l: &mut MaxwellLift<'_, '_>) -> Summand {
    let (a, n) = (Summand::source(l, A), l.src(N));
    Summand { value: l.shl(a.value, n), ..a }
}

fn iscadd(l: &mut MaxwellLift<'_, '_>, one_more: i32) {
    let summands = [shifted(l), Summand::source(l, B)];
    sum::add(l, summands, one_more);
}

/// The predicate takes the carry.
fn lea(l: &mut MaxwellLift<'_, '_>) {
    let summands = [shifted(l), Summand::source(l, B)];
    if l.insn.field(P) == PT {
        return sum::add(l, summands, 0);
    }
    let sum = sum::full(l, summands, 0);
    sum::finish(l, sum);
    set_carry(l, sum);
}

/// Writes the carry to the predicate, unless that is true always.
fn set_carry(l: &mut MaxwellLift<'_, '_>, sum: Sum) {
    if l.insn.field(P) != PT {
        let carry = sum.carry(l);
        l.set(P, carry);
    }
}

/// The number that is shifted has 64 bits, and so has its sign: it matters to the upper half only where the lower half
/// is zero, unless the carry of the lower half's sum is read.
fn lea_high(l: &mut MaxwellLift<'_, '_>) {
    let (low, b, c, n) = (Summand::source(l, A), l.src(B), l.src(C), l.src(N));
    let width = l.i32(32);
    let rest = l.isub(width, n);
    let (high, middle) = (l.shl(c, n), l.lshr(low.value, rest));
    let high = Summand { value: l.or(high, middle), ..low };
    let more = match () {
        () if set(l, ".X") => Some(sum::carry_in(l)),
        () if low.negative => {
            let low_half = l.shl(low.value, n);
            Some(sum::borrowed(l, low_half))
        }
        () => None,
    };
    let high = high.bits(l);
    let sum = sum::added(l, high, b, more);
    sum::finish(l, sum);
    set_carry(l, sum);
}
