//! Blocks of a program's instructions, with the edges between them.

use super::Graph;
use crate::flow::{Flow, Mark, Turn, conditional};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// Instructions that run one after the other, and the successors of the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Their numbers.
    pub insns: Range<usize>,
    /// Empty if the program ends, or continues at an unknown address.
    pub ways: Vec<Way>,
}

/// An edge from a block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The number of its target block.
    pub to: usize,
    /// The outcome of the last instruction's condition for which the edge is taken; `None` without a condition, or if
    /// it is taken in both cases.
    pub when: Option<bool>,
}

/// The edges between blocks as a graph.
pub fn edges(blocks: &[Block]) -> shisa_rows::code::Graph {
    let all = (0u32..).zip(blocks);
    let edges = all.flat_map(|(from, block)| block.ways.iter().map(move |way| (from, way.to as u32)));
    shisa_rows::code::Graph::new(blocks.len(), edges.collect())
}

impl Graph {
    /// The blocks of all instructions that may run, in order. The first is the entry.
    pub fn blocks(&self) -> Vec<Block> {
        let count = self.len();
        let ends = |i: usize| match self.insn(i).map(|insn| insn.form().attr.turn) {
            Some(Turn::Next | Turn::Push(_)) => false,
            Some(Turn::Branch(_) | Turn::Pop(_) | Turn::Call(_)) | None => true,
        };
        let mut begins = vec![false; count + 1];
        for i in (0..count).filter(|i| self.may_run(*i)) {
            let alone = i == 0 || !self.may_run(i - 1) || ends(i - 1);
            begins[i] |= alone;
            if ends(i) {
                self.next(i).for_each(|n| begins[n] = true);
            }
        }
        let starts: Vec<usize> = (0..count).filter(|i| begins[*i]).collect();
        let block = |start: &usize| {
            let last = |i: &usize| ends(*i) || i + 1 == count || begins[i + 1];
            let last = (*start..count).find(last).unwrap_or(*start);
            let way = |next: usize| {
                let to = starts.binary_search(&next).ok()?;
                Some(Way { to, when: self.when(last, next) })
            };
            Block { insns: *start..last + 1, ways: self.next(last).filter_map(way).collect() }
        };
        starts.iter().map(block).collect()
    }

    /// The outcome of an instruction's condition for which the next one follows it.
    pub(crate) fn when(&self, i: usize, next: usize) -> Option<bool> {
        let both = match self.flow(i)? {
            Flow::Next | Flow::Push(..) | Flow::Call(_) => true,
            // If an instruction that ends the program is taken, it has no successor.
            Flow::Pop(Mark::Exit | Mark::Return) | Flow::Anywhere => false,
            Flow::Branch(_) | Flow::Pop(_) => self.next(i).count() == 1,
        };
        (conditional(self.insn(i)?) && !both).then_some(next != i + 1)
    }
}
