//! Facts about a row that only this instruction set has: the first chip that has it, its role, its control flow, and
//! its scheduling.

use crate::class::Class;
use crate::distance::Distance;
use crate::mark::Turn;
use crate::role::{MemoryAccess, Of, Role};
use crate::{Chip, ShaderStage};

/// When the result of an instruction is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// After a number of cycles that code waits for by stalling. Such instructions raise no barriers.
    Fixed,
    /// When the instruction raises its barrier.
    Variable,
}

/// Facts about a row besides its bits.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    /// The first chip that has it.
    pub since: Chip,
    /// When its result is available.
    pub latency: Latency,
    /// Whether the fourth reuse flag, which belongs to no operand, may be set.
    pub reuse3: bool,
    /// The words of the row that have a variable latency nevertheless.
    pub slow: Option<Of<bool>>,
    /// Its class: the unit that executes it.
    pub class: Class,
    /// Its role: other facts that analyses must know.
    pub role: Role,
    /// The stages in which it has a meaning; `None` for all of them.
    pub stages: Option<&'static [ShaderStage]>,
    /// Words of the row that compute with floats of 64 bits.
    pub doubles: Option<Of<bool>>,
    /// Meaningless bits that compilers set or leave clear.
    pub ignored: u64,
    /// Its effect on control flow.
    pub turn: Turn,
    /// The fewest stall cycles that compilers use for it.
    pub stall: u32,
    /// How soon after arithmetic of fixed latency compilers let it read a general register that the arithmetic
    /// writes; `None` if no pair was seen.
    pub reads: Option<Distance>,
    /// The same for the condition codes.
    pub reads_codes: Option<Distance>,
}

/// A result after a known number of cycles.
pub(crate) const FIXED: Attr = Attr {
    since: Chip::Sm50,
    latency: Latency::Fixed,
    reuse3: false,
    slow: None,
    class: Class::Arithmetic,
    role: Role::Compute,
    stages: None,
    doubles: None,
    ignored: 0,
    turn: Turn::Next,
    stall: 1,
    // All members of the class that were seen agree.
    reads: Some(Distance::new(6, 5_599_648)),
    reads_codes: None,
};
/// A result that a barrier signals.
pub(crate) const VARIABLE: Attr =
    Attr { latency: Latency::Variable, reuse3: true, class: Class::Special, reads: None, ..FIXED };
pub(crate) const HALF: Attr = VARIABLE.on(Class::Half).reads(6, 3_239);
pub(crate) const DOUBLE: Attr = VARIABLE.on(Class::Double).doubles(|_| true);
pub(crate) const MEMORY: Attr = VARIABLE.on(Class::Memory);
pub(crate) const SHARED: Attr = VARIABLE.on(Class::Shared);
pub(crate) const CONSTANT: Attr = VARIABLE.on(Class::Constant);
pub(crate) const TEXTURE: Attr = VARIABLE.on(Class::Texture);
pub(crate) const ATTRIBUTE: Attr = VARIABLE.on(Class::Attribute);
pub(crate) const SYSTEM: Attr = VARIABLE.on(Class::System);

impl Attr {
    /// Whether a word of the row has a variable latency although the row has not.
    fn is_slow(&self, word: &u128) -> bool {
        self.slow.is_some_and(|slow| slow(word))
    }

    /// Whether the result of a word of the row has a variable latency.
    pub fn is_variable(&self, word: &u128) -> bool {
        self.latency == Latency::Variable || self.is_slow(word)
    }

    /// The class of a word of the row.
    pub fn class(&self, word: &u128) -> Class {
        if self.is_slow(word) { Class::Special } else { self.class }
    }

    /// Whether the fourth reuse flag may be set in a word of the row.
    pub fn reuse3(&self, word: &u128) -> bool {
        self.reuse3 || self.is_slow(word)
    }

    /// Whether a word of the row computes with floats of 64 bits.
    pub fn computes_doubles(&self, word: &u128) -> bool {
        self.doubles.is_some_and(|doubles| doubles(word))
    }

    /// The row with a variable latency where this holds.
    pub(crate) const fn slow(self, slow: Of<bool>) -> Attr {
        Attr { slow: Some(slow), ..self }
    }

    /// The row with this role.
    pub(crate) const fn role(self, role: Role) -> Attr {
        Attr { role, ..self }
    }

    /// The row with an access to memory.
    pub(crate) const fn accesses(self, access: MemoryAccess) -> Attr {
        self.role(Role::Memory(access))
    }

    /// The row in these stages only.
    pub(crate) const fn stages(self, stages: &'static [ShaderStage]) -> Attr {
        Attr { stages: Some(stages), ..self }
    }

    /// The row with 64-bit float arithmetic where this holds.
    pub(crate) const fn doubles(self, doubles: Of<bool>) -> Attr {
        Attr { doubles: Some(doubles), ..self }
    }

    /// The row with meaningless bits that compilers set or leave clear.
    pub(crate) const fn ignores(self, bits: u64) -> Attr {
        Attr { ignored: bits, ..self }
    }

    /// The row on later chips only: half precision, and what came with it.
    pub(crate) const fn late(self) -> Attr {
        Attr { since: Chip::Sm52, ..self }
    }

    /// The row with or without permission to set the fourth reuse flag.
    pub(crate) const fn with_reuse3(self, allowed: bool) -> Attr {
        Attr { reuse3: allowed, ..self }
    }

    /// The row in another class.
    pub(crate) const fn on(self, class: Class) -> Attr {
        Attr { class, reads: None, ..self }
    }

    /// The row with this effect on control flow.
    pub(crate) const fn turns(self, turn: Turn) -> Attr {
        Attr { turn, ..self }
    }

    /// The row that compilers let read results of arithmetic so many cycles later, as seen in so many pairs.
    pub(crate) const fn reads(self, cycles: u32, seen: u32) -> Attr {
        Attr { reads: Some(Distance::new(cycles, seen)), ..self }
    }

    /// The row of which such pairs were seen, but not what makes them right.
    pub(crate) const fn reads_doubtfully(self, cycles: u32, seen: u32) -> Attr {
        Attr { reads: Some(Distance { doubted: true, ..Distance::new(cycles, seen) }), ..self }
    }

    /// The row that compilers let read the condition codes of arithmetic so many cycles later, as seen in so many pairs.
    pub(crate) const fn reads_codes(self, cycles: u32, seen: u32) -> Attr {
        Attr { reads_codes: Some(Distance::new(cycles, seen)), ..self }
    }

    /// The row with at least the given number of stall cycles.
    pub(crate) const fn stall(self, stall: u32) -> Attr {
        Attr { stall, ..self }
    }
}
