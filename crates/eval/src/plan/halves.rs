//! Operations on 64-bit integers as loops over their 32-bit halves.

use super::planes::{PlaneId, Wide, ZERO};
use super::planner::Planner;
use crate::loops::{Loop, moves};
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{Binary, Convert, FloatRule, Scalar, Ternary, Unary};

impl Planner<'_> {
    /// The operation on halves, if there is a loop for each part of it.
    pub(super) fn halves(&mut self, op: Arithmetic, [a, b, c]: [Wide; 3]) -> Option<Wide> {
        match op {
            Arithmetic::Binary(op, _, Scalar::I64) => self.binary_halves(op, a, b),
            Arithmetic::Ternary(Ternary::Select, _, Scalar::I64) => {
                Some([self.select_word(a[0], b[0], c[0])?, self.select_word(a[0], b[1], c[1])?])
            }
            Arithmetic::Convert(Convert::SignExtend, _, from, Scalar::I64) if from.bits() <= 32 => {
                let last = self.constants.plane(31).ok()?;
                let bits = from.bits();
                let low = if bits == 32 { a[0] } else { self.run1(moves::sign_extend(bits), a[0]) };
                Some([low, self.word(Binary::AShr, low, last)?])
            }
            _ => None,
        }
    }

    fn binary_halves(&mut self, op: Binary, a: Wide, b: Wide) -> Option<Wide> {
        Some(match op {
            Binary::And | Binary::Or | Binary::Xor => {
                [self.word(op, a[0], b[0])?, self.word(op, a[1], b[1])?]
            }
            Binary::IAdd => {
                let low = self.word(op, a[0], b[0])?;
                let carry = self.word(Binary::ULt, low, a[0])?;
                let high = self.word(op, a[1], b[1])?;
                [low, self.word(op, high, carry)?]
            }
            Binary::ISub => {
                let low = self.word(op, a[0], b[0])?;
                let borrow = self.word(Binary::ULt, a[0], b[0])?;
                let high = self.word(op, a[1], b[1])?;
                [low, self.word(op, high, borrow)?]
            }
            Binary::IMul => {
                let low = self.word(op, a[0], b[0])?;
                let mut high = self.word(Binary::UMulHi, a[0], b[0])?;
                for [x, y] in [[a[0], b[1]], [a[1], b[0]]] {
                    if x != ZERO && y != ZERO {
                        let part = self.word(op, x, y)?;
                        high = self.word(Binary::IAdd, high, part)?;
                    }
                }
                [low, high]
            }
            Binary::IEq | Binary::INe => {
                let (low, high) = (self.word(Binary::Xor, a[0], b[0])?, self.word(Binary::Xor, a[1], b[1])?);
                let differ = self.word(Binary::Or, low, high)?;
                [self.word(op, differ, ZERO)?, ZERO]
            }
            Binary::ULt | Binary::SLt => [self.less(op, a, b)?, ZERO],
            Binary::ULe | Binary::SLe => {
                let less = self.less(if op == Binary::ULe { Binary::ULt } else { Binary::SLt }, b, a)?;
                let not = Loop::of(Arithmetic::Unary(Unary::Not, FloatRule::IEEE, Scalar::I1), self.model)?;
                [self.run1(not, less), ZERO]
            }
            Binary::UMin | Binary::UMax | Binary::SMin | Binary::SMax => {
                let signed = matches!(op, Binary::SMin | Binary::SMax);
                let less = self.less(if signed { Binary::SLt } else { Binary::ULt }, a, b)?;
                let (yes, no) = if matches!(op, Binary::UMin | Binary::SMin) { (a, b) } else { (b, a) };
                [self.select_word(less, yes[0], no[0])?, self.select_word(less, yes[1], no[1])?]
            }
            Binary::Shl => {
                let by = self.constants.number(b).filter(|by| *by < 32)? as u8;
                if by == 0 {
                    return Some(a);
                }
                let low = self.run2(moves::insert(by), ZERO, a[0]);
                let over = self.run1(moves::extract(32 - by, by), a[0]);
                [low, self.run2(moves::insert(by), over, a[1])]
            }
            _ => return None,
        })
    }

    /// Whether the first of two 64-bit numbers is less than the second; `high` compares the high halves.
    fn less(&mut self, high: Binary, a: Wide, b: Wide) -> Option<PlaneId> {
        let low = self.word(Binary::ULt, a[0], b[0])?;
        let above = self.word(high, a[1], b[1])?;
        let same = self.word(Binary::IEq, a[1], b[1])?;
        self.select_word(same, low, above)
    }

    /// An operation on 32-bit integers.
    fn word(&mut self, op: Binary, a: PlaneId, b: PlaneId) -> Option<PlaneId> {
        let run = Loop::of(Arithmetic::Binary(op, FloatRule::IEEE, Scalar::I32), self.model)?;
        Some(self.run2(run, a, b))
    }

    fn select_word(&mut self, cond: PlaneId, yes: PlaneId, no: PlaneId) -> Option<PlaneId> {
        let op = Arithmetic::Ternary(Ternary::Select, FloatRule::IEEE, Scalar::I32);
        Some(self.run(Loop::of(op, self.model)?, [cond, yes, no]))
    }
}
