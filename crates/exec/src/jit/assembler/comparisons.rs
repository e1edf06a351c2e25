//! Comparisons, whose results are sets of lanes.

use super::operations::{AND, MOVE, Operation, SHIFT_LEFT_BY, UNSIGNED_MAX, UNSIGNED_MIN, XOR};
use super::{Assembler, Mask, Source, Vector};
use crate::jit::context::{Long, Word};
use crate::jit::vectors::Vectors;
use iced_x86::{Code, Register};

/// How elements are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) enum Comparison {
    /// Numbers of 32 or 64 bits.
    Float(Relation),
    Double(Relation),
    /// Integers of 32 bits.
    Signed(Order),
    Unsigned(Order),
}

/// A relation of numbers, which is false for NaN unless it says otherwise. Values are the processor's numbers, of those that
/// raise no exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) enum Relation {
    Equal = 0,
    /// One is NaN.
    Unordered = 3,
    /// Not equal, or NaN.
    Different = 4,
    /// None is NaN.
    Ordered = 7,
    Less = 0x11,
    AtMost = 0x12,
    /// Less, or NaN.
    NotAtLeast = 0x19,
    AtLeast = 0x1d,
    Above = 0x1e,
}

/// A relation of integers. Values are the processor's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) enum Order {
    Equal = 0,
    Less = 1,
    AtMost = 2,
    Different = 4,
    AtLeast = 5,
    Above = 6,
}

/// Comparisons of integers with AVX2.
const EQUAL: Code = Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256;
const ABOVE: Code = Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256;

impl Assembler {
    /// `dst` = the lanes where the comparison holds; of `within`, another set, if it is given.
    pub(in crate::jit) fn compare(
        &mut self,
        how: Comparison,
        dst: Mask,
        a: Vector,
        b: Source,
        within: Option<Mask>,
    ) {
        match self.vectors {
            Vectors::Ymm => {
                let to = self.step(dst);
                self.compare_elements(how, to, a, b);
                if let Some(within) = within {
                    self.and_set(to, within);
                }
            }
            Vectors::Zmm => {
                let (code, number) = match how {
                    Comparison::Float(n) => (Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, n as u8),
                    Comparison::Double(n) => (Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae, n as u8),
                    Comparison::Signed(n) => (Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, n as u8),
                    Comparison::Unsigned(n) => (Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, n as u8),
                };
                let mask = self.selecting(within);
                self.instruction4(code, (dst.register(), a.of(Vectors::Zmm), b), number, |mut i| {
                    i.set_op_mask(mask);
                    i
                });
            }
        }
    }

    /// Keeps the lanes of a set where the comparison holds. `spare` is lost.
    pub(in crate::jit) fn narrow(&mut self, how: Comparison, set: Mask, a: Vector, b: Source, spare: Vector) {
        match self.vectors {
            Vectors::Ymm => {
                let to = self.step(set);
                self.compare_elements(how, spare, a, b);
                self.vector2(AND, to, to, Source::Vector(spare));
            }
            Vectors::Zmm => self.compare(how, set, a, b, Some(set)),
        }
    }

    /// `dst` = the lanes where `a` has any of some bits, which are not the sign.
    pub(in crate::jit) fn has_bits(&mut self, dst: Mask, a: Vector, bits: Word) {
        match self.vectors {
            Vectors::Ymm => {
                let to = self.step(dst);
                self.elements_with_bits(to, a, bits);
            }
            Vectors::Zmm => {
                self.test(Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, dst, a, Source::Word(bits), None)
            }
        }
    }

    /// Keeps the lanes of a set where `a` has any of some bits, which are not the sign. `a` is lost.
    pub(in crate::jit) fn keep_with_bits(&mut self, set: Mask, a: Vector, bits: Word) {
        match self.vectors {
            Vectors::Ymm => {
                let to = self.step(set);
                self.elements_with_bits(a, a, bits);
                self.vector2(AND, to, to, Source::Vector(a));
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
                self.test(code, set, a, Source::Word(bits), Some(set));
            }
        }
    }

    /// `dst` = the lanes of a half in `within` where `a` has none of some bits. `a` is lost.
    pub(in crate::jit) fn lacks_bits(&mut self, dst: Mask, a: Vector, bits: Long, within: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let to = self.step(dst);
                self.vector2(AND, a, a, Source::Long(bits));
                let code = Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256;
                self.instruction3(code, to.ymm(), a.ymm(), Source::Word(Word::Zero), |i| i);
                self.and_set(to, within);
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64;
                self.test(code, dst, a, Source::Long(bits), Some(within));
            }
        }
    }

    /// `dst` = the lanes where the lowest bit is set.
    pub(in crate::jit) fn lowest_bits(&mut self, dst: Mask, a: Vector) {
        match self.vectors {
            Vectors::Ymm => {
                let to = self.step(dst);
                self.vector1_number(SHIFT_LEFT_BY, to, Source::Vector(a), 31);
            }
            Vectors::Zmm => {
                let one = Source::Word(Word::One);
                self.test(Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, dst, a, one, None);
            }
        }
    }

    /// A test of bits with AVX-512.
    fn test(&mut self, code: Code, dst: Mask, a: Vector, b: Source, within: Option<Mask>) {
        let mask = self.selecting(within);
        self.instruction3(code, dst.register(), a.of(Vectors::Zmm), b, |mut i| {
            i.set_op_mask(mask);
            i
        });
    }

    fn selecting(&self, within: Option<Mask>) -> Register {
        within.map_or(Register::None, Mask::register)
    }

    /// All bits of the elements for which a comparison holds, with AVX2.
    pub(super) fn compare_elements(&mut self, how: Comparison, to: Vector, a: Vector, b: Source) {
        let numbered = |l: &mut Self, code, number| {
            l.instruction4(code, (to.ymm(), a.ymm(), b), number, |i| i);
        };
        match how {
            Comparison::Float(n) => numbered(self, Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, n as u8),
            Comparison::Double(n) => numbered(self, Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8, n as u8),
            Comparison::Signed(order) => self.compare_signed(order, to, a, b),
            Comparison::Unsigned(order) => self.compare_unsigned(order, to, a, b),
        }
    }

    fn compare_signed(&mut self, order: Order, to: Vector, a: Vector, b: Source) {
        match order {
            Order::Equal | Order::Different => self.instruction3(EQUAL, to.ymm(), a.ymm(), b, |i| i),
            Order::Above | Order::AtMost => self.instruction3(ABOVE, to.ymm(), a.ymm(), b, |i| i),
            Order::Less | Order::AtLeast => {
                self.vector1(MOVE, to, b);
                self.instruction3(ABOVE, to.ymm(), to.ymm(), Source::Vector(a), |i| i);
            }
        }
        if matches!(order, Order::Different | Order::AtMost | Order::AtLeast) {
            self.invert(to);
        }
    }

    /// AVX2 has no order of unsigned integers, but their minimum and maximum.
    fn compare_unsigned(&mut self, order: Order, to: Vector, a: Vector, b: Source) {
        let extreme: Operation = match order {
            Order::Equal | Order::Different => return self.compare_signed(order, to, a, b),
            Order::AtMost | Order::Above => UNSIGNED_MIN,
            Order::AtLeast | Order::Less => UNSIGNED_MAX,
        };
        self.vector2(extreme, to, a, b);
        self.instruction3(EQUAL, to.ymm(), to.ymm(), Source::Vector(a), |i| i);
        if matches!(order, Order::Less | Order::Above) {
            self.invert(to);
        }
    }

    fn invert(&mut self, to: Vector) {
        self.vector2(XOR, to, to, Source::Word(Word::Ones));
    }

    fn elements_with_bits(&mut self, to: Vector, a: Vector, bits: Word) {
        self.vector2(AND, to, a, Source::Word(bits));
        self.instruction3(ABOVE, to.ymm(), to.ymm(), Source::Word(Word::Zero), |i| i);
    }
}
