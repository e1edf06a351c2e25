//! Classes of instructions with the same timing, and the units that execute them.

use crate::Maxwell;
use shisa_rows::Insn;

/// A class of instructions: their unit and when their results are available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Arithmetic and moves of fixed latency.
    Arithmetic,
    /// Half precision, whose results are available as early as those of arithmetic.
    Half,
    /// Double precision.
    Double,
    /// Elementary functions, conversions, counts, slow products: one result every few cycles.
    Special,
    /// Global, local and generic memory.
    Memory,
    /// Shared memory, and exchanges between lanes.
    Shared,
    /// Constants by address.
    Constant,
    /// Textures and surfaces.
    Texture,
    /// Attributes of graphics.
    Attribute,
    /// Special registers and all other instructions of variable latency.
    System,
    /// Control flow.
    Flow,
}

impl Class {
    /// All classes.
    #[rustfmt::skip]
    pub const ALL: [Class; 11] = [
        Class::Arithmetic, Class::Half, Class::Double, Class::Special, Class::Memory, Class::Shared,
        Class::Constant, Class::Texture, Class::Attribute, Class::System, Class::Flow,
    ];

    /// The name in the table of bounds and in findings.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Arithmetic => "arithmetic",
            Class::Half => "half",
            Class::Double => "double",
            Class::Special => "special",
            Class::Memory => "memory",
            Class::Shared => "shared",
            Class::Constant => "constant",
            Class::Texture => "texture",
            Class::Attribute => "attribute",
            Class::System => "system",
            Class::Flow => "flow",
        }
    }
}

/// The class of an instruction.
pub fn class(insn: &Insn<Maxwell>) -> Class {
    insn.form().attr.class(&insn.word)
}
