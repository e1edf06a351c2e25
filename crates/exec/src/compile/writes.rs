//! Masked writes. A block of a loop runs again for lanes that stay in the loop, while others have left it: what those
//! still need must not change.

use super::Draft;
use super::parts::Part;
use crate::instruction::Instruction;
use shisa_diag::{Diagnostic, Limit, Limits};

/// The block in which a component is defined or used, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    None,
    Block(usize),
}

/// Makes every component that a block of a loop computes for other blocks a blend of the lanes that run the block.
pub(super) fn preserve(draft: &mut Draft, limits: &Limits) -> Result<(), Diagnostic> {
    if !draft.blocks.iter().any(|b| b.repeats) {
        return Ok(());
    }
    let mut homes = vec![Home::None; draft.parts.len()];
    let mut escapes = vec![false; draft.parts.len()];
    for (n, block) in draft.blocks.iter().enumerate() {
        for i in &block.body {
            if !matches!(i, Instruction::Blend { .. }) {
                i.results(&draft.accesses, |part| homes[part.index()] = Home::Block(n));
            }
        }
    }
    for (n, block) in draft.blocks.iter().enumerate() {
        let mut used = |part: Part| {
            let home = homes[part.index()];
            escapes[part.index()] |= home != Home::None && home != Home::Block(n);
        };
        block.body.iter().for_each(|i| i.operands(&draft.accesses, &mut used));
        for edge in block.next.edges() {
            edge.moves.iter().for_each(|i| i.operands(&draft.accesses, &mut used));
        }
        block.next.operands(&mut used);
    }
    for (_, part) in &draft.outputs {
        escapes[part.index()] |= homes[part.index()] != Home::None;
    }
    let mut added = 0;
    for block in draft.blocks.iter_mut().filter(|b| b.repeats) {
        let old = std::mem::take(&mut block.body);
        for i in old {
            if matches!(i, Instruction::Blend { .. }) {
                block.body.push(i);
                continue;
            }
            // The results that escape get a component for this block alone, and are blended from it.
            let mut blends = Vec::new();
            let computed = i.with_results(&mut draft.accesses, |dst| {
                if !escapes.get(dst.index()).copied().unwrap_or(false) {
                    return dst;
                }
                let src = draft.parts.computed(false);
                blends.push(Instruction::Blend { dst, src });
                src
            });
            block.body.push(computed);
            added += blends.len();
            block.body.append(&mut blends);
        }
        limits.check(Limit::Instructions, "masked writes", added)?;
    }
    Ok(())
}
