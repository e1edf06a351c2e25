//! Facts about this instruction set for the tests that all instruction sets share.

use crate::{Agx, Ctx, FILES};
use shisa_rows::{Word, testing};

/// The text is in our own dialect.
pub const SUITE: testing::Suite<'static, Agx> = testing::Suite {
    ctx: |_| Ctx::default(),
    tame: |form, word| {
        // The short form has no bits past its end.
        if word.get(u32::from(form.attr.length.bit), 1) == 0 {
            *word &= (1 << (8 * form.attr.length.short)) - 1;
        }
    },
    files: |_| FILES,
    words: 300,
};
