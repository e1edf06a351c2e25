//! What the tests that all tables share must know of this one.

use crate::{FILES, Options, Pica200};
use shisa_rows::testing;

/// Words that need nothing around them.
pub const SUITE: testing::Suite<'static, Pica200> =
    testing::Suite { ctx: |_| &Options::DEFAULT, tame: |_, _| (), files: |_| FILES, words: 200 };
