//! Operands of instructions: registers, memory, sets of lanes.

use crate::jit::context::{Address, Field, Long, Word};
use crate::jit::vectors::Vectors;
use iced_x86::{MemoryOperand, Register};

/// A vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) struct Vector(pub(in crate::jit) u8);

impl Vector {
    /// The whole register.
    pub(super) fn of(self, vectors: Vectors) -> Register {
        match vectors {
            Vectors::Zmm => Register::ZMM0 + u32::from(self.0),
            Vectors::Ymm => self.ymm(),
        }
    }

    /// The first eight lanes.
    pub(super) fn ymm(self) -> Register {
        Register::YMM0 + u32::from(self.0)
    }

    /// The first four lanes.
    pub(super) fn xmm(self) -> Register {
        Register::XMM0 + u32::from(self.0)
    }
}

/// A set of lanes: a mask register of AVX-512; with AVX2 a vector whose elements have the sign bit for lanes of the set. The
/// sets that comparisons make have all bits of these elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) enum Mask {
    /// The lanes that run.
    Lanes,
    /// The lanes whose results are in doubt. With AVX2 only whether there are any is known.
    Doubt,
    /// For the steps of an instruction.
    Step(u8),
    /// The result of a comparison, with AVX-512 only.
    Condition(u8),
}

impl Address {
    pub(super) fn operand(self) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.base, self.offset.into())
    }

    /// One element for all lanes.
    pub(super) fn broadcast(self) -> MemoryOperand {
        MemoryOperand::new(self.base, Register::None, 1, self.offset.into(), 1, true, Register::None)
    }
}

/// The last operand of a vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) enum Source {
    Vector(Vector),
    /// As many bytes as a register has.
    Memory(Address),
    /// A constant for all lanes.
    Word(Word),
    /// A constant of 64 bits for all lanes of a half.
    Long(Long),
}

/// A source as an operand of an instruction.
pub(super) enum Encoded {
    Register(Register),
    Memory(MemoryOperand),
}

impl Source {
    pub(super) fn encoded(self, vectors: Vectors) -> Encoded {
        let constant = |field: Field| match vectors {
            Vectors::Zmm => Encoded::Memory(field.address().broadcast()),
            // The context has each constant as often as a register has lanes.
            Vectors::Ymm => Encoded::Memory(field.address().operand()),
        };
        match self {
            Source::Vector(register) => Encoded::Register(register.of(vectors)),
            Source::Memory(at) => Encoded::Memory(at.operand()),
            Source::Word(n) => constant(Field::Word(n)),
            Source::Long(n) => constant(Field::Long(n)),
        }
    }
}

/// The operand of an instruction on general registers.
#[derive(Clone, Copy, Debug)]
pub(in crate::jit) enum General {
    Register(Register),
    Memory(Address),
    Indexed { base: Register, index: Register, scale: u32, offset: i32 },
    Number(u32),
}

/// A location in the code that jumps lead to.
#[derive(Clone, Copy, Debug)]
pub(in crate::jit) struct Label(pub(super) usize);
