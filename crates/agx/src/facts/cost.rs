//! The unit that executes an instruction, and its timing.
//!
//! The numbers are those of Mesa's model (`agx_performance.c`), which were measured on G13G.

use shisa_rows::Slot;

/// The unit that executes an instruction, and its timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Arithmetic with published times.
    Measured(Unit, Time),
    /// Arithmetic whose published times differ for a zero in a slot and for another number in it.
    Chosen {
        /// The unit.
        unit: Unit,
        /// The slot.
        slot: Slot,
        /// The time where the slot is 0.
        zero: Time,
        /// The time where the slot is another number.
        other: Time,
    },
    /// Arithmetic without published times.
    Unmeasured,
    /// Memory, textures, the tile, varyings. Its time is not counted in cycles.
    Memory,
    /// Control flow, waits and barriers. Its time is not counted in cycles.
    Control,
}

/// An execution unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Binary32 arithmetic.
    Float32,
    /// Arithmetic in halves.
    Float16,
    /// Selections, integer sums, bits, exchange between lanes.
    Simple,
    /// Products of integers, bit fields, functions. It runs beside the others, at half their rate.
    Complex,
    /// Arithmetic whose unit and times are not published.
    Unmeasured,
    /// Memory, textures, the tile, varyings: not counted in cycles.
    Memory,
    /// Control flow, waits and barriers, which are not counted in cycles either.
    Control,
}

/// Cycles of 32 lanes, without stalls for registers or operands of 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Cycles until the result can be used.
    pub latency: u8,
    /// Cycles for which the unit is busy.
    pub busy: u8,
}

impl Unit {
    /// All of them.
    pub const ALL: [Unit; 7] = [
        Unit::Float32,
        Unit::Float16,
        Unit::Simple,
        Unit::Complex,
        Unit::Unmeasured,
        Unit::Memory,
        Unit::Control,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Float32 => "float32",
            Unit::Float16 => "float16",
            Unit::Simple => "simple",
            Unit::Complex => "complex",
            Unit::Unmeasured => "unmeasured",
            Unit::Memory => "memory",
            Unit::Control => "control",
        }
    }
}

impl Time {
    /// `latency` cycles until the result can be used, `busy` cycles for which the unit is busy.
    pub const fn new(latency: u8, busy: u8) -> Time {
        Time { latency, busy }
    }
}
