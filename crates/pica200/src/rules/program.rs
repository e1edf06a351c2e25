//! A program under check: its tables, its words, the paths through it.

use crate::Pica200;
use crate::code::{Code, Registers, Walk, components};
use crate::container::Dvle;
use alloc::vec::Vec;
use shisa_rows::Insn;
use shisa_rows::code::Effects;

/// A program with its words and the paths through it.
pub(super) struct Program<'a> {
    pub(super) dvle: &'a Dvle,
    /// The descriptors that the file has.
    pub(super) descriptors: &'a [u32],
    pub(super) code: &'a Code,
    pub(super) walk: &'a Walk,
    /// Whether some path reaches each word.
    pub(super) reached: Vec<bool>,
    /// Whether it is a geometry program.
    pub(super) geometry: bool,
    /// The components of its outputs.
    pub(super) enabled: u64,
}

/// A word of a program, with what it reads and writes.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) pc: u32,
    /// `None` where no row has the opcode.
    pub(super) insn: Option<Insn<Pica200>>,
    pub(super) effects: Effects<Registers>,
}

impl<'a> Program<'a> {
    pub(super) fn new(dvle: &'a Dvle, descriptors: &'a [u32], code: &'a Code, walk: &'a Walk) -> Program<'a> {
        let reached = walk.reached(code.len());
        Program { dvle, descriptors, code, walk, reached, geometry: dvle.kind == 1, enabled: enabled(dvle) }
    }

    /// The reachable words.
    pub(super) fn words(&self) -> impl Iterator<Item = Word> {
        let all = (0u32..).zip(&self.code.items).zip(&self.reached);
        all.filter(|(_, reached)| **reached).map(|((pc, item), _)| Word {
            pc,
            insn: item.insn,
            effects: item.effects,
        })
    }

    /// The registers that the words read and write together.
    pub(super) fn used(&self) -> Effects<Registers> {
        self.words().fold(Effects::default(), |mut all, word| {
            all.reads = all.reads.or(word.effects.reads);
            all.writes = all.writes.or(word.effects.writes);
            all
        })
    }
}

/// The enabled components of a program's outputs: those in its table, or in its mask if there is no table.
fn enabled(dvle: &Dvle) -> u64 {
    let table = dvle.outputs.iter().filter(|o| o.register < 16);
    let by_table = table.fold(0, |all, o| all | u64::from(o.mask & 15) << (4 * o.register));
    if dvle.outputs.is_empty() { components(dvle.enabled_outputs()) } else { by_table }
}
