//! Operations on 64-bit integers that stay as they are.

use super::wholes::is_by_words;
use super::{Made, Narrower};
use crate::*;

impl Narrower {
    /// An operation on 64-bit integers that the target computes; `None` for others.
    pub(super) fn native(&mut self, v: Value) -> Option<Made> {
        if self.wholes.is_empty() {
            return None;
        }
        let node = self.old.list[v.index()];
        if node.ty == Type::I64 && !self.wholes[v.index()] && is_by_words(&self.old, v) {
            return None;
        }
        match node.op {
            Op::Unary { op: Unary::INeg, a, .. } if node.ty == Type::I64 => {
                let zero = self.push(Op::Const(0), Type::I64);
                let a = self.restored(a);
                let made = self.binary(Binary::ISub, zero, a);
                Some(self.carried(made))
            }
            // The rule of a conversion applies to a result that no rule changes here: integers have no denormals, and a
            // denormal float becomes 0.
            Op::Convert { op, rule, a }
                if rule.round == Round::Nearest
                    && !rule.model
                    && is_int64_arithmetic(&self.old, without_rule(node.op), node.ty) =>
            {
                let a = self.restored(a);
                let made = self.convert(op, a, node.ty);
                Some(match self.carried(made) {
                    Made::One(float) => Made::One(self.finished(rule, float)),
                    halves => halves,
                })
            }
            Op::Binary { op, a, b, .. }
                if is_int64_arithmetic(&self.old, node.op, node.ty) && self.gains(op, a, b) =>
            {
                Some(self.stays(v))
            }
            _ => None,
        }
    }

    /// Whether an operation is shorter as one on 64-bit integers than as one on words.
    fn gains(&self, op: Binary, a: Value, b: Value) -> bool {
        use Binary::*;
        match op {
            Shl | LShr | AShr => !matches!(self.old.op(b), Op::Const(32..)),
            IMul => !self.is_short(a) || !self.is_short(b),
            _ => true,
        }
    }

    /// Whether the high word of a 64-bit integer is known to be zero.
    fn is_short(&self, v: Value) -> bool {
        matches!(self.old.op(v), Op::Const(0..=0xffff_ffff) | Op::Convert { op: Convert::ZeroExtend, .. })
    }
}

/// A conversion by the usual rule.
fn without_rule(op: Op) -> Op {
    match op {
        Op::Convert { op, a, .. } => Op::Convert { op, rule: FloatRule::IEEE, a },
        other => other,
    }
}
