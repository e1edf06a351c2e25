//! Where control goes after each instruction.

use crate::Agx;
use crate::facts::{Control, Role, role};
use crate::operand::{A, NUMBER};
use crate::sequencer::DEEPEST;
use crate::sets::Touched;
use alloc::vec::Vec;
use shisa_rows::Insn;
use shisa_rows::code::{Budget, Graph, Item, Paths, explore};

type Items = [Item<Agx, Touched>];

/// Pairs of an instruction and a context that are followed for each instruction, on average.
const CONTEXTS: usize = 64;

/// The distance in bytes from the start of an instruction to the target that it names, if it names one.
pub(crate) fn target(insn: &Insn<Agx>) -> Option<i64> {
    match role(insn) {
        Role::Control(Control::Jump | Control::Call) => Some(i64::from(insn.field(A) as u32 as i32)),
        Role::Control(Control::ShortJump) => Some(i64::from(insn.field(NUMBER) as u8 as i8)),
        _ => None,
    }
}

/// The number of the item that begins at an offset; one past the last for the end of the code.
pub(super) fn number_at(items: &Items, offset: usize) -> Option<usize> {
    if items.last().is_some_and(|last| last.bytes.end == offset) {
        return Some(items.len());
    }
    items.binary_search_by_key(&offset, |item| item.bytes.start).ok()
}

/// Where control may go after an instruction.
enum Next {
    /// To the next instruction.
    Straight,
    /// To the next instruction, or to this one.
    Jump(usize),
    /// To a procedure, and from there to the next instruction.
    Call(usize),
    /// To an unknown procedure, and from there to the next instruction.
    CallUnknown,
    /// To the instruction after the latest call.
    Return,
    /// Nowhere.
    End,
}

/// A target that is not an instruction is left out: a rule reports it.
fn next(items: &Items, number: usize) -> Next {
    let Some((item, insn)) = items.get(number).and_then(|item| Some((item, item.insn?))) else {
        return Next::End;
    };
    let to = || {
        let offset = i64::try_from(item.bytes.start).ok()?.checked_add(target(&insn)?)?;
        number_at(items, usize::try_from(offset).ok()?)
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
    pub(super) nodes: Vec<usize>,
    /// The edges between nodes. Node 0 is the entry.
    pub(super) graph: Graph,
    /// Whether all paths are known.
    pub(super) complete: bool,
}

/// Follows all paths from the first instruction.
pub(super) fn follow(items: &Items) -> Found {
    let count = items.len();
    let nexts: Vec<Next> = (0..count).map(|number| next(items, number)).collect();
    let known = !nexts.iter().any(|next| matches!(next, Next::CallUnknown));
    if nexts.iter().any(|next| matches!(next, Next::Call(_))) {
        let mut calls = Calls { nexts: &nexts };
        let walk = explore(&mut calls, count, [(0, Vec::new())], Budget::of(count, CONTEXTS));
        if walk.complete {
            let nodes = walk.nodes.into_iter().map(|(number, _)| number).collect();
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
            Next::Jump(to) => edges.extend([(from, from + 1), (from, *to as u32)]),
            Next::Call(to) => edges.push((from, *to as u32)),
            Next::Return => edges.extend(calls().map(|after| (from, after))),
            Next::End => {}
        }
    }
    Found { nodes: (0..=nexts.len()).collect(), graph: Graph::new(nexts.len() + 1, edges), complete }
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
            Some(Next::Jump(target)) => to.extend([(at + 1, open.clone()), (*target, open.clone())]),
            // Deeper calls end a program.
            Some(Next::Call(target)) if open.len() < DEEPEST => {
                to.push((*target, [&open[..], &[at as u32 + 1]].concat()));
            }
            Some(Next::Return) => {
                to.extend(open.split_last().map(|(last, rest)| (*last as usize, rest.to_vec())));
            }
            Some(Next::Call(_) | Next::End) | None => {}
        }
    }
}
