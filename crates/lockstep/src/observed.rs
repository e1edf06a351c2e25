//! The values that slices output.

use crate::bounds::Made;
use crate::files::UNITS;
use shisa_ir::{Reg, Scalar};

/// What an instruction computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The component of a register that begins at this unit.
    Register(Reg),
    /// The condition that decides where the lane goes.
    Condition,
    /// The program counter to which the lane goes.
    Target,
    /// An operand of an operation on memory, textures or other lanes, such as an address.
    Operand,
}

/// A value that slices output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed {
    /// The index of its step in the path.
    pub(crate) position: usize,
    pub(crate) what: What,
    pub(crate) scalar: Scalar,
    /// Its first unit in the outputs.
    pub(crate) unit: u16,
    /// Its 32-bit words.
    pub(crate) words: u8,
    /// How it was made.
    pub(crate) made: Made,
}

/// Which values a slice outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observe {
    /// Those of all of its steps.
    All,
    /// Those of all of its steps, each of which reads the recorded values of registers: errors do not add up.
    Apart,
    /// Those of its last step, so that all others exist for it only.
    Last,
}

/// The outputs of a slice.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    pub(crate) list: Vec<Observed>,
    /// The units that they take.
    pub(crate) units: u16,
    /// How the values of the steps so far were made.
    pub(crate) made: Made,
}

impl Outputs {
    /// Adds a value of this many 32-bit words; returns its first unit, `None` if there is no room.
    pub(crate) fn add(&mut self, position: usize, what: What, scalar: Scalar, words: u8) -> Option<u16> {
        let unit = self.units;
        self.units = unit.checked_add(words.into()).filter(|end| *end <= UNITS)?;
        let made = self.made;
        self.list.push(Observed { position, what, scalar, unit, words, made });
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outputs, What};
    use crate::files::UNITS;
    use shisa_ir::Scalar;

    #[test]
    fn outputs_end_with_their_file() {
        let mut outputs = Outputs { units: UNITS - 3, ..Outputs::default() };
        let mut add = |words| outputs.add(0, What::Operand, Scalar::I64, words);
        assert_eq!([add(2), add(2)], [Some(UNITS - 3), None]);
        let mut outputs = Outputs { units: UNITS - 1, ..Outputs::default() };
        assert_eq!(outputs.add(0, What::Operand, Scalar::I32, 1), Some(UNITS - 1));
        assert_eq!(outputs.add(0, What::Operand, Scalar::I32, 1), None);
        assert_eq!(outputs.list.len(), 1);
    }
}
