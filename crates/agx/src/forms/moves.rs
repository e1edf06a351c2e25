//! Moves of numbers and special registers.

use super::{SHORT4, SHORT6, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::Facts;
use crate::operand::{A, AgxLift, D, DEST_28, DEST_IMM16, DEST_IMM32, IMM16, IMM32, SPECIAL};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("ldimm", Facts::CONSTANT, (4, 6, 15), (0x17f, 0x62), &[DEST_IMM16, IMM16, SHORT4], mov).says("Takes a number of 16 bits.").spelled(applegpu::MOV_IMM16)
        .examples(&[("ldimm    r0h, 4", 0x0004_0262), ("ldimm    r40l, 1", 0x1000_0001_a062)]),
    long_row("ldimm", Facts::CONSTANT, (6, 8, 15), (0x17f, 0x162), &[DEST_IMM32, IMM32, SHORT6], mov).says("Takes a number of 32 bits.").spelled(applegpu::MOV_IMM32)
        .examples(&[("ldimm    r0, 1056345965", 0x3ef6_8f6d_0162), ("ldimm    r38, 120", 0x1000_0000_0078_9962)]),
    row("mov", Facts::SPECIAL_READ, 4, (0x807f, 0x72), &[DEST_28, SPECIAL], mov).says("Reads a special register.").spelled(applegpu::GET_SR)
        .examples(&[("mov      r0, thread_in_grid_x", 0x0410_0172), ("mov      r43l, active_thread_index_in_simdgroup", 0x103a_2c72)]),
];

fn mov(l: &mut AgxLift<'_, '_>) {
    let v = l.src(A);
    l.set(D, v);
}
