//! What the tests of several passes share: a random source, random functions, an interpreter.

mod machine;
mod random;

pub(crate) use machine::Machine;
pub(crate) use random::{FILES, random_func};

use crate::*;
use alloc::{vec, vec::Vec};

/// A seeded random source (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// One of a list.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A function of `n` empty blocks with random ways between them, some unreachable.
pub(crate) fn random_graph(random: &mut Random, n: usize) -> Func {
    let mut func = Func { files: &[], nodes: Nodes::default(), blocks: Vec::new() };
    let cond = func.nodes.push(Op::Const(1), Type::BOOL, 0);
    for _ in 0..n {
        let mut edge = || Edge::to(BlockId(random.below(n) as u32));
        let (yes, no) = (edge(), edge());
        let end = match random.below(5) {
            0 => End::Exit,
            1 => End::Jump(yes),
            _ => End::Branch { cond, yes, no },
        };
        func.blocks.push(Block { params: vec![], body: vec![], end });
    }
    func
}
