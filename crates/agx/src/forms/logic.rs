//! Operations on single bits: a table of four entries, one for each pair of bits, defines the row. Moves are one of
//! them.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{A, ALU_A, ALU_B, AgxLift, B, D, DEST_44, OPERATION, TRUTH_TABLE, word};
use shisa_rows::{Form, Operand};

const ONE: &[Operand<Agx>] = &[DEST_44, ALU_A];
const TWO: &[Operand<Agx>] = &[DEST_44, ALU_A, ALU_B];

/// Fixed bits of a row whose result is set where neither source is, only the first, only the second, both.
const fn table(neither: u128, first: u128, second: u128, both: u128) -> u128 {
    0x7e | neither << 26 | first << 27 | second << 38 | both << 39
}

/// A row of one source; the second is the number 0.
const fn one(name: &'static str, table: u128, lift: fn(&mut AgxLift<'_, '_>)) -> Form<Agx> {
    row(name, Facts::SIMPLE, 6, (0x3ff_fc00_807f, table), ONE, lift)
}

const fn two(name: &'static str, table: u128, lift: fn(&mut AgxLift<'_, '_>)) -> Form<Agx> {
    row(name, Facts::SIMPLE, 6, (0xc0_0c00_807f, table), TWO, lift)
}

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    one("not_a", table(0, 0, 1, 1), mov).says("Copies the source, by the table that would take the second of two.").spelled(applegpu::BITOP_MOV_A)
        .examples(&[("not_a    r1, r2", 0x00c0_0244_057e)]),
    one("mov", table(0, 1, 0, 1), mov).says("Copies a register, uniform or number.")
        .examples(&[("mov      r40, r3l", 0x1080_0846_217e)]),
    one("not", table(1, 0, 1, 0), not).says("Flips all bits.")
        .examples(&[("not      r1, r2", 0x0040_0644_057e)]),
    one("mov_a", table(1, 1, 0, 0), mov).says("Copies the source, by the table that would flip the second of two.").spelled(applegpu::BITOP_MOV_A)
        .examples(&[("mov_a    r1, r2", 0x0e44_057e)]),
    two("zero", table(0, 0, 0, 0), |l| constant(l, 0)).says("Clears all bits.").spelled(applegpu::BITOP)
        .examples(&[("zero     r0, 0, 0", 0x0000_017e)]),
    two("and", table(0, 0, 0, 1), |l| logic(l, true, false, true, false)).says("Keeps bits that both sources have.")
        .examples(&[("and      r0, r0, 31", 0x0081_f240_017e)]),
    two("andn1", table(0, 0, 1, 0), |l| logic(l, false, false, true, false)).says("Keeps bits of the second source that the first lacks.").spelled(applegpu::BITOP)
        .examples(&[("andn1    r0, r0, 31", 0x0041_f240_017e)]),
    two("andn2", table(0, 1, 0, 0), |l| logic(l, true, false, false, false)).says("Keeps bits of the first source that the second lacks.").spelled(applegpu::BITOP)
        .examples(&[("andn2    r0, r0, 31", 0x0001_fa40_017e)]),
    two("xor", table(0, 1, 1, 0), |l| exclusive(l, false)).says("Keeps bits that one of the sources has.")
        .examples(&[("xor      r2, u8, r2", 0x0064_4990_097e)]),
    two("or", table(0, 1, 1, 1), |l| logic(l, true, true, true, false)).says("Keeps bits that any of the sources has.")
        .examples(&[("or       r5, r2, u33", 0x01d8_2a44_157e)]),
    two("nor", table(1, 0, 0, 0), |l| logic(l, true, true, true, true)).says("Sets bits that no source has.")
        .examples(&[("nor      r0, r0, 31", 0x0001_f640_017e)]),
    two("xnor", table(1, 0, 0, 1), |l| exclusive(l, true)).says("Sets bits in which the sources agree.")
        .examples(&[("xnor     r0, r0, 31", 0x0081_f640_017e)]),
    two("orn1", table(1, 0, 1, 1), |l| logic(l, false, true, true, false)).says("Sets bits that the second source has or the first lacks.").spelled(applegpu::BITOP)
        .examples(&[("orn1     r0, r0, 31", 0x00c1_f640_017e)]),
    two("orn2", table(1, 1, 0, 1), |l| logic(l, true, true, false, false)).says("Sets bits that the first source has or the second lacks.").spelled(applegpu::BITOP)
        .examples(&[("orn2     r0, r0, 31", 0x0081_fe40_017e)]),
    two("nand", table(1, 1, 1, 0), |l| logic(l, true, false, true, true)).says("Sets bits that not both sources have.")
        .examples(&[("nand     r0, r0, 31", 0x0041_fe40_017e)]),
    two("one", table(1, 1, 1, 1), |l| constant(l, u64::MAX)).says("Sets all bits.").spelled(applegpu::BITOP)
        .examples(&[("one      r0, 0, 0", 0x00c0_0c00_017e)]),
    row("bitop", Facts::SIMPLE, 6, (0x807f, 0x7e), &[DEST_44, ALU_A, ALU_B, TRUTH_TABLE], any).otherwise().says("Applies a table of four bits: the result where neither source has a bit, only the first, only the second, both.").spelled(applegpu::BITOP)
        .examples(&[("bitop    r1, r2, r3, 0101", 0x00a4_6a44_057e)]),
];

/// The table as a sum of the products that it has.
fn any(l: &mut AgxLift<'_, '_>) {
    let (a, b) = (word(l, A), word(l, B));
    let table = l.insn.field(OPERATION);
    let mut sum = l.i32(0);
    for product in (0..4).filter(|product| table >> product & 1 != 0) {
        let a = if product & 1 != 0 { a } else { l.not(a) };
        let b = if product & 2 != 0 { b } else { l.not(b) };
        let both = l.and(a, b);
        sum = l.or(sum, both);
    }
    l.set(D, sum);
}

fn mov(l: &mut AgxLift<'_, '_>) {
    let v = word(l, A);
    l.set(D, v);
}

fn not(l: &mut AgxLift<'_, '_>) {
    let v = word(l, A);
    let v = l.not(v);
    l.set(D, v);
}

fn constant(l: &mut AgxLift<'_, '_>, bits: u64) {
    let v = l.i32(bits as i32);
    l.set(D, v);
}

/// The sources, each inverted unless it is plain, combined by or instead of and, and optionally inverted.
fn logic(l: &mut AgxLift<'_, '_>, plain_a: bool, or: bool, plain_b: bool, flip: bool) {
    let (mut a, mut b) = (word(l, A), word(l, B));
    if !plain_a {
        a = l.not(a);
    }
    if !plain_b {
        b = l.not(b);
    }
    let v = if or { l.or(a, b) } else { l.and(a, b) };
    let v = if flip { l.not(v) } else { v };
    l.set(D, v);
}

fn exclusive(l: &mut AgxLift<'_, '_>, flip: bool) {
    let (a, b) = (word(l, A), word(l, B));
    let v = l.xor(a, b);
    let v = if flip { l.not(v) } else { v };
    l.set(D, v);
}
