//! Conversions to and from unsigned integers, choices of numbers, and rounding other than that of the control register.

use super::operations::{ADD, AND, MAX, MIN, MOVE, MULTIPLY, OR, Operation, SHIFT_RIGHT_BY, SHIFT_SIGNED_BY};
use super::operations::{SUBTRACT, TO_FLOAT, TO_SIGNED};
use super::{Assembler, Comparison, Mask, Relation, Source, Vector};
use crate::jit::context::{Field, Word};
use crate::jit::vectors::Vectors;
use iced_x86::{Code, Instruction, RoundingControl};

impl Assembler {
    /// `dst = op(b)`, rounded to nearest although the control register says toward zero.
    pub(in crate::jit) fn nearest1(&mut self, op: Operation, dst: Vector, b: Vector) {
        match self.vectors {
            Vectors::Ymm => self.with_nearest(|l| l.vector1(op, dst, Source::Vector(b))),
            Vectors::Zmm => {
                let i = Instruction::with2(op.zmm, dst.of(Vectors::Zmm), b.of(Vectors::Zmm));
                self.put(i.map(to_nearest));
            }
        }
    }

    /// `dst = op(a, b)`, rounded to nearest although the control register says toward zero.
    pub(in crate::jit) fn nearest2(&mut self, op: Operation, dst: Vector, a: Vector, b: Vector) {
        match self.vectors {
            Vectors::Ymm => self.with_nearest(|l| l.vector2(op, dst, a, Source::Vector(b))),
            Vectors::Zmm => {
                let (dst, a) = (dst.of(Vectors::Zmm), a.of(Vectors::Zmm));
                self.instruction3(op.zmm, dst, a, Source::Vector(b), to_nearest);
            }
        }
    }

    /// Changes the control register for instructions of AVX2, which have no rounding of their own.
    fn with_nearest(&mut self, f: impl FnOnce(&mut Self)) {
        self.memory1(Code::VEX_Vldmxcsr_m32, Field::Nearest.address());
        f(self);
        self.memory1(Code::VEX_Vldmxcsr_m32, Field::Control.address());
    }

    /// An unsigned integer as a number, rounded to nearest; `truncates` says whether the control register says toward
    /// zero. `spare` is lost.
    pub(in crate::jit) fn unsigned_to_float(
        &mut self,
        dst: Vector,
        a: Vector,
        spare: Vector,
        truncates: bool,
    ) {
        match self.vectors {
            Vectors::Ymm => {
                // Both halves and the product are exact; the sum is rounded once.
                self.vector1_number(SHIFT_RIGHT_BY, spare, Source::Vector(a), 16);
                self.vector2(AND, dst, a, Source::Word(Word::Low16));
                self.vector1(TO_FLOAT, spare, Source::Vector(spare));
                self.vector1(TO_FLOAT, dst, Source::Vector(dst));
                self.vector2(MULTIPLY, spare, spare, Source::Word(Word::Number65536));
                match truncates {
                    true => self.nearest2(ADD, dst, dst, spare),
                    false => self.vector2(ADD, dst, dst, Source::Vector(spare)),
                }
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er;
                let i = Instruction::with2(code, dst.of(Vectors::Zmm), a.of(Vectors::Zmm));
                self.put(i.map(|i| if truncates { to_nearest(i) } else { i }));
            }
        }
    }

    /// A number that is neither negative nor NaN as an unsigned integer, the largest one if the number is too large.
    pub(in crate::jit) fn float_to_unsigned(&mut self, dst: Vector, a: Vector, spare: [Vector; 3]) {
        match self.vectors {
            Vectors::Ymm => {
                let [high, low, mask] = spare;
                self.vector2(SUBTRACT, high, a, Source::Word(Word::SignedEnd));
                self.vector1(TO_SIGNED, high, Source::Vector(high));
                // 2^31 if the number is at least that; the rest is added.
                self.vector1(TO_SIGNED, low, Source::Vector(a));
                self.vector1_number(SHIFT_SIGNED_BY, mask, Source::Vector(low), 31);
                self.vector2(AND, high, high, Source::Vector(mask));
                self.vector2(OR, low, low, Source::Vector(high));
                let at_least = Comparison::Float(Relation::AtLeast);
                self.compare_elements(at_least, mask, a, Source::Word(Word::UnsignedEnd));
                self.vector2(OR, dst, low, Source::Vector(mask));
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae;
                self.put(Instruction::with2(code, dst.of(Vectors::Zmm), a.of(Vectors::Zmm)));
            }
        }
    }

    /// The smaller or larger number, the other one if one is NaN; -0 is smaller than +0. The first set of steps is lost.
    pub(in crate::jit) fn choose(
        &mut self,
        smaller: bool,
        dst: Vector,
        a: Vector,
        b: Source,
        spare: [Vector; 3],
    ) {
        match self.vectors {
            Vectors::Ymm => {
                let (op, join) = if smaller { (MIN, OR) } else { (MAX, AND) };
                let [first, second, loaded] = spare;
                let b = match b {
                    Source::Vector(b) => b,
                    other => {
                        self.vector1(MOVE, loaded, other);
                        loaded
                    }
                };
                // Of zeros with different signs, each is the result of one order.
                self.vector2(op, first, a, Source::Vector(b));
                self.vector2(op, second, b, Source::Vector(a));
                self.vector2(join, first, first, Source::Vector(second));
                let nan = Mask::Step(0);
                for (x, other, to) in [(a, b, first), (b, a, dst)] {
                    self.compare(Comparison::Float(Relation::Unordered), nan, x, Source::Vector(x), None);
                    self.select(to, first, Source::Vector(other), nan);
                }
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae;
                let number = if smaller { 0b0100 } else { 0b0101 };
                self.instruction4(code, (dst.of(Vectors::Zmm), a.of(Vectors::Zmm), b), number, |i| i);
            }
        }
    }
}

fn to_nearest(mut i: Instruction) -> Instruction {
    i.set_rounding_control(RoundingControl::RoundToNearest);
    i
}
