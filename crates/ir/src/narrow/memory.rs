//! Memory as 32-bit words.

use super::{Made, Narrower};
use crate::*;
use alloc::vec::Vec;

impl Narrower {
    pub(super) fn address(&mut self, address: Value) -> Value {
        match self.get(address) {
            Made::One(a) => a,
            Made::Halves(low, _) if self.addresses == Addresses::Window => low,
            Made::Halves(low, high) => self.whole(low, high, Scalar::I64.by(1)),
        }
    }

    /// Whether memory at an address has words alone.
    fn has_words(&self, address: Value) -> bool {
        self.addresses == Addresses::Window && self.new.ty(address) == Type::I32
    }

    pub(super) fn load(&mut self, ty: Type, space: Space, address: Value) -> Made {
        let address = self.address(address);
        match ty.scalar {
            Scalar::I8 | Scalar::I16 | Scalar::F16 if self.has_words(address) => {
                let bits = ty.scalar.bits();
                let parts: Vec<Value> = (0..ty.count)
                    .map(|i| {
                        let at = self.offset_by(address, u32::from(bits / 8 * i));
                        self.load_small(space, at, bits)
                    })
                    .collect();
                let whole = self.join(&parts);
                Made::One(if ty.scalar == Scalar::F16 { self.unpacked(whole) } else { whole })
            }
            Scalar::I64 => {
                // Two 32-bit words for each component, consecutive.
                let (mut low, mut high) = (Vec::new(), Vec::new());
                for i in 0..u32::from(ty.count) {
                    let address = self.offset_by(address, 8 * i);
                    let two = self.push(Op::Load { space, address }, Scalar::I32.by(2));
                    low.push(self.component(two, 0));
                    high.push(self.component(two, 1));
                }
                let low = self.join(&low);
                Made::Halves(low, self.join(&high))
            }
            _ => {
                let whole = self.push(Op::Load { space, address }, ty);
                self.carried(whole)
            }
        }
    }

    pub(super) fn store(&mut self, space: Space, address: Value, value: Value) {
        let ty = self.was(value);
        let address = self.address(address);
        match (self.get(value), ty.scalar) {
            (Made::One(one), Scalar::I8 | Scalar::I16 | Scalar::F16) if self.has_words(address) => {
                let whole = if ty.scalar == Scalar::F16 { self.packed(one) } else { one };
                let bits = ty.scalar.bits();
                for i in 0..ty.count {
                    let at = self.offset_by(address, u32::from(bits / 8 * i));
                    let part = self.component(whole, i);
                    self.store_small(space, at, part, bits);
                }
            }
            (Made::One(_), _) => {
                let value = self.restored(value);
                self.push(Op::Store { space, address, value }, Type::NONE);
            }
            (Made::Halves(low, high), _) => {
                for i in 0..ty.count {
                    let address = self.offset_by(address, 8 * u32::from(i));
                    let (low, high) = (self.component(low, i), self.component(high, i));
                    let value = self.join(&[low, high]);
                    self.push(Op::Store { space, address, value }, Type::NONE);
                }
            }
        }
    }

    /// The address of the 32-bit word that contains a byte, and the byte's bit position in the word.
    fn word_of(&mut self, address: Value) -> (Value, Value) {
        self.parts = true;
        let [lowest, others, three] = [3, !3, 3].map(|n| self.number(n, address));
        let word = self.binary(Binary::And, address, others);
        let byte = self.binary(Binary::And, address, lowest);
        (word, self.binary(Binary::Shl, byte, three))
    }

    fn load_small(&mut self, space: Space, address: Value, bits: u8) -> Value {
        let (address, by) = self.word_of(address);
        let word = self.push(Op::Load { space, address }, Type::I32);
        let low = self.binary(Binary::LShr, word, by);
        self.masked(low, bits)
    }

    /// Clears the bits, then sets them atomically: other lanes may store to the rest of the 32-bit word concurrently.
    fn store_small(&mut self, space: Space, address: Value, value: Value, bits: u8) {
        let (address, by) = self.word_of(address);
        let all = self.number((1 << bits) - 1, value);
        let place = self.binary(Binary::Shl, all, by);
        let rest = self.unary(Unary::Not, place);
        let value = self.binary(Binary::Shl, value, by);
        if space == Space::Local {
            let word = self.push(Op::Load { space, address }, Type::I32);
            let kept = self.binary(Binary::And, word, rest);
            let value = self.binary(Binary::Or, kept, value);
            self.push(Op::Store { space, address, value }, Type::NONE);
            return;
        }
        for (op, value) in [(Binary::And, rest), (Binary::Or, value)] {
            let op = Atomic::Combine(op);
            self.push(Op::Atomic { op, space, address, value, expected: value }, Type::I32);
        }
    }

    /// The address plus a number of bytes.
    fn offset_by(&mut self, address: Value, bytes: u32) -> Value {
        if bytes == 0 {
            return address;
        }
        let ty = self.new.ty(address);
        let bytes = self.push(Op::Const(bytes.into()), ty);
        self.binary(Binary::IAdd, address, bytes)
    }
}
