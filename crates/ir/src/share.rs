//! One value for what a block computes twice.

use crate::{FileKind, Func, Node, Nodes, Op, Ternary, Value};
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// Lets uses of an address computation, and of what is read at it, name the first in its block that is the
/// same. Lifted code computes an address anew for each operand that names it; floats are seldom computed
/// twice, and are left alone. What becomes unused is left to [`crate::remove_dead`].
pub fn share(func: &mut Func) {
    if func.nodes.list.iter().any(|n| matches!(n.op, Op::ReadAt { .. } | Op::Load { .. })) {
        merge(func);
    }
}

fn merge(func: &mut Func) {
    let mut first = Firsts::default();
    let mut replaced: Vec<Value> = (0..func.nodes.list.len() as u32).map(Value).collect();
    for b in 0..func.blocks.len() {
        first.begin(func.blocks[b].body.len());
        for i in 0..func.blocks[b].body.len() {
            let v = func.blocks[b].body[i];
            func.nodes.map(v, |o| replaced[o.index()]);
            if shareable(func, &func.nodes.list[v.index()]) {
                replaced[v.index()] = first.like(&func.nodes, v);
            }
        }
    }
    // Values are used in later blocks too, and as arguments on the way back.
    func.rename(|v| replaced[v.index()]);
}

/// Places that are looked at for one operation. Programs that make all of them full go unshared in part, but take
/// no longer.
const PROBES: usize = 16;

/// The first value of each operation in a block.
#[derive(Default)]
struct Firsts {
    /// By the hash of their operations; twice as many as there can be values.
    places: Vec<Option<Value>>,
}

impl Firsts {
    /// Begins a block of so many operations.
    fn begin(&mut self, operations: usize) {
        self.places.clear();
        self.places.resize((2 * operations).next_power_of_two(), None);
    }

    /// The first value that does what `v` does: `v` itself if there is none before it.
    fn like(&mut self, nodes: &Nodes, v: Value) -> Value {
        let node = &nodes.list[v.index()];
        let mut hash = Mixer(0);
        (node.op, node.ty).hash(&mut hash);
        let last = self.places.len() - 1;
        for probe in 0..PROBES {
            let place = &mut self.places[((hash.0 >> 32) as usize + probe) & last];
            let known = *place.get_or_insert(v);
            let other = &nodes.list[known.index()];
            if (other.op, other.ty) == (node.op, node.ty) {
                return known;
            }
        }
        v
    }
}

/// A hash of a few small numbers.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}

fn shareable(func: &Func, node: &Node) -> bool {
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
    use crate::testing::{FILES, Machine, Random, random_func};
    use crate::{BlockId, FileId, Swizzle, Type, fold, registers_to_values, remove_dead};
    use shisa_diag::Limits;

    const ADDRESS_AND_READ: usize = 3;

    /// Reads a uniform register twice by one computed number.
    #[test]
    fn one_address_and_one_read() {
        let mut func = Func { files: FILES, nodes: crate::Nodes::default(), blocks: Vec::new() };
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
        share(&mut func);
        remove_dead(&mut func);
        assert_eq!(func.blocks[BlockId(0).index()].body.len(), before - ADDRESS_AND_READ);
    }

    #[test]
    fn random_functions_do_the_same_shared() {
        let mut random = Random::new(77);
        let mut shorter = 0;
        for round in 0..2000 {
            let size = 1 + random.below(8);
            let mut func = random_func(&mut random, size);
            registers_to_values(&mut func, &Limits::default()).unwrap();
            fold(&mut func);
            remove_dead(&mut func);
            let mut after = func.clone();
            merge(&mut after);
            remove_dead(&mut after);
            shorter += usize::from(after.nodes.list.len() < func.nodes.list.len());
            for seed in 0..3 {
                let a = Machine::new(&func, seed, 60).run();
                assert!(a.agrees(&Machine::new(&after, seed, 60).run()), "round {round}\n{func:?}");
            }
        }
        assert!(shorter > 100, "{shorter}");
    }
}
