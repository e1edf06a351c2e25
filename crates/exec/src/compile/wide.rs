//! Components of 64 bits, as two components: what remains of them after [`shisa_ir::narrow`], which is addresses and
//! the handles of textures.

use super::split::{Components, Splitter};
use crate::codes::unsupported;
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Convert, FloatRule, Op, Scalar, Type};

impl Splitter<'_> {
    /// The low and the high 32 bits of the value of an operation on 64-bit integers.
    pub(super) fn wide(&mut self, op: Op, ty: Type) -> Result<Components, Diagnostic> {
        let mut out = [self.zero; 4];
        match op {
            Op::Const(bits) if ty.count == 1 => {
                out[0] = self.parts.constant(bits as u32);
                out[1] = self.parts.constant((bits >> 32) as u32);
            }
            Op::Convert { op: Convert::Pair, a, .. } if ty.count == 1 => {
                out[..2].copy_from_slice(&self.value(a)?[..2]);
            }
            Op::Binary { op: Binary::IAdd, a, b, .. } if ty.count == 1 => {
                let ([a, a_high, ..], [b, b_high, ..]) = (self.value(a)?, self.value(b)?);
                let mut word = |op, a, b| self.binary(op, FloatRule::IEEE, Scalar::I32, a, b);
                out[0] = word(Binary::IAdd, a, b);
                let carry = word(Binary::ULt, out[0], a);
                let high = word(Binary::IAdd, a_high, b_high);
                out[1] = word(Binary::IAdd, high, carry);
            }
            _ => return Err(unsupported("components of 64 bits")),
        }
        Ok(out)
    }
}
