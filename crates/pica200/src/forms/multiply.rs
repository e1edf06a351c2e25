//! Products that are added: the formats of three sources.

use crate::Pica200;
use crate::operand::{A, A5, B, B5, B5I, C, C5, C5I, D, DESCRIPTOR5, DEST5, PicaLift, kept};
use shisa_rows::Form;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Pica200>] = &[
    Form::new("mad", 7 << 29, 0xe000_0000, &[DEST5, A5, B5, C5, DESCRIPTOR5], (), mad)
        .says("Multiplies the first two sources, rounds, and adds the third.")
        .examples(&[("mad r2, r0.wyxz, c0.yxwz, r1.xwzy, d21", 0x1c93_9a4f_f220_8235)]),
    Form::new("madi", 6 << 29, 0xe000_0000, &[DEST5, A5, B5I, C5I, DESCRIPTOR5], (), mad)
        .says("Multiplies the first two sources, rounds, and adds the third.")
        .examples(&[("madi o1.zw, v0.z, -r0, c0, d6", 0x0d86_f543_c101_0406)]),
];

fn mad(l: &mut PicaLift<'_, '_>) {
    let (a, b, c) = (kept(l, A), kept(l, B), kept(l, C));
    let product = l.fmul(a, b);
    let sum = l.fadd(product, c);
    l.set(D, sum);
}
