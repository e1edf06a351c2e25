//! Roles: facts about an instruction that analyses must know besides its registers, its control flow and its timing.
//!
//! Each row states its role. A function in a role reads bits of the row's own fields, so only rows know where these
//! are.

use crate::Maxwell;
use shisa_rows::Insn;

/// A fact about a word that the row reads from its fields.
pub type Of<T> = fn(&u128) -> T;

/// The role of a row.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// Computes; the operands state everything.
    Compute,
    /// Copies a source to the destination, unchanged.
    Copy(fn(&Insn<Maxwell>) -> Copied),
    /// Accesses memory by address, the operand of slot `AT`.
    Memory(MemoryAccess),
    /// Waits for barriers of results of variable latency.
    Drain(Of<Drain>),
    /// Uses a barrier of the workgroup: the number of the barrier; `None` if a register holds it or all barriers are
    /// used.
    Barrier(Of<Option<u64>>),
    /// Reads the special register whose number is the operand of slot `AT`.
    ReadSpecial {
        /// Whether it can read only registers that are coupled with execution, and reads others as zero.
        coupled: bool,
    },
    /// Loads, stores or interpolates an attribute, the operand of slot `AT`.
    Attribute(AttributeAccess),
    /// Emits a vertex or ends a strip.
    Emit(fn(&Insn<Maxwell>) -> Emission),
    /// Discards the pixel.
    Kill,
}

/// The source of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// One of two registers; the same one twice if only one is possible.
    Registers([u64; 2]),
    /// A number.
    Number(u64),
    /// Something else: a constant, or some bytes of a register.
    Other,
}

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess {
    /// Which memory.
    pub memory: Memory,
    /// Whether the memory is changed.
    pub stores: bool,
}

/// A memory.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// Global, local or shared memory, by the address.
    Generic,
    /// Global memory.
    Global,
    /// The lane's own memory.
    Local {
        /// The bytes of an access; 0 for a size that is not defined.
        bytes: Of<u64>,
    },
    /// The memory of the workgroup.
    Shared,
    /// A bank of constants.
    Constant {
        /// Whether a whole 32-bit word is loaded from the bank and the offset that the operand states.
        word: Of<bool>,
    },
}

/// The wait of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// The barriers for which it waits until nothing that raises them is in progress; bit n for barrier n.
    pub all: u32,
    /// A barrier for which it waits until at most this many instructions that raise it are in progress.
    pub most: Option<(u32, u8)>,
}

/// An access to attributes.
#[derive(Clone, Copy, Debug)]
pub struct AttributeAccess {
    /// The kind of access.
    pub act: AttributeAct,
    /// Whether the attributes belong to the patch.
    pub patch: bool,
    /// How many components of 32 bits.
    pub components: Of<u16>,
}

/// A kind of access to attributes.
#[derive(Clone, Copy, Debug)]
pub enum AttributeAct {
    /// They are loaded.
    Load {
        /// Whether they are outputs, and not inputs.
        output: Of<bool>,
    },
    /// They are stored as outputs.
    Store,
    /// One is interpolated.
    Interpolate(Of<Interpolation>),
}

/// How an attribute is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Linearly on the screen.
    Pass,
    /// Linearly on the screen, times a factor.
    Factor,
    /// The value of the provoking vertex.
    Constant,
    /// As a state outside of the program determines.
    State,
}

/// The effect of an instruction on the output of a geometry program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emission {
    /// Whether it emits a vertex.
    pub emits: bool,
    /// Whether it ends the strip.
    pub cuts: bool,
    /// The stream of the vertex or the strip.
    pub stream: Stream,
    /// The register with the state of emission.
    pub state: u64,
    /// The register that receives the next state.
    pub next: u64,
}

/// How an instruction names a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// By its number.
    Number(u64),
    /// In a register.
    Register(u64),
    /// In a constant.
    Constant,
}
