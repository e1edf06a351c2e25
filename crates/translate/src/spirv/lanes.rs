//! Exchange between the lanes of a subgroup.

use super::module::Id;
use super::writer::{Refusal, Writer};
use crate::{Target, lanes};
use shisa_ir::{LaneOp, Scalar, Type, Value};
use spirv::{Capability, Op, Scope};

impl Writer<'_> {
    /// [`shisa_ir::Op::Lane`].
    pub(super) fn lane(&mut self, op: LaneOp, ty: Type, a: Value, lane: Value) -> Result<Id, Refusal> {
        let target = Target::Spirv(self.version);
        if lanes::check(self.program, self.options, op, ty, target).is_err() {
            return Err(Refusal::Unsupported("an exchange between lanes"));
        }
        self.module.capability(Capability::GroupNonUniform);
        let scope = self.module.u32(Scope::Subgroup as u32);
        let value = self.id(a)?;
        let (capability, operation) = match op {
            LaneOp::Any => (Capability::GroupNonUniformVote, Op::GroupNonUniformAny),
            LaneOp::All => (Capability::GroupNonUniformVote, Op::GroupNonUniformAll),
            LaneOp::Ballot => {
                self.module.capability(Capability::GroupNonUniformBallot);
                let votes = self.value(Op::GroupNonUniformBallot, Scalar::I32.by(4), &[scope, value]);
                return Ok(self.value(Op::CompositeExtract, Type::I32, &[votes, 0]));
            }
            LaneOp::Fetch => {
                self.module.capability(Capability::GroupNonUniformShuffle);
                let lane = self.id(lane)?;
                return Ok(self.value(Op::GroupNonUniformShuffle, ty, &[scope, value, lane]));
            }
            LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::QuadOr => {
                return Err(Refusal::Invalid("an operation across lanes was accepted that has no form"));
            }
        };
        self.module.capability(capability);
        Ok(self.value(operation, ty, &[scope, value]))
    }
}
