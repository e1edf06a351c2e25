//! Removes instructions whose results no output, no branch and no effect needs.

use super::Draft;
use super::parts::Part;
use crate::access::Access;
use crate::instruction::Instruction;
use shisa_diag::{Diagnostic, Limit, Limits};

/// Marks what is needed, from the last instruction to the first, until nothing changes: parameters of loops are
/// needed by instructions before their moves.
pub(super) fn remove(draft: &mut Draft, limits: &Limits) -> Result<(), Diagnostic> {
    let accesses = &draft.accesses;
    let mut needed = vec![false; draft.parts.len()];
    draft.outputs.iter().for_each(|(_, part)| needed[part.index()] = true);
    let size: usize = draft.blocks.iter().map(|b| b.body.len() + 1).sum();
    let mut work = 0usize;
    loop {
        work = work.saturating_add(size);
        limits.check(Limit::Fuel, "steps of an analysis", work)?;
        let mut changed = false;
        for block in draft.blocks.iter().rev() {
            for edge in block.next.edges() {
                edge.moves.iter().rev().for_each(|i| changed |= mark(&mut needed, accesses, i));
            }
            block.next.operands(|p| changed |= !std::mem::replace(&mut needed[p.index()], true));
            block.body.iter().rev().for_each(|i| changed |= mark(&mut needed, accesses, i));
        }
        if !changed || !draft.blocks.iter().any(|b| b.repeats) {
            break;
        }
    }
    // Instructions on uniforms are in order, so one pass is enough.
    for i in draft.uniform.iter().rev() {
        mark(&mut needed, accesses, i);
    }
    let keep = |i: &Instruction<Part>| is_needed(&needed, accesses, i);
    draft.uniform.retain(keep);
    for block in &mut draft.blocks {
        block.body.retain(keep);
        block.next.edges_mut().for_each(|e| e.moves.retain(keep));
    }
    Ok(())
}

fn is_needed(needed: &[bool], accesses: &[Access<Part>], i: &Instruction<Part>) -> bool {
    let (mut any, mut is_needed) = (false, false);
    i.results(accesses, |part| {
        any = true;
        is_needed |= needed[part.index()];
    });
    is_needed || !any || i.access(accesses).is_some_and(Access::has_effect)
}

/// Marks the operands of a needed instruction; returns whether one of them was not marked.
fn mark(needed: &mut [bool], accesses: &[Access<Part>], i: &Instruction<Part>) -> bool {
    if !is_needed(needed, accesses, i) {
        return false;
    }
    let mut changed = false;
    i.operands(accesses, |p| changed |= !std::mem::replace(&mut needed[p.index()], true));
    changed
}
