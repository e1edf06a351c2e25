//! Watching a machine: the observer, and the trace that a debugger steps back on.

use crate::{Environment, Machine, Plane, Position};
use shisa_diag::Diagnostic;
use shisa_ir::{Lanes, Reg, Sequencer, Space};
use std::collections::VecDeque;

/// Is told what a machine does. `T` is the sequencer's state.
pub trait Observer<T> {
    /// Whether anything is told at all; an idle observer costs nothing.
    const ACTIVE: bool = true;

    /// A wave begins: for each of its lanes the lane of the batch that it stands for, `None` for helpers.
    fn wave(&mut self, lanes: &[Option<usize>]) {
        let _ = lanes;
    }

    /// A step begins: its number among the program's steps, its active lanes, where the wave stands.
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        let _ = (index, active, before);
    }

    /// A unit of a register was written in these lanes.
    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        let _ = (reg, lanes, old, new);
    }

    /// A lane is about to write memory.
    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        let _ = (space, lane, address, old, new);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<T> Observer<T> for NoObserver {
    const ACTIVE: bool = false;
}

/// A write of one unit of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterWrite {
    /// The unit.
    pub reg: Reg,
    /// The lanes written.
    pub lanes: Lanes,
    /// What the unit held before.
    pub old: Plane,
    /// What it holds behind; in other lanes the same as before.
    pub new: Plane,
}

/// A write of memory by one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryWrite {
    /// Which memory.
    pub space: Space,
    /// Whose write it is.
    pub lane: usize,
    /// First byte written.
    pub address: u64,
    /// The bytes before.
    pub old: Vec<u8>,
    /// The bytes behind.
    pub new: Vec<u8>,
}

/// One instruction as it ran.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep<T> {
    /// Its number among the program's steps, implied ones counted behind the instructions.
    pub index: usize,
    /// The lanes that it ran for.
    pub active: Lanes,
    /// Where the wave stood before.
    pub before: Position<T>,
    /// Its register writes in order.
    pub writes: Vec<RegisterWrite>,
    /// Its memory writes in order.
    pub stores: Vec<MemoryWrite>,
}

/// Records every write of a machine with its instruction, and takes steps back.
#[derive(Clone, Debug)]
pub struct Trace<T> {
    steps: VecDeque<TraceStep<T>>,
    limit: usize,
}

impl<T> Trace<T> {
    /// Keeps the latest `limit` steps and forgets older ones.
    pub fn new(limit: usize) -> Self {
        Trace { steps: VecDeque::new(), limit: limit.max(1) }
    }

    /// The steps recorded, the oldest first.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &TraceStep<T>> {
        self.steps.iter()
    }

    /// The latest step.
    pub fn last(&self) -> Option<&TraceStep<T>> {
        self.steps.back()
    }

    /// Takes the latest step back: registers, memory, control flow, killed lanes. Returns it, or `None`
    /// when there is none. The machine must be the one that was recorded.
    ///
    /// # Errors
    /// When the environment refuses to take memory back; registers and control flow are back by then.
    pub fn undo<S: Sequencer<State = T>, E: Environment>(
        &mut self,
        machine: &mut Machine<'_, S>,
        environment: &mut E,
    ) -> Result<Option<TraceStep<T>>, Diagnostic>
    where
        T: Clone,
    {
        let Some(step) = self.steps.pop_back() else { return Ok(None) };
        for write in step.writes.iter().rev() {
            if let Some(plane) = machine.plane_mut(write.reg) {
                *plane = write.old;
            }
        }
        machine.position = step.before.clone();
        for store in step.stores.iter().rev() {
            environment.store(store.space, store.lane, store.address, &store.old)?;
        }
        Ok(Some(step))
    }
}

impl<T: Clone> Observer<T> for Trace<T> {
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        if self.steps.len() >= self.limit {
            self.steps.pop_front();
        }
        let before = before.clone();
        self.steps.push_back(TraceStep { index, active, before, writes: Vec::new(), stores: Vec::new() });
    }

    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        if let Some(step) = self.steps.back_mut() {
            step.writes.push(RegisterWrite { reg, lanes, old: *old, new: *new });
        }
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        if let Some(step) = self.steps.back_mut() {
            let (old, new) = (old.to_vec(), new.to_vec());
            step.stores.push(MemoryWrite { space, lane, address, old, new });
        }
    }
}
