//! A compiled function: instructions on chunks of memory, blocks, and what is loaded and stored.

use crate::access::{Access, Together};
use crate::codes::internal;
use crate::instruction::{Arrive, Instruction};
use crate::memory::{LANES, Operand};
use shisa_diag::Diagnostic;
use shisa_ir::{File, FileId, FloatModel, Reg};
use std::ops::Range;

/// A compiled function.
pub(crate) struct Plan {
    pub(crate) files: &'static [File],
    pub(crate) model: FloatModel,
    /// The instructions on uniforms.
    pub(crate) prologue: Range<usize>,
    pub(crate) instructions: Vec<Instruction<Operand>>,
    pub(crate) blocks: Vec<Block>,
    /// Chunks with their bits.
    pub(crate) constants: Vec<(usize, u32)>,
    /// The units of uniform registers that instructions read, in order.
    pub(crate) units: Vec<Load>,
    /// The units of input registers that instructions read, in order.
    pub(crate) inputs: Vec<Load>,
    /// The units of output registers that the program writes, in order.
    pub(crate) outputs: Vec<(Reg, Operand)>,
    /// The files that are read by a computed index.
    pub(crate) tables: Vec<Table>,
    /// The accesses of instructions, by their number.
    pub(crate) accesses: Vec<Access<Operand>>,
    /// Whether lanes that took different branches are together again in every later block that they have in common, as in
    /// the evaluator.
    pub(crate) rejoins: bool,
    /// Number of chunks of a slab.
    pub(crate) width: usize,
    /// Number of chunks.
    pub(crate) chunks: usize,
    /// Number of chunks of uniforms; slabs follow.
    pub(crate) uniforms: usize,
}

/// A file of uniforms that is read by a computed index.
pub(crate) struct Table {
    pub(crate) file: FileId,
    pub(crate) units: u16,
    /// The element of all rows past the end.
    pub(crate) outside: u32,
}

impl Table {
    /// An index of which no row is in the table, whatever its offset.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    pub(crate) fn end(&self, stride: u32) -> u32 {
        u32::from(self.units).div_ceil(stride.max(1))
    }

    /// Number of elements in memory: with those of every row whose index is at most [`Table::end`], and whose offset is at
    /// most the number of units.
    pub(crate) fn length(&self) -> usize {
        // The last row begins at most one stride past twice the units.
        2 * usize::from(self.units) + usize::from(u8::MAX) + 4
    }
}

/// A unit of a register, and the component that it is loaded to.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) reg: Reg,
    pub(crate) to: Operand,
}

pub(crate) struct Block {
    pub(crate) body: Range<usize>,
    pub(crate) next: Next,
}

pub(crate) enum Next {
    Jump(Edge),
    Branch {
        cond: Operand,
        yes: Edge,
        no: Edge,
    },
    /// The lanes arrive at a barrier and then take the edge.
    Barrier(Arrive<Operand>, Edge),
    Exit,
}

#[cfg(all(feature = "jit", target_arch = "x86_64"))]
impl Next {
    /// The edges, that of a condition that holds first.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (a, b) = match self {
            Next::Jump(e) | Next::Barrier(_, e) => (Some(e), None),
            Next::Branch { yes, no, .. } => (Some(yes), Some(no)),
            Next::Exit => (None, None),
        };
        a.into_iter().chain(b)
    }
}

impl Next {
    /// Calls `f` with every operand that decides what follows.
    pub(crate) fn operands(&self, mut f: impl FnMut(Operand)) {
        match self {
            Next::Branch { cond, .. } => f(*cond),
            Next::Barrier(arrive, _) => arrive.operands(f),
            Next::Jump(_) | Next::Exit => {}
        }
    }
}

/// An edge with the instructions that set the parameters of the block.
pub(crate) struct Edge {
    pub(crate) to: usize,
    pub(crate) moves: Range<usize>,
}

impl Plan {
    /// The operand of an input unit that the program reads.
    pub(crate) fn input(&self, reg: Reg) -> Option<Operand> {
        let at = self.inputs.binary_search_by_key(&reg, |l| l.reg).ok()?;
        self.inputs.get(at).map(|l| l.to)
    }

    /// The operand of an output unit that the program writes.
    pub(crate) fn output(&self, reg: Reg) -> Option<Operand> {
        let at = self.outputs.binary_search_by_key(&reg, |(reg, _)| *reg).ok()?;
        self.outputs.get(at).map(|(_, from)| *from)
    }

    /// The instructions of a block and its edges.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    pub(crate) fn of_block<'p>(&'p self, block: &'p Block) -> impl Iterator<Item = &'p Instruction<Operand>> {
        let lists = [&block.body].into_iter().chain(block.next.edges().map(|edge| &edge.moves));
        lists.flat_map(|list| self.instructions.get(list.clone())).flatten()
    }

    /// The instructions that run for lanes.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    pub(crate) fn of_lanes(&self) -> &[Instruction<Operand>] {
        self.instructions.get(self.prologue.end..).unwrap_or_default()
    }

    /// Whether an instruction depends on the other lanes of a quad.
    pub(crate) fn uses_quads(&self) -> bool {
        self.instructions.iter().any(|i| match i {
            Instruction::Neighbour { .. } => true,
            _ => i.access(&self.accesses).is_some_and(|access| access.together() == Together::Quads),
        })
    }

    /// Whether an instruction needs all lanes of a quad or of a wave.
    pub(crate) fn needs_lanes_together(&self) -> bool {
        self.instructions.iter().any(|i| match i {
            Instruction::Neighbour { .. } => true,
            _ => i.access(&self.accesses).is_some_and(|access| access.together() != Together::Alone),
        })
    }

    /// Whether the instructions on uniforms load from constant memory.
    pub(crate) fn loads_once(&self) -> bool {
        self.prologue.clone().any(|n| matches!(self.instructions.get(n), Some(Instruction::Access { .. })))
    }

    /// Whether the lanes of a wave wait for other waves.
    pub(crate) fn has_barriers(&self) -> bool {
        self.blocks.iter().any(|b| matches!(b.next, Next::Barrier(..)))
    }

    /// Number of lanes of a slab.
    pub(crate) fn lanes(&self) -> usize {
        self.width * LANES
    }

    /// Number of bytes of memory that a run works on: uniforms and slabs.
    pub(crate) fn working_set(&self) -> usize {
        self.chunks * size_of::<crate::memory::Chunk>()
    }

    /// Checks that every operand is in memory, so that running needs no checks, and that the results of an instruction do
    /// not replace each other.
    pub(crate) fn verified(self) -> Result<Plan, Diagnostic> {
        let exists = |o: Operand| o.chunk(self.width - 1) < self.chunks;
        let (mut all, mut apart, mut results) = (true, true, Vec::new());
        for i in &self.instructions {
            i.operands(&self.accesses, |o| all &= exists(o));
            i.results(&self.accesses, |o| all &= exists(o));
            all &= match i {
                Instruction::Gather { table, .. } => (*table as usize) < self.tables.len(),
                Instruction::Access { number } => (*number as usize) < self.accesses.len(),
                _ => true,
            };
            results.clear();
            i.results(&self.accesses, |o| results.push(o));
            apart &= (1..results.len()).all(|n| !results[n..].contains(&results[n - 1]));
        }
        all &= self.outputs.iter().all(|(_, o)| exists(*o));
        all &= self.inputs.iter().chain(&self.units).all(|l| exists(l.to));
        self.blocks.iter().for_each(|b| b.next.operands(|o| all &= exists(o)));
        all &= self.constants.iter().all(|(at, _)| *at < self.chunks);
        all &= !self.blocks.is_empty() && self.uniforms <= self.chunks;
        match (all, apart) {
            (true, true) => Ok(self),
            (false, _) => Err(internal("an operand of a compiled program is outside of its memory")),
            (_, false) => Err(internal("two results of an instruction have the same memory")),
        }
    }
}

#[cfg(all(test, feature = "jit", target_arch = "x86_64"))]
pub(crate) mod tests {
    use super::*;
    use crate::memory::CHUNKS;

    /// A function that does nothing.
    pub(crate) fn smallest() -> Plan {
        Plan {
            files: &[],
            model: FloatModel::F32,
            prologue: 0..0,
            instructions: Vec::new(),
            blocks: vec![Block { body: 0..0, next: Next::Exit }],
            constants: Vec::new(),
            units: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            tables: Vec::new(),
            accesses: Vec::new(),
            rejoins: false,
            width: CHUNKS,
            chunks: CHUNKS,
            uniforms: 0,
        }
    }
}
