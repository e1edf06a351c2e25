//! Facts that a row states besides its operands and its meaning.

use shisa_ir::Mask;

/// The role of an instruction. Engines match it exhaustively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Computes a vector.
    Compute,
    /// Computes the address registers.
    ///
    /// Two in a row freeze the hardware.
    Address,
    /// Compares for the two flags.
    Compare,
    /// Does nothing.
    Nop,
    /// Runs a procedure.
    Call,
    /// Runs one of two ranges of words.
    Condition,
    /// Repeats a range of words.
    Loop,
    /// Leaves a loop.
    Break,
    /// Continues at another word.
    Jump,
    /// Ends the program.
    End,
    /// Selects the vertex slot for the next vertex.
    SetEmit,
    /// Outputs a vertex.
    Emit,
}

/// The components of a source that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// These components.
    These(Mask),
    /// Those of these components that are in the destination's mask.
    Masked(Mask),
}

impl Reads {
    /// The components, for a destination with this mask.
    pub const fn components(self, written: Mask) -> Mask {
        match self {
            Reads::These(components) => components,
            Reads::Masked(components) => Mask(components.0 & written.0),
        }
    }
}

/// Facts that a row states besides its operands and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// The role of the instruction.
    pub role: Role,
    /// The components of the first, second and third source that it reads, according to picasso: instructions share
    /// an operand descriptor if they agree in the bits that both read. Never fewer than the instruction does read.
    pub reads: [Reads; 3],
    /// Whether the first two sources may be exchanged.
    pub exchangeable: bool,
    /// The name of the row that has the same meaning and reaches the constants with an earlier source. Assemblers
    /// accept both names for either row, and select the row by the sources.
    pub twin: Option<&'static str>,
}

impl Attributes {
    /// A role; the other facts are those of most rows.
    pub const fn new(role: Role) -> Attributes {
        Attributes { role, reads: [Reads::These(Mask::ALL); 3], exchangeable: false, twin: None }
    }

    /// Sets the components that the first, second and third source are read in.
    pub const fn reads(mut self, reads: [Reads; 3]) -> Attributes {
        self.reads = reads;
        self
    }

    /// Marks the first two sources as exchangeable.
    pub const fn exchangeable(mut self) -> Attributes {
        self.exchangeable = true;
        self
    }

    /// Sets the name of the row that reaches the constants with an earlier source.
    pub const fn twin(mut self, name: &'static str) -> Attributes {
        self.twin = Some(name);
        self
    }
}
