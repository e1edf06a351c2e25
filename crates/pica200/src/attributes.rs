//! What a row states besides its operands and its meaning.

use shisa_ir::Mask;

/// What an instruction is for. Engines match it exhaustively.
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
    /// Runs one of two runs of words.
    Condition,
    /// Repeats a run of words.
    Loop,
    /// Leaves a loop.
    Break,
    /// Goes on at another word.
    Jump,
    /// Ends the program.
    End,
    /// Chooses the vertex slot that the next vertex goes to.
    SetEmit,
    /// Outputs a vertex.
    Emit,
}

/// Which components of a source an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// These components.
    These(Mask),
    /// Those of these components that the destination's mask names.
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

/// What a row states besides its operands and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// What the instruction is for.
    pub role: Role,
    /// Which components of the first, second and third source it reads, as far as picasso considers it: instructions
    /// share an operand descriptor if they agree in what both read. Never fewer than the instruction does read.
    pub reads: [Reads; 3],
    /// Whether the first two sources may be exchanged.
    pub exchangeable: bool,
    /// The name of the row that means the same and reaches the constants with an earlier source. Assemblers take both
    /// names for either, and choose the row by the sources.
    pub twin: Option<&'static str>,
}

impl Attributes {
    /// A role; for the rest what holds for most rows.
    pub const fn new(role: Role) -> Attributes {
        Attributes { role, reads: [Reads::These(Mask::ALL); 3], exchangeable: false, twin: None }
    }

    /// States which components the first, second and third source are read.
    pub const fn reads(mut self, reads: [Reads; 3]) -> Attributes {
        self.reads = reads;
        self
    }

    /// States that the first two sources may be exchanged.
    pub const fn exchangeable(mut self) -> Attributes {
        self.exchangeable = true;
        self
    }

    /// Names the row that reaches the constants with an earlier source.
    pub const fn twin(mut self, name: &'static str) -> Attributes {
        self.twin = Some(name);
        self
    }
}
