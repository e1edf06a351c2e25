//! The code of a program: its instructions, and their successors.
//!
//! # Concepts
//!
//! A wave has a stack of marks, each with a target. `SSY`, `PBK`, `PCNT`, `PRET`, `PEXIT`, `PLONGJMP` and calls push
//! one; `SYNC`, `BRK`, `CONT`, `RET`, `EXIT` and `LONGJMP` go to the nearest one of their kind. So their targets
//! depend on the path, and [`Graph`] follows all paths, each with its stack.

mod blocks;
mod live;
mod marks;
mod paths;
#[cfg(test)]
pub(crate) mod tests;

pub use blocks::{Block, Way, edges};
pub(crate) use live::pixel_outputs;
pub use live::{live, outputs};
pub use paths::Missing;

use crate::class::{Class, class};
use crate::flow::{Flow, Mark, Targets, flow};
use crate::registers::Set;
use crate::{Ctx, Maxwell, bundle, decode};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use marks::Stack;
use paths::MarkPaths;
use shisa_rows::Insn;
use shisa_rows::code::{Budget, effects, explore_all};

/// The registers that an instruction reads and writes.
pub type Effects = shisa_rows::code::Effects<Set>;

/// The average number of stacks in which an instruction is followed before stacks are merged.
const STACKS: usize = 4;

/// The instructions of a program, and their successors. A program can have millions of instructions, so each takes few
/// bytes.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The instructions; `None` for a word that is not one.
    insns: Vec<Option<Insn<Maxwell>>>,
    /// The edges between instructions. The last node is the end of the code. Edges between unreachable instructions are
    /// those of paths that begin there, with an empty stack.
    pub edges: shisa_rows::code::Graph,
    /// For each node of the graph, whether it is reachable from the first instruction.
    reached: Vec<bool>,
    /// Whether every path is known.
    complete: bool,
    /// The instructions that go to a mark that nothing pushed on some path, ascending.
    pub missing: Vec<Missing>,
    /// The instructions that push marks without end, ascending: a loop returns to them with an ever deeper stack.
    /// Recursive calls are not among them.
    pub piled: Vec<usize>,
    /// The instructions after which control goes to an unknown address.
    lost: BTreeSet<usize>,
    /// Whether some stacks were merged, so that some targets of marks are unknown.
    cut: bool,
}

impl Graph {
    /// Follows all paths from the first instruction, with an empty stack, and then those from unreachable
    /// instructions. Branches through a register go to their `targets`.
    pub fn new(words: &[u128], targets: &Targets, ctx: Ctx<'_>) -> Graph {
        let insn =
            |(i, word): (usize, &u128)| decode(*word, Ctx { pc: bundle::address(i as u32), ..ctx }).ok();
        let insns: Vec<_> = words.iter().enumerate().map(insn).collect();
        let count = insns.len();
        let mut paths = MarkPaths::new(&insns, targets);
        let walk =
            explore_all(&mut paths, count, [(0, Stack::EMPTY)], Stack::EMPTY, Budget::of(count, STACKS));
        let (edges, reached) = (walk.instructions(count), walk.reached(count));
        let found = paths.finish();
        let cut = found.cut || !walk.complete;
        Graph {
            insns,
            edges,
            reached,
            complete: found.complete && !cut,
            missing: found.missing,
            piled: found.piled,
            lost: found.lost,
            cut,
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.insns.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.insns.is_empty()
    }

    /// The instruction with a number; `None` for a word that is not one.
    pub fn insn(&self, i: usize) -> Option<&Insn<Maxwell>> {
        self.insns.get(i)?.as_ref()
    }

    /// All instructions with their numbers, without words that are not instructions.
    pub fn insns(&self) -> impl Iterator<Item = (usize, &Insn<Maxwell>)> {
        self.insns.iter().enumerate().filter_map(|(i, insn)| Some((i, insn.as_ref()?)))
    }

    /// The registers that the instruction with a number reads and writes; `None` for a word that is not an
    /// instruction. They are computed, because sets of all instructions take most of the memory of a check.
    pub fn effects(&self, i: usize) -> Option<Effects> {
        self.insn(i).map(effects)
    }

    /// The registers that any instruction of the program reads or writes.
    pub(crate) fn named(&self) -> Set {
        let all = self.insns().map(|(_, insn)| effects(insn));
        all.fold(Set::default(), |named, effects: Effects| named.or(&effects.reads).or(&effects.writes))
    }

    /// The class of the instruction of a number.
    pub fn class(&self, i: usize) -> Option<Class> {
        self.insn(i).map(class)
    }

    /// The effect of the instruction with a number on control flow.
    pub fn flow(&self, i: usize) -> Option<Flow> {
        Some(flow(self.insn(i)?, bundle::address(i as u32)))
    }

    /// The successors of an instruction, ascending; the end of the code has number [`Graph::len`]; none after a word
    /// that is not an instruction.
    pub fn next(&self, i: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.edges.next(i)
    }

    /// The instructions after which control may go to an unknown address.
    pub(crate) fn lost(&self) -> BTreeSet<usize> {
        let pops = |i: &usize| matches!(self.flow(*i), Some(Flow::Pop(mark)) if mark != Mark::Exit);
        let all = if self.cut { self.len() } else { 0 };
        self.lost.iter().copied().chain((0..all).filter(pops)).collect()
    }

    /// Whether all paths are known: no branch goes to an unknown address, and no stacks were merged.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether some known path from the first instruction reaches an instruction.
    pub fn is_reached(&self, i: usize) -> bool {
        self.reached.get(i) == Some(&true)
    }

    /// Whether an instruction may run: some path reaches it, or not all paths are known.
    pub fn may_run(&self, i: usize) -> bool {
        !self.is_complete() || self.is_reached(i)
    }
}
