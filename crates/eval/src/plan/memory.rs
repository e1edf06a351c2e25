//! Loads, stores and atomic operations.

use super::micro::Micro;
use super::planes::{Wide, ZERO};
use super::planner::{Checked, Planner, Val, malformed};
use shisa_ir::{Atomic, Combine, Node, Scalar, Space, Value};

/// Whether it is an integer of 32 or 64 bits.
const fn is_word(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::I64)
}

impl Planner<'_> {
    pub(super) fn load(&mut self, node: &Node, space: Space, address: Value, out: &mut Val) -> Checked<()> {
        let ty = node.ty;
        let address = self.address(node, address)?;
        let each = 1 + u32::from(ty.scalar.bits() == 64);
        let dst = self.alloc(each * u32::from(ty.count));
        self.ops.push(Micro::Load { space, dst, address, scalar: ty.scalar, count: ty.count });
        for (at, first) in out.at.iter_mut().zip((0..u32::from(ty.count)).map(|i| each * i)) {
            let high = if each == 2 { dst.above(first + 1).into() } else { ZERO };
            *at = [dst.above(first).into(), high];
        }
        Ok(())
    }

    pub(super) fn store(&mut self, node: &Node, space: Space, address: Value, value: Value) -> Checked<()> {
        let (address, value) = (self.address(node, address)?, self.operand(node, value)?);
        let (scalar, count, values) = (value.ty.scalar, value.ty.count, value.at);
        self.ops.push(Micro::Store { space, address, scalar, count, values });
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        node: &Node,
        op: Atomic,
        (space, address): (Space, Value),
        [value, expected]: [Value; 2],
        out: &mut Val,
    ) -> Checked<()> {
        let address = self.address(node, address)?;
        self.atomic_at(node, op, (space, address), [value, expected], out)
    }

    /// The same, at an address in planes.
    pub(super) fn atomic_at(
        &mut self,
        node: &Node,
        op: Atomic,
        (space, address): (Space, Wide),
        [value, expected]: [Value; 2],
        out: &mut Val,
    ) -> Checked<()> {
        let ty = node.ty;
        let [value, expected] = [self.typed(node, value, ty)?, self.typed(node, expected, ty)?];
        let fits = match op {
            Atomic::CombineFloats(op, _) => op.is_float() && Combine::neutral(op, ty.scalar).is_some(),
            Atomic::Combine(op) => !op.is_float() && !op.compares() && is_word(ty.scalar),
            Atomic::Increment | Atomic::Decrement | Atomic::Exchange | Atomic::CompareExchange => {
                is_word(ty.scalar)
            }
        };
        if ty.count != 1 || !fits {
            return Err(malformed(node, "the operand does not fit the atomic operation"));
        }
        let dst = self.component(ty.scalar);
        let (value, expected) = (value.at[0], expected.at[0]);
        self.ops.push(Micro::Atomic { op, space, address, dst, scalar: ty.scalar, value, expected });
        out.at[0] = dst.planes();
        Ok(())
    }

    fn address(&self, node: &Node, v: Value) -> Checked<Wide> {
        let a = self.operand(node, v)?;
        if a.ty.count != 1 || a.ty.scalar.is_float() {
            return Err(malformed(node, "the address is not one integer"));
        }
        Ok(a.at[0])
    }
}
