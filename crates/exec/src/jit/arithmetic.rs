//! Kernels as instructions of the processor. Results are those of the kernel, except that a NaN may be another one and
//! that zero times infinity is NaN: such lanes are found when the value leaves arithmetic ([`Lowering::settle`]).

use super::assembler::operations::*;
use super::assembler::{Comparison, Order, Relation, Source, Vector};
use super::context::Word;
use super::lower::{K, Lowering, T, word};
use crate::kernel::{One, Sum, Three, Two};
use crate::memory::Operand;

const EQUAL: Comparison = Comparison::Float(Relation::Equal);
const LESS: Comparison = Comparison::Float(Relation::Less);
const AT_MOST: Comparison = Comparison::Float(Relation::AtMost);
const AT_LEAST: Comparison = Comparison::Float(Relation::AtLeast);
const ORDERED: Comparison = Comparison::Float(Relation::Ordered);
const DIFFERENT: Comparison = Comparison::Float(Relation::Different);

/// Rounding to an integral number: to nearest, down, up, toward zero, without exceptions.
const NEAREST: u8 = 8;
pub(super) const DOWN: u8 = 9;
const UP: u8 = 10;
const TOWARD_ZERO: u8 = 11;

impl Lowering<'_> {
    /// Code for a kernel of one operand; `false` if there is none.
    pub(super) fn one(&mut self, kernel: One, dst: Operand, a: Operand) -> bool {
        match kernel {
            One::Copy => self.simple1(MOVE, dst, a),
            One::FNeg => self.with_word(XOR, dst, a, Word::Sign),
            One::FAbs => self.with_word(AND, dst, a, Word::Magnitude),
            One::FSat => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                // NaN and zeros yield the second operand.
                self.asm.vector2(MAX, T[0], x, word(Word::Zero));
                self.result(dst, |l, d| l.asm.vector2(MIN, d, T[0], word(Word::Number1)));
            }
            One::FFloor => self.integral(DOWN, dst, a),
            One::FCeil => self.integral(UP, dst, a),
            One::FTrunc => self.integral(TOWARD_ZERO, dst, a),
            One::FRound => self.integral(NEAREST, dst, a),
            One::FSqrt => {
                let x = self.source(a);
                self.result(dst, |l, d| l.nearest1(ROOT, d, x));
            }
            One::FRcp => {
                let (one, x) = (self.register(word(Word::Number1), T[0]), self.source(a));
                self.result(dst, |l, d| l.nearest(DIVIDE, d, one, x));
            }
            One::FRsqrt => return self.reciprocal_root(dst, a),
            One::FExp2 => return self.power_of_two(dst, a, false),
            One::FLog2 => return self.logarithm(dst, a, false),
            One::Exp24 => return self.power_of_two(dst, a, true),
            One::Log24 => return self.logarithm(dst, a, true),
            One::Flush => {
                let x = self.loaded(a, T[0]);
                self.asm.vector2(AND, T[1], x, word(Word::Sign));
                self.asm.has_bits(K[0], x, Word::Exponent);
                self.result(dst, |l, d| l.asm.select(d, T[1], Source::Vector(x), K[0]));
            }
            One::INeg => {
                self.settle(&[a]);
                let x = self.source(a);
                self.asm.zero(T[0]);
                self.result(dst, |l, d| l.asm.vector2(INTEGER_SUBTRACT, d, T[0], x));
            }
            One::Not => self.integer_with_word(XOR, dst, a, Word::Ones),
            One::NotBit => self.integer_with_word(XOR, dst, a, Word::One),
            One::SignExtend8 => self.sign_extended(24, dst, a),
            One::SignExtend16 => self.sign_extended(16, dst, a),
            One::SignedToFloat => {
                self.settle(&[a]);
                let x = self.source(a);
                self.result(dst, |l, d| l.nearest1(TO_FLOAT, d, x));
            }
            One::UnsignedToFloat => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                let truncates = self.truncates;
                self.result(dst, |l, d| l.asm.unsigned_to_float(d, x, T[1], truncates));
            }
            One::FloatToSigned => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                self.asm.vector1(TO_SIGNED, T[1], Source::Vector(x));
                self.asm.compare(AT_LEAST, K[0], x, word(Word::SignedEnd), None);
                self.asm.select(T[1], T[1], word(Word::SignedMax), K[0]);
                self.asm.compare(ORDERED, K[0], x, Source::Vector(x), None);
                self.result(dst, |l, d| l.asm.keep(d, T[1], K[0]));
            }
            One::FloatToUnsigned => {
                self.settle(&[a]);
                let x = self.loaded(a, T[0]);
                self.asm.vector2(MAX, T[0], x, word(Word::Zero));
                self.result(dst, |l, d| l.asm.float_to_unsigned(d, T[0], [T[1], T[2], T[3]]));
            }
            One::Flush24 => self.flushed24(dst, a),
            One::UnsignedZero => {
                let x = self.loaded(a, T[0]);
                self.asm.compare(Comparison::Signed(Order::Different), K[0], x, word(Word::Sign), None);
                self.result(dst, |l, d| l.asm.keep(d, x, K[0]));
            }
            One::Rcp24 => self.reciprocal24(dst, a),
            One::Floor24 => self.floor24(dst, a),
            One::FastRsqrt => self.fast_reciprocal_root(dst, a),
            One::FastExp2 => self.fast_power_of_two(dst, a),
            One::FastLog2 => self.fast_logarithm(dst, a),
            One::FastSin => self.fast_sine(dst, a, false),
            One::FastCos => self.fast_sine(dst, a, true),
            One::FSin => return self.sine(dst, a, false),
            One::FCos => return self.sine(dst, a, true),
            One::FSinc => return false,
            One::PopCount | One::LeadingZeros | One::ReverseBits | One::FromHalf | One::ToHalf => {
                return false;
            }
        }
        true
    }

    /// Code for a kernel of two operands; `false` if there is none.
    pub(super) fn two(&mut self, kernel: Two, dst: Operand, [a, b]: [Operand; 2]) -> bool {
        match kernel {
            Two::FAdd => self.rounded(ADD, dst, a, b),
            Two::FSub => self.rounded(SUBTRACT, dst, a, b),
            Two::FMul | Two::FMulZero => self.rounded(MULTIPLY, dst, a, b),
            Two::FDiv => self.rounded(DIVIDE, dst, a, b),
            // The second operand is the result of equal numbers, and where one is NaN.
            Two::FMinSecond => self.settled(MIN, dst, a, b),
            Two::FMaxSecond => self.settled(MAX, dst, a, b),
            Two::FMin => self.chosen(true, dst, a, b),
            Two::FMax => self.chosen(false, dst, a, b),
            Two::FEq => self.compared(EQUAL, dst, a, b),
            Two::FNe => self.compared(DIFFERENT, dst, a, b),
            Two::FLt => self.compared(LESS, dst, a, b),
            Two::FLe => self.compared(AT_MOST, dst, a, b),
            Two::IAdd => self.settled(INTEGER_ADD, dst, a, b),
            Two::ISub => self.settled(INTEGER_SUBTRACT, dst, a, b),
            Two::IMul => self.settled(INTEGER_MULTIPLY, dst, a, b),
            Two::UMin => self.settled(UNSIGNED_MIN, dst, a, b),
            Two::UMax => self.settled(UNSIGNED_MAX, dst, a, b),
            Two::SMin => self.settled(SIGNED_MIN, dst, a, b),
            Two::SMax => self.settled(SIGNED_MAX, dst, a, b),
            Two::And => self.settled(AND, dst, a, b),
            Two::Or => self.settled(OR, dst, a, b),
            Two::Xor => self.settled(XOR, dst, a, b),
            Two::Shl => self.settled(SHIFT_LEFT, dst, a, b),
            Two::LShr => self.settled(SHIFT_RIGHT, dst, a, b),
            Two::AShr => self.settled(SHIFT_SIGNED, dst, a, b),
            Two::IEq => self.compared(Comparison::Signed(Order::Equal), dst, a, b),
            Two::INe => self.compared(Comparison::Signed(Order::Different), dst, a, b),
            Two::ULt => self.compared(Comparison::Unsigned(Order::Less), dst, a, b),
            Two::ULe => self.compared(Comparison::Unsigned(Order::AtMost), dst, a, b),
            Two::SLt => self.compared(Comparison::Signed(Order::Less), dst, a, b),
            Two::SLe => self.compared(Comparison::Signed(Order::AtMost), dst, a, b),
            Two::Add24 => self.add24(dst, a, b),
            Two::Sub24 => self.sub24(dst, a, b),
            Two::Mul24 | Two::MulZero24 => self.mul24(dst, a, b),
            Two::UMulHi | Two::SMulHi => return false,
        }
        true
    }

    /// Code for a kernel of three operands; `false` if there is none.
    pub(super) fn three(&mut self, kernel: Three, dst: Operand, [a, b, c]: [Operand; 3]) -> bool {
        match kernel {
            Three::Select => {
                let cond = self.condition(a);
                let (yes, no) = (self.source(b), self.loaded(c, T[0]));
                self.result(dst, |l, d| l.asm.select(d, no, yes, cond));
            }
            Three::MulAdd | Three::MulAddZero => {
                let (a, b) = self.memory_last(a, b);
                let (x, y, z) = (self.loaded(a, T[0]), self.source(b), self.source(c));
                self.nearest(MULTIPLY, T[0], x, y);
                self.result(dst, |l, d| l.nearest(ADD, d, T[0], z));
            }
            Three::MulAddZero24 => {
                let (a, b) = self.memory_last(a, b);
                let (x, y) = (self.loaded(a, T[0]), self.source(b));
                self.product24(T[0], x, y);
                let z = self.source(c);
                self.result(dst, |l, d| l.sum24(d, T[0], z));
            }
            Three::Fma | Three::FastMulAdd | Three::FastMulAddZero => self.multiply_add(dst, a, b, c),
            Three::FmaHalf => return false,
        }
        true
    }

    /// `x * y + z`, rounded once.
    fn multiply_add(&mut self, dst: Operand, x: Operand, y: Operand, z: Operand) {
        let (x, y) = self.memory_last(x, y);
        let (x, y, z) = (self.loaded(x, T[0]), self.source(y), self.source(z));
        self.result(dst, |l, d| {
            if x == d {
                let y = l.register(y, T[1]);
                l.nearest(FUSED, d, y, z);
            } else if y == Source::Vector(d) {
                l.nearest(FUSED, d, x, z);
            } else {
                if z != Source::Vector(d) {
                    l.asm.vector1(MOVE, d, z);
                }
                l.nearest(FUSED_SUM, d, x, y);
            }
        });
    }

    /// The sum of `start` and products, from the first to the last.
    pub(super) fn sum(
        &mut self,
        kernel: Sum,
        dst: Operand,
        start: Option<Operand>,
        a: &[Operand],
        b: &[Operand],
    ) {
        if matches!(kernel, Sum::Fast | Sum::FastZero) {
            return self.fast_sum(dst, start, a, b);
        }
        let exact24 = kernel == Sum::Zero24;
        let mut partial: Option<Source> = start.map(|s| self.source(s));
        for (n, (x, y)) in a.iter().zip(b).enumerate() {
            let is_last = n + 1 == a.len();
            let (x, y) = self.memory_last(*x, *y);
            let (x, y) = (self.loaded(x, T[2]), self.source(y));
            let Some(partial) = partial.replace(Source::Vector(T[0])) else {
                self.step(exact24, T[0], x, y);
                continue;
            };
            self.step(exact24, T[1], x, y);
            let add = |l: &mut Self, to: Vector| match exact24 {
                true => l.sum24(to, T[1], partial),
                false => l.nearest(ADD, to, T[1], partial),
            };
            if is_last { self.result(dst, add) } else { add(self, T[0]) }
        }
    }

    fn step(&mut self, exact24: bool, to: Vector, x: Vector, y: Source) {
        if exact24 { self.product24(to, x, y) } else { self.nearest(MULTIPLY, to, x, y) }
    }

    /// An instruction on one operand.
    fn simple1(&mut self, op: Operation, dst: Operand, a: Operand) {
        let x = self.source(a);
        self.result(dst, |l, d| l.asm.vector1(op, d, x));
    }

    /// An instruction on an operand and a constant, for numbers.
    fn with_word(&mut self, op: Operation, dst: Operand, a: Operand, b: Word) {
        let x = self.loaded(a, T[0]);
        self.result(dst, |l, d| l.asm.vector2(op, d, x, word(b)));
    }

    /// As [`Lowering::with_word`], for integers.
    fn integer_with_word(&mut self, op: Operation, dst: Operand, a: Operand, b: Word) {
        self.settle(&[a]);
        self.with_word(op, dst, a, b);
    }

    fn integral(&mut self, how: u8, dst: Operand, a: Operand) {
        let x = self.source(a);
        self.result(dst, |l, d| l.asm.vector1_number(TO_INTEGRAL, d, x, how));
    }

    fn sign_extended(&mut self, by: u8, dst: Operand, a: Operand) {
        self.settle(&[a]);
        let x = self.loaded(a, T[0]);
        self.asm.vector1_number(SHIFT_LEFT_BY, T[0], Source::Vector(x), by);
        self.result(dst, |l, d| l.asm.vector1_number(SHIFT_SIGNED_BY, d, Source::Vector(T[0]), by));
    }

    /// Arithmetic that is rounded to nearest.
    fn rounded(&mut self, op: Operation, dst: Operand, a: Operand, b: Operand) {
        let (a, b) = if matches!(op, ADD | MULTIPLY) { self.memory_last(a, b) } else { (a, b) };
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.nearest(op, d, x, y));
    }

    /// The operands of an instruction for which their order does not matter: one in memory is the second.
    pub(super) fn memory_last(&self, a: Operand, b: Operand) -> (Operand, Operand) {
        if self.registers.get(a).is_none() { (b, a) } else { (a, b) }
    }

    /// An instruction whose result does not show that an operand was NaN.
    fn settled(&mut self, op: Operation, dst: Operand, a: Operand, b: Operand) {
        self.settle(&[a, b]);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.asm.vector2(op, d, x, y));
    }

    /// The smaller or larger number.
    fn chosen(&mut self, smaller: bool, dst: Operand, a: Operand, b: Operand) {
        self.settle(&[a, b]);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.result(dst, |l, d| l.asm.choose(smaller, d, x, y, [T[1], T[2], T[3]]));
    }

    fn compared(&mut self, how: Comparison, dst: Operand, a: Operand, b: Operand) {
        self.settle(&[a, b]);
        let (x, y) = (self.loaded(a, T[0]), self.source(b));
        self.comparison(dst, |l, set| l.asm.compare(how, set, x, y, None));
    }
}
