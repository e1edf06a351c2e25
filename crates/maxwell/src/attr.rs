//! What only this instruction set knows of a row: the first chip that has it, its role, where control goes, and how it
//! is scheduled.

use crate::class::Class;
use crate::mark::Turn;
use crate::role::{MemoryAccess, Of, Role};
use crate::{Chip, ShaderStage};

/// When the result of an instruction is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// After a number of cycles that code waits for by stalling. Such instructions raise no barriers.
    Fixed,
    /// When the instruction raises its barrier.
    Variable,
}

/// What a row knows besides its bits.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    /// The first chip that has it.
    pub since: Chip,
    /// When its result is there.
    pub latency: Latency,
    /// Whether the fourth reuse flag, which belongs to no operand, may be set.
    pub reuse3: bool,
    /// Words of the row that have a variable latency all the same.
    pub slow: Option<Of<bool>>,
    /// What it runs on.
    pub class: Class,
    /// What analyses must know of it besides.
    pub role: Role,
    /// The stages in which it means anything; `None` for all of them.
    pub stages: Option<&'static [ShaderStage]>,
    /// Words of the row that compute with floats of 64 bits.
    pub doubles: Option<Of<bool>>,
    /// Bits without a meaning that compilers set or leave as they like.
    pub ignored: u64,
    /// What it does to the flow of control.
    pub turn: Turn,
    /// The fewest cycles that compilers let it stall.
    pub stall: u32,
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
};
/// A result that a barrier signals.
pub(crate) const VARIABLE: Attr =
    Attr { latency: Latency::Variable, reuse3: true, class: Class::Special, ..FIXED };
pub(crate) const HALF: Attr = VARIABLE.on(Class::Half);
pub(crate) const DOUBLE: Attr = VARIABLE.on(Class::Double).doubles(|_| true);
pub(crate) const MEMORY: Attr = VARIABLE.on(Class::Memory);
pub(crate) const SHARED: Attr = VARIABLE.on(Class::Shared);
pub(crate) const CONSTANT: Attr = VARIABLE.on(Class::Constant);
pub(crate) const TEXTURE: Attr = VARIABLE.on(Class::Texture);
pub(crate) const ATTRIBUTE: Attr = VARIABLE.on(Class::Attribute);
pub(crate) const SYSTEM: Attr = VARIABLE.on(Class::System);

impl Attr {
    /// Whether a word of the row has a variable latency though the row has not.
    fn is_slow(&self, word: &u128) -> bool {
        self.slow.is_some_and(|slow| slow(word))
    }

    /// When the result of a word of the row is there.
    pub fn latency(&self, word: &u128) -> Latency {
        if self.is_slow(word) { Latency::Variable } else { self.latency }
    }

    /// What a word of the row runs on.
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

    /// With a variable latency where this holds.
    pub(crate) const fn slow(self, slow: Of<bool>) -> Attr {
        Attr { slow: Some(slow), ..self }
    }

    /// In this role.
    pub(crate) const fn role(self, role: Role) -> Attr {
        Attr { role, ..self }
    }

    /// With an access to memory.
    pub(crate) const fn accesses(self, access: MemoryAccess) -> Attr {
        self.role(Role::Memory(access))
    }

    /// In these stages only.
    pub(crate) const fn stages(self, stages: &'static [ShaderStage]) -> Attr {
        Attr { stages: Some(stages), ..self }
    }

    /// Computing with floats of 64 bits where this holds.
    pub(crate) const fn doubles(self, doubles: Of<bool>) -> Attr {
        Attr { doubles: Some(doubles), ..self }
    }

    /// With bits that mean nothing and that compilers set or not.
    pub(crate) const fn ignores(self, bits: u64) -> Attr {
        Attr { ignored: bits, ..self }
    }

    /// On later chips only: half precision, and what came with it.
    pub(crate) const fn late(self) -> Attr {
        Attr { since: Chip::Sm52, ..self }
    }

    /// With this answer to whether the fourth reuse flag may be set.
    pub(crate) const fn with_reuse3(self, allowed: bool) -> Attr {
        Attr { reuse3: allowed, ..self }
    }

    /// Of another class.
    pub(crate) const fn on(self, class: Class) -> Attr {
        Attr { class, ..self }
    }

    /// Doing this to the flow of control.
    pub(crate) const fn turns(self, turn: Turn) -> Attr {
        Attr { turn, ..self }
    }

    /// Stalling at least so many cycles.
    pub(crate) const fn stall(self, stall: u32) -> Attr {
        Attr { stall, ..self }
    }
}
