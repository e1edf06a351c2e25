//! The ways that control may take through a program.

use super::{Class, Effects, class, effects};
use crate::flow::{Flow, Mark, Targets, conditional, flow, number};
use crate::{Ctx, Maxwell, bundle, decode};
use alloc::{collections::BTreeMap, collections::BTreeSet, vec, vec::Vec};
use shisa_rows::Insn;

/// An instruction that leaves for a mark that nothing made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Its number.
    pub insn: usize,
    /// What it leaves for.
    pub mark: Mark,
}

/// A program's instructions, and where control may go behind each.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The instructions; `None` for a word that is none.
    pub insns: Vec<Option<Insn<Maxwell>>>,
    /// What each reads and writes; nothing for a word that is no instruction.
    pub effects: Vec<Effects>,
    /// The class of each; of a word that is no instruction it does not matter.
    pub(super) classes: Vec<Class>,
    /// Where control goes behind instructions that do not simply go on, rising.
    pub(super) ways: BTreeMap<usize, Vec<usize>>,
    /// Which instructions have been followed.
    followed: Vec<bool>,
    /// Which instructions a way from the first one leads to.
    reached: Vec<bool>,
    /// What leaves for a mark that nothing made.
    pub missing: Vec<Missing>,
    /// The instructions from which control may run past the end.
    pub past_end: Vec<usize>,
    /// The instructions that make marks without end: a way comes back to them ever deeper. Calls that call
    /// themselves are none of these.
    pub piled: Vec<usize>,
    /// The instructions from which control goes to where nothing tells.
    lost: BTreeSet<usize>,
    /// The instructions before which all results must be there and all sources read.
    pub(super) drains: BTreeSet<usize>,
    /// Whether ways were not followed to their end, so that some are not known.
    cut: bool,
    /// Whether all ways are known: no branch goes where nothing tells, and there are not too many stacks.
    pub complete: bool,
}

/// A stack of marks: its top, and the stack below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    below: usize,
    mark: Mark,
    target: Option<usize>,
}

/// Stacks, each kept once; number 0 is the empty one.
#[derive(Default)]
struct Stacks {
    cells: Vec<(Cell, usize)>,
    numbers: BTreeMap<Cell, usize>,
}

impl Stacks {
    /// The most marks of one stack.
    const DEEPEST: usize = 64;

    fn push(&mut self, below: usize, mark: Mark, target: Option<usize>) -> Option<usize> {
        let depth = self.depth(below) + 1;
        if depth > Self::DEEPEST {
            return None;
        }
        let cell = Cell { below, mark, target };
        let next = self.cells.len() + 1;
        let number = *self.numbers.entry(cell).or_insert(next);
        if number == next {
            self.cells.push((cell, depth));
        }
        Some(number)
    }

    fn depth(&self, stack: usize) -> usize {
        self.top(stack).map_or(0, |c| c.1)
    }

    fn top(&self, stack: usize) -> Option<(Cell, usize)> {
        self.cells.get(stack.checked_sub(1)?).copied()
    }

    /// The nearest mark of a kind, and the stack below it.
    fn find(&self, mut stack: usize, mark: Mark) -> Option<Cell> {
        while let Some((cell, _)) = self.top(stack) {
            if cell.mark == mark {
                return Some(cell);
            }
            stack = cell.below;
        }
        None
    }
}

impl Graph {
    /// Follows all ways from the first instruction on, with the stack of marks as it is then. Code that no way
    /// leads to is followed from its first instruction, with an empty stack. Branches by a register go to their
    /// `targets`.
    pub fn new(code: &[u128], targets: &Targets, ctx: Ctx<'_>) -> Graph {
        let decoded =
            |(i, word): (usize, &u128)| decode(*word, Ctx { pc: bundle::address(i as u32), ..ctx }).ok();
        let insns: Vec<_> = code.iter().enumerate().map(decoded).collect();
        let mut graph = Graph {
            followed: vec![false; insns.len()],
            reached: Vec::new(),
            effects: insns.iter().map(|i| i.as_ref().map(effects).unwrap_or_default()).collect(),
            classes: insns.iter().map(|i| i.as_ref().map_or(Class::Arithmetic, class)).collect(),
            insns,
            ways: BTreeMap::new(),
            missing: Vec::new(),
            past_end: Vec::new(),
            piled: Vec::new(),
            lost: BTreeSet::new(),
            drains: BTreeSet::new(),
            cut: false,
            complete: true,
        };
        let mut stacks = Stacks::default();
        let mut seen = BTreeMap::new();
        let mut budget = 4 * graph.insns.len() + 1024;
        let mut open = vec![(0, 0)];
        let mut root = 0;
        loop {
            while let Some((start, stack)) = open.pop() {
                let stacks_seen: &mut Vec<usize> = seen.entry(start).or_default();
                if stacks_seen.contains(&stack) {
                    continue;
                }
                stacks_seen.push(stack);
                if budget == 0 {
                    graph.cut = true;
                    continue;
                }
                graph.follow(start, stack, targets, &mut stacks, &mut budget, &mut open);
            }
            if graph.reached.is_empty() {
                graph.reached = graph.followed.clone();
            }
            // The next code that nothing led to.
            let count = graph.followed.len();
            root = (root..count).find(|i| !graph.followed[*i]).unwrap_or(count);
            if root == count {
                break;
            }
            budget = budget.max(1024);
            open.push((root, 0));
        }
        graph.complete &= !graph.cut;
        graph.missing.sort_unstable();
        graph.missing.dedup();
        for list in [&mut graph.past_end, &mut graph.piled] {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }

    /// Follows one way until it branches.
    fn follow(
        &mut self,
        start: usize,
        stack: usize,
        targets: &Targets,
        stacks: &mut Stacks,
        budget: &mut usize,
        open: &mut Vec<(usize, usize)>,
    ) {
        let (mut i, mut stack) = (start, stack);
        loop {
            let Some(followed) = self.followed.get_mut(i) else {
                self.past_end.extend(i.checked_sub(1));
                return;
            };
            *followed = true;
            *budget = budget.saturating_sub(1);
            let Some(Some(insn)) = self.insns.get(i) else { return };
            let kind = flow(insn, bundle::address(i as u32));
            // Where it may go if its condition holds, with which stack.
            let gone = match kind {
                Flow::Next => {
                    i += 1;
                    continue;
                }
                Flow::Push(mark, target) => {
                    match stacks.push(stack, mark, target.map(number)) {
                        Some(pushed) => stack = pushed,
                        None => {
                            self.cut = true;
                            if stacks.find(stack, Mark::Return).is_none() {
                                self.piled.push(i);
                            }
                        }
                    }
                    i += 1;
                    continue;
                }
                Flow::Branch(target) => vec![(number(target), stack)],
                Flow::Anywhere => {
                    let known = targets.get(&bundle::address(i as u32)).map_or(&[][..], Vec::as_slice);
                    self.complete &= !known.is_empty();
                    known.iter().map(|target| (number(*target), stack)).collect()
                }
                Flow::Call(target) => {
                    let pushed = stacks.push(stack, Mark::Return, Some(i + 1));
                    self.complete &= pushed.is_some() && target.is_some();
                    target.zip(pushed).map(|(target, stack)| (number(target), stack)).into_iter().collect()
                }
                Flow::Pop(mark) => match (stacks.find(stack, mark), mark) {
                    (Some(cell), _) => {
                        self.complete &= cell.target.is_some();
                        cell.target.map(|target| (target, cell.below)).into_iter().collect()
                    }
                    // The end of the program, or of a function that others call.
                    (None, Mark::Exit | Mark::Return) => vec![],
                    (None, _) => {
                        self.missing.push(Missing { insn: i, mark });
                        vec![]
                    }
                },
            };
            if gone.is_empty() && kind != Flow::Pop(Mark::Exit) {
                self.lost.insert(i);
            }
            let goes_on = conditional(insn) && !matches!(kind, Flow::Call(_));
            // A callee that cannot be followed comes back.
            let goes_on = goes_on || matches!(kind, Flow::Call(_)) && gone.is_empty();
            // A long list of targets costs what it takes to follow it.
            *budget = budget.saturating_sub(gone.len().saturating_sub(1));
            let ways = self.ways.entry(i).or_default();
            ways.extend(gone.iter().map(|g| g.0).chain(goes_on.then_some(i + 1)));
            ways.sort_unstable();
            ways.dedup();
            open.extend(gone);
            open.extend(goes_on.then_some((i + 1, stack)));
            return;
        }
    }

    /// The instructions that may come behind one; none behind a word that is no instruction.
    pub fn next(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let ways = self.ways.get(&i);
        let known = self.insns.get(i).is_some_and(Option::is_some);
        let straight = (known && ways.is_none()).then_some(i + 1).filter(|n| *n < self.insns.len());
        ways.into_iter().flatten().copied().chain(straight)
    }

    /// The instructions from which control may go to where nothing tells.
    pub(super) fn lost(&self) -> BTreeSet<usize> {
        let leaves = |(i, insn): (usize, &Option<Insn<Maxwell>>)| {
            let pops = matches!(flow(insn.as_ref()?, bundle::address(i as u32)), Flow::Pop(mark) if mark != Mark::Exit);
            (pops && self.cut).then_some(i)
        };
        self.lost.iter().copied().chain(self.insns.iter().enumerate().filter_map(leaves)).collect()
    }

    /// Whether some known way from the first instruction leads to one.
    pub fn is_reached(&self, i: usize) -> bool {
        self.reached.get(i).copied().unwrap_or(false)
    }

    /// Whether an instruction may run: some way leads to it, or not all ways are known.
    pub fn may_run(&self, i: usize) -> bool {
        !self.complete || self.is_reached(i)
    }
}
