//! Sets of registers.

use crate::{ADDRESS, BOOLEANS, CONSTANTS, FLAGS, INPUTS, INTEGERS, OUTPUTS, TEMPORARIES};
use shisa_ir::FileId;
use shisa_rows::code::RegisterSet;

/// The names of the bits of [`Registers::state`].
pub(crate) const STATE: [&str; 5] = ["a0.x", "a0.y", "aL", "cmp.x", "cmp.y"];

/// The first flag among the bits of [`Registers::state`].
const FIRST_FLAG: u16 = 3;

/// A set of registers. Inputs, temporaries and outputs have four bits each, x of register 0 the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers {
    /// Components of inputs.
    pub(crate) inputs: u64,
    /// Components of temporaries.
    pub(crate) temporaries: u64,
    /// Components of outputs.
    pub(crate) outputs: u64,
    /// Address registers and flags; see [`STATE`].
    pub(crate) state: u8,
    /// Constants, a bit each.
    pub(crate) constants: u128,
    /// Integer vectors, a bit each.
    pub(crate) integers: u8,
    /// Booleans.
    pub(crate) booleans: u16,
}

impl Registers {
    /// Whether a flag is in the set.
    pub(crate) const fn has_flag(&self) -> bool {
        self.state >> FIRST_FLAG != 0
    }

    /// The registers of both sets.
    pub(crate) const fn or(self, other: Registers) -> Registers {
        Registers {
            inputs: self.inputs | other.inputs,
            temporaries: self.temporaries | other.temporaries,
            outputs: self.outputs | other.outputs,
            state: self.state | other.state,
            constants: self.constants | other.constants,
            integers: self.integers | other.integers,
            booleans: self.booleans | other.booleans,
        }
    }
}

impl RegisterSet for Registers {
    fn insert(&mut self, registers: &shisa_rows::Registers) {
        for unit in (registers.first.unit..).take(usize::from(registers.units)) {
            match registers.first.file {
                INPUTS => self.inputs |= 1 << unit,
                TEMPORARIES => self.temporaries |= 1 << unit,
                OUTPUTS => self.outputs |= 1 << unit,
                CONSTANTS => self.constants |= 1 << (unit / 4),
                INTEGERS => self.integers |= 1 << (unit / 4),
                BOOLEANS => self.booleans |= 1 << unit,
                ADDRESS => self.state |= 1 << unit,
                FLAGS => self.state |= 1 << (FIRST_FLAG + unit),
                // The data of the loop stack, which no instruction names.
                _ => {}
            }
        }
    }

    fn insert_file(&mut self, file: FileId) {
        if file == CONSTANTS {
            self.constants = u128::MAX;
        }
    }
}

/// All components of the registers of a mask.
pub(crate) fn components(mask: u16) -> u64 {
    (0..16).filter(|n| mask >> n & 1 != 0).fold(0, |all, n| all | 0xf << (4 * n))
}
