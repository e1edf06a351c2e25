//! Loads, stores and atomic operations.

use super::micro::Micro;
use super::planes::{Wide, ZERO};
use super::planner::{Checked, Planner, Val, malformed};
use shisa_ir::{Atomic, Node, Space, Value};

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
        let scalar = value.ty.scalar;
        for (i, &value) in value.at.iter().take(value.count()).enumerate() {
            let offset = scalar.bits().div_ceil(8) * i as u8;
            self.ops.push(Micro::Store { space, address, offset, scalar, value });
        }
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
        let ty = node.ty;
        let address = self.address(node, address)?;
        let [value, expected] = [self.typed(node, value, ty)?, self.typed(node, expected, ty)?];
        if ty.count != 1 || ty.scalar.is_float() || !matches!(ty.scalar.bits(), 32 | 64) {
            return Err(malformed(
                node,
                "the operand of an atomic operation is not one integer of 32 or 64 bits",
            ));
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
