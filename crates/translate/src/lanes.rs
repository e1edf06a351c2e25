//! Exchange between the lanes of a subgroup, which some languages have.

use crate::{Options, Program, Target, memory};
use shisa_diag::Diagnostic;
use shisa_ir::{LaneOp, Op, Stage, Type, WAVE};

/// Lanes of a subgroup, if the lanes of one exchange values.
pub(crate) fn of(program: &Program) -> Option<u32> {
    let nodes = &program.func.nodes;
    let exchanges = |op: Op| matches!(op, Op::Lane { .. });
    let mut values = program.func.blocks.iter().flat_map(|b| &b.body);
    // Most programs have no such operation, in a block or not.
    let any = nodes.list.iter().any(|n| exchanges(n.op)) && values.any(|v| exchanges(nodes.op(*v)));
    any.then_some(WAVE as u32)
}

/// Refuses operations that languages do not have: all but votes, and numbers of 32 bits of another lane.
///
/// # Errors
/// `translate-unsupported`.
pub(crate) fn check(
    program: &Program,
    options: &Options,
    op: LaneOp,
    ty: Type,
    target: Target,
) -> Result<(), Diagnostic> {
    let carried = match op {
        LaneOp::Any | LaneOp::All | LaneOp::Ballot => true,
        LaneOp::Fetch => ty.count == 1 && ty.scalar.bits() == 32,
        LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::QuadOr => false,
    };
    let together = memory::together(program, options) && program.interface.stage == Stage::Compute;
    if carried && together && target.has_subgroups() { Ok(()) } else { Err(unsupported()) }
}

/// The error for an exchange that a language does not have.
pub(crate) fn unsupported() -> Diagnostic {
    crate::unsupported("an exchange between lanes")
}
