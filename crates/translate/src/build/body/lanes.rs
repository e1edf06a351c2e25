//! Exchange between the lanes of a subgroup.

use super::state::Body;
use crate::syntax::{Expr, Expression, Kind, LaneOp, Statement, kind_of};
use shisa_ir::{LaneOp as Op, Type, Value};

impl Body<'_, '_> {
    /// An operation across lanes becomes a statement, so that it runs where the program has it.
    pub(super) fn lane(&mut self, op: Op, a: Value, lane: Value, ty: Type) -> Option<Expr> {
        let value = self.get(a);
        let op = match op {
            Op::Any => LaneOp::Any,
            Op::All => LaneOp::All,
            Op::Ballot => LaneOp::Ballot,
            Op::Fetch => LaneOp::Shuffle(self.get(lane)),
            Op::Shuffle | Op::ShuffleXor | Op::QuadOr => {
                self.impossible("an operation across lanes was planned that no language has");
                return None;
            }
        };
        let ballot = op == LaneOp::Ballot;
        let ty = if ballot { self.types.of(Kind::Uint, 4) } else { self.types.of(kind_of(ty.scalar), 1) };
        let result = self.push(Expression::LaneResult { ty, ballot });
        self.statement(Statement::Lane { op, value, result });
        Some(if ballot { self.member(result, 0) } else { result })
    }
}
