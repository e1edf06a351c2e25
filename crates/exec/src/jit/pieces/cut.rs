//! Cuts the lists of a program into stretches of instructions that have machine code.

use super::live::Liveness;
use super::stretch::{Slab, Stretch};
use crate::instruction::Instruction;
use crate::jit::coded::rounding;
use crate::jit::registers::Registers;
use crate::memory::Operand;
use crate::plan::Plan;
use std::ops::Range;

/// The stretches of a program, in its order. Each has at least `shortest` instructions, and replaces at most `most_replaced`
/// slabs, as many as there are registers.
pub(super) fn cut(
    program: &Plan,
    registers: &Registers,
    (shortest, most_replaced): (usize, usize),
) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut live = Liveness::new(program, registers);
    let mut cutter = Cutter {
        program,
        registers,
        shortest,
        most_replaced,
        used_by: vec![(0, 0); registers.count()],
        number: 0,
        operands: Vec::new(),
    };
    for (n, block) in program.blocks.iter().enumerate() {
        let first = stretches.len();
        cutter.list(&block.body, &mut stretches);
        if let Some(new) = stretches.get_mut(first..) {
            live.mark(n, new);
        }
        for edge in block.next.edges() {
            let first = stretches.len();
            cutter.list(&edge.moves, &mut stretches);
            // Parameters are for other blocks.
            let slabs = stretches.iter_mut().skip(first).flat_map(|stretch| &mut stretch.slabs);
            slabs.for_each(|slab| slab.is_live = slab.is_written);
        }
    }
    stretches.sort_by_key(|stretch| stretch.list.start);
    stretches
}

struct Cutter<'p> {
    program: &'p Plan,
    registers: &'p Registers,
    shortest: usize,
    most_replaced: usize,
    /// For each slab, the number of the last stretch that used it, and its index there.
    used_by: Vec<(usize, usize)>,
    /// The number of the current stretch.
    number: usize,
    /// The operands of an instruction, and then its results; whether each is a result.
    operands: Vec<(Operand, bool)>,
}

impl Cutter<'_> {
    /// Appends the stretches of a list.
    fn list(&mut self, list: &Range<usize>, stretches: &mut Vec<Stretch>) {
        let mut current: Option<Stretch> = None;
        let shortest = self.shortest;
        let mut end =
            |stretch: Option<Stretch>| stretches.extend(stretch.filter(|s| s.list.len() >= shortest));
        for number in list.clone() {
            let i = self.program.instructions.get(number);
            let Some((i, needed)) = i.and_then(|i| Some((i, rounding(i)?))) else {
                end(current.take());
                continue;
            };
            self.find_operands(i);
            let fits = |s: &Stretch| {
                s.rounding.and(needed).is_some() && s.replaced + self.replaces(s) <= self.most_replaced
            };
            let mut stretch = match current.take() {
                Some(stretch) if fits(&stretch) => stretch,
                full => {
                    end(full);
                    self.number += 1;
                    Stretch { list: number..number, rounding: needed, slabs: Vec::new(), replaced: 0 }
                }
            };
            stretch.rounding = stretch.rounding.and(needed).unwrap_or(needed);
            stretch.list.end = number + 1;
            stretch.replaced += self.replaces(&stretch);
            self.add_operands(&mut stretch);
            current = Some(stretch);
        }
        end(current);
    }

    fn find_operands(&mut self, i: &Instruction<Operand>) {
        let (operands, accesses) = (&mut self.operands, &self.program.accesses);
        operands.clear();
        i.operands(accesses, |o| operands.push((o, false)));
        if let Instruction::Blend { dst, .. } = i {
            operands.push((*dst, false));
        }
        i.results(accesses, |o| operands.push((o, true)));
    }

    /// The index of a slab in the current stretch.
    fn index(&self, o: Operand) -> Option<usize> {
        let (number, index) = *self.used_by.get(self.registers.slab(o)?)?;
        (number == self.number).then_some(index)
    }

    /// Number of slabs that the stretch read, or the instruction reads, and that the instruction is the first to write.
    fn replaces(&self, stretch: &Stretch) -> usize {
        let is_replaced = |o: Operand| match self.index(o).and_then(|n| stretch.slabs.get(n)) {
            Some(slab) if slab.is_written => false,
            Some(_) => true,
            None => self.operands.contains(&(o, false)),
        };
        self.operands.iter().filter(|(o, is_result)| *is_result && is_replaced(*o)).count()
    }

    fn add_operands(&mut self, stretch: &mut Stretch) {
        for n in 0..self.operands.len() {
            let (operand, is_result) = self.operands[n];
            let Some(used_by) = self.registers.slab(operand).and_then(|n| self.used_by.get_mut(n)) else {
                continue;
            };
            if used_by.0 != self.number {
                *used_by = (self.number, stretch.slabs.len());
                let slab = Slab { operand, uses: 0, is_read: false, is_written: false, is_live: false };
                stretch.slabs.push(slab);
            }
            if let Some(slab) = stretch.slabs.get_mut(used_by.1) {
                slab.uses += 1;
                slab.is_read |= !is_result && !slab.is_written;
                slab.is_written |= is_result;
            }
        }
    }
}
