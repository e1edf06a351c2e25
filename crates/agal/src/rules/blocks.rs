//! Conditions: how they nest and what they may contain.

use super::finding::Part;
use super::state::{Go, Walk};
use crate::{Effect, MAX_NESTING};
use core::ops::ControlFlow::Continue;

impl Walk<'_> {
    /// Applies the token to the nesting, and checks what may not be nested.
    pub(super) fn nest(&mut self, effect: Effect) -> Go {
        let empty = core::mem::replace(&mut self.blocks.fresh, false);
        match effect {
            Effect::Derivative if self.blocks.depth > 0 => return self.report(3742, Some(Part::Opcode)),
            Effect::If => {
                self.blocks.depth += 1;
                self.blocks.els <<= 1;
                self.blocks.fresh = true;
                if self.blocks.depth > MAX_NESTING {
                    return self.report(3624, Some(Part::Opcode));
                }
            }
            Effect::Else => {
                if self.blocks.depth == 0 || self.blocks.els & 1 != 0 {
                    return self.report(3752, Some(Part::Opcode));
                }
                self.blocks.els |= 1;
                self.blocks.fresh = true;
                if empty {
                    return self.report(3748, Some(Part::Opcode));
                }
            }
            Effect::EndIf => {
                if self.blocks.depth == 0 {
                    return self.report(3623, Some(Part::Opcode));
                }
                self.blocks.depth -= 1;
                self.blocks.els >>= 1;
                if empty {
                    return self.report(3748, Some(Part::Opcode));
                }
            }
            Effect::Compute
            | Effect::Copy
            | Effect::Derivative
            | Effect::Discard
            | Effect::Sample
            | Effect::SampleAnywhere
            | Effect::SampleLevel => {}
        }
        Continue(())
    }
}
