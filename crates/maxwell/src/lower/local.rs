//! Local memory: a part from address 0 on, and the stack at the upper end of its window.

use crate::launch::Launch;
use shisa_ir::{Func, Op, Space, Type};

/// Bytes of a thread's local memory once both parts are one.
pub(super) fn bytes(launch: &Launch) -> u32 {
    lower(launch).saturating_add(if launch.stack > 0 { launch.upper_local() } else { 0 })
}

/// Bytes of the part from address 0 on.
fn lower(launch: &Launch) -> u32 {
    launch.local.next_multiple_of(16)
}

/// Moves the stack, if there is one, to the addresses after the lower part.
pub(super) fn place(func: &mut Func, launch: &Launch) {
    if launch.stack == 0 {
        return;
    }
    let (bottom, first) = (launch.stack_bottom(), lower(launch));
    func.rewrite(|b, v| {
        let (Op::Load { space: Space::Local, address } | Op::Store { space: Space::Local, address, .. }) =
            b.nodes.op(v)
        else {
            return None;
        };
        let start = b.constant(Type::I32, bottom.into());
        let down = b.constant(Type::I32, bottom.wrapping_sub(first).into());
        let upper = b.ule(start, address);
        let moved = b.isub(address, down);
        let placed = b.select(upper, moved, address);
        if let Op::Load { address, .. } | Op::Store { address, .. } = &mut b.nodes.list[v.index()].op {
            *address = placed;
        }
        None
    });
}
