//! Cross-lane operations.

use super::micro::Micro;
use super::planes::{Wide, ZERO};
use super::planner::{Checked, NARROW_ZERO, Planner, Val, malformed};
use shisa_ir::scalar::Arithmetic;
use shisa_ir::scalar::lanes::Combination;
use shisa_ir::{Axis, Binary, Combine, FloatRule, LaneOp, Node, Type, Value};

impl Planner<'_> {
    pub(super) fn derivative(&mut self, node: &Node, axis: Axis, a: Value, out: &mut Val) -> Checked<()> {
        let ty = node.ty;
        let a = self.typed(node, a, ty)?;
        if !ty.scalar.is_float() {
            return Err(malformed(node, "a derivative of a value that is not a float"));
        }
        for i in 0..out.count() {
            let [from, to] = [false, true].map(|second| self.neighbour(axis, second, a.at[i]));
            let subtract = Arithmetic::Binary(Binary::FSub, FloatRule::IEEE, ty.scalar);
            out.at[i] = self.compute(subtract, ty.scalar, [to, from, NARROW_ZERO]);
        }
        Ok(())
    }

    /// A derivative's operand in the second or the first of the two lanes that it is taken between.
    fn neighbour(&mut self, axis: Axis, second: bool, a: Wide) -> Wide {
        a.map(|a| match a {
            ZERO => ZERO,
            a => {
                let dst = self.alloc(1);
                self.ops.push(Micro::Neighbour { axis, second, dst, a });
                dst.into()
            }
        })
    }

    pub(super) fn lane(&mut self, node: &Node, op: LaneOp, a: Value, b: Value, out: &mut Val) -> Checked<()> {
        let ty = node.ty;
        let (operand, result, numbered) = match op {
            LaneOp::Any | LaneOp::All => (Type::BOOL, Type::BOOL, false),
            LaneOp::Ballot => (Type::BOOL, Type::I32, false),
            LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => (ty, ty, true),
            LaneOp::QuadOr => (ty, ty, false),
        };
        if result != ty {
            return Err(malformed(node, "the result has the wrong type"));
        }
        let a = self.typed(node, a, operand)?;
        let b = if numbered { self.typed(node, b, Type::I32)?.at[0][0] } else { ZERO };
        for i in 0..out.count() {
            let dst = self.component(ty.scalar);
            self.ops.push(Micro::Lane { op, dst, a: a.at[i], b });
            out.at[i] = dst.planes();
        }
        Ok(())
    }

    pub(super) fn combine(
        &mut self,
        node: &Node,
        Combine { op, quad, before }: Combine,
        rule: FloatRule,
        a: Value,
        out: &mut Val,
    ) -> Checked<()> {
        let ty = node.ty;
        let a = self.typed(node, a, ty)?;
        let start = Combine::neutral(op, ty.scalar);
        let start = start.ok_or_else(|| malformed(node, "an operation that cannot combine lanes"))?;
        let op = Arithmetic::Binary(op, rule, ty.scalar);
        for i in 0..out.count() {
            let dst = self.component(ty.scalar);
            let how = Combination { op, quad, before, start };
            self.ops.push(Micro::Combine { how, dst, a: a.at[i] });
            out.at[i] = dst.planes();
        }
        Ok(())
    }
}
