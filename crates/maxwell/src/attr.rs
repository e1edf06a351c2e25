//! What only this instruction set knows of a row: since which chip it exists, where control goes, and how it is
//! scheduled.

use crate::Chip;
use crate::flow::Turn;
use crate::hazards::Class;

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
    pub slow: Option<fn(&u128) -> bool>,
    /// What it runs on.
    pub class: Class,
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
    turn: Turn::Next,
    stall: 1,
};
/// A result that a barrier tells of.
pub(crate) const VARIABLE: Attr =
    Attr { latency: Latency::Variable, reuse3: true, class: Class::Special, ..FIXED };
pub(crate) const HALF: Attr = VARIABLE.on(Class::Half);
pub(crate) const DOUBLE: Attr = VARIABLE.on(Class::Double);
pub(crate) const MEMORY: Attr = VARIABLE.on(Class::Memory);
pub(crate) const SHARED: Attr = VARIABLE.on(Class::Shared);
pub(crate) const CONSTANT: Attr = VARIABLE.on(Class::Constant);
pub(crate) const TEXTURE: Attr = VARIABLE.on(Class::Texture);
pub(crate) const ATTRIBUTE: Attr = VARIABLE.on(Class::Attribute);
pub(crate) const SYSTEM: Attr = VARIABLE.on(Class::System);

impl Attr {
    /// What holds for this word of the row.
    pub fn of(self, word: &u128) -> Attr {
        match self.slow {
            Some(slow) if slow(word) => {
                Attr { latency: Latency::Variable, reuse3: true, class: Class::Special, ..self }
            }
            _ => self,
        }
    }

    /// With a variable latency where this holds.
    pub(crate) const fn slow(self, slow: fn(&u128) -> bool) -> Attr {
        Attr { slow: Some(slow), ..self }
    }

    /// On later chips only: half precision, and what came with it.
    pub(crate) const fn late(self) -> Attr {
        Attr { since: Chip::Sm52, ..self }
    }

    /// With this answer to whether the fourth reuse flag may be set.
    pub(crate) const fn reuse3(self, allowed: bool) -> Attr {
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
