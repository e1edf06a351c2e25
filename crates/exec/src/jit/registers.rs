//! Which components live in registers of the processor.
//!
//! The components of a program share slabs of memory already, so that as few slabs as possible are in use. The code runs
//! group by group of lanes, and a group of a slab fits a register: the slabs with the most uses are registers, the others
//! stay in memory. Code of a whole program has one choice of them, a piece of a program its own.

use super::assembler::Vector;
use super::vectors::Vectors;
use crate::memory::Operand;
use crate::plan::{Edge, Plan};
use std::cmp::Reverse;

/// How much more often code in a loop is assumed to run.
const LOOP: u64 = 16;

/// The register of each slab.
pub(super) struct Registers {
    /// The first chunk of the first slab.
    first: usize,
    /// Number of chunks of a slab.
    width: usize,
    of_slab: Vec<Option<Vector>>,
    /// The slabs with a register.
    slabs: Vec<Operand>,
}

impl Registers {
    /// Gives no register yet.
    pub(super) fn new(program: &Plan) -> Registers {
        let (first, width) = (program.uniforms, program.width);
        let count = program.chunks.saturating_sub(first).div_ceil(width);
        Registers { first, width, of_slab: vec![None; count], slabs: Vec::new() }
    }

    /// Gives registers to the slabs that a program uses most.
    pub(super) fn of_program(program: &Plan, vectors: Vectors) -> Registers {
        let mut registers = Registers::new(program);
        let mut uses = vec![0u64; registers.count()];
        let repeated = repeated(program);
        for (block, repeats) in program.blocks.iter().zip(repeated) {
            let weight = if repeats { LOOP } else { 1 };
            let mut used = |o: Operand| {
                if let Some(n) = registers.slab(o)
                    && let Some(uses) = uses.get_mut(n)
                {
                    *uses += weight;
                }
            };
            for i in program.of_block(block) {
                i.operands(&program.accesses, &mut used);
                i.results(&program.accesses, &mut used);
            }
            block.next.operands(used);
        }
        let mut order: Vec<usize> = (0..uses.len()).filter(|n| uses[*n] > 0).collect();
        order.sort_by_key(|n| Reverse(uses[*n]));
        order.truncate(vectors.slabs().1);
        order.sort_unstable();
        let first_chunk = |n: usize| (registers.first + n * registers.width) as u32;
        let slabs: Vec<Operand> = order.into_iter().map(|n| Operand::slab(first_chunk(n))).collect();
        registers.assign(&slabs, vectors);
        registers
    }

    /// Gives registers to these slabs, at most as many as the level has for them, and to no others.
    pub(super) fn assign(&mut self, slabs: &[Operand], vectors: Vectors) {
        for slab in std::mem::take(&mut self.slabs) {
            self.set(slab, None);
        }
        let (first, count) = vectors.slabs();
        self.slabs.extend(slabs.iter().take(count));
        for (register, slab) in (first..).map(Vector).zip(slabs).take(count) {
            self.set(*slab, Some(register));
        }
    }

    fn set(&mut self, slab: Operand, register: Option<Vector>) {
        if let Some(of_slab) = self.slab(slab).and_then(|n| self.of_slab.get_mut(n)) {
            *of_slab = register;
        }
    }

    /// The register of an operand, if it has one.
    pub(super) fn get(&self, o: Operand) -> Option<Vector> {
        self.of_slab.get(self.slab(o)?).copied().flatten()
    }

    /// The number of an operand's slab.
    pub(super) fn slab(&self, o: Operand) -> Option<usize> {
        if o.is_uniform() {
            None
        } else {
            o.chunk(0).checked_sub(self.first).map(|chunks| chunks / self.width)
        }
    }

    /// Number of slabs with a register.
    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        self.slabs.len()
    }

    /// Number of slabs.
    pub(super) fn count(&self) -> usize {
        self.of_slab.len()
    }
}

/// For each block, whether an edge from it or a later block leads to it or an earlier one.
fn repeated(program: &Plan) -> Vec<bool> {
    let mut repeated = vec![false; program.blocks.len()];
    for (from, block) in program.blocks.iter().enumerate() {
        for Edge { to, .. } in block.next.edges() {
            // Loops nest, so their blocks are marked at most once for each level.
            if *to <= from {
                repeated[*to..=from].fill(true);
            }
        }
    }
    repeated
}
