//! Operations on numbers narrower than 32 bits, through loops over 32-bit words or binary32.

use super::planes::PlaneId;
use super::planner::Planner;
use crate::loops::{Loop, moves};
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{Binary, Convert, FloatRule, NanRule, Scalar, Unary};

impl Planner<'_> {
    /// The operation through wider numbers, if that yields the same bits.
    pub(super) fn narrow(&mut self, op: Arithmetic, [a, b, _]: [PlaneId; 3]) -> Option<PlaneId> {
        match op {
            Arithmetic::Unary(op @ (Unary::INeg | Unary::Not), rule, kind @ (Scalar::I8 | Scalar::I16)) => {
                let word = Loop::of(Arithmetic::Unary(op, rule, Scalar::I32), self.model)?;
                let v = self.run1(word, a);
                Some(self.run1(moves::extract(0, kind.bits()), v))
            }
            Arithmetic::Binary(op, rule, kind @ (Scalar::I8 | Scalar::I16)) => {
                self.narrow_integers(op, rule, kind.bits(), a, b)
            }
            // Binary32 has more than twice as many significant bits plus two, so rounding twice equals rounding once.
            Arithmetic::Unary(
                op @ (Unary::FSat
                | Unary::FFloor
                | Unary::FCeil
                | Unary::FTrunc
                | Unary::FRound
                | Unary::FSqrt
                | Unary::FRcp),
                rule,
                Scalar::F16,
            ) => {
                let float = Loop::of(Arithmetic::Unary(op, rule, Scalar::F32), self.model)?;
                let v = self.widen_half(a)?;
                let v = self.run1(float, v);
                self.round_to_half(v)
            }
            Arithmetic::Binary(op, rule, Scalar::F16) => {
                use Binary::*;
                match op {
                    FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => {}
                    FMin | FMax if rule.nan != NanRule::Second => {}
                    _ => return None,
                }
                let float = Loop::of(Arithmetic::Binary(op, rule, Scalar::F32), self.model)?;
                let (a, b) = (self.widen_half(a)?, self.widen_half(b)?);
                let v = self.run2(float, a, b);
                if op.compares() { Some(v) } else { self.round_to_half(v) }
            }
            Arithmetic::Convert(Convert::SignExtend, _, Scalar::I8, Scalar::I16) => {
                let v = self.run1(moves::sign_extend(8), a);
                Some(self.run1(moves::extract(0, 16), v))
            }
            Arithmetic::Convert(
                op @ Convert::SignedToFloat,
                rule,
                from @ (Scalar::I8 | Scalar::I16),
                Scalar::F32,
            ) => {
                let float = Loop::of(Arithmetic::Convert(op, rule, Scalar::I32, Scalar::F32), self.model)?;
                let v = self.run1(moves::sign_extend(from.bits()), a);
                Some(self.run1(float, v))
            }
            Arithmetic::Convert(
                op @ (Convert::FloatToSigned | Convert::FloatToUnsigned),
                rule,
                Scalar::F16,
                to,
            ) => {
                let whole = Loop::of(Arithmetic::Convert(op, rule, Scalar::F32, to), self.model)?;
                let v = self.widen_half(a)?;
                Some(self.run1(whole, v))
            }
            _ => None,
        }
    }

    fn narrow_integers(
        &mut self,
        op: Binary,
        rule: FloatRule,
        bits: u8,
        a: PlaneId,
        b: PlaneId,
    ) -> Option<PlaneId> {
        use Binary::*;
        let word = Loop::of(Arithmetic::Binary(op, rule, Scalar::I32), self.model)?;
        let signed = moves::sign_extend(bits);
        let (a, b) = match op {
            IAdd | ISub | IMul | Shl => (a, b),
            AShr => (self.run1(signed, a), b),
            SMin | SMax | SLt | SLe => (self.run1(signed, a), self.run1(signed, b)),
            _ => return None,
        };
        let v = self.run2(word, a, b);
        Some(if op.compares() { v } else { self.run1(moves::extract(0, bits), v) })
    }

    /// A binary16 number as binary32.
    fn widen_half(&mut self, a: PlaneId) -> Option<PlaneId> {
        let op = Arithmetic::Convert(Convert::Float, FloatRule::IEEE, Scalar::F16, Scalar::F32);
        Some(self.run1(Loop::of(op, self.model)?, a))
    }

    /// A binary32 number as binary16, rounded to nearest.
    fn round_to_half(&mut self, a: PlaneId) -> Option<PlaneId> {
        let op = Arithmetic::Convert(Convert::Float, FloatRule::IEEE, Scalar::F32, Scalar::F16);
        Some(self.run1(Loop::of(op, self.model)?, a))
    }
}
