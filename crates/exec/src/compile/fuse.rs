//! Joins a product that only a sum uses with the sum: one instruction, and no product in memory. Both are rounded, unless
//! results may have errors.

use super::Draft;
use super::parts::Part;
use crate::floats::Precision;
use crate::instruction::Instruction;
use crate::kernel::{Three, Two};

/// The kernel that multiplies with one kernel and adds with another.
fn joined(mul: Two, add: Two, precision: Precision) -> Option<Three> {
    let is_exact = precision == Precision::Exact;
    match (mul, add) {
        (Two::FMul, Two::FAdd) if !is_exact => Some(Three::FastMulAdd),
        (Two::FMulZero, Two::FAdd) if !is_exact => Some(Three::FastMulAddZero),
        (Two::FMul, Two::FAdd) => Some(Three::MulAdd),
        (Two::FMulZero, Two::FAdd) => Some(Three::MulAddZero),
        (Two::MulZero24, Two::Add24) => Some(Three::MulAddZero24),
        _ => None,
    }
}

/// The state of a component.
#[derive(Clone, Copy, Default)]
struct State {
    /// Number of uses.
    uses: u32,
    /// The list with the product that computes it, and the product's index there.
    product: Option<(u32, u32)>,
}

/// Joins products and sums of the same list of instructions.
pub(super) fn fuse(draft: &mut Draft, precision: Precision) {
    let mut states = vec![State::default(); draft.parts.len()];
    draft.uses(|part| states[part.index()].uses += 1);
    let bodies = draft.blocks.iter_mut().map(|b| &mut b.body).chain([&mut draft.uniform]);
    for (n, list) in (0..).zip(bodies) {
        fuse_list(list, n, &mut states, precision);
    }
}

fn fuse_list(list: &mut Vec<Instruction<Part>>, n: u32, states: &mut [State], precision: Precision) {
    let mut gone = false;
    for i in 0..list.len() {
        let Instruction::Two { kernel, dst, args } = list[i] else { continue };
        if matches!(kernel, Two::FMul | Two::FMulZero | Two::MulZero24) {
            states[dst.index()].product = Some((n, i as u32));
            continue;
        }
        // The operand that is the product, and the other one.
        for (product, other) in [(args[0], args[1]), (args[1], args[0])] {
            let state = states[product.index()];
            let (1, Some((list_of, at))) = (state.uses, state.product) else { continue };
            if list_of != n {
                continue;
            }
            let Instruction::Two { kernel: mul, args: [x, y], .. } = list[at as usize] else { continue };
            let Some(three) = joined(mul, kernel, precision) else { continue };
            list[i] = Instruction::Three { kernel: three, dst, args: [x, y, other] };
            states[product.index()].uses = 0;
            gone = true;
            break;
        }
    }
    if gone {
        list.retain(|i| match i {
            Instruction::Two { kernel: Two::FMul | Two::FMulZero | Two::MulZero24, dst, .. } => {
                states[dst.index()].uses > 0
            }
            _ => true,
        });
    }
}
