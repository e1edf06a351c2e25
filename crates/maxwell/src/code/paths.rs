//! The successors of an instruction, given a stack of marks.

use super::marks::{Stack, Stacks};
use crate::flow::{Flow, Mark, Targets, Turn, conditional, flow, number};
use crate::{Maxwell, bundle};
use alloc::{collections::BTreeSet, vec::Vec};
use shisa_rows::Insn;
use shisa_rows::code::Paths;

/// An instruction that goes to a mark that nothing pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Its number.
    pub insn: usize,
    /// The kind of mark that it goes to.
    pub mark: Mark,
}

/// The results of the walk besides edges.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) missing: Vec<Missing>,
    pub(super) piled: Vec<usize>,
    pub(super) lost: BTreeSet<usize>,
    /// Whether a stack became too deep.
    pub(super) cut: bool,
    /// Whether all targets are stated.
    pub(super) complete: bool,
}

/// The paths through code, each with its stack of marks.
#[derive(Debug)]
pub(super) struct MarkPaths<'a> {
    insns: &'a [Option<Insn<Maxwell>>],
    targets: &'a Targets,
    stacks: Stacks,
    found: Found,
}

impl<'a> MarkPaths<'a> {
    pub(super) fn new(insns: &'a [Option<Insn<Maxwell>>], targets: &'a Targets) -> MarkPaths<'a> {
        let found = Found {
            missing: Vec::new(),
            piled: Vec::new(),
            lost: BTreeSet::new(),
            cut: false,
            complete: true,
        };
        MarkPaths { insns, targets, stacks: Stacks::default(), found }
    }

    pub(super) fn finish(mut self) -> Found {
        self.found.missing.sort_unstable();
        self.found.missing.dedup();
        self.found.piled.sort_unstable();
        self.found.piled.dedup();
        self.found
    }

    /// Pushes a mark; if the stack is too deep, control continues with the unchanged stack.
    fn push(&mut self, at: usize, stack: Stack, mark: Mark, target: Option<usize>) -> Stack {
        self.stacks.push(stack, mark, target).unwrap_or_else(|| {
            self.found.cut = true;
            if self.stacks.find(stack, Mark::Return).is_none() {
                self.found.piled.push(at);
            }
            stack
        })
    }

    /// Goes to the nearest mark of a kind.
    fn pop(&mut self, at: usize, stack: Stack, mark: Mark, to: &mut Vec<(usize, Stack)>) {
        match (self.stacks.find(stack, mark), mark) {
            (Some(cell), _) => {
                self.found.complete &= cell.target.is_some();
                to.extend(cell.target.map(|target| (target, cell.below)));
            }
            // The end of the program, or of a function that others call.
            (None, Mark::Exit | Mark::Return) => {}
            (None, Mark::Sync | Mark::Break | Mark::Continue | Mark::LongJump) => {
                self.found.missing.push(Missing { insn: at, mark });
            }
        }
    }
}

impl Paths for MarkPaths<'_> {
    type State = Stack;

    fn is_straight(&self, at: usize) -> bool {
        let insn = self.insns.get(at).and_then(Option::as_ref);
        insn.is_some_and(|insn| insn.form().attr.turn == Turn::Next)
    }

    fn follow(&mut self, at: usize, stack: &Stack, to: &mut Vec<(usize, Stack)>) {
        let Some(insn) = self.insns.get(at).and_then(Option::as_ref) else { return };
        let pc = bundle::address(at as u32);
        let kind = flow(insn, pc);
        let mut goes_on = conditional(insn);
        match kind {
            Flow::Next => goes_on = true,
            Flow::Push(mark, target) => {
                let pushed = self.push(at, *stack, mark, target.map(number));
                to.push((at + 1, pushed));
                return;
            }
            Flow::Branch(target) => to.push((number(target), *stack)),
            Flow::Anywhere => {
                let known = self.targets.get(&pc).map_or(&[][..], Vec::as_slice);
                to.extend(known.iter().map(|target| (number(*target), *stack)));
                if known.is_empty() {
                    self.found.complete = false;
                    self.found.lost.insert(at);
                    // Code at an unknown address is assumed to return: with PRET before it, the branch is a call.
                    let mark = self.stacks.find(*stack, Mark::Return);
                    to.extend(mark.and_then(|cell| Some((cell.target?, cell.below))));
                }
            }
            Flow::Call(target) => {
                let pushed = self.stacks.push(*stack, Mark::Return, Some(at + 1));
                self.found.complete &= pushed.is_some() && target.is_some();
                to.extend(target.zip(pushed).map(|(target, stack)| (number(target), stack)));
                // A callee that cannot be followed is assumed to return.
                goes_on = to.is_empty();
            }
            Flow::Pop(mark) => self.pop(at, *stack, mark, to),
        }
        if to.is_empty() && kind != Flow::Pop(Mark::Exit) {
            self.found.lost.insert(at);
        }
        if goes_on {
            to.push((at + 1, *stack));
        }
    }
}
