//! The trace with which a debugger steps back.

use crate::environment::{Environment, no_register, word};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::position::Position;
use crate::wave::Plane;
use shisa_diag::Diagnostic;
use shisa_ir::{Lanes, Reg, Sequencer, Space};
use std::collections::VecDeque;

/// A write of one unit of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterWrite {
    /// The unit.
    pub reg: Reg,
    /// The lanes written.
    pub lanes: Lanes,
    /// The unit before the write.
    pub old: Plane,
    /// The unit after the write; unchanged in other lanes.
    pub new: Plane,
}

/// A write of memory by one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWrite {
    /// The memory space.
    pub space: Space,
    /// The lane that writes.
    pub lane: usize,
    /// Address of the first byte written.
    pub address: u64,
    /// Number of bytes, at most 8.
    pub bytes: u8,
    /// The bytes before the write, the first one lowest.
    pub old: u64,
    /// The bytes after the write.
    pub new: u64,
}

impl MemoryWrite {
    /// A write of at most 8 bytes, from the bytes before it and after it.
    pub fn new(space: Space, lane: usize, address: u64, [old, new]: [&[u8]; 2]) -> MemoryWrite {
        let bytes = old.len().min(8) as u8;
        MemoryWrite { space, lane, address, bytes, old: word(old), new: word(new) }
    }
}

/// One executed instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep<T> {
    /// Its index among the program's steps; implied steps come after the instructions.
    pub index: usize,
    /// The lanes that it ran for.
    pub active: Lanes,
    /// The position of the wave before the step.
    pub before: Position<T>,
    /// Its register writes in order.
    pub writes: Vec<RegisterWrite>,
    /// Its memory writes in order.
    pub stores: Vec<MemoryWrite>,
}

/// Records every write of a machine with its instruction, and can undo steps.
#[derive(Clone, Debug)]
pub struct Trace<T> {
    steps: VecDeque<TraceStep<T>>,
    limit: usize,
}

impl<T> Trace<T> {
    /// Records the latest `limit` steps and drops older ones.
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

    /// Undoes the latest step: restores registers, memory, control flow and killed lanes. Returns the step, or `None`
    /// if there is none. `machine` must be the recorded one.
    ///
    /// # Errors
    /// `eval-register` if a register of the step does not exist; the errors of the environment if it refuses
    /// to restore memory. Registers and control flow are restored before memory.
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
            *machine.plane_mut(write.reg).ok_or_else(|| no_register(write.reg))? = write.old;
        }
        machine.position = step.before.clone();
        for store in step.stores.iter().rev() {
            let old = store.old.to_le_bytes();
            let old = old.get(..usize::from(store.bytes)).ok_or_else(|| {
                let text = format!("a trace has a memory write of {} bytes", store.bytes);
                Diagnostic::internal("internal-trace", text)
            })?;
            environment.store(store.space, store.lane, store.address, old)?;
        }
        Ok(Some(step))
    }
}

impl<T: Clone> Observer<T> for Trace<T> {
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        if self.steps.len() >= self.limit {
            // The latest step takes the place of the oldest one, and its allocations. Without unused capacity the rotation
            // moves no step.
            if self.steps.capacity() > self.steps.len() {
                self.steps.shrink_to_fit();
            }
            self.steps.rotate_left(1);
            if let Some(step) = self.steps.back_mut() {
                (step.index, step.active) = (index, active);
                step.before.clone_from(before);
                step.writes.clear();
                step.stores.clear();
                return;
            }
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
            step.stores.push(MemoryWrite::new(space, lane, address, [old, new]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BufferEnvironment, NoEnvironment, Plane, Progress, TextureSet, testing::*};
    use shisa_diag::Limits;
    use shisa_ir::{ControlOp, Mask, Scalar, Swizzle, Type, WAVE};

    /// A divergent loop that writes registers and memory and kills lanes.
    fn busy() -> Code {
        let mut code = Code::new();
        code.plain(ControlOp::Loop);
        let body = code.here();
        code.op(|b| {
            let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
            let v = b.read(r(0), Swizzle::IDENTITY, Type::I32);
            let one = b.i32(1);
            let next = b.iadd(v, one);
            b.write(r(0), Mask::first(1), next);
            let five = b.i32(5);
            let fifth = b.ieq(next, five);
            b.kill(fifth);
            let four = b.i32(4);
            let address = b.imul(id, four);
            let half = b.convert(shisa_ir::Convert::Truncate, next, Scalar::I16);
            b.store(shisa_ir::Space::Shared, address, half);
        });
        code.control(ControlOp::Again, body, |b| {
            let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
            let v = b.read(r(0), Swizzle::IDENTITY, Type::I32);
            Some(b.ult(v, id))
        });
        code.plain(ControlOp::Exit);
        code
    }

    fn memory() -> BufferEnvironment {
        let mut memory = BufferEnvironment::new(TextureSet::new());
        memory.add(shisa_ir::Space::Shared, 0, &[7; 128], &Limits::default()).unwrap();
        memory
    }

    #[test]
    fn steps_back_restore_everything() {
        let code = busy();
        let program = code.program();
        let (mut m, mut env, mut trace) = (machine(&program), memory(), Trace::new(1000));
        (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
        let look = |m: &Machine<'_, Structured>, env: &BufferEnvironment| {
            let shared = env.buffer(shisa_ir::Space::Shared, 0, 0).map(<[u8]>::to_vec);
            (m.position().clone(), *m.plane(r(0)).unwrap(), shared)
        };
        let mut seen = vec![look(&m, &env)];
        while m.step(&mut env, &mut trace).unwrap() != Progress::Done {
            seen.push(look(&m, &env));
        }
        let end = look(&m, &env);
        assert_ne!(end.0.killed, 0);
        assert_eq!(trace.steps().len(), seen.len());
        // To the middle, forward again, and back to the start.
        for want in seen.iter().skip(20).rev() {
            assert!(trace.undo(&mut m, &mut env).unwrap().is_some());
            assert_eq!(look(&m, &env), *want);
        }
        m.run(&mut env, &mut trace, &Limits::default()).unwrap();
        assert_eq!(look(&m, &env), end);
        for want in seen.iter().rev() {
            assert!(trace.undo(&mut m, &mut env).unwrap().is_some());
            assert_eq!(look(&m, &env), *want);
        }
        assert!(trace.undo(&mut m, &mut env).unwrap().is_none());
    }

    /// One step in which every lane writes the same bytes twice, and registers twice: going back leaves what was there
    /// before the first write.
    #[test]
    fn a_step_that_writes_often_to_one_place_is_undone_whole() {
        let mut code = Code::new();
        code.op(|b| {
            let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
            let (address, next) = (b.i32(4), b.i32(6));
            for (at, add) in [(address, 100), (next, 200), (address, 300)] {
                let more = b.i32(add);
                let v = b.iadd(id, more);
                b.store(shisa_ir::Space::Shared, at, v);
                b.write(r(0), Mask::first(1), v);
            }
        });
        code.plain(ControlOp::Exit);
        let program = code.program();
        let (mut m, mut env, mut trace) = (machine(&program), memory(), Trace::new(10));
        (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
        m.step(&mut env, &mut trace).unwrap();
        let bytes =
            |env: &BufferEnvironment| env.buffer(shisa_ir::Space::Shared, 0, 0).unwrap()[..12].to_vec();
        // The last store of the last lane, and what the second one left after it.
        assert_eq!(bytes(&env), [7, 7, 7, 7, 0x4b, 1, 0, 0, 0, 0, 7, 7]);
        trace.undo(&mut m, &mut env).unwrap();
        assert_eq!(bytes(&env), [7; 12]);
        assert_eq!(*m.plane(r(0)).unwrap(), Plane::ZERO);
    }

    #[test]
    fn writes_are_recorded_with_their_step() {
        let mut code = Code::new();
        code.control(IF, 0, |b| {
            let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
            let two = b.i32(2);
            Some(b.ult(id, two))
        });
        code.op(|b| {
            let v = b.i32(5);
            let v = b.splat(v, 2);
            b.write(r(4), Mask(0b101), v);
        });
        code.plain(END).plain(ControlOp::Exit);
        let program = code.program();
        let (mut m, mut trace) = (machine(&program), Trace::new(10));
        (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
        m.run(&mut NoEnvironment, &mut trace, &Limits::default()).unwrap();
        let steps: Vec<_> = trace.steps().collect();
        assert_eq!(steps.iter().map(|s| (s.index, s.active)).collect::<Vec<_>>()[..2], [(0, !0), (1, 3)]);
        let writes: Vec<_> =
            steps[1].writes.iter().map(|w| (w.reg, w.lanes, w.old.0[1], w.new.0[1])).collect();
        assert_eq!(writes, [(r(4), 3, 0, 5), (r(6), 3, 0, 5)]);
        assert_eq!(steps[1].writes[0].new.0[2], 0, "other lanes stay");
        assert!(steps[0].writes.is_empty() && steps[2].writes.is_empty());
    }

    #[test]
    fn only_the_latest_steps_are_kept() {
        let code = busy();
        let program = code.program();
        let (mut m, mut env, mut trace) = (machine(&program), memory(), Trace::new(4));
        (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
        m.run(&mut env, &mut trace, &Limits::default()).unwrap();
        assert_eq!(trace.steps().map(|s| s.index).collect::<Vec<_>>(), [2, 1, 2, 3]);
        assert_eq!(trace.last().map(|s| s.index), Some(3));
    }
}
