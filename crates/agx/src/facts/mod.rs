//! Facts about an instruction, besides its bits, its text and its meaning, that engines need. Its row states them,
//! once.
//!
//! No engine identifies an instruction by its name or reads bits by their position: rules, the ABI, reports, stages
//! and listings match on [`Role`], and read operands through the slots that a role guarantees ([`Role::slots`]).

mod cost;
mod role;
mod stages;

pub use cost::{Cost, Time, Unit};
pub use role::{Barrier, Coefficients, Control, Memory, Nesting, Pixel, Role, Scope, Varying};
pub use stages::Stages;

use crate::Agx;
use crate::operand::{PREFIXES, SCOPE};
use shisa_rows::{Insn, Operand, Slot};

/// Facts about a row that only AGX has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attr {
    /// Bytes of its instructions.
    pub length: Length,
    /// Its facts for engines.
    pub facts: Facts,
    /// Bits without a meaning that a released compiler sets all the same, so that the hardware must ignore them.
    pub ignored: u128,
}

/// The length of a row's instructions, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Of the short form.
    pub short: u8,
    /// Of the long form; the same where there is only one.
    pub long: u8,
    /// The bit that is set in the long form, if there are two; one of the lowest 64.
    pub bit: u8,
}

/// Facts about a row's instructions for engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The effects that analyses must know.
    pub role: Role,
    /// The stages that may have them.
    pub stages: Stages,
    /// The unit that executes them, and for how long.
    pub cost: Cost,
}

/// The facts in the row of an instruction.
pub fn facts(insn: &Insn<Agx>) -> &'static Facts {
    &insn.form().attr.facts
}

/// The role of an instruction.
pub fn role(insn: &Insn<Agx>) -> Role {
    facts(insn).role
}

/// Whether an operand is in a slot.
const fn has(operands: &[Operand<Agx>], slot: Slot) -> bool {
    let mut i = 0;
    while i < operands.len() {
        if operands[i].slot.0 == slot.0 {
            return true;
        }
        i += 1;
    }
    false
}

/// Facts of common kinds of rows.
impl Facts {
    /// Refuses a row without an operand that engines read.
    ///
    /// # Panics
    /// At compile time: when no operand is in a slot of the role, or of the cost.
    pub(crate) const fn assert_slots(&self, operands: &[Operand<Agx>]) {
        let slots = self.role.slots();
        let mut i = 0;
        while i < slots.len() {
            assert!(has(operands, slots[i]), "the role of the row needs an operand in another slot");
            i += 1;
        }
        if let Cost::Chosen { slot, .. } = self.cost {
            assert!(has(operands, slot), "the cost of the row depends on an operand that it lacks");
        }
    }

    /// Arithmetic of a unit with published times.
    pub(crate) const fn arithmetic(unit: Unit, latency: u8, busy: u8) -> Facts {
        Facts {
            role: Role::Compute,
            stages: Stages::Any,
            cost: Cost::Measured(unit, Time::new(latency, busy)),
        }
    }

    /// Arithmetic of the complex unit.
    pub(crate) const fn complex(latency: u8, busy: u8) -> Facts {
        Facts::arithmetic(Unit::Complex, latency, busy)
    }

    pub(crate) const FLOAT32: Facts = Facts::arithmetic(Unit::Float32, 2, 1);
    pub(crate) const FLOAT16: Facts = Facts::arithmetic(Unit::Float16, 2, 1);
    pub(crate) const SIMPLE: Facts = Facts::arithmetic(Unit::Simple, 2, 1);
    pub(crate) const COMPLEX: Facts = Facts::complex(3, 2);
    /// Reads of special registers.
    pub(crate) const SPECIAL_READ: Facts = Facts::arithmetic(Unit::Simple, 2, 2);
    /// Arithmetic of which no times are published.
    pub(crate) const UNMEASURED: Facts =
        Facts { role: Role::Compute, stages: Stages::Any, cost: Cost::Unmeasured };
    pub(crate) const CONSTANT: Facts =
        Facts { role: Role::Constant, ..Facts::arithmetic(Unit::Simple, 1, 1) };
    pub(crate) const SELECT: Facts = Facts { role: Role::Select, ..Facts::SIMPLE };
    /// Instructions that only the driver's helper programs have.
    pub(crate) const DRIVER: Facts = Facts { role: Role::Driver, stages: Stages::Any, cost: Cost::Memory };
    pub(crate) const WAIT: Facts = Facts { role: Role::Wait, stages: Stages::Any, cost: Cost::Control };

    /// Exchange among lanes that slot `SCOPE` chooses.
    pub(crate) const EXCHANGE: Facts =
        Facts { role: Role::Exchange(Scope::Chosen), ..Facts::arithmetic(Unit::Simple, 5, 2) };
    /// A vote among all lanes.
    pub(crate) const VOTE: Facts = Facts { role: Role::Exchange(Scope::Wave), ..Facts::EXCHANGE };
    /// A vote among lanes that slot `SCOPE` chooses.
    pub(crate) const CHOSEN_VOTE: Facts = Facts {
        cost: Cost::Chosen { unit: Unit::Simple, slot: SCOPE, zero: Time::new(4, 2), other: Time::new(5, 2) },
        ..Facts::EXCHANGE
    };

    /// A reduction; slot `PREFIXES` is set if only the lanes before each one take part.
    pub(crate) const fn reduction(scope: Scope) -> Facts {
        let (unit, slot) = (Unit::Simple, PREFIXES);
        let cost = Cost::Chosen { unit, slot, zero: Time::new(24, 24), other: Time::new(18, 18) };
        Facts { role: Role::Exchange(scope), stages: Stages::Any, cost }
    }

    pub(crate) const fn control(control: Control) -> Facts {
        Facts { role: Role::Control(control), stages: Stages::Any, cost: Cost::Control }
    }

    pub(crate) const fn nesting(nesting: Nesting) -> Facts {
        Facts::control(Control::Nesting(nesting))
    }

    pub(crate) const fn memory(memory: Memory) -> Facts {
        let stages = match memory {
            Memory::Shared => Stages::Compute,
            _ => Stages::Any,
        };
        Facts { role: Role::Memory(memory), stages, cost: Cost::Memory }
    }

    /// A barrier. Memory barriers were never timed separately from the accesses that they wait for.
    pub(crate) const fn barrier(barrier: Barrier) -> Facts {
        let stages = match barrier {
            Barrier::Threads => Stages::Compute,
            Barrier::Memory | Barrier::Other => Stages::Any,
        };
        Facts { role: Role::Barrier(barrier), stages, cost: Cost::Control }
    }

    pub(crate) const fn pixel(pixel: Pixel) -> Facts {
        let (stages, cost) = match pixel {
            Pixel::Wait | Pixel::Release => (Stages::Fragment, Cost::Control),
            Pixel::Test | Pixel::Emit => (Stages::Fragment, Cost::Memory),
            Pixel::Load | Pixel::Store | Pixel::Block => (Stages::Tile, Cost::Memory),
        };
        Facts { role: Role::Pixel(pixel), stages, cost }
    }

    pub(crate) const fn coefficients(what: Coefficients) -> Facts {
        Facts { role: Role::Coefficients(what), stages: Stages::Fragment, cost: Cost::Memory }
    }

    pub(crate) const fn varying(varying: Varying) -> Facts {
        Facts { role: Role::Varying(varying), stages: Stages::Vertex, cost: Cost::Memory }
    }
}
