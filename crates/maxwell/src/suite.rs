//! Facts about this instruction set for the tests that all instruction sets share.

use crate::{Ctx, FILES, Maxwell};
use shisa_rows::testing;

/// Instructions at address 8, with the control bits that the text leaves out.
pub const SUITE: testing::Suite<'static, Maxwell> = testing::Suite {
    ctx: |_| Ctx { pc: 8, ..Ctx::default() },
    tame: |_, word| *word = *word & !(0x1ffff << 64) | 0x7e0 << 64,
    files: |_| FILES,
    words: 200,
};
