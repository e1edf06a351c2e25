//! Facts about this instruction set for the tests that all instruction sets share.

use crate::{FILES, Options, Pica200};
use shisa_rows::testing;

/// Words that need no context.
pub const SUITE: testing::Suite<'static, Pica200> =
    testing::Suite { ctx: |_| &Options::DEFAULT, tame: |_, _| (), files: |_| FILES, words: 200 };
