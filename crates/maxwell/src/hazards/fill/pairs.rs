//! Instructions that issue together.

use crate::Maxwell;
use crate::class::Class;
use crate::control::reuse_flags;
use crate::flow::Turn;
use crate::hazards::node::Node;
use crate::hazards::walker::Walker;
use crate::operand::{Bank, Constant};
use alloc::vec;
use shisa_rows::Insn;

/// The control bits of the first of two instructions that issue together: no stall, and no other warp in between.
pub(super) const TOGETHER: u32 = 16;

/// Lets arithmetic issue together with a next instruction of another unit.
///
/// This follows compilers' output: of 1,109 pairs in the conformance data all begin with an instruction of fixed
/// latency that raises no barrier; none ends with arithmetic or with an operand that is cached, none has constants in
/// both, and none uses in the second what the first writes. A pair stays within its bundle, since nvdisasm accepts no
/// other.
pub(super) fn mark(walker: &mut Walker<'_>) {
    let graph = walker.graph;
    let mut entered = vec![false; graph.len() + 1];
    for i in (0..graph.len()).filter(|i| graph.insn(*i).is_none_or(leaves)) {
        graph.next(i).for_each(|next| entered[next] = true);
    }
    for first in 0..graph.len().saturating_sub(1) {
        if first % 3 != 2 && !entered[first + 1] && together(walker, first) {
            walker.set(first, |bits| bits & !15 | TOGETHER);
        }
    }
}

/// Whether an instruction issues together with the next one.
pub(super) fn is_first(node: &Node) -> bool {
    node.schedule.stall() == 0 && !node.schedule.yields()
}

/// Whether control may go elsewhere than to the next instruction.
fn leaves(insn: &Insn<Maxwell>) -> bool {
    match insn.form().attr.turn {
        Turn::Next | Turn::Push(_) => false,
        Turn::Branch(_) | Turn::Pop(_) | Turn::Call(_) => true,
    }
}

/// Whether an instruction may issue together with the next one.
fn together(walker: &Walker<'_>, first: usize) -> bool {
    let graph = walker.graph;
    let (Some(a), Some(b)) = (graph.insn(first), graph.insn(first + 1)) else { return false };
    let (Some(own), Some(other)) = (graph.effects(first), graph.effects(first + 1)) else { return false };
    let (bits, next) = (walker.nodes[first].schedule, &walker.nodes[first + 1]);
    let class = |insn: &Insn<Maxwell>| insn.form().attr.class(&insn.word);
    let elsewhere = !matches!(class(b), Class::Arithmetic | Class::Half | Class::Double);
    let free = own.writes.and(&other.reads.or(&other.writes)).is_empty();
    let cached = reuse_flags(b.word) != 0;
    let constants = constant(a) && constant(b);
    class(a) == Class::Arithmetic
        && !own.writes.is_empty()
        && bits.stall() == 1
        && !bits.raises()
        && elsewhere
        && free
        && !cached
        && !constants
        && next.waits().all == 0
        && next.waits().most.is_none()
}

/// Whether an instruction has an operand from a bank of constants.
fn constant(insn: &Insn<Maxwell>) -> bool {
    insn.form().operands.iter().any(|op| {
        let kind = op.kind as &dyn core::any::Any;
        kind.is::<Bank>() || kind.is::<Constant>()
    })
}
