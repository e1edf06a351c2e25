//! Roles: facts about an instruction that analyses must know besides its registers, its control flow and its timing.
//!
//! Each row states its role. A function in a role reads bits of the row's own fields, so only rows know where these
//! are.

use crate::class::Class;
use crate::{Maxwell, Schedule};
use shisa_rows::Insn;

/// A fact about a word that the row reads from its fields.
pub type Of<T> = fn(&u128) -> T;

/// The role of a row.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// Computes; the operands state everything.
    Compute,
    /// Accesses memory by address, the operand of slot `AT`.
    Memory(MemoryAccess),
    /// Waits for barriers of results of variable latency.
    Drain(Of<Drain>),
    /// Uses a barrier of the workgroup.
    Barrier(WorkgroupBarrier),
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

/// The use of a barrier of the workgroup.
#[derive(Clone, Copy, Debug)]
pub struct WorkgroupBarrier {
    /// The number of the barrier; `None` if a register holds it or all barriers are used.
    pub number: Of<Option<u64>>,
    /// Whether it waits until all threads have arrived.
    pub waits: bool,
}

/// The wait of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drain {
    /// The barriers for which it waits until nothing that raises them is in progress; bit n for barrier n.
    pub all: u32,
    /// A barrier for which it waits until at most this many instructions that raise it are in progress.
    pub most: Option<(u32, u8)>,
    /// The class whose instructions before it have read their sources when it completes.
    pub sources: Option<Class>,
}

impl Drain {
    /// The wait together with that of control bits.
    pub(crate) fn with(self, control: Schedule) -> Drain {
        Drain { all: self.all | control.wait(), ..self }
    }
}

impl Role {
    /// What a word of the row waits for, whatever its control bits are.
    pub(crate) fn drain(&self, word: &u128) -> Drain {
        match self {
            Role::Drain(of) => of(word),
            // Compilers overwrite the sources of accesses to shared memory right after such a barrier.
            Role::Barrier(barrier) if barrier.waits => {
                Drain { sources: Some(Class::Shared), ..Drain::default() }
            }
            Role::Compute
            | Role::Memory(_)
            | Role::Barrier(_)
            | Role::ReadSpecial { .. }
            | Role::Attribute(_)
            | Role::Emit(_)
            | Role::Kill => Drain::default(),
        }
    }
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
    Interpolate {
        /// How it is interpolated.
        how: Of<Interpolation>,
        /// Whether that is at a position that the primitive covers, and not at the centre of the pixel.
        centroid: Of<bool>,
    },
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
