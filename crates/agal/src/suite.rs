//! Facts about this instruction set for the tests that all instruction sets share.

use crate::operand::{B, SamplerKind};
use crate::{Agal, Ctx, LAST_VERSION, Options, Token, files};
use core::any::Any;
use shisa_ir::Stage;
use shisa_rows::{Form, testing};

/// Rows of both stages are shown as in vertex programs.
pub const SUITE: testing::Suite<'static, Agal> = testing::Suite {
    ctx: |form| Ctx { version: LAST_VERSION, stage: stage(form), options: &Options::DEFAULT },
    tame: |form, word| tame(form, word),
    files: |form| files(stage(form)),
    words: 200,
};

fn stage(form: &Form<Agal>) -> Stage {
    form.attr.stage.unwrap_or(Stage::Vertex)
}

/// Clears meaningless bits, and selects registers that exist: nearly all other words are listed as raw bits.
fn tame(form: &Form<Agal>, word: &mut Token) {
    /// Bits of a register's number, swizzle and kind.
    const SOURCE: u64 = 0x0000_0007_ff00_0007;
    /// Bits of an index: offset, kind, component, and the flag that there is one.
    const INDEX: u64 = 0x8003_0700_00ff_0000;
    const SAMPLER: u64 = 0x2211_3305_00ff_0007;
    word[0] &= 0x070f_0007_ffff_ffff;
    for i in [1, 2] {
        let index = if word[i] >> 63 != 0 { INDEX } else { 0 };
        word[i] &= SOURCE | index;
    }
    let sampler = |kind: &dyn Any| kind.is::<SamplerKind>();
    if form.operand(B).is_some_and(|o| sampler(o.kind)) {
        word[2] = word[2] & SAMPLER | 5 << 32;
    }
}
