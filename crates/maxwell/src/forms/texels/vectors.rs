//! The registers that a texture instruction reads, in order.

use crate::REGISTERS;
use crate::operand::{MaxwellLift, RZ};
use alloc::vec::Vec;
use shisa_ir::{Convert, Scalar, Swizzle, Type, Value};
use shisa_rows::Slot;

/// The registers of both source vectors that are not yet taken.
pub(super) struct Vectors {
    /// The next register of each vector, none for a vector of zeros, and how many are left.
    parts: [(Option<u64>, u8); 2],
}

impl Vectors {
    /// The vectors in these slots, with so many registers.
    pub(super) fn new(l: &MaxwellLift<'_, '_>, vectors: [(Slot, u8); 2]) -> Vectors {
        let first = |slot| Some(l.insn.field(slot) & 0xff).filter(|n| *n != RZ);
        Vectors { parts: vectors.map(|(slot, count)| (first(slot), count)) }
    }

    /// The next register.
    pub(super) fn bits(&mut self, l: &mut MaxwellLift<'_, '_>) -> Value {
        let Some((next, left)) = self.parts.iter_mut().find(|part| part.1 != 0) else {
            return l.no_value();
        };
        *left -= 1;
        let Some(next) = next else { return l.i32(0) };
        let reg = l.reg(REGISTERS, *next as u32, 1);
        *next += 1;
        l.read(reg, Swizzle::IDENTITY, Type::I32)
    }

    /// The next register as a float.
    pub(super) fn float(&mut self, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = self.bits(l);
        l.convert(Convert::Bits, bits, Scalar::F32)
    }

    /// A vector of the next `count` registers, as integers or as floats.
    pub(super) fn vector(&mut self, l: &mut MaxwellLift<'_, '_>, count: u8, whole: bool) -> Value {
        let parts: Vec<Value> =
            (0..count).map(|_| if whole { self.bits(l) } else { self.float(l) }).collect();
        l.join(&parts)
    }
}
