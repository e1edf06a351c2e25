//! The code of a program: its instructions, and where control may go after each.
//!
//! # Concepts
//!
//! A wave has a stack of marks, each with a target. `SSY`, `PBK`, `PCNT`, `PRET`, `PEXIT`, `PLONGJMP` and calls push
//! one, `SYNC`, `BRK`, `CONT`, `RET`, `EXIT` and `LONGJMP` go to the nearest one of their kind. So where these go
//! depends on the path that leads to them, and [`Graph`] follows all paths, each with its stack.

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
use shisa_rows::code::{Budget, Code, Item, explore_all};

/// What an instruction reads and writes.
pub type Effects = shisa_rows::code::Effects<Set>;

/// Stacks in which an instruction is followed, on average, before stacks are joined.
const STACKS: usize = 4;

/// The instructions of a program, and where control may go after each.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The instructions, their effects and the edges between them. The last node is the end of the code. Edges between
    /// instructions that no path reaches are those of paths that begin there, with an empty stack.
    pub code: Code<Maxwell, Set>,
    /// The instructions that go to a mark that nothing pushed on some path, rising.
    pub missing: Vec<Missing>,
    /// The instructions that push marks without end, rising: a loop comes back to them with an ever deeper stack. Calls
    /// that call themselves are none of these.
    pub piled: Vec<usize>,
    /// The instructions after which control goes to where nothing states.
    lost: BTreeSet<usize>,
    /// The instructions before which all results must be there and all sources read.
    pub(crate) drains: BTreeSet<usize>,
    /// Whether some stacks were joined, so that some targets of marks are not known.
    cut: bool,
}

impl Graph {
    /// Follows all paths from the first instruction on, with an empty stack, and then those from instructions that no
    /// path reaches. Branches by a register go to their `targets`.
    pub fn new(words: &[u128], targets: &Targets, ctx: Ctx<'_>) -> Graph {
        let item = |(i, word): (usize, &u128)| {
            let pc = bundle::address(i as u32);
            let bytes = pc as usize..pc as usize + 8;
            match decode(*word, Ctx { pc, ..ctx }) {
                Ok(insn) => Item::new(insn, bytes),
                Err(_) => Item::unknown(bytes),
            }
        };
        let items: Vec<_> = words.iter().enumerate().map(item).collect();
        let count = items.len();
        let mut paths = MarkPaths::new(&items, targets);
        let walk =
            explore_all(&mut paths, count, [(0, Stack::EMPTY)], Stack::EMPTY, Budget::of(count, STACKS));
        let (graph, reached) = (walk.instructions(count), walk.reached(count));
        let found = paths.finish();
        let cut = found.cut || !walk.complete;
        Graph {
            missing: found.missing,
            piled: found.piled,
            lost: found.lost,
            drains: BTreeSet::new(),
            cut,
            code: Code { items, graph, reached, complete: found.complete && !cut },
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.code.items.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.code.items.is_empty()
    }

    /// The instruction of a number; `None` for a word that is none.
    pub fn insn(&self, i: usize) -> Option<&Insn<Maxwell>> {
        self.code.items.get(i)?.insn.as_ref()
    }

    /// All instructions with their numbers, without the words that are none.
    pub fn insns(&self) -> impl Iterator<Item = (usize, &Insn<Maxwell>)> {
        self.code.items.iter().enumerate().filter_map(|(i, item)| Some((i, item.insn.as_ref()?)))
    }

    /// What the instruction of a number reads and writes; nothing for a word that is no instruction.
    pub fn effects(&self, i: usize) -> Option<&Effects> {
        self.code.items.get(i).map(|item| &item.effects)
    }

    /// The class of the instruction of a number.
    pub fn class(&self, i: usize) -> Option<Class> {
        self.insn(i).map(class)
    }

    /// What the instruction of a number does to the flow of control.
    pub fn flow(&self, i: usize) -> Option<Flow> {
        Some(flow(self.insn(i)?, bundle::address(i as u32)))
    }

    /// The instructions that may come after one, rising, the end of the code being number [`Graph::len`]; none after a
    /// word that is no instruction.
    pub fn next(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        self.code.graph.next(i)
    }

    /// The instructions after which control may go to where nothing states.
    pub(crate) fn lost(&self) -> BTreeSet<usize> {
        let pops = |i: &usize| matches!(self.flow(*i), Some(Flow::Pop(mark)) if mark != Mark::Exit);
        let all = if self.cut { self.len() } else { 0 };
        self.lost.iter().copied().chain((0..all).filter(pops)).collect()
    }

    /// Whether all paths are known: no branch goes to where nothing states, and no stacks were joined.
    pub fn is_complete(&self) -> bool {
        self.code.complete
    }

    /// Whether some known path from the first instruction leads to one.
    pub fn is_reached(&self, i: usize) -> bool {
        self.code.is_reached(i)
    }

    /// Whether an instruction may run: some path leads to it, or not all paths are known.
    pub fn may_run(&self, i: usize) -> bool {
        !self.is_complete() || self.is_reached(i)
    }
}
