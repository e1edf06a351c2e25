//! Removes and merges blocks of a function, and numbers them in order.

use crate::order::Order;
use crate::{Block, BlockId, End, Func};
use alloc::vec::Vec;

impl Func {
    /// Merges chains: an empty block that only jumps is skipped, and a block with a single incoming edge and no
    /// parameters is appended to its predecessor. Unreachable blocks are removed; the rest are numbered in reverse
    /// postorder.
    pub fn tidy(&mut self) {
        self.tidy_in(&mut Order::default());
    }

    /// As [`Func::tidy`], in the memory of another order.
    pub(crate) fn tidy_in(&mut self, order: &mut Order) {
        if self.blocks.len() <= 1 {
            return;
        }
        self.skip_empty();
        let mut entries = self.entries();
        for i in 0..self.blocks.len() {
            while let End::Jump(e) = &self.blocks[i].end {
                let j = e.to.index();
                if j == i || entries[j] != 1 || !self.blocks[j].params.is_empty() {
                    break;
                }
                let tail = core::mem::replace(
                    &mut self.blocks[j],
                    Block { params: Vec::new(), body: Vec::new(), end: End::Exit },
                );
                entries[j] = 0;
                self.blocks[i].body.extend(tail.body);
                self.blocks[i].end = tail.end;
            }
        }
        self.renumber_in(order);
    }

    fn skip_empty(&mut self) {
        const UNKNOWN: u32 = u32::MAX;
        let next = |blocks: &[Block], i: usize| match &blocks[i] {
            Block { params, body, end: End::Jump(e) } if params.is_empty() && body.is_empty() => {
                Some(e.to.index())
            }
            _ => None,
        };
        // The last empty block of each chain; the chain leads to the target of its jump. A cycle of empty blocks is an
        // endless loop and stays one.
        let mut last = alloc::vec![UNKNOWN; self.blocks.len()];
        let mut chain = Vec::new();
        for i in 0..self.blocks.len() {
            let mut at = i;
            let end = loop {
                let Some(to) = next(&self.blocks, at) else { break chain.last().copied() };
                if last[at] != UNKNOWN {
                    break Some(last[at] as usize);
                }
                last[at] = at as u32;
                chain.push(at);
                at = to;
            };
            if let Some(end) = end {
                chain.drain(..).for_each(|c: usize| last[c] = end as u32);
            }
        }
        for i in 0..self.blocks.len() {
            let mut end = core::mem::replace(&mut self.blocks[i].end, End::Exit);
            for e in end.edges_mut().filter(|e| last[e.to.index()] != UNKNOWN && e.to.index() != i) {
                if let End::Jump(way) = &self.blocks[last[e.to.index()] as usize].end {
                    *e = way.clone();
                }
            }
            if let End::Branch { yes, no, .. } = &end
                && yes == no
            {
                end = End::Jump(yes.clone());
            }
            self.blocks[i].end = end;
        }
    }

    /// Removes unreachable blocks, and numbers the others in reverse postorder.
    pub(crate) fn renumber(&mut self) {
        self.renumber_in(&mut Order::default());
    }

    /// As [`Func::renumber`], in the memory of another order.
    fn renumber_in(&mut self, order: &mut Order) {
        order.find(self);
        let in_order = order.iter().zip(0..).all(|(b, i)| b.0 == i);
        if in_order && order.len() == self.blocks.len() {
            return;
        }
        let mut old: Vec<Option<Block>> = core::mem::take(&mut self.blocks).into_iter().map(Some).collect();
        self.blocks.reserve_exact(order.len());
        for b in order.iter() {
            if let Some(mut block) = old[b.index()].take() {
                for e in block.end.edges_mut() {
                    e.to = BlockId(order.position(e.to).unwrap_or(u32::MAX));
                }
                self.blocks.push(block);
            }
        }
    }
}
