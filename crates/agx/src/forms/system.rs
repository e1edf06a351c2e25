//! Instructions of the driver's helper programs: doorbells, and mapping and unmapping stacks.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::{Control, Facts};
use crate::operand::{A, AgxLift, DOORBELL, MAP_TARGET, MAP_VALUE, MAPPED, SKIP, UNMAPPED};
use crate::options::{DriverOps, left_open};
use shisa_ir::Type;
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("doorbell", Facts::DRIVER, 2, (0xff, 0x28), &[DOORBELL], ignored).says("Rings a doorbell.").spelled(applegpu::DOORBELL)
        .examples(&[("doorbell 49", 0x3128)]),
    row("jmp_if_skipping_doorbell", Facts::control(Control::ShortJump), 4, (0xff00_ffff, 0x20), &[SKIP], ignored).says("Jumps where doorbells are skipped.").spelled(applegpu::JMP_IF_SKIPPING_DOORBELL)
        .examples(&[("jmp_if_skipping_doorbell 6", 0x6_0020)]),
    row("unmap", Facts::DRIVER, 8, (0xff_fce0_ff0f_07ff, 0x10_c000_0500_0075), &[UNMAPPED, MAP_TARGET, MAP_VALUE], unmap).says("Unmaps memory of a stack.").spelled(applegpu::UNMAP)
        .examples(&[("unmap    r9, 0, 3", 0x10_c000_0530_4875)]),
    row("map", Facts::DRIVER, 8, (0xff_fce0_ff0f_07ff, 0x10_c000_0501_0075), &[MAPPED, MAP_TARGET, MAP_VALUE], ignored).says("Maps memory for a stack.").spelled(applegpu::MAP)
        .examples(&[("map      r11, 0, 3", 0x10_c000_0531_5875)]),
];

fn ignored(l: &mut AgxLift<'_, '_>) {
    if l.ctx.options.driver_ops == DriverOps::Refuse {
        let what = alloc::format!("what {} does", l.insn.form().name);
        left_open(l, &what, &["driver-ops=ignore"]);
    }
}

/// Nothing is mapped.
fn unmap(l: &mut AgxLift<'_, '_>) {
    ignored(l);
    let nothing = l.constant(Type::I32, 0);
    l.set(A, nothing);
}
