//! Which components live in registers of the processor.
//!
//! The components of a program share slabs of memory already, so that as few slabs as possible are in use. The code runs
//! group by group of lanes, and a group of a slab fits a register: the slabs with the most uses are registers, the others
//! stay in memory.

use super::assembler::Vector;
use super::vectors::Vectors;
use crate::memory::{CHUNKS, Operand};
use crate::plan::{Edge, Next, Plan};
use std::cmp::Reverse;

/// How much more often code in a loop is assumed to run.
const LOOP: u64 = 16;

/// The register of each slab.
pub(super) struct Registers {
    /// The first chunk of the first slab.
    first: usize,
    of_slab: Vec<Option<Vector>>,
    /// The slabs with a register, by the index of their first chunk.
    slabs: Vec<(Operand, Vector)>,
}

impl Registers {
    /// Gives registers to the slabs of a program.
    pub(super) fn new(program: &Plan, vectors: Vectors) -> Registers {
        let first = program.uniforms;
        let mut uses = vec![0u64; (program.chunks - first.min(program.chunks)).div_ceil(CHUNKS)];
        let repeated = repeated(program);
        for (block, repeats) in program.blocks.iter().zip(repeated) {
            let weight = if repeats { LOOP } else { 1 };
            let mut used = |o: Operand| {
                if let Some(n) = slab(first, o)
                    && let Some(uses) = uses.get_mut(n)
                {
                    *uses += weight;
                }
            };
            let lists = [&block.body].into_iter().chain(block.next.edges().map(|e| &e.moves));
            for i in lists.flat_map(|range| program.instructions.get(range.clone())).flatten() {
                i.operands(&program.accesses, &mut used);
                i.results(&program.accesses, &mut used);
            }
            if let Next::Branch { cond, .. } = &block.next {
                used(*cond);
            }
        }
        let mut order: Vec<usize> = (0..uses.len()).filter(|n| uses[*n] > 0).collect();
        order.sort_by_key(|n| Reverse(uses[*n]));
        let (first_register, count) = vectors.slabs();
        order.truncate(count);
        order.sort_unstable();
        let mut of_slab = vec![None; uses.len()];
        let mut slabs = Vec::with_capacity(order.len());
        for (register, n) in (first_register..).zip(order) {
            of_slab[n] = Some(Vector(register));
            slabs.push((Operand::slab((first + n * CHUNKS) as u32), Vector(register)));
        }
        Registers { first, of_slab, slabs }
    }

    /// The register of an operand, if it has one.
    pub(super) fn get(&self, o: Operand) -> Option<Vector> {
        self.of_slab.get(slab(self.first, o)?).copied().flatten()
    }

    /// The number of an operand's slab.
    pub(super) fn slab(&self, o: Operand) -> Option<usize> {
        slab(self.first, o)
    }

    /// Number of slabs.
    pub(super) fn count(&self) -> usize {
        self.of_slab.len()
    }

    /// The slabs with a register.
    pub(super) fn slabs(&self) -> &[(Operand, Vector)] {
        &self.slabs
    }
}

fn slab(first: usize, o: Operand) -> Option<usize> {
    if o.is_uniform() { None } else { o.chunk(0).checked_sub(first).map(|chunks| chunks / CHUNKS) }
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
