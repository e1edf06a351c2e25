//! Which results of a stretch later instructions may read.

use super::stretch::Stretch;
use crate::instruction::Instruction;
use crate::jit::registers::Registers;
use crate::memory::Operand;
use crate::plan::Plan;

/// The blocks that use a slab.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    None,
    Block(usize),
    /// Several, or it is a result of the program.
    Several,
}

/// What is known of the slabs of a program.
pub(super) struct Liveness<'p> {
    program: &'p Plan,
    registers: &'p Registers,
    homes: Vec<Home>,
    /// For each slab, the last block for which it is known whether its value is read later, and whether it is.
    live: Vec<(usize, bool)>,
}

impl<'p> Liveness<'p> {
    pub(super) fn new(program: &'p Plan, registers: &'p Registers) -> Liveness<'p> {
        let count = registers.count();
        let mut live =
            Liveness { program, registers, homes: vec![Home::None; count], live: vec![(0, false); count] };
        for (n, block) in program.blocks.iter().enumerate() {
            for i in program.of_block(block) {
                i.operands(&program.accesses, |o| live.uses(o, n));
                i.results(&program.accesses, |o| live.uses(o, n));
            }
            block.next.operands(|o| live.uses(o, n));
        }
        for (_, o) in &program.outputs {
            if let Some(home) = live.home(*o) {
                *home = Home::Several;
            }
        }
        live
    }

    fn home(&mut self, o: Operand) -> Option<&mut Home> {
        self.homes.get_mut(self.registers.slab(o)?)
    }

    fn uses(&mut self, o: Operand, block: usize) {
        if let Some(home) = self.home(o) {
            *home = match *home {
                Home::None => Home::Block(block),
                Home::Block(other) if other == block => Home::Block(block),
                Home::Block(_) | Home::Several => Home::Several,
            };
        }
    }

    /// Marks the slabs of the stretches of a block's body whose results are read after the stretch.
    pub(super) fn mark(&mut self, number: usize, stretches: &mut [Stretch]) {
        let program = self.program;
        let Some(block) = program.blocks.get(number).filter(|_| !stretches.is_empty()) else { return };
        // Block 0 must not be what slabs have before the first block.
        let stamp = number + 1;
        block.next.operands(|o| self.set(o, stamp, true));
        for edge in block.next.edges() {
            for i in program.instructions.get(edge.moves.clone()).into_iter().flatten() {
                i.operands(&program.accesses, |o| self.set(o, stamp, true));
            }
        }
        let mut stretches = stretches.iter_mut().rev().peekable();
        for n in block.body.clone().rev() {
            if let Some(stretch) = stretches.next_if(|stretch| stretch.list.end == n + 1) {
                for slab in &mut stretch.slabs {
                    slab.is_live = slab.is_written && self.is_live(slab.operand, stamp);
                }
            }
            let Some(i) = program.instructions.get(n) else { continue };
            if !keeps_old(i, program) {
                i.results(&program.accesses, |o| self.set(o, stamp, false));
            }
            i.operands(&program.accesses, |o| self.set(o, stamp, true));
        }
    }

    fn set(&mut self, o: Operand, stamp: usize, is_live: bool) {
        if let Some(live) = self.registers.slab(o).and_then(|slab| self.live.get_mut(slab)) {
            *live = (stamp, is_live);
        }
    }

    /// Whether a value may be read. At the end of the block it is if another block uses the slab: a value that a block reads
    /// before it computes it comes from another one, also if the block runs again.
    fn is_live(&self, o: Operand, stamp: usize) -> bool {
        let Some(slab) = self.registers.slab(o) else { return false };
        match self.live.get(slab) {
            Some((known, is_live)) if *known == stamp => *is_live,
            _ => self.homes.get(slab) == Some(&Home::Several),
        }
    }
}

/// Whether the results of an instruction keep what they had in lanes that do not run.
fn keeps_old(i: &Instruction<Operand>, program: &Plan) -> bool {
    matches!(i, Instruction::Blend { .. }) || i.access(&program.accesses).is_some()
}
