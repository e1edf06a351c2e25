//! Logic on three sources.

use super::{always, choice, fixed, flag, row};
use crate::Maxwell;
use crate::operand::{
    A, B, C, D, DEST_CC, IMM_B, MaxwellLift, P, PRED_LOGIC, REG_A, REG_B, REG_C, TABLE, TABLE_IMM, TABLE_REG,
    refuse_codes,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Type, Value};
use shisa_rows::{Field, Form, Modifier};

const EXTENDED: Field = Field::at(38, 1);
const PREDICATE: Field = Field::at(36, 2);
const NAMES: &[Modifier] = &[always(&[".LUT"]), flag(38, &["", ".X"])];
const NAMES_IMM: &[Modifier] = &[always(&[".LUT"]), flag(57, &["", ".X"])];
const NAMES_P: &[Modifier] =
    &[always(&[".LUT"]), flag(38, &["", ".X"]), choice(36, 2, &["", ".T", ".Z", ".NZ"])];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("LOP3", (0x5be7_0000_0000_0000, 0xffff_0030_0000_0000), &[DEST_CC, REG_A, REG_B, REG_C, TABLE_REG], |l| lop3(l, EXTENDED)).modifiers(NAMES).says("Looks each bit up in a table of eight, by the bits of three sources.")
        .examples(&[("LOP3.LUT R0, R1, R2, R3, 0x96;", 0x07e0_5be7_0189_6027_0100)]),
    row("LOP3", 0x5be0, 0xfff8, &[PRED_LOGIC, DEST_CC, REG_A, REG_B, REG_C, TABLE_REG], lop3_predicate).modifiers(NAMES_P).yields_to("LOP3").says("Looks each bit up, and tells of the result whether it is zero.")
        .examples(&[("LOP3.LUT P0, R0, R0, R0, R0, 0x0;", 0x07e0_5be0_0000_0007_0000)]),
    row("LOP3", 0x3c00, 0xfc00, &[DEST_CC, REG_A, IMM_B, REG_C, TABLE_IMM], |l| lop3(l, Field::at(57, 1))).modifiers(NAMES_IMM).says("Looks each bit up, by the bits of a number and two sources.")
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

fn result(l: &mut MaxwellLift<'_, '_>, extended: Field) -> Value {
    if extended.get(&l.insn.word) != 0 {
        l.refuse(Diagnostic::error("lift-logic", "extended logic is not known"));
    }
    refuse_codes(l);
    let table = l.insn.field(TABLE);
    let sources = [A, B, C].map(|slot| l.src(slot));
    look_up(l, table, sources)
}

fn lop3(l: &mut MaxwellLift<'_, '_>, extended: Field) {
    let v = result(l, extended);
    l.set(D, v);
}

fn lop3_predicate(l: &mut MaxwellLift<'_, '_>) {
    let v = result(l, EXTENDED);
    let zero = l.i32(0);
    let held = match PREDICATE.get(&l.insn.word) {
        0 => l.constant(Type::BOOL, 0),
        1 => l.constant(Type::BOOL, 1),
        2 => l.ieq(v, zero),
        _ => l.ine(v, zero),
    };
    l.set(D, v);
    l.set(P, held);
}
