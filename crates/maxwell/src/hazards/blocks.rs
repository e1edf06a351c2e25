//! A program's instructions as blocks, with the ways between them.

use super::Graph;
use crate::bundle;
use crate::flow::{Flow, Mark, conditional, flow};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// Instructions that run one after the other, and where control goes behind the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Their numbers.
    pub insns: Range<usize>,
    /// None where the program ends, or goes where nothing tells.
    pub ways: Vec<Way>,
}

/// A way from a block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Number of the block that it leads to.
    pub to: usize,
    /// The outcome of the last instruction's condition with which it is taken; `None` without a condition, or
    /// where it is taken either way.
    pub when: Option<bool>,
}

impl Graph {
    /// The blocks of all instructions that may run, in their order. The first is the entry.
    pub fn blocks(&self) -> Vec<Block> {
        let count = self.insns.len();
        let ends = |i: usize| self.ways.contains_key(&i) || self.insns.get(i).is_none_or(Option::is_none);
        let mut begins = vec![false; count + 1];
        for i in (0..count).filter(|i| self.may_run(*i)) {
            let alone = i == 0 || !self.may_run(i - 1) || ends(i - 1);
            begins[i] |= alone;
            if ends(i) {
                self.next(i).filter(|n| *n < count).for_each(|n| begins[n] = true);
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

    /// The outcome of an instruction's condition with which the next one comes behind it.
    fn when(&self, i: usize, next: usize) -> Option<bool> {
        let insn = self.insns.get(i)?.as_ref()?;
        let flow = flow(insn, bundle::address(i as u32));
        let both = match flow {
            Flow::Next | Flow::Push(..) | Flow::Call(_) => true,
            // What ends the program leads nowhere when it is taken.
            Flow::Pop(Mark::Exit | Mark::Return) | Flow::Anywhere => false,
            Flow::Branch(_) | Flow::Pop(_) => self.next(i).count() == 1,
        };
        (conditional(insn) && !both).then_some(next != i + 1)
    }
}
