//! Splits reads of textures, and derivatives, which some of them need too.

use super::parts::Part;
use super::split::{Components, Splitter};
use crate::access::Access;
use crate::codes::{internal, unsupported};
use crate::instruction::Instruction;
use shisa_diag::Diagnostic;
use shisa_ir::{Axis, Binary, FloatRule, Type, Value};

impl Splitter<'_> {
    /// The components of a texel, by the number of the operation.
    pub(super) fn texture(&mut self, number: u32, ty: Type) -> Result<Components, Diagnostic> {
        let op = self.func.nodes.textures.get(number as usize).copied();
        let op = op.filter(|op| !op.changes());
        let op = op.ok_or_else(|| internal(format!("operation {number} on textures reads none")))?;
        if ty.scalar.bits() != 32 {
            return Err(unsupported("texels other than four components of 32 bits"));
        }
        let op = op.try_map(|v| self.access_operand(*v))?;
        let results = [(); 4].map(|()| self.parts.computed(false));
        self.body.push(Instruction::Access { number: self.accesses.len() as u32 });
        self.accesses.push(Access { results, op });
        Ok(results)
    }

    /// The components of an operand. Parameters of blocks have four, of which the engine sets those of their type.
    fn access_operand(&mut self, v: Value) -> Result<Components, Diagnostic> {
        let ty = self.func.nodes.ty(v);
        if ty.scalar.bits() != 32 {
            return Err(unsupported("textures at addresses, and operands of textures with 16 bits"));
        }
        let (mut parts, zero) = (self.value(v)?, self.parts.constant(0));
        parts.iter_mut().skip(ty.count.into()).for_each(|part| *part = zero);
        Ok(parts)
    }

    /// The change of a component from lane to lane of a quad.
    pub(super) fn derivative(&mut self, axis: Axis, ty: Type, a: Part) -> Part {
        let [from, to] = [false, true].map(|second| {
            let dst = self.parts.computed(false);
            self.body.push(Instruction::Neighbour { axis, second, dst, a });
            dst
        });
        self.binary(Binary::FSub, FloatRule::IEEE, ty.scalar, to, from)
    }
}
