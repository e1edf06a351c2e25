//! The geometry stage.

use super::op;
use crate::Pica200;
use crate::attributes::{Attributes, Role};
use crate::operand::{EMISSION, EMIT_FLAGS, PicaLift, VERTEX, VERTEX_SLOT};
use shisa_ir::{Op, Type};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Pica200>] = &[
    op("emit",    0x2a, &[], Attributes::new(Role::Emit), |l| { l.push(Op::Emit, Type::NONE); }).says("Stores the outputs in the selected vertex slot.")
        .examples(&[("emit", 0xa800_0000)]),
    op("setemit", 0x2b, &[VERTEX_SLOT, EMIT_FLAGS], Attributes::new(Role::SetEmit), setemit).says("Selects the vertex slot, and whether the next vertex completes a triangle.")
        .examples(&[("setemit 0, prim inv", 0xacc0_0000)]),
];

fn setemit(l: &mut PicaLift<'_, '_>) {
    let flags = l.insn.field(EMISSION);
    let vertex = l.insn.field(VERTEX) as u8;
    l.push(Op::SetEmit { vertex, primitive: flags & 2 != 0, flip: flags & 1 != 0 }, Type::NONE);
}
