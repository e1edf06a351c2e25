//! Predicates, condition codes and votes.

use super::{BOOLEAN, choice, flag, joined, row, set_predicate_pair, set_predicates, set_register};
use crate::Maxwell;
use crate::attr::{Attr, FIXED};
use crate::operand::{
    A, B, CC, CONDITIONS, CONST_B, Codes, D, DEST, DEST_CC, Dest, Flags, IMM_B, IMMEDIATE, MaxwellLift, N,
    Number, P, PRED_P, PRED_Q, PRED_R, Predicate, R, REG_A, REG_B, REUSE_A, Source, operand, part, set_flags,
    test, unless_rz, unless_usual,
};
use shisa_diag::Diagnostic;
use shisa_ir::{LaneOp, Op, Type, Value};
use shisa_rows::{Field, Form, Modifier, Operand};

/// How the first two predicates are joined.
const FIRST: Modifier = choice(24, 2, super::BOOLEANS);
const FLOAT: Modifier = flag(44, &["", ".BF"]);
const CONDITION: Modifier = choice(8, 5, CONDITIONS);
const PSET: &[Modifier] = &[FLOAT, FIRST, BOOLEAN];
const PSETP: &[Modifier] = &[FIRST, BOOLEAN];
const CSET: &[Modifier] = &[FLOAT, CONDITION, BOOLEAN];
const CSETP: &[Modifier] = &[CONDITION, BOOLEAN];
const BYTES: &[&str] = &["", ".B1", ".B2", ".B3"];
const BYTE: &[Modifier] = &[choice(41, 2, BYTES)];
const VOTE_MODE: Field = Field::at(48, 2);
const VOTE: &[Modifier] = &[choice(48, 2, &[".ALL", ".ANY", ".EQ", ".INVALIDVMODE3"])];
const VOTE_VTG: &[Modifier] =
    &[Modifier::new(Field::at(48, 2), &[".VTG.R", ".VTG.A", ".VTG.RA", ".VTG.INVALIDVTGMODE3"])];

const READ: Predicate = Predicate { written: false };
const PRED_A: Operand<Maxwell> = operand(A, Field::at(12, 4), &READ);
const PRED_B: Operand<Maxwell> = operand(B, Field::at(29, 4), &READ);
const PRED_VOTE: Operand<Maxwell> = operand(P, Field::at(45, 3), &Predicate { written: true });
/// The lanes, as bits.
const DEST_SPARE: Operand<Maxwell> = operand(D, Field::at(0, 8), &unless_rz(&Dest::ONE));
const CODES: Operand<Maxwell> = operand(CC, Field::NONE, &Codes);
/// Which predicates are meant, where a number says it.
const MASK: Option<Field> = Some(Field::at(20, 7));
const FLAGS: Field = Field::at(40, 1);
const FROM_FLAGS: Operand<Maxwell> = operand(CC, FLAGS, &Flags { written: false, mask: None });
const FROM_MASKED: Operand<Maxwell> = operand(CC, FLAGS, &Flags { written: false, mask: MASK });
const TO_FLAGS: Operand<Maxwell> = operand(CC, FLAGS, &Flags { written: true, mask: None });
const TO_MASKED: Operand<Maxwell> = operand(CC, FLAGS, &Flags { written: true, mask: MASK });
const BYTE_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(41, 2).then(REUSE_A, 1), &Source::PLAIN.parts(BYTES));
const MASK_B: Operand<Maxwell> = operand(B, IMMEDIATE, &unless_usual(0xffff));
const VOTES: Operand<Maxwell> = operand(N, Field::at(20, 28), &Number::PLAIN);

const P2R_TIMING: Attr = FIXED.reads(6, 439).reads_codes(13, 124);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("PSET", 0x5088, 0xfff8, &[DEST_CC, PRED_A, PRED_B, PRED_R], pset).modifiers(PSET).says("Joins three predicates, and gives all ones or 1.0 where the result holds.")
        .examples(&[("PSET.BF.AND.XOR R0, P0, P0, P0;", 0x07e0_5088_5000_0007_0000)]),
    row("PSETP", 0x5090, 0xfff8, &[PRED_P, PRED_Q, PRED_A, PRED_B, PRED_R], psetp).modifiers(PSETP).says("Joins three predicates twice: for the second result, the opposite of the first of them.")
        .examples(&[("PSETP.OR.AND P0, P0, !PT, P0, P0;", 0x07e0_5090_0000_0107_f000)]),
    row("CSET", 0x5098, 0xfff8, &[DEST_CC, CODES, PRED_R], cset).modifiers(CSET).says("Tests the condition codes, joins the result with a predicate, and gives all ones or 1.0 where it holds.")
        .examples(&[("CSET.BF.RGT.AND R0, CC, P0;", 0x07e0_5098_1000_0007_1f00)]),
    row("CSETP", 0x50a0, 0xfff8, &[PRED_P, PRED_Q, CODES, PRED_R], csetp).modifiers(CSETP).says("Tests the condition codes, and joins the result and its opposite with a predicate.")
        .examples(&[("CSETP.NE.OR P0, P0, CC, P0;", 0x07e0_50a0_2000_0007_0500)]),
    row("P2R", 0x5ce8, 0xfff8, &[DEST, FROM_FLAGS, REG_A, REG_B], p2r).attr(P2R_TIMING).modifiers(BYTE).says("Puts predicates or condition codes into a byte of the first source, where the second source has bits set.")
        .examples(&[("P2R.B1 R0, PR, R0, R0;", 0x07e0_5ce8_0200_0007_0000)]),
    row("P2R", 0x4ce8, 0xfff8, &[DEST, FROM_FLAGS, REG_A, CONST_B], p2r).attr(P2R_TIMING).modifiers(BYTE).says("Puts predicates or condition codes into a byte, where a constant has bits set.")
        .examples(&[("P2R R0, CC, R0, c[0x0][0x0];", 0x07e0_4ce8_0100_0007_0000)]),
    row("P2R", 0x38e8, 0xfef8, &[DEST, FROM_MASKED, REG_A, IMM_B], p2r).attr(P2R_TIMING).modifiers(BYTE).says("Puts predicates or condition codes into a byte, where a number has bits set.")
        .examples(&[("@P0 P2R.B3 R0, CC, RZ, 0x0;", 0x07e0_38e8_0700_0000_ff00)]),
    row("R2P", 0x5cf0, 0xfff8, &[TO_FLAGS, BYTE_A, REG_B], r2p).says("Takes predicates or condition codes from a byte, where the second source has bits set.")
        .examples(&[("R2P PR, R0.B1, R0;", 0x07e0_5cf0_0200_0007_0000)]),
    row("R2P", 0x4cf0, 0xfff8, &[TO_FLAGS, BYTE_A, CONST_B], r2p).says("Takes predicates or condition codes from a byte, where a constant has bits set.")
        .examples(&[("R2P PR, R0, c[0x0][0x0];", 0x07e0_4cf0_0000_0007_0000)]),
    row("R2P", 0x38f0, 0xfef8, &[TO_MASKED, BYTE_A, MASK_B], r2p).says("Takes predicates or condition codes from a byte, where a number has bits set.")
        .examples(&[("@P0 R2P CC, RZ.B3, 0x0;", 0x07e0_38f0_0700_0000_ff00), ("R2P PR, R10;", 0x07e0_38f0_000f_fff7_0a00)]),
    row("VOTE", 0x50d8, 0xfff8, &[DEST_SPARE, PRED_VOTE, PRED_R], vote).modifiers(VOTE).says("Finds in which lanes a predicate holds, and whether in all, any, or as many as none or all.")
        .examples(&[("VOTE.ANY R0, P0, P0;", 0x07e0_50d9_0000_0007_0000), ("VOTE.ALL P5, P0;", 0x07e0_50d8_a000_0007_00ff)]),
    row("VOTE", 0x50e0, 0xfff8, &[VOTES], vote_vtg).modifiers(VOTE_VTG).says("Votes among the lanes of vertex and geometry stages.")
        .examples(&[("@P5 VOTE.VTG.RA 0xe3602d3;", 0x07e0_50e2_e360_2d35_0000)]),
];

/// Joins the first two predicates.
fn first(l: &mut MaxwellLift<'_, '_>) -> Value {
    let (a, b) = (l.src(A), l.src(B));
    joined(l, FIRST.field.get(&l.insn.word), a, b)
}

fn pset(l: &mut MaxwellLift<'_, '_>) {
    let held = first(l);
    set_register(l, held);
}

/// The second result joins the opposite of the first predicate with the second one, not the opposite of the first result:
/// tests that others ran on a Switch show it.
fn psetp(l: &mut MaxwellLift<'_, '_>) {
    let (how, a, b) = (FIRST.field.get(&l.insn.word), l.src(A), l.src(B));
    let opposite = l.not(a);
    let results = [a, opposite].map(|a| joined(l, how, a, b));
    set_predicate_pair(l, results);
}

/// Whether the condition codes fulfil the condition of the suffix.
fn condition(l: &mut MaxwellLift<'_, '_>) -> Value {
    test(l, CONDITION.field.get(&l.insn.word))
}

fn cset(l: &mut MaxwellLift<'_, '_>) {
    let held = condition(l);
    set_register(l, held);
}

fn csetp(l: &mut MaxwellLift<'_, '_>) {
    let held = condition(l);
    set_predicates(l, held);
}

/// The mask counts from the byte's first bit: ptxas writes `P2R.B1 R0, PR, R0, 0x7f`. Bits without a predicate or a
/// condition code become 0 where the mask has them.
fn p2r(l: &mut MaxwellLift<'_, '_>) {
    let (bits, a, mask) = (l.src(CC), l.src(A), l.src(B));
    let first = 8 * BYTE[0].field.get(&l.insn.word) as i32;
    let (byte, first) = (l.i32(0xff), l.i32(first));
    let mask = l.and(mask, byte);
    let new = l.and(bits, mask);
    let (new, mask) = (l.shl(new, first), l.shl(mask, first));
    let others = l.not(mask);
    let kept = l.and(a, others);
    let value = l.or(kept, new);
    l.set(D, value);
}

fn r2p(l: &mut MaxwellLift<'_, '_>) {
    let (a, mask, first) = (l.src(A), l.src(B), 8 * part(l, A) as i32);
    let first = l.i32(first);
    let byte = l.lshr(a, first);
    set_flags(l, CC, byte, mask);
}
/// The votes of the active lanes: the ballot, and whether all, any, or as many as none or all of them hold.
fn vote(l: &mut MaxwellLift<'_, '_>) {
    let (held, mode) = (l.src(R), VOTE_MODE.get(&l.insn.word));
    let ballot = l.push(Op::Lane { op: LaneOp::Ballot, a: held, b: held }, Type::I32);
    let mut truth = |op| l.push(Op::Lane { op, a: held, b: held }, Type::BOOL);
    let agreed = match mode {
        0 => truth(LaneOp::All),
        1 => truth(LaneOp::Any),
        2 => {
            let (all, any) = (truth(LaneOp::All), truth(LaneOp::Any));
            // All hold where any does.
            l.ieq(all, any)
        }
        _ => return l.refuse(Diagnostic::error("lift-vote", "this mode of a vote does not exist")),
    };
    l.set(D, ballot);
    l.set(P, agreed);
}

/// Votes of vertex and geometry stages join state that no instruction reads: open emulators give them no effect.
fn vote_vtg(_: &mut MaxwellLift<'_, '_>) {}
