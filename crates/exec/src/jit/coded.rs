//! Which instructions have machine code, and how the processor must round while it runs.

use crate::instruction::Instruction;
use crate::kernel::{One, Sum, Three, Two};
use crate::memory::Operand;

/// How the processor must round while the code of an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// The code sets what it needs.
    Any,
    /// To nearest: elementary functions of binary32, whose steps are rounded so.
    Nearest,
    /// Toward zero, as float24 rounds.
    TowardZero,
}

impl Rounding {
    /// What two instructions need together; `None` if they cannot be in the same code.
    pub(super) fn and(self, other: Rounding) -> Option<Rounding> {
        match (self, other) {
            (Rounding::Any, needed) | (needed, Rounding::Any) => Some(needed),
            _ => (self == other).then_some(self),
        }
    }
}

/// How the processor must round for an instruction; `None` for one that has no machine code.
pub(super) fn rounding(i: &Instruction<Operand>) -> Option<Rounding> {
    match i {
        Instruction::One { kernel, .. } => match kernel {
            One::FSinc
            | One::PopCount
            | One::LeadingZeros
            | One::ReverseBits
            | One::FromHalf
            | One::ToHalf => None,
            One::FRsqrt | One::FExp2 | One::FLog2 | One::FSin | One::FCos => Some(Rounding::Nearest),
            One::Rcp24 | One::Floor24 | One::Exp24 | One::Log24 => Some(Rounding::TowardZero),
            _ => Some(Rounding::Any),
        },
        Instruction::Two { kernel, .. } => match kernel {
            Two::UMulHi | Two::SMulHi => None,
            Two::Add24 | Two::Sub24 | Two::Mul24 | Two::MulZero24 => Some(Rounding::TowardZero),
            _ => Some(Rounding::Any),
        },
        Instruction::Three { kernel, .. } => match kernel {
            Three::FmaHalf => None,
            Three::MulAddZero24 => Some(Rounding::TowardZero),
            _ => Some(Rounding::Any),
        },
        Instruction::Dot3 { kernel, .. } | Instruction::Dot4 { kernel, .. } => match kernel {
            Sum::Zero24 => Some(Rounding::TowardZero),
            _ => Some(Rounding::Any),
        },
        Instruction::Rsqrt24 { .. } => Some(Rounding::TowardZero),
        Instruction::ByLane { .. } | Instruction::Access { .. } => None,
        Instruction::Gather { .. }
        | Instruction::Neighbour { .. }
        | Instruction::Blend { .. }
        | Instruction::Kill { .. } => Some(Rounding::Any),
    }
}
