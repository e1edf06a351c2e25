//! Everything that a machine is, to be restored later.

use crate::clock::Clocks;
use crate::machine::Machine;
use crate::position::Position;
use crate::program::Program;
use crate::wave::Plane;
use shisa_diag::Diagnostic;
use shisa_ir::{Lanes, Reg, Sequencer};

/// Registers and position of a wave. A machine of the same program continues from it as the saved one would have.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<T> {
    /// The position.
    pub position: Position<T>,
    /// The lanes that the wave has.
    pub lanes: Lanes,
    quads: bool,
    clocks: Clocks,
    /// The units that the program uses, in the order of [`Program::units`].
    registers: Vec<Plane>,
}

impl<T> Saved<T> {
    /// The registers, in the order of [`Program::units`].
    pub fn registers(&self) -> &[Plane] {
        &self.registers
    }

    /// The registers, mutable. Bits beyond the width of a unit must be zero.
    pub fn registers_mut(&mut self) -> &mut Vec<Plane> {
        &mut self.registers
    }
}

impl Program<'_> {
    /// The units of registers that the program uses, in ascending order. Only these have values of their own.
    pub fn units(&self) -> &[Reg] {
        self.layout.units()
    }
}

impl<S: Sequencer> Machine<'_, S> {
    /// Saves the wave. Memory and textures are not part of it.
    ///
    /// # Errors
    /// `internal-plan` if it lacks a register.
    pub fn save(&self) -> Result<Saved<S::State>, Diagnostic> {
        let registers = self.executor.arena.sources().span(self.program().layout.all())?.to_vec();
        Ok(Saved {
            position: self.position.clone(),
            lanes: self.lanes,
            quads: self.executor.quads,
            clocks: self.clocks.clone(),
            registers,
        })
    }

    /// Makes the wave a saved one of the same program.
    ///
    /// # Errors
    /// `eval-restore` if the saved wave has other registers: it is of another program.
    pub fn restore(&mut self, saved: &Saved<S::State>) -> Result<(), Diagnostic> {
        let all = self.program().layout.all();
        let registers = self.executor.arena.span_mut(all)?;
        if registers.len() != saved.registers.len() {
            let text = format!(
                "a saved wave has {} units of registers, and the program has {}",
                saved.registers.len(),
                registers.len()
            );
            return Err(Diagnostic::error("eval-restore", text)
                .help("restore a wave on a machine of the program that it was saved from"));
        }
        registers.copy_from_slice(&saved.registers);
        self.position.clone_from(&saved.position);
        self.clocks.clone_from(&saved.clocks);
        (self.lanes, self.executor.quads, self.touched) = (saved.lanes, saved.quads, true);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
