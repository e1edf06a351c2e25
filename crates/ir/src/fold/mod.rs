//! Constant folding, simplification, and sharing of common subexpressions. Every change is exact to the bit, including
//! the bits of NaN and the signs of zeros.

mod constants;
mod integers;
mod moves;
mod operation;
mod simple;
#[cfg(test)]
mod tests;

use crate::arithmetic::Ternary;
use crate::func::{BlockId, Edge, End, Func};
use crate::graph::Graph;
use crate::nodes::Nodes;
use crate::op::{Node, Op, Value};
use crate::share::Firsts;
use alloc::{vec, vec::Vec};
use operation::simplify;
use simple::Simple;

/// Evaluates operations on constants, looks through swizzles, joins and conversions that cancel out, and replaces
/// branches on constants by jumps. [`crate::remove_dead`] removes operations that become unused. Operations whose rule
/// uses a float model stay: the model is chosen later.
pub fn fold(func: &mut Func) {
    walk(func, None);
}

/// As [`fold`], and shares address computations: if a block computes an address twice, the second use refers to the
/// first value.
pub fn fold_and_share(func: &mut Func) {
    let firsts = Firsts::worthwhile(func);
    walk(func, firsts);
}

fn walk(func: &mut Func, mut firsts: Option<Firsts>) {
    let order = match func.blocks.len() {
        0 => return,
        1 => vec![BlockId(0)],
        _ => Graph::new(func).order,
    };
    let mut replaced: Vec<Value> = (0..func.nodes.list.len() as u32).map(Value).collect();
    let mut body = Vec::with_capacity(func.blocks.iter().map(|b| b.body.len()).max().unwrap_or(0) + 4);
    for &id in &order {
        let old = core::mem::take(&mut func.blocks[id.index()].body);
        if let Some(firsts) = &mut firsts {
            firsts.begin(old.len());
        }
        for &v in &old {
            func.nodes.map(v, |o| replaced[o.index()]);
            let node = func.nodes.list[v.index()];
            if never_kills(&func.nodes, &node) {
                continue;
            }
            match simplify(&mut func.nodes, &node, &mut body) {
                Some(Simple::Value(other)) => {
                    replaced[v.index()] = other;
                    continue;
                }
                Some(Simple::Op(op)) => func.nodes.list[v.index()].op = op,
                None => {}
            }
            let first = firsts.as_mut().map_or(v, |firsts| firsts.like(func, v));
            if first != v {
                replaced[v.index()] = first;
                continue;
            }
            body.push(v);
        }
        // New constants have value numbers of their own.
        replaced.extend((replaced.len() as u32..func.nodes.list.len() as u32).map(Value));
        func.blocks[id.index()].body = core::mem::replace(&mut body, old);
        body.clear();
    }
    // The argument of a back edge may be defined after the block that the edge enters.
    for block in &mut func.blocks {
        if let End::Branch { cond, yes, no } = &mut block.end {
            *cond = replaced[cond.index()];
            let taken: Option<&Edge> = match func.nodes.op(*cond) {
                Op::Const(bits) => Some(if bits & 1 != 0 { yes } else { no }),
                _ if yes == no => Some(yes),
                _ => None,
            };
            if let Some(edge) = taken {
                block.end = End::Jump(edge.clone());
            }
        }
        block.end.edges_mut().flat_map(|e| &mut e.args).for_each(|a| *a = replaced[a.index()]);
        choose(&func.nodes, &mut block.end);
    }
}

fn never_kills(nodes: &Nodes, node: &Node) -> bool {
    matches!(node.op, Op::Kill { cond } if matches!(nodes.op(cond), Op::Const(bits) if bits & 1 == 0))
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
