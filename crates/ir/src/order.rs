//! The order of a function's blocks.

use crate::{BlockId, End, Func};
use alloc::vec::Vec;
use core::ops::Deref;

/// No position: the block is unreachable.
const NOWHERE: u32 = u32::MAX;

/// The blocks that are reachable from the entry, in reverse postorder: the entry is at position 0.
#[derive(Debug, Default)]
pub(crate) struct Order {
    blocks: Vec<BlockId>,
    /// By block.
    positions: Vec<u32>,
    /// The blocks on the path from the entry, with the successors that are still to be visited.
    path: Vec<(BlockId, [Option<BlockId>; 2])>,
}

impl Order {
    /// The order of a function.
    pub(crate) fn of(func: &Func) -> Order {
        let mut order = Order::default();
        order.find(func);
        order
    }

    /// Finds the order of a function, in the memory of another order.
    pub(crate) fn find(&mut self, func: &Func) {
        let Order { blocks, positions, path } = self;
        blocks.clear();
        positions.clear();
        positions.resize(func.blocks.len(), NOWHERE);
        if func.blocks.is_empty() {
            return;
        }
        // From the last one on: `yes` after `no`, so that it comes first in the reversed order.
        let left = |b: BlockId| match &func.blocks[b.index()].end {
            End::Jump(e) => [None, Some(e.to)],
            End::Branch { yes, no, .. } => [Some(yes.to), Some(no.to)],
            End::Exit => [None; 2],
        };
        blocks.reserve(func.blocks.len());
        path.push((BlockId(0), left(BlockId(0))));
        positions[0] = 0;
        while let Some((b, [first, last])) = path.last_mut() {
            match last.take().or_else(|| first.take()) {
                Some(to) if core::mem::replace(&mut positions[to.index()], 0) == NOWHERE => {
                    path.push((to, left(to)));
                }
                Some(_) => {}
                None => {
                    blocks.push(*b);
                    path.pop();
                }
            }
        }
        blocks.reverse();
        for (i, b) in blocks.iter().enumerate() {
            positions[b.index()] = i as u32;
        }
    }

    /// The position of a block; `None` if it is unreachable.
    pub(crate) fn position(&self, b: BlockId) -> Option<u32> {
        self.positions.get(b.index()).copied().filter(|p| *p != NOWHERE)
    }
}

impl Func {
    /// The blocks reachable from the entry in reverse postorder.
    pub fn reverse_postorder(&self) -> Vec<BlockId> {
        Order::of(self).blocks
    }
}

impl Deref for Order {
    type Target = [BlockId];

    fn deref(&self) -> &[BlockId] {
        &self.blocks
    }
}
