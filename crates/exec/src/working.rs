//! The memory that a run works on.

use crate::memory::{CHUNKS, Chunk, Lanes};
use crate::plan::{self, Plan};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{Reg, WAVE};

/// The memory of a run.
pub(crate) struct Memory {
    pub(crate) chunks: Vec<Chunk>,
    /// For each block, the lanes that wait for it.
    pub(crate) waiting: Vec<Lanes>,
    /// All bits of the lanes that run, if they are not all.
    pub(crate) mask: [Chunk; CHUNKS],
    /// The lanes that were killed.
    pub(crate) killed: Lanes,
    /// The result of the latest arrival at a barrier that has one.
    pub(crate) reduced: Words,
    pub(crate) tables: Vec<Table>,
}

impl Memory {
    /// The memory of a program; its uniforms are zero.
    pub(crate) fn new(program: &Plan) -> Memory {
        let mut chunks = vec![Chunk::ZERO; program.chunks];
        for &(at, bits) in &program.constants {
            chunks[at] = Chunk::splat(bits);
        }
        let table = |table: &plan::Table| {
            let (units, mut elements) = (usize::from(table.units), vec![0; table.length()]);
            elements[units..].fill(table.outside);
            Table { units: units as u32, elements }
        };
        Memory {
            chunks,
            waiting: vec![0; program.blocks.len()],
            mask: [Chunk::ZERO; CHUNKS],
            killed: 0,
            reduced: [0; WAVE],
            tables: program.tables.iter().map(table).collect(),
        }
    }

    /// The elements of each table, followed by those of rows outside of it.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    pub(crate) fn tables(&self) -> impl Iterator<Item = &[u32]> {
        self.tables.iter().map(|t| t.elements.as_slice())
    }

    /// Sets units of a uniform file from `first` on.
    pub(crate) fn set_uniforms(&mut self, program: &Plan, first: Reg, units: &[u32]) {
        let given = |unit: u16| units.get(usize::from(unit.checked_sub(first.unit)?));
        for load in program.units.iter().filter(|l| l.reg.file == first.file) {
            if let Some(bits) = given(load.reg.unit) {
                self.chunks[load.to.chunk(0)] = Chunk::splat(*bits);
            }
        }
        for (table, own) in program.tables.iter().zip(&mut self.tables) {
            if table.file == first.file {
                let elements = own.elements.iter_mut().take(own.units as usize);
                elements.skip(first.unit.into()).zip(units).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// Units of the longest file that can be read by a computed index: more than all instruction sets have.
pub(crate) const LONGEST: usize = 4096;

/// The units of a file that is read by a computed index.
pub(crate) struct Table {
    /// Number of units.
    pub(crate) units: u32,
    /// The units, and the elements of rows outside of the table.
    pub(crate) elements: Vec<u32>,
}
