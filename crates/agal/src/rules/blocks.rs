//! Conditions: how they nest and what may stand in them.

use super::Part;
use super::shape::Nesting;
use super::walk::{Go, Walk};
use crate::{Agal, MAX_NESTING};
use core::ops::ControlFlow::Continue;
use shisa_rows::Form;

/// The open conditions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocks {
    /// How many are open.
    pub(super) depth: usize,
    /// Whether the innermost (bit 0) and the 63 around it have had their `els`.
    els: u64,
    /// Whether the token before began a branch.
    fresh: bool,
}

impl Walk<'_> {
    /// What the token does to the nesting, and what may not be nested.
    pub(super) fn nest(&mut self, form: &Form<Agal>, nesting: Nesting) -> Go {
        let empty = core::mem::replace(&mut self.blocks.fresh, false);
        match nesting {
            Nesting::Straight if self.blocks.depth > 0 && matches!(form.name, "ddx" | "ddy") => {
                return self.report(3742, Some(Part::Opcode));
            }
            Nesting::Straight => {}
            Nesting::If => {
                self.blocks.depth += 1;
                self.blocks.els <<= 1;
                self.blocks.fresh = true;
                if self.blocks.depth > MAX_NESTING {
                    return self.report(3624, Some(Part::Opcode));
                }
            }
            Nesting::Else => {
                if self.blocks.depth == 0 || self.blocks.els & 1 != 0 {
                    return self.report(3752, Some(Part::Opcode));
                }
                self.blocks.els |= 1;
                self.blocks.fresh = true;
                if empty {
                    return self.report(3748, Some(Part::Opcode));
                }
            }
            Nesting::End => {
                if self.blocks.depth == 0 {
                    return self.report(3623, Some(Part::Opcode));
                }
                self.blocks.depth -= 1;
                self.blocks.els >>= 1;
                if empty {
                    return self.report(3748, Some(Part::Opcode));
                }
            }
        }
        Continue(())
    }
}
