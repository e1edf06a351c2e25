//! Values of 64 bits, of which each component is two words. After [`shisa_ir::narrow`] these are doubles, addresses, the
//! handles of textures, and what is computed with them.

use super::split::{Components, Splitter, words};
use crate::access::Access;
use crate::codes::unsupported;
use crate::instruction::Instruction;
use crate::kernel::{Three, Two};
use shisa_diag::Diagnostic;
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{Binary, Convert, Op, Ternary, Type, Value};

impl Splitter<'_> {
    /// Whether an operation has values of 64 bits.
    pub(super) fn is_wide(&self, v: Value) -> bool {
        let nodes = &self.func.nodes;
        let is_wide = |v: Value| nodes.ty(v).scalar.bits() > 32;
        let mut any = is_wide(v);
        nodes.operands(v, |operand| any |= is_wide(operand));
        any
    }

    /// The words of the value of an operation that has values of 64 bits.
    pub(super) fn wide(&mut self, op: Op, ty: Type) -> Result<Components, Diagnostic> {
        let mut out = [self.zero; 4];
        let count = usize::from(words(ty)?);
        match op {
            Op::Const(bits) => {
                let [low, high] = [bits, bits >> 32].map(|word| self.parts.constant(word as u32));
                out = [low, high, low, high];
            }
            Op::Convert { op: Convert::Pair | Convert::Bits, a, .. } => {
                out[..count].copy_from_slice(&self.value(a)?[..count]);
            }
            Op::Swizzle { a, swizzle } => {
                let a = self.value(a)?;
                for (i, words) in (0..).zip(out[..count].chunks_mut(2)) {
                    let from = 2 * usize::from(swizzle.get(i) & 1);
                    words.copy_from_slice(&a[from..from + 2]);
                }
            }
            Op::Join { parts } => {
                for (part, words) in parts.into_iter().zip(out[..count].chunks_mut(2)) {
                    words.copy_from_slice(&self.value(part)?[..2]);
                }
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } if ty.count == 1 => {
                let (a, b, c) = (self.value(a)?[0], self.value(b)?, self.value(c)?);
                for word in 0..2 {
                    let args = [a, b[word], c[word]];
                    out[word] =
                        self.emit(|dst| Instruction::Three { kernel: Three::Select, dst, args }, &args);
                }
            }
            Op::Binary { op: Binary::IAdd, a, b, .. } if ty.count == 1 => {
                let ([a, a_high, ..], [b, b_high, ..]) = (self.value(a)?, self.value(b)?);
                let mut word =
                    |kernel, args: [_; 2]| self.emit(|dst| Instruction::Two { kernel, dst, args }, &args);
                out[0] = word(Two::IAdd, [a, b]);
                let carry = word(Two::ULt, [out[0], a]);
                let high = word(Two::IAdd, [a_high, b_high]);
                out[1] = word(Two::IAdd, [high, carry]);
            }
            Op::Unary { op, rule, a } => {
                out = self.by_definition(Arithmetic::Unary(op, rule, ty.scalar), ty, &[a])?
            }
            Op::Binary { op, rule, a, b } if op != Binary::FDot => {
                let kind = self.func.nodes.ty(a).scalar;
                out = self.by_definition(Arithmetic::Binary(op, rule, kind), ty, &[a, b])?;
            }
            Op::Ternary { op: Ternary::Fma, rule, a, b, c } => {
                out =
                    self.by_definition(Arithmetic::Ternary(Ternary::Fma, rule, ty.scalar), ty, &[a, b, c])?;
            }
            Op::Convert { op, rule, a } => {
                let from = self.func.nodes.ty(a).scalar;
                out = self.by_definition(Arithmetic::Convert(op, rule, from, ty.scalar), ty, &[a])?;
            }
            _ => return Err(unsupported("vectors of 64-bit components")),
        }
        Ok(out)
    }

    /// The value of an operation on single components, lane by lane by its definition.
    fn by_definition(
        &mut self,
        op: Arithmetic,
        ty: Type,
        operands: &[Value],
    ) -> Result<Components, Diagnostic> {
        if ty.count != 1 {
            return Err(unsupported("vectors of 64-bit components"));
        }
        let mut args = [[self.zero; 2]; 3];
        for (to, operand) in args.iter_mut().zip(operands) {
            let [low, high, ..] = self.padded(*operand)?;
            *to = [low, high];
        }
        let results = self.results(words(ty)?);
        Ok(self.accessed(Access::Wide { op, results, args }))
    }
}
