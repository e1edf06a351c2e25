//! Which values of a step get a name.

use crate::{Nodes, Op, Step, Value};
use alloc::{vec, vec::Vec};

/// Expressions deeper than this are split with names.
const DEPTH: u8 = 12;

/// Values that are used several times, and values whose source changes before they are used.
pub(super) fn bound(nodes: &Nodes, step: &Step) -> Vec<bool> {
    let (start, end) = (step.nodes.start, step.nodes.end.min(nodes.list.len() as u32));
    let count = end.saturating_sub(start) as usize;
    let mut uses = vec![0u32; count];
    let mut depth = vec![0u8; count];
    // The statement that each value would end up in without a name.
    let mut shown = vec![start; count];
    let index = |v: Value| v.0.checked_sub(start).map(|i| i as usize).filter(|&i| i < count);
    let of_control = || step.control.cond.into_iter().chain(step.control.place);
    for v in (start..end).map(Value) {
        nodes.operands(v, |o| uses[index(o).unwrap_or(0)] += 1);
    }
    of_control().chain(step.guard).filter_map(index).for_each(|i| uses[i] += 1);
    of_control().filter_map(index).for_each(|i| shown[i] = end);
    for v in (start..end).rev().map(Value) {
        let own = if nodes.op(v).has_effect() { v.0 } else { shown[(v.0 - start) as usize].max(v.0) };
        nodes.operands(v, |o| {
            if let Some(i) = index(o) {
                shown[i] = shown[i].max(own);
            }
        });
    }
    // The number of effects before each node.
    let mut effects = vec![0u32; count + 1];
    for i in 0..count {
        effects[i + 1] = effects[i] + u32::from(nodes.op(Value(start + i as u32)).has_effect());
    }
    let mut bound = vec![false; count];
    for i in 0..count {
        let v = Value(start + i as u32);
        let op = nodes.op(v);
        nodes.operands(v, |o| {
            if let Some(o) = index(o).filter(|&o| !bound[o]) {
                depth[i] = depth[i].max(depth[o] + 1);
            }
        });
        let reads = matches!(op, Op::Read { .. } | Op::ReadAt { .. } | Op::Load { .. });
        let until = (shown[i] - start) as usize;
        let stale = reads && effects[until.min(count)] > effects[i];
        let simple = matches!(op, Op::Const(_) | Op::Read { .. });
        bound[i] = !op.has_effect() && (stale || uses[i] > 1 && !simple || depth[i] >= DEPTH);
        if bound[i] {
            depth[i] = 0;
        }
    }
    bound
}
