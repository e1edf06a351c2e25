//! Common subexpressions within a block.

use crate::{FileKind, Func, Node, Nodes, Op, Ternary, Value};
use alloc::vec::Vec;

/// Slots probed for one operation. In a block that fills all of them, some operations are not shared; the time stays
/// bounded.
const PROBES: usize = 16;

/// The first value of each shareable operation in a block: address computations and the reads at these addresses.
/// Lifted code computes an address anew for each operand that uses it. Floats are seldom computed twice and are not
/// shared.
#[derive(Debug, Default)]
pub(crate) struct Firsts {
    /// Hash table of values by operation, at least twice as large as the number of values.
    slots: Vec<Value>,
}

/// A free slot of the table.
const FREE: Value = Value(u32::MAX);

impl Firsts {
    /// Whether a function reads at computed addresses; other functions have nothing to share.
    pub(crate) fn are_worthwhile(func: &Func) -> bool {
        let reads = |n: &Node| matches!(n.op, Op::ReadAt { .. } | Op::Load { .. });
        func.nodes.list.iter().any(reads)
    }

    /// Starts a block of `operations` operations.
    pub(crate) fn begin(&mut self, operations: usize) {
        self.slots.clear();
        self.slots.resize((2 * operations).next_power_of_two(), FREE);
    }

    /// The first value that computes the same as `v`: `v` itself if there is none before it, or if it is not shareable.
    pub(crate) fn like(&mut self, func: &Func, v: Value) -> Value {
        if !is_shareable(func, v) {
            return v;
        }
        let nodes = &func.nodes;
        let node = &nodes.list[v.index()];
        let hash = (hash(nodes, v) >> 32) as usize;
        let last = self.slots.len() - 1;
        for probe in 0..PROBES {
            let slot = &mut self.slots[(hash + probe) & last];
            if *slot == FREE {
                *slot = v;
                return v;
            }
            let other = &nodes.list[slot.index()];
            if (other.op, other.ty) == (node.op, node.ty) {
                return *slot;
            }
        }
        v
    }
}

/// A hash of a shareable operation and its operands, in the upper bits.
fn hash(nodes: &Nodes, v: Value) -> u64 {
    let node = &nodes.list[v.index()];
    let own = match node.op {
        Op::Const(bits) => bits,
        Op::Unary { op, .. } => op as u64,
        Op::Binary { op, .. } => op as u64,
        Op::Ternary { op, .. } => op as u64,
        Op::Convert { op, .. } => op as u64,
        Op::ReadAt { base, .. } => base.into(),
        _ => 0,
    };
    let mix = |hash: u64, n: u64| (hash.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    let mut hash = mix(node.ty.scalar as u64, own);
    nodes.operands(v, |o| hash = mix(hash, o.0.into()));
    hash
}

/// Whether a value is an address computation, or a read at a computed address that always yields the same.
pub(crate) fn is_shareable(func: &Func, v: Value) -> bool {
    let node = &func.nodes.list[v.index()];
    match node.op {
        Op::ReadAt { file, .. } => {
            func.files.get(usize::from(file.0)).is_some_and(|f| f.kind == FileKind::Uniform)
        }
        Op::Ternary { op: Ternary::Select, .. } => true,
        Op::Const(_) | Op::Unary { .. } | Op::Binary { .. } | Op::Ternary { .. } | Op::Convert { .. } => {
            !node.ty.scalar.is_float()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FILES;
    use crate::{FileId, Swizzle, Type, fold_and_share, remove_dead};

    const ADDRESS_AND_READ: usize = 3;

    /// Reads a uniform register twice at the same computed index.
    #[test]
    fn one_address_and_one_read() {
        let mut func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
        let kind = |f: &crate::File| f.kind == FileKind::Uniform && f.units >= 8;
        let file = FileId(FILES.iter().position(kind).unwrap() as u8);
        let out = FileId(FILES.iter().position(|f| f.kind == FileKind::Output).unwrap() as u8);
        let mut b = crate::Builder::new(&mut func.nodes, 0);
        let x = b.read(crate::Reg::new(file, 0), Swizzle::IDENTITY, Type::I32);
        for unit in 0..2 {
            let one = b.i32(1);
            let index = b.iadd(x, one);
            let op = Op::ReadAt { file, base: 0, stride: 4, index, swizzle: Swizzle::IDENTITY };
            let v = b.push(op, Type::F32);
            b.write(crate::Reg::new(out, unit), crate::Mask::first(1), v);
        }
        let body = (0..func.nodes.list.len() as u32).map(Value).collect();
        func.blocks.push(crate::Block { params: Vec::new(), body, end: crate::End::Exit });
        let before = func.blocks[0].body.len();
        fold_and_share(&mut func);
        remove_dead(&mut func);
        assert_eq!(func.blocks[0].body.len(), before - ADDRESS_AND_READ);
    }
}
