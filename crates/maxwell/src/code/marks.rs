//! Stacks of marks.

use crate::flow::Mark;
use alloc::{collections::BTreeMap, vec::Vec};

/// A stack of marks, by its number in [`Stacks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stack(u32);

impl Stack {
    /// The stack without a mark.
    pub(super) const EMPTY: Stack = Stack(0);
}

/// A mark on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    /// The stack below it.
    pub(super) below: Stack,
    /// Its kind.
    pub(super) mark: Mark,
    /// The number of its target instruction; `None` if a constant holds the target.
    pub(super) target: Option<usize>,
}

/// All stacks of a walk, each stored once.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// The top of each stack except the empty one, and the number of marks on the stack.
    tops: Vec<(Cell, usize)>,
    numbers: BTreeMap<Cell, Stack>,
}

impl Stacks {
    /// The most marks of one stack.
    const DEEPEST: usize = 64;

    /// The stack with one more mark; `None` if it would have more than [`Stacks::DEEPEST`].
    pub(super) fn push(&mut self, below: Stack, mark: Mark, target: Option<usize>) -> Option<Stack> {
        let depth = self.top(below).map_or(0, |(_, depth)| depth) + 1;
        if depth > Self::DEEPEST {
            return None;
        }
        let cell = Cell { below, mark, target };
        if let Some(stack) = self.numbers.get(&cell) {
            return Some(*stack);
        }
        let stack = Stack(u32::try_from(self.tops.len() + 1).ok()?);
        self.tops.push((cell, depth));
        self.numbers.insert(cell, stack);
        Some(stack)
    }

    fn top(&self, stack: Stack) -> Option<(Cell, usize)> {
        self.tops.get((stack.0 as usize).checked_sub(1)?).copied()
    }

    /// The nearest mark of a kind.
    pub(super) fn find(&self, mut stack: Stack, mark: Mark) -> Option<Cell> {
        while let Some((cell, _)) = self.top(stack) {
            if cell.mark == mark {
                return Some(cell);
            }
            stack = cell.below;
        }
        None
    }
}
