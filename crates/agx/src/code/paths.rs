//! Where control goes after each instruction.

use super::items::Items;
use crate::Agx;
use crate::facts::{Control, Role, role};
use crate::operand::{A, NUMBER};
use crate::sequencer::DEEPEST;
use alloc::vec::Vec;
use shisa_rows::Insn;
use shisa_rows::code::{Budget, Graph, Paths, explore};

/// Pairs of an instruction and a context that are followed for each instruction, on average.
const CONTEXTS: usize = 64;

/// Such pairs besides the first one of each instruction, at most: each takes some hundred bytes.
const MORE_CONTEXTS: usize = 1 << 17;

/// The distance in bytes from the start of an instruction to the target that it names, if it names one.
pub(crate) fn target(insn: &Insn<Agx>) -> Option<i64> {
    match role(insn) {
        Role::Control(Control::Jump | Control::Call) => Some(i64::from(insn.field(A) as u32 as i32)),
        Role::Control(Control::ShortJump) => Some(i64::from(insn.field(NUMBER) as u8 as i8)),
        _ => None,
    }
}

/// Where control may go after an instruction.
enum Next {
    /// To the next instruction.
    Straight,
    /// To the next instruction, or to this one.
    Jump(u32),
    /// To a procedure, and from there to the next instruction.
    Call(u32),
    /// To an unknown procedure, and from there to the next instruction.
    CallUnknown,
    /// To the instruction after the latest call.
    Return,
    /// Nowhere.
    End,
}

/// A target that is not an instruction is left out: a rule reports it.
fn next(items: &Items<'_>, number: usize) -> Next {
    let Some(insn) = items.insn(number) else { return Next::End };
    let to = || {
        let offset = i64::try_from(items.bytes(number)?.start).ok()?.checked_add(target(&insn)?)?;
        Some(items.number_at(usize::try_from(offset).ok()?)? as u32)
    };
    match role(&insn) {
        Role::Control(control) => match control {
            Control::Stop | Control::Trap => Next::End,
            Control::Jump | Control::ShortJump => to().map_or(Next::Straight, Next::Jump),
            Control::Call => to().map_or(Next::CallUnknown, Next::Call),
            Control::CallRegister => Next::CallUnknown,
            Control::Return => Next::Return,
            Control::Incomplete | Control::Nesting(_) => Next::Straight,
        },
        Role::Compute | Role::Constant | Role::Select | Role::Exchange(_) | Role::Wait => Next::Straight,
        Role::Memory(_) | Role::Barrier(_) | Role::Pixel(_) | Role::Coefficients(_) => Next::Straight,
        Role::Varying(_) | Role::Driver => Next::Straight,
    }
}

/// The result of [`follow`].
pub(super) struct Found {
    /// The number of the instruction of each node; that of the end of the code is one past the last.
    pub(super) nodes: Vec<u32>,
    /// The edges between nodes. Node 0 is the entry.
    pub(super) graph: Graph,
    /// Whether all paths are known.
    pub(super) complete: bool,
}

/// Follows all paths from the first instruction.
pub(super) fn follow(items: &Items<'_>) -> Found {
    let count = items.pieces();
    let nexts: Vec<Next> = (0..count).map(|number| next(items, number)).collect();
    let known = !nexts.iter().any(|next| matches!(next, Next::CallUnknown));
    if nexts.iter().any(|next| matches!(next, Next::Call(_))) {
        let mut calls = Calls { nexts: &nexts };
        let budget = Budget::of(count, CONTEXTS);
        let budget = Budget { states: budget.states.min(count + MORE_CONTEXTS), ..budget };
        let walk = explore(&mut calls, count, [(0, Vec::new())], budget);
        if walk.complete {
            let nodes = walk.nodes.into_iter().map(|(number, _)| number as u32).collect();
            return Found { nodes, graph: walk.graph, complete: known };
        }
    }
    merged(&nexts)
}

/// The paths of code whose contexts are merged: a procedure returns to all of its callers.
fn merged(nexts: &[Next]) -> Found {
    let mut edges = Vec::with_capacity(nexts.len());
    let calls =
        || (0u32..).zip(nexts).filter(|(_, next)| matches!(next, Next::Call(_))).map(|(from, _)| from + 1);
    let mut complete = calls().next().is_none();
    for (from, next) in (0u32..).zip(nexts) {
        match next {
            Next::Straight => edges.push((from, from + 1)),
            Next::CallUnknown => {
                complete = false;
                edges.push((from, from + 1));
            }
            Next::Jump(to) => edges.extend([(from, from + 1), (from, *to)]),
            Next::Call(to) => edges.push((from, *to)),
            Next::Return => edges.extend(calls().map(|after| (from, after))),
            Next::End => {}
        }
    }
    Found { nodes: (0..=nexts.len() as u32).collect(), graph: Graph::new(nexts.len() + 1, edges), complete }
}

/// Paths through code with calls. The state is the numbers of the instructions to which open calls return.
struct Calls<'n> {
    nexts: &'n [Next],
}

impl Paths for Calls<'_> {
    type State = Vec<u32>;

    /// Every instruction is a node of its own, as data flow needs it.
    fn is_straight(&self, _: usize) -> bool {
        false
    }

    fn follow(&mut self, at: usize, open: &Vec<u32>, to: &mut Vec<(usize, Vec<u32>)>) {
        match self.nexts.get(at) {
            Some(Next::Straight | Next::CallUnknown) => to.push((at + 1, open.clone())),
            Some(Next::Jump(target)) => to.extend([(at + 1, open.clone()), (*target as usize, open.clone())]),
            // Deeper calls end a program.
            Some(Next::Call(target)) if open.len() < DEEPEST => {
                to.push((*target as usize, [&open[..], &[at as u32 + 1]].concat()));
            }
            Some(Next::Return) => {
                to.extend(open.split_last().map(|(last, rest)| (*last as usize, rest.to_vec())));
            }
            Some(Next::Call(_) | Next::End) | None => {}
        }
    }
}
