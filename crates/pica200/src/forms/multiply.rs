//! Products that are added: the formats of three sources.

use super::EACH;
use crate::Pica200;
use crate::operand::{
    A, B, C, D, INVERTED_MAD_SOURCE2, INVERTED_MAD_SOURCE3, MAD_DESCRIPTOR, MAD_DEST, MAD_SOURCE1,
    MAD_SOURCE2, MAD_SOURCE3, PicaLift, masked,
};
use shisa_rows::{Form, Operand};

const TERNARY: &[Operand<Pica200>] = &[MAD_DEST, MAD_SOURCE1, MAD_SOURCE2, MAD_SOURCE3, MAD_DESCRIPTOR];
const INVERTED: &[Operand<Pica200>] =
    &[MAD_DEST, MAD_SOURCE1, INVERTED_MAD_SOURCE2, INVERTED_MAD_SOURCE3, MAD_DESCRIPTOR];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Pica200>] = &[
    Form::new("mad", 7 << 29, 0xe000_0000, TERNARY, EACH, mad)
        .says("Multiplies the first two sources, rounds, and adds the third.")
        .examples(&[("mad r2, r0.wyxz, c0.yxwz, r1.xwzy, d21", 0x1c93_9a4f_f220_8235)]),
    Form::new("madi", 6 << 29, 0xe000_0000, INVERTED, EACH.twin("mad"), mad)
        .says("Multiplies the first two sources, rounds, and adds the third.")
        .examples(&[("madi o1.zw, v0.z, -r0, c0, d6", 0x0d86_f543_c101_0406)]),
];

fn mad(l: &mut PicaLift<'_, '_>) {
    let (a, b, c) = (masked(l, A), masked(l, B), masked(l, C));
    let product = l.fmul(a, b);
    let sum = l.fadd(product, c);
    l.set(D, sum);
}
