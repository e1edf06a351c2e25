//! A state of a run, as front ends see it.

use crate::cursor::Cursor;
use crate::history::Time;
use crate::run::Run;
use shisa_diag::Diagnostic;
use shisa_eval::{Environment, Plane, Portion, Texture};
use shisa_ir::{At, Lanes, Reg, Sequencer, Space, Stack};

/// The state before a step.
pub trait View {
    /// The number of steps before it.
    fn time(&self) -> Time;

    /// The number of the portion that runs.
    fn portion(&self) -> usize;

    /// The wave that runs, and what its lanes are.
    fn running(&self) -> &Portion;

    /// The position of the wave: the step that runs next.
    fn at(&self) -> At;

    /// The lanes that the next step runs for.
    fn active(&self) -> Lanes;

    /// The lanes that the wave has.
    fn lanes(&self) -> Lanes;

    /// The lanes whose outputs are discarded.
    fn killed(&self) -> Lanes;

    /// One unit of a register in all lanes, zero if the program does not use it; `None` if the unit does not exist.
    fn register(&self, reg: Reg) -> Option<&Plane>;

    /// The stacks of control flow.
    fn stacks(&self) -> Vec<Stack>;

    /// The textures that are bound, each with its number or address in words.
    fn textures(&self) -> Vec<(String, &Texture)>;

    /// The memory in which an access of a lane is, and the address there; `None` if it is not within memory.
    fn reached(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Option<(Space, u64)>;

    /// Reads memory as the lane sees it.
    ///
    /// # Errors
    /// What the program's memory reports.
    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic>;
}

/// A cursor with the wave that runs.
pub(crate) struct Live<'c, 'h, R: Run> {
    pub(crate) cursor: &'c mut Cursor<'h, R>,
    pub(crate) running: &'h Portion,
}

impl<R: Run> View for Live<'_, '_, R> {
    fn time(&self) -> Time {
        self.cursor.time
    }

    fn portion(&self) -> usize {
        self.cursor.portion
    }

    fn running(&self) -> &Portion {
        self.running
    }

    fn at(&self) -> At {
        self.cursor.machine.at()
    }

    fn active(&self) -> Lanes {
        self.cursor.machine.active()
    }

    fn lanes(&self) -> Lanes {
        self.cursor.machine.lanes()
    }

    fn killed(&self) -> Lanes {
        self.cursor.machine.killed()
    }

    fn register(&self, reg: Reg) -> Option<&Plane> {
        self.cursor.machine.plane(reg)
    }

    fn stacks(&self) -> Vec<Stack> {
        self.cursor.run().sequencer().stacks(&self.cursor.machine.position().state)
    }

    fn textures(&self) -> Vec<(String, &Texture)> {
        self.cursor.environment.textures()
    }

    fn reached(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        self.cursor.environment.reached(space, lane, address, bytes)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        self.cursor.environment.load(space, lane, address, bytes)
    }
}
