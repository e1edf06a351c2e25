//! What rules, texts and control flow need to know about an opcode: attributes of its row.

use crate::shape::Wants;
use shisa_ir::Stage;

/// The shape of an opcode's result before the destination's mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// One value for each component of the mask.
    Each,
    /// One value for all of them.
    Scalar,
    /// A vector: component i goes to component i of the destination.
    Vector,
}

/// The effect of an opcode, as far as rules and control flow distinguish opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Computes a result from its sources.
    Compute,
    /// Copies a register: the only opcode whose single source may be a constant.
    Copy,
    /// Takes a derivative, which is not allowed in a condition.
    Derivative,
    /// Opens a condition.
    If,
    /// Begins the other branch of a condition.
    Else,
    /// Closes a condition.
    EndIf,
    /// Discards a pixel.
    Discard,
    /// Samples a texture at a level derived from derivatives; in a condition only at a varying.
    Sample,
    /// Samples a texture in conditions too, from a mipmap and without a bias.
    SampleAnywhere,
    /// Samples a texture at a given level.
    SampleLevel,
}

impl Effect {
    /// Whether the opcode samples a texture.
    pub const fn samples(self) -> bool {
        matches!(self, Effect::Sample | Effect::SampleAnywhere | Effect::SampleLevel)
    }
}

/// Facts about an opcode that only AGAL has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attr {
    /// The first version that has it.
    pub since: u8,
    /// The first version in which AGALMiniAssembler accepts it.
    pub assembled_since: u8,
    /// Flash Player's numbers for its use before [`Attr::since`]: in version 1, and in later versions.
    pub too_new: [u16; 2],
    /// The only stage that has it; `None` if both have it.
    pub stage: Option<Stage>,
    /// The shape of its result.
    pub yields: Yields,
    /// Its effect.
    pub effect: Effect,
    /// What its operands must be.
    pub wants: Wants,
}
