//! Which 64-bit values are needed as a whole: of many, such as addresses in a window, only the low 32 bits are.

use super::Addresses;
use crate::*;
use alloc::{vec, vec::Vec};

/// Whether an operation uses more than the low word, for each value that is a 64-bit integer or its two words.
pub(super) fn wholes(func: &Func, addresses: Addresses) -> Vec<bool> {
    let nodes = &func.nodes;
    let mut search = Search { nodes, needed: vec![false; nodes.list.len()], todo: Vec::new() };
    for &v in func.blocks.iter().flat_map(|b| &b.body) {
        search.uses(v, addresses);
    }
    let mut brought: Vec<(Value, Value)> = Vec::new();
    for edge in func.blocks.iter().flat_map(|b| b.end.edges()) {
        let params = &func.blocks[edge.to.index()].params;
        brought.extend(params.iter().copied().zip(edge.args.iter().copied()));
    }
    brought.sort_unstable();
    while let Some(v) = search.todo.pop() {
        if nodes.op(v) == Op::Param {
            let first = brought.partition_point(|(param, _)| *param < v);
            let args = brought[first..].iter().take_while(|(param, _)| *param == v);
            args.for_each(|(_, arg)| search.need(*arg));
        } else if is_by_words(nodes, v) {
            nodes.operands(v, |o| search.need(o));
        }
    }
    search.needed
}

struct Search<'a> {
    nodes: &'a Nodes,
    needed: Vec<bool>,
    todo: Vec<Value>,
}

impl Search<'_> {
    fn need(&mut self, v: Value) {
        if !core::mem::replace(&mut self.needed[v.index()], true) {
            self.todo.push(v);
        }
    }

    /// Notes the operands of which an operation uses all bits, whatever of its result is used.
    fn uses(&mut self, v: Value, addresses: Addresses) {
        let nodes = self.nodes;
        match nodes.op(v) {
            Op::Binary { op: Binary::Shl, b, .. } => self.need(b),
            Op::Convert { op: Convert::Truncate, .. } => {}
            // The low word of the two.
            Op::Swizzle { a, swizzle } if (0..nodes.ty(v).count).all(|i| swizzle.get(i) == 0) => {
                if !is_words(nodes, a) && nodes.ty(v).scalar != Scalar::I64 {
                    self.need(a);
                }
            }
            _ if is_by_words(nodes, v) => {}
            Op::Load { .. } if addresses == Addresses::Window => {}
            Op::Store { value, .. } if addresses == Addresses::Window => self.need(value),
            Op::Atomic { value, expected, .. } if addresses == Addresses::Window => {
                self.need(value);
                self.need(expected);
            }
            _ => nodes.operands(v, |o| self.need(o)),
        }
    }
}

/// Whether a value is the two words of a 64-bit integer.
fn is_words(nodes: &Nodes, v: Value) -> bool {
    match nodes.op(v) {
        Op::Convert { op: Convert::Pair, a, .. } => nodes.ty(a) == Type::I64,
        _ => false,
    }
}

/// Whether the low word of the result follows from the low words of the operands, except for the amount of a shift.
pub(super) fn is_by_words(nodes: &Nodes, v: Value) -> bool {
    use Binary::*;
    if nodes.ty(v).scalar != Scalar::I64 {
        return is_words(nodes, v);
    }
    matches!(
        nodes.op(v),
        Op::Unary { op: Unary::INeg | Unary::Not, .. }
            | Op::Binary { op: IAdd | ISub | IMul | And | Or | Xor | Shl, .. }
            | Op::Ternary { op: Ternary::Select, .. }
            | Op::Swizzle { .. }
            | Op::Join { .. }
            | Op::Lane { .. }
    )
}
