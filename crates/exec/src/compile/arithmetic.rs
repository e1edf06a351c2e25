//! Chooses kernels. Flushing and saturation are instructions of their own.

use super::parts::Part;
use super::split::{Components, Splitter};
use crate::floats::Precision;
use crate::instruction::Instruction;
use crate::kernel::{One, Sum, Three, Two};
use shisa_ir::scalar::{Arithmetic, DotOrder, DotSteps, Whole, WholeRange};
use shisa_ir::{Binary, Convert, FloatModel, FloatRule, NanRule, Round, Scalar, Ternary, Unary};

/// Which arithmetic an operation follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// binary32 or binary16, rounded to nearest.
    Nearest,
    /// float24 with every choice at its default.
    F24,
    /// Anything else.
    Other,
}

impl Splitter<'_> {
    fn one(&mut self, kernel: One, a: Part) -> Part {
        self.emit(|dst| Instruction::One { kernel, dst, args: [a] }, &[a])
    }

    fn two(&mut self, kernel: Two, a: Part, b: Part) -> Part {
        self.emit(|dst| Instruction::Two { kernel, dst, args: [a, b] }, &[a, b])
    }

    fn three(&mut self, kernel: Three, args: [Part; 3]) -> Part {
        self.emit(|dst| Instruction::Three { kernel, dst, args }, &args)
    }

    fn by_lane(&mut self, op: Arithmetic, args: [Part; 3]) -> Part {
        self.emit(|dst| Instruction::ByLane { op, dst, args }, &args)
    }

    fn numbers(&self, rule: FloatRule, scalar: Scalar) -> Numbers {
        if rule.model && (rule.flush || rule.saturate) {
            return Numbers::Other;
        }
        match self.model.is_f24(rule, scalar) {
            true if self.model == FloatModel::F24 => Numbers::F24,
            false if rule.round == Round::Nearest => Numbers::Nearest,
            _ => Numbers::Other,
        }
    }

    /// A binary32 with denormals flushed, if the rule says so.
    fn flushed(&mut self, rule: FloatRule, a: Part) -> Part {
        match self.parts.bits(a) {
            Some(bits) if bits & 0x7f80_0000 != 0 || bits & 0x7fff_ffff == 0 => a,
            _ if rule.flush && !rule.model => self.one(One::Flush, a),
            _ => a,
        }
    }

    /// An operand of float24 arithmetic.
    fn operand24(&mut self, a: Part) -> Part {
        if self.is_normal24(a) { a } else { self.one(One::Flush24, a) }
    }

    /// Whether a component is the result of float24 arithmetic, which has no denormals.
    fn is_normal24(&self, a: Part) -> bool {
        match self.parts.bits(a) {
            Some(bits) => crate::float24::flush(bits) == bits,
            None => self.normal24.contains(&a),
        }
    }

    /// Marks a result whose magnitude is that of one of these components.
    fn moved24(&mut self, result: Part, sources: &[Part]) -> Part {
        if sources.iter().all(|s| self.is_normal24(*s)) { self.normal24(result) } else { result }
    }

    /// Marks the result of float24 arithmetic.
    fn normal24(&mut self, a: Part) -> Part {
        self.normal24.insert(a);
        a
    }

    /// The result, flushed and saturated as the rule says.
    fn finished(&mut self, rule: FloatRule, scalar: Scalar, a: Part) -> Part {
        let a = self.flushed(rule, a);
        self.saturated(rule, scalar, a)
    }

    fn saturated(&mut self, rule: FloatRule, scalar: Scalar, a: Part) -> Part {
        if !rule.saturate || !scalar.is_float() {
            return a;
        }
        self.unary(Unary::FSat, FloatRule { saturate: false, ..rule }, scalar, a)
    }

    pub(super) fn unary(&mut self, op: Unary, rule: FloatRule, scalar: Scalar, a: Part) -> Part {
        let exact = Arithmetic::Unary(op, rule, scalar);
        match (op, scalar, self.numbers(rule, scalar)) {
            (Unary::FNeg | Unary::FAbs, Scalar::F32, _) => {
                self.signed(op, self.model.is_f24(rule, scalar), a)
            }
            (Unary::FSat, Scalar::F32, Numbers::F24) => {
                let result = self.one(One::FSat, a);
                self.moved24(result, &[a])
            }
            (_, Scalar::F32, Numbers::F24) => self.unary24(op, exact, a),
            (Unary::FRsqrt, Scalar::F32, Numbers::Nearest) if rule.model && self.is_exact() => {
                // As emulators compute it: the reciprocal of the rounded square root.
                let root = self.unary(Unary::FSqrt, FloatRule { saturate: false, ..rule }, scalar, a);
                self.unary(Unary::FRcp, rule, scalar, root)
            }
            (_, Scalar::F32, Numbers::Nearest) => {
                let Some(kernel) = kernel32(op, self.is_exact()) else { return self.by_lane(exact, [a; 3]) };
                let a = self.flushed(rule, a);
                let result = self.one(kernel, a);
                self.finished(rule, scalar, result)
            }
            _ => match kernel_of_integers(op, scalar) {
                Some(kernel) => self.one(kernel, a),
                None => self.by_lane(exact, [a; 3]),
            },
        }
    }

    fn is_exact(&self) -> bool {
        self.precision == Precision::Exact
    }

    /// Whether a sum of products begins with zero, which decides the sign of a zero.
    fn sums_from_zero(&self, step: FloatRule) -> bool {
        self.is_exact() && self.model.dot_from_zero(step)
    }

    /// A change of the sign bit, which ignores the rule; float24 has no -0.
    fn signed(&mut self, op: Unary, is_f24: bool, a: Part) -> Part {
        let result = self.one(if op == Unary::FNeg { One::FNeg } else { One::FAbs }, a);
        if !is_f24 {
            return result;
        }
        let result = if op == Unary::FNeg { self.one(One::UnsignedZero, result) } else { result };
        self.moved24(result, &[a])
    }

    /// An operation of float24.
    fn unary24(&mut self, op: Unary, exact: Arithmetic, a: Part) -> Part {
        let kernel = match op {
            Unary::FRcp => One::Rcp24,
            Unary::FFloor => One::Floor24,
            Unary::FExp2 => One::Exp24,
            Unary::FLog2 => One::Log24,
            Unary::FRsqrt => {
                let a = self.operand24(a);
                let result = self.emit(|dst| Instruction::Rsqrt24 { dst, a }, &[a]);
                return self.normal24(result);
            }
            _ => {
                let result = self.by_lane(exact, [a; 3]);
                return self.normal24(result);
            }
        };
        let a = self.operand24(a);
        let result = self.one(kernel, a);
        self.normal24(result)
    }

    pub(super) fn binary(&mut self, op: Binary, rule: FloatRule, scalar: Scalar, a: Part, b: Part) -> Part {
        let exact = Arithmetic::Binary(op, rule, scalar);
        if op.is_float() {
            return match (scalar, self.numbers(rule, scalar)) {
                (Scalar::F32, Numbers::Nearest) => self.binary32(op, rule, a, b),
                (Scalar::F32, Numbers::F24) => self.binary24(op, rule, a, b),
                // Comparisons do not round.
                (Scalar::F32, Numbers::Other) if op.compares() && !self.model.is_f24(rule, scalar) => {
                    self.binary32(op, rule, a, b)
                }
                _ => self.by_lane(exact, [a, b, b]),
            };
        }
        let whole = scalar == Scalar::I32;
        let kernel = match op {
            Binary::IAdd if whole => Two::IAdd,
            Binary::ISub if whole => Two::ISub,
            Binary::IMul if whole => Two::IMul,
            Binary::UMulHi if whole => Two::UMulHi,
            Binary::SMulHi if whole => Two::SMulHi,
            Binary::SMin if whole => Two::SMin,
            Binary::SMax if whole => Two::SMax,
            Binary::Shl if whole => Two::Shl,
            Binary::AShr if whole => Two::AShr,
            Binary::SLt if whole => Two::SLt,
            Binary::SLe if whole => Two::SLe,
            // Narrow operands are zero-extended, which makes these kernels correct for every width.
            Binary::UMin => Two::UMin,
            Binary::UMax => Two::UMax,
            Binary::And => Two::And,
            Binary::Or => Two::Or,
            Binary::Xor => Two::Xor,
            Binary::LShr => Two::LShr,
            Binary::IEq => Two::IEq,
            Binary::INe => Two::INe,
            Binary::ULt => Two::ULt,
            Binary::ULe => Two::ULe,
            _ => return self.by_lane(exact, [a, b, b]),
        };
        self.two(kernel, a, b)
    }

    /// An operation of binary32, rounded to nearest.
    fn binary32(&mut self, op: Binary, rule: FloatRule, a: Part, b: Part) -> Part {
        let second = rule.nan == NanRule::Second;
        let kernel = match op {
            Binary::FAdd => Two::FAdd,
            Binary::FSub => Two::FSub,
            Binary::FMul | Binary::FDot if rule.zero_product => Two::FMulZero,
            Binary::FMul | Binary::FDot => Two::FMul,
            Binary::FDiv => Two::FDiv,
            Binary::FMin if second => Two::FMinSecond,
            Binary::FMax if second => Two::FMaxSecond,
            Binary::FMin => Two::FMin,
            Binary::FMax => Two::FMax,
            Binary::FEq => Two::FEq,
            Binary::FNe => Two::FNe,
            Binary::FLt => Two::FLt,
            Binary::FLe => Two::FLe,
            _ => return self.by_lane(Arithmetic::Binary(op, rule, Scalar::F32), [a, b, b]),
        };
        let (a, b) = (self.flushed(rule, a), self.flushed(rule, b));
        let result = self.two(kernel, a, b);
        if op.compares() { result } else { self.finished(rule, Scalar::F32, result) }
    }

    /// An operation of float24. As in the model, only results of sums and products are rounded.
    fn binary24(&mut self, op: Binary, rule: FloatRule, a: Part, b: Part) -> Part {
        let exact = Arithmetic::Binary(op, rule, Scalar::F32);
        let kernel = match op {
            Binary::FAdd => Two::Add24,
            Binary::FSub => Two::Sub24,
            Binary::FMul | Binary::FDot if rule.zero_product => Two::MulZero24,
            Binary::FMul | Binary::FDot => Two::Mul24,
            Binary::FMin | Binary::FMax => {
                let chosen = self.binary32(op, FloatRule { model: false, flush: false, ..rule }, a, b);
                let result = self.one(One::UnsignedZero, chosen);
                return self.moved24(result, &[a, b]);
            }
            Binary::FEq | Binary::FNe | Binary::FLt | Binary::FLe => {
                return self.binary32(op, FloatRule { model: false, ..rule }, a, b);
            }
            _ => {
                let result = self.by_lane(exact, [a, b, b]);
                return self.normal24(result);
            }
        };
        let (a, b) = (self.operand24(a), self.operand24(b));
        let result = self.two(kernel, a, b);
        self.normal24(result)
    }

    /// The sum of products.
    pub(super) fn dot(
        &mut self,
        rule: FloatRule,
        scalar: Scalar,
        count: usize,
        mut a: Components,
        mut b: Components,
    ) -> Part {
        let step = FloatRule { saturate: false, ..rule };
        let numbers = self.numbers(step, scalar);
        if scalar != Scalar::F32
            || numbers == Numbers::Other
            || self.model.dot_steps == DotSteps::Once && step.model
        {
            return self.dot_by_steps(rule, scalar, count, a, b);
        }
        let kernel = match (numbers, rule.zero_product) {
            (Numbers::F24, true) => Sum::Zero24,
            (Numbers::F24, false) => return self.dot_by_steps(rule, scalar, count, a, b),
            (_, true) if !self.is_exact() => Sum::FastZero,
            (_, false) if !self.is_exact() => Sum::Fast,
            (_, true) => Sum::Zero,
            (_, false) => Sum::Plain,
        };
        let forward = !step.model || self.model.dot_order == DotOrder::Forward;
        if step.flush && !step.model || !forward || count < 3 {
            return self.dot_by_steps(rule, scalar, count, a, b);
        }
        if numbers == Numbers::F24 {
            for part in a.iter_mut().take(count).chain(b.iter_mut().take(count)) {
                *part = self.operand24(*part);
            }
        }
        let start = self.sums_from_zero(step).then_some(self.zero);
        let sum = if count == 3 {
            let args = [a, b].map(|[x, y, z, _]| [x, y, z]);
            self.emit(|dst| Instruction::Dot3 { kernel, dst, start, args }, args.as_flattened())
        } else {
            let args = [a, b];
            self.emit(|dst| Instruction::Dot4 { kernel, dst, start, args }, args.as_flattened())
        };
        if numbers == Numbers::F24 {
            self.normal24(sum);
        }
        self.saturated(rule, scalar, sum)
    }

    /// The sum of products, each step an instruction.
    fn dot_by_steps(
        &mut self,
        rule: FloatRule,
        scalar: Scalar,
        count: usize,
        a: Components,
        b: Components,
    ) -> Part {
        let step = FloatRule { saturate: false, ..rule };
        let zero = self.zero;
        let mut products = [zero; 4];
        for i in 0..count {
            products[i] = self.binary(Binary::FMul, step, scalar, a[i], b[i]);
        }
        let order = if step.model { self.model.dot_order } else { DotOrder::Forward };
        let start = self.sums_from_zero(step).then_some(zero);
        let sum = order
            .sums(start, count, |i| products[i], |x, y| self.binary(Binary::FAdd, step, scalar, x, y))
            .unwrap_or(zero);
        self.saturated(rule, scalar, sum)
    }

    pub(super) fn ternary(
        &mut self,
        op: Ternary,
        rule: FloatRule,
        scalar: Scalar,
        a: Part,
        b: Part,
        c: Part,
    ) -> Part {
        let plain = rule.round == Round::Nearest && !rule.zero_product && !self.model.is_f24(rule, scalar);
        match (op, scalar) {
            (Ternary::Select, _) => {
                let result = self.three(Three::Select, [a, b, c]);
                self.moved24(result, &[b, c])
            }
            (Ternary::Fma, Scalar::F32) if plain => {
                let args = [a, b, c].map(|p| self.flushed(rule, p));
                let result = self.three(Three::Fma, args);
                self.finished(rule, scalar, result)
            }
            (Ternary::Fma, Scalar::F16) if plain && !rule.flush && !rule.saturate => {
                self.three(Three::FmaHalf, [a, b, c])
            }
            (Ternary::Fma, _) => self.by_lane(Arithmetic::Ternary(op, rule, scalar), [a, b, c]),
        }
    }

    pub(super) fn convert(
        &mut self,
        op: Convert,
        rule: FloatRule,
        from: Scalar,
        to: Scalar,
        a: Part,
    ) -> Part {
        let exact = Arithmetic::Convert(op, rule, from, to);
        let whole =
            !rule.model || self.model.whole == Whole::Truncate && self.model.whole_range == WholeRange::Wide;
        let nearest = rule.round == Round::Nearest
            && !rule.saturate
            && to == Scalar::F32
            && !self.model.is_f24(rule, to);
        let halves = rule.round == Round::Nearest && !rule.flush && !rule.saturate && !rule.model;
        let kernel = match (op, from, to) {
            (Convert::Bits | Convert::ZeroExtend, ..) => return a,
            (Convert::Truncate, ..) => {
                let mask = self.parts.constant(u32::MAX >> (32 - u32::from(to.bits().clamp(1, 32))));
                return self.two(Two::And, a, mask);
            }
            (Convert::FloatToSigned, Scalar::F32, Scalar::I32) if whole => One::FloatToSigned,
            (Convert::FloatToUnsigned, Scalar::F32, Scalar::I32) if whole => One::FloatToUnsigned,
            (Convert::SignedToFloat, Scalar::I32, _) if nearest => One::SignedToFloat,
            (Convert::UnsignedToFloat, _, _) if nearest => One::UnsignedToFloat,
            (Convert::SignExtend, Scalar::I8, Scalar::I32) => One::SignExtend8,
            (Convert::SignExtend, Scalar::I16, Scalar::I32) => One::SignExtend16,
            (Convert::Float, Scalar::F16, Scalar::F32) if halves => One::FromHalf,
            (Convert::Float, Scalar::F32, Scalar::F16) if halves => One::ToHalf,
            _ => return self.by_lane(exact, [a; 3]),
        };
        self.one(kernel, a)
    }
}

/// The kernel of a float operation on binary32, rounded to nearest if results are exact.
fn kernel32(op: Unary, is_exact: bool) -> Option<One> {
    Some(match op {
        Unary::FRsqrt if !is_exact => One::FastRsqrt,
        Unary::FExp2 if !is_exact => One::FastExp2,
        Unary::FLog2 if !is_exact => One::FastLog2,
        Unary::FSin if !is_exact => One::FastSin,
        Unary::FCos if !is_exact => One::FastCos,
        Unary::FSat => One::FSat,
        Unary::FFloor => One::FFloor,
        Unary::FCeil => One::FCeil,
        Unary::FTrunc => One::FTrunc,
        Unary::FRound => One::FRound,
        Unary::FSqrt => One::FSqrt,
        Unary::FRsqrt => One::FRsqrt,
        Unary::FRcp => One::FRcp,
        Unary::FExp2 => One::FExp2,
        Unary::FLog2 => One::FLog2,
        Unary::FSin => One::FSin,
        Unary::FCos => One::FCos,
        Unary::FSinc => One::FSinc,
        _ => return None,
    })
}

/// The kernel of an integer operation.
fn kernel_of_integers(op: Unary, scalar: Scalar) -> Option<One> {
    Some(match (op, scalar) {
        (Unary::INeg, Scalar::I32) => One::INeg,
        (Unary::Not, Scalar::I32) => One::Not,
        (Unary::Not, Scalar::I1) => One::NotBit,
        (Unary::PopCount, Scalar::I32) => One::PopCount,
        (Unary::LeadingZeros, Scalar::I32) => One::LeadingZeros,
        (Unary::ReverseBits, Scalar::I32) => One::ReverseBits,
        _ => return None,
    })
}
