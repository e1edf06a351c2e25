//! Barriers that order memory. They wait for nobody.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::{Barrier, Facts};
use crate::operand::AgxLift;
use shisa_rows::Form;

const fn order(name: &'static str, what: Barrier, bits: u128, summary: &'static str) -> Form<Agx> {
    row(name, Facts::barrier(what), 2, (0xffff, bits), &[], done)
        .says(summary)
        .spelled(applegpu::MEMORY_BARRIER)
}

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    order("memory_barrier", Barrier::Memory, 0x96f5, "Orders accesses to memory.").examples(&[("memory_barrier", 0x96f5)]),
    order("image_barrier_1", Barrier::Other, 0xaaf5, "Orders accesses to images.").examples(&[("image_barrier_1", 0xaaf5)]),
    order("image_barrier_2", Barrier::Other, 0xaef5, "Orders accesses to images.").examples(&[("image_barrier_2", 0xaef5)]),
    order("image_barrier_3", Barrier::Other, 0xa9f5, "Orders accesses to images.").examples(&[("image_barrier_3", 0xa9f5)]),
    order("image_barrier_4", Barrier::Other, 0xadf5, "Orders accesses to images.").examples(&[("image_barrier_4", 0xadf5)]),
    order("flush_memory_to_texture", Barrier::Other, 0x40f5, "Makes memory that was written visible to texture reads.").examples(&[("flush_memory_to_texture", 0x40f5)]),
    order("memory_barrier_2", Barrier::Other, 0x9af5, "Orders accesses to memory.").examples(&[("memory_barrier_2", 0x9af5)]),
    order("memory_barrier_3", Barrier::Other, 0x99f5, "Orders accesses to memory.").examples(&[("memory_barrier_3", 0x99f5)]),
    order("unknown_barrier_1", Barrier::Other, 0x33f5, "Orders accesses; which ones is not known.").examples(&[("unknown_barrier_1", 0x33f5)]),
    order("unknown_barrier_2", Barrier::Other, 0x03f5, "Orders accesses; which ones is not known.").examples(&[("unknown_barrier_2", 0x03f5)]),
    order("device_barrier_1", Barrier::Other, 0x9df5, "Orders accesses to memory for the whole device.").examples(&[("device_barrier_1", 0x9df5)]),
    order("device_barrier_2", Barrier::Other, 0x9ef5, "Orders accesses to memory for the whole device.").examples(&[("device_barrier_2", 0x9ef5)]),
];

/// Accesses take effect immediately.
fn done(_: &mut AgxLift<'_, '_>) {}
