//! Constant folding, simplification, and sharing of common subexpressions. Every change is exact to the bit, including
//! the bits of NaN and the signs of zeros.

mod constants;
mod integers;
mod moves;
mod operation;
mod simple;
#[cfg(test)]
mod tests;
mod truths;

use crate::arithmetic::Ternary;
use crate::func::{BlockId, Edge, End, Func};
use crate::nodes::Nodes;
use crate::op::{Node, Op, Space, Value};
use crate::share::{Firsts, is_shareable};
use crate::ty::Type;
use alloc::{vec, vec::Vec};
use operation::{is_simple, simplify};
use simple::Simple;

/// The bits of each component of a value of this type in a constant bank, at a byte offset; `None` if they are not known.
pub type Banks<'a> = &'a dyn Fn(u8, u64, Type) -> Option<[u64; 4]>;

/// Evaluates operations on constants, looks through swizzles, joins and conversions that cancel out, and replaces
/// branches on constants by jumps. [`crate::remove_dead`] removes operations that become unused. Operations whose rule
/// uses a float model stay: the model is chosen later.
pub fn fold(func: &mut Func) {
    walk(func, &mut Folder::default(), &mut Tables::default());
}

/// As [`fold`], in the memory of programs before it. If it `shares`, operations that are not of floats are computed once
/// in each block.
pub(crate) fn fold_in(func: &mut Func, shares: bool, tables: &mut Tables) {
    let firsts = core::mem::take(&mut tables.firsts);
    let mut folder = Folder { shares, firsts, known: None };
    walk(func, &mut folder, tables);
    tables.firsts = folder.firsts;
}

/// As [`fold`], and shares address computations: if a block computes an address twice, the second use refers to the
/// first value.
pub fn fold_and_share(func: &mut Func) {
    fold_knowing(func, None);
}

/// As [`fold_and_share`], and replaces loads of what constant banks are known to hold.
pub(crate) fn fold_knowing(func: &mut Func, known: Option<Banks<'_>>) {
    let mut folder = Folder::sharing(func, Firsts::default(), known);
    walk(func, &mut folder, &mut Tables::default());
}

/// Folds and shares the operations from a value on, and those that use them, but for values of 64 bits: targets take them from
/// pairs of words only. Control flow stays as it is. Returns the value that replaces each one.
pub(crate) fn fold_words(first: Value, func: &mut Func) -> Vec<Value> {
    let mut tables = Tables::default();
    operations(func, &mut Folder { shares: true, ..Folder::default() }, &mut tables, |nodes, v| {
        let mut is_new = v >= first;
        nodes.operands(v, |o| is_new |= o >= first);
        is_new && nodes.ty(v).scalar.bits() < 64
    });
    let Tables { replaced, .. } = tables;
    func.blocks.iter_mut().for_each(|block| block.end.map(|v| replaced[v.index()]));
    replaced
}

/// Whether a block loads what a constant bank is known to hold.
pub(crate) fn loads_known(func: &Func, known: Banks<'_>) -> bool {
    let is_known = |v: &Value| loaded(&func.nodes, &func.nodes.list[v.index()], known).is_some();
    func.blocks.iter().flat_map(|b| &b.body).any(is_known)
}

/// The memory of the pass. It serves the next function.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    replaced: Vec<Value>,
    body: Vec<Value>,
    firsts: Firsts,
}

/// Simplifies operations one by one, each after its operands.
#[derive(Default)]
pub(crate) struct Folder<'a> {
    /// Whether it shares address computations.
    shares: bool,
    firsts: Firsts,
    /// What constant banks hold.
    known: Option<Banks<'a>>,
}

impl<'a> Folder<'a> {
    /// Also shares address computations, if the function has any; `firsts` is the table of another function.
    pub(crate) fn sharing(func: &Func, firsts: Firsts, known: Option<Banks<'a>>) -> Folder<'a> {
        Folder { shares: Firsts::are_worthwhile(func), firsts, known }
    }

    /// The table, for another function.
    pub(crate) fn into_firsts(self) -> Firsts {
        self.firsts
    }

    /// Starts a block of about `operations` operations.
    pub(crate) fn begin(&mut self, operations: usize) {
        if self.shares {
            self.firsts.begin(operations);
        }
    }

    /// Appends an operation to a body, or a simpler one; returns the value that replaces it.
    #[inline(always)]
    pub(crate) fn append(&mut self, func: &mut Func, v: Value, body: &mut Vec<Value>) -> Value {
        if !is_simple(&func.nodes, v) {
            return self.append_simplified(func, v, body);
        }
        if self.shares && is_shareable(func, v) {
            return self.append_first(func, v, body);
        }
        body.push(v);
        v
    }

    /// Appends an operation unless an earlier one computes the same, which then replaces it.
    #[inline(never)]
    fn append_first(&mut self, func: &Func, v: Value, body: &mut Vec<Value>) -> Value {
        let first = if self.shares { self.firsts.like(func, v) } else { v };
        if first == v {
            body.push(v);
        }
        first
    }

    #[inline(never)]
    fn append_simplified(&mut self, func: &mut Func, v: Value, body: &mut Vec<Value>) -> Value {
        let node = func.nodes.list[v.index()];
        if never_kills(&func.nodes, &node) {
            return v;
        }
        let constant = self.known.and_then(|known| loaded(&func.nodes, &node, known));
        let simpler = match constant {
            Some(bits) => Some(constants::made(&mut func.nodes, &node, bits, body)),
            None => simplify(&mut func.nodes, &node, body),
        };
        match simpler {
            Some(Simple::Value(other)) => return other,
            Some(Simple::Op(op)) => func.nodes.list[v.index()].op = op,
            None => {}
        }
        self.append_first(func, v, body)
    }
}

fn walk(func: &mut Func, folder: &mut Folder<'_>, tables: &mut Tables) {
    operations(func, folder, tables, |_, _| true);
    // The argument of a back edge may be defined after the block that the edge enters.
    for block in &mut func.blocks {
        block.end.map(|v| tables.replaced[v.index()]);
        decide(&func.nodes, &mut block.end);
    }
}

/// Simplifies those operations of all blocks that `counts` selects by their operands before. The ends of the blocks stay.
fn operations(
    func: &mut Func,
    folder: &mut Folder<'_>,
    tables: &mut Tables,
    counts: impl Fn(&Nodes, Value) -> bool,
) {
    let order = match func.blocks.len() {
        0 => return,
        1 => vec![BlockId(0)],
        _ => func.reverse_postorder(),
    };
    let Tables { replaced, body, .. } = tables;
    replaced.clear();
    replaced.extend((0..func.nodes.list.len() as u32).map(Value));
    body.clear();
    body.reserve(func.blocks.iter().map(|b| b.body.len()).max().unwrap_or(0) + 4);
    for &id in &order {
        let old = core::mem::take(&mut func.blocks[id.index()].body);
        folder.begin(old.len());
        for &v in &old {
            let counts = counts(&func.nodes, v);
            func.nodes.map(v, |o| replaced[o.index()]);
            match counts {
                true => replaced[v.index()] = folder.append(func, v, body),
                false => body.push(v),
            }
        }
        // New constants have value numbers of their own.
        replaced.extend((replaced.len() as u32..func.nodes.list.len() as u32).map(Value));
        func.blocks[id.index()].body = core::mem::replace(body, old);
        body.clear();
    }
}

/// What a load of a constant bank at a constant offset is known to yield.
#[inline]
fn loaded(nodes: &Nodes, node: &Node, known: Banks<'_>) -> Option<[u64; 4]> {
    let Op::Load { space: Space::Constant(bank), address } = node.op else { return None };
    let Op::Const(offset) = nodes.op(address) else { return None };
    known(bank, offset, node.ty)
}

fn never_kills(nodes: &Nodes, node: &Node) -> bool {
    matches!(node.op, Op::Kill { cond } if matches!(nodes.op(cond), Op::Const(bits) if bits & 1 == 0))
}

/// Replaces a branch on a constant by a jump, and arguments that the branch decides.
pub(crate) fn decide(nodes: &Nodes, end: &mut End) {
    let End::Branch { cond, yes, no } = end else { return };
    let taken: Option<&Edge> = match nodes.op(*cond) {
        Op::Const(bits) => Some(if bits & 1 != 0 { yes } else { no }),
        _ if yes == no => Some(yes),
        _ => None,
    };
    match taken {
        Some(edge) => *end = End::Jump(edge.clone()),
        None => choose(nodes, end),
    }
}

/// An argument that is a selection by the condition of its branch is known on each edge.
fn choose(nodes: &Nodes, end: &mut End) {
    let End::Branch { cond, yes, no } = end else { return };
    let chosen = |arg: &Value, holds: bool| match nodes.op(*arg) {
        Op::Ternary { op: Ternary::Select, a, b, c, .. } if a == *cond => Some(if holds { b } else { c }),
        _ => None,
    };
    for (edge, holds) in [(yes, true), (no, false)] {
        for arg in &mut edge.args {
            if let Some(value) = chosen(arg, holds) {
                *arg = value;
            }
        }
    }
}
