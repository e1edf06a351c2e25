//! A wave that runs a program.

use crate::barriers::Reduced;
use crate::clock::{Clock, Clocks};
use crate::count::{Count, Executed};
use crate::environment::{Environment, no_register};
use crate::execute::{Effects, Events, Executor, Reporter, Surroundings};
use crate::observer::Observer;
use crate::plan::layout::Unit;
use crate::position::{Position, Progress};
use crate::program::Program;
use crate::wave::{Plane, each};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{At, FileKind, Lanes, Reg, Sequencer, WAVE};

/// A wave of up to 32 lanes that runs a program under a sequencer.
///
/// Operations run in all 32 lanes. The active lanes determine where registers are written, which lanes are killed,
/// load, store or emit, and what votes and shuffles see. Derivatives and computed levels of detail therefore use the
/// register contents of inactive neighbours.
#[derive(Debug)]
pub struct Machine<'a, S: Sequencer> {
    program: &'a Program<'a>,
    sequencer: &'a S,
    pub(crate) executor: Executor<'a>,
    pub(crate) position: Position<S::State>,
    /// The lanes that the wave has.
    pub(crate) lanes: Lanes,
    /// Whether the host may have changed temporaries or outputs.
    pub(crate) touched: bool,
    /// The instruction after the latest one, which is usually the next to run.
    following: usize,
    pub(crate) clocks: Clocks,
}

impl<'a, S: Sequencer> Machine<'a, S> {
    /// A wave of these lanes at `entry`. All registers are zero. Lanes 4k to 4k + 3 form quads (upper left, upper
    /// right, lower left, lower right) unless [`Machine::set_quads`] disables them.
    pub fn new(program: &'a Program<'a>, sequencer: &'a S, entry: u32, lanes: Lanes) -> Self {
        let position = Position::start(sequencer.start(entry, lanes), Count::default());
        let executor = Executor::new(program);
        Machine {
            program,
            sequencer,
            executor,
            position,
            lanes,
            touched: false,
            following: 0,
            clocks: Clocks::default(),
        }
    }

    /// Restarts the wave at `entry` with other lanes: temporaries and outputs are zero again, inputs and uniforms are
    /// preserved. The count of lane-instructions of the run continues.
    ///
    /// # Errors
    /// `internal-plan` if the plan of the program refers to registers that do not exist.
    pub fn restart(&mut self, entry: u32, lanes: Lanes) -> Result<(), Diagnostic> {
        if std::mem::take(&mut self.touched) {
            for span in self.program.layout.of(&[FileKind::Temp, FileKind::Output]) {
                self.executor.arena.clear(span)?;
            }
        }
        for &written in &self.program.written {
            *self.executor.arena.register_mut(written)? = Plane::ZERO;
        }
        self.lanes = lanes;
        self.sequencer.restart(&mut self.position.state, entry, lanes);
        self.position.restart();
        Ok(())
    }

    /// Begins another run: nothing has been executed.
    pub(crate) fn begin(&mut self) {
        self.position.count = Count::default();
    }

    /// Restarts the wave at `entry` and preserves registers, killed lanes and emission.
    pub fn run_again(&mut self, entry: u32) {
        self.sequencer.restart(&mut self.position.state, entry, self.lanes);
        self.position.count = self.position.count.again();
    }

    /// Sets whether neighbouring lanes form quads. Without quads, derivatives are zero.
    pub fn set_quads(&mut self, quads: bool) {
        self.executor.quads = quads;
    }

    /// Makes input registers clocks, in place of those of the latest call.
    pub fn set_clocks(&mut self, clocks: &[Clock]) {
        self.clocks = Clocks::new(self.program, clocks);
    }

    /// Makes lanes helper lanes from the start: they run, but have no outputs and write no memory.
    pub fn set_killed(&mut self, lanes: Lanes) {
        self.position.killed = lanes;
    }

    /// Sets one unit of a register in one lane, usually an input.
    ///
    /// # Errors
    /// `eval-register` if the register or the lane does not exist.
    pub fn set_input(&mut self, reg: Reg, lane: usize, bits: u32) -> Result<(), Diagnostic> {
        if lane >= WAVE {
            return Err(no_register(reg));
        }
        if let Some(slot) = self.unit_mut(reg)?.and_then(|p| p.0.get_mut(lane)) {
            *slot = bits;
        }
        Ok(())
    }

    /// One unit of a register in all lanes, mutable; `None` if the program does not use it.
    ///
    /// # Errors
    /// `eval-register` if the register does not exist.
    pub(crate) fn unit_mut(&mut self, reg: Reg) -> Result<Option<&mut Plane>, Diagnostic> {
        match self.program.layout.unit(reg) {
            Some(_) => Ok(self.plane_mut(reg)),
            None => Err(no_register(reg)),
        }
    }

    /// Sets one unit of a register in all lanes, usually a uniform.
    ///
    /// # Errors
    /// `eval-register` if the register does not exist.
    pub fn set_uniform(&mut self, reg: Reg, bits: u32) -> Result<(), Diagnostic> {
        if let Some(plane) = self.unit_mut(reg)? {
            *plane = Plane::splat(bits);
        }
        Ok(())
    }

    /// One unit of a register in all lanes, zero if the program does not use it; `None` if the unit does not exist.
    pub fn plane(&self, reg: Reg) -> Option<&Plane> {
        match self.program.layout.unit(reg)? {
            Unit::Named(id) => self.executor.plane(id.into()).ok(),
            Unit::Unnamed => Some(&Plane::ZERO),
        }
    }

    /// One unit of a register in all lanes, mutable. Bits beyond the width of the unit must be zero. `None` if the
    /// program does not use the unit, which then stays zero.
    pub fn plane_mut(&mut self, reg: Reg) -> Option<&mut Plane> {
        let (file, id) = (self.program.layout.file(reg.file)?, self.program.layout.plane(reg)?);
        self.touched |= matches!(file.kind, FileKind::Temp | FileKind::Output);
        self.executor.arena.register_mut(id).ok()
    }

    /// One unit of a register in one lane, zero if the program does not use it.
    ///
    /// # Errors
    /// `eval-register` if the unit or the lane does not exist.
    pub fn register(&self, reg: Reg, lane: usize) -> Result<u32, Diagnostic> {
        self.plane(reg).and_then(|plane| plane.get(lane)).ok_or_else(|| no_register(reg))
    }

    /// The program of the wave.
    pub fn program(&self) -> &'a Program<'a> {
        self.program
    }

    /// The position of the step that runs next.
    pub fn at(&self) -> At {
        self.sequencer.at(&self.position.state)
    }

    /// The lanes that the next step runs for.
    pub fn active(&self) -> Lanes {
        self.sequencer.active(&self.position.state)
    }

    /// The lanes that the wave has.
    pub fn lanes(&self) -> Lanes {
        self.lanes
    }

    /// The lanes whose outputs are discarded.
    pub fn killed(&self) -> Lanes {
        self.position.killed
    }

    /// Sets what [`shisa_ir::Op::Reduced`] reads.
    pub(crate) fn set_reduced(&mut self, reduced: Reduced) {
        self.position.reduced = reduced;
    }

    /// The position of the wave in the program.
    pub fn position(&self) -> &Position<S::State> {
        &self.position
    }

    /// Lane-instructions executed since this [`Machine`] was created.
    pub fn executed(&self) -> u64 {
        self.position.count.total.steps
    }

    /// What the whole run has executed.
    pub(crate) fn total(&self) -> Executed {
        self.position.count.total
    }

    /// Continues after other waves of the run, which have executed this much together with this one.
    pub(crate) fn continue_after(&mut self, total: Executed) {
        self.position.count.total = total;
    }

    /// Runs one instruction.
    ///
    /// # Errors
    /// `eval-off-program` if control leaves the program; the errors of the environment and the sequencer, with a note
    /// of the program counter. The position is unchanged after an error, but registers and memory may
    /// have been written.
    pub fn step<E: Environment, O: Observer<S::State>>(
        &mut self,
        environment: &mut E,
        observer: &mut O,
    ) -> Result<Progress, Diagnostic> {
        self.advance(environment, Reporter::new(observer).events())
    }

    /// As [`Machine::step`].
    #[inline]
    fn advance(
        &mut self,
        environment: &mut dyn Environment,
        mut events: Option<&mut dyn Events<S::State>>,
    ) -> Result<Progress, Diagnostic> {
        let at = self.at();
        if at == At::Done {
            return Ok(Progress::Done);
        }
        let off = || {
            Diagnostic::error("eval-off-program", format!("control leaves the program at {at}"))
                .help("end every path with the instruction that ends the program")
        };
        let lifted = &*self.program.lifted;
        let next = lifted.steps.get(self.following).filter(|step| at == At::Step(step.pc));
        let (index, step) = match next {
            Some(step) => (self.following, step),
            None => lifted.step(at).ok_or_else(off)?,
        };
        self.following = index + 1;
        let plan = self.program.steps.get(index).ok_or_else(off)?;
        let active = self.active();
        if let Some(events) = &mut events {
            events.step(index, active, &self.position);
        }
        self.clocks.show(self.position.count.total.work, &mut self.executor.arena)?;
        self.position.count.step(active, plan.cost);
        let mut progress = Progress::Running;
        let mut control = step.control;
        let lanes = if plan.whole_wave { self.lanes } else { active };
        let mut cond = lanes;
        let mut targets = Vec::new();
        if lanes != 0 {
            self.executor.activate(lanes);
            let Position { killed, emission, reduced, .. } = &mut self.position;
            let observer = events.as_deref_mut().map(|events| events as &mut dyn Effects);
            let mut around = Surroundings { environment, observer, killed, emission, reduced, arrived: None };
            self.executor.run(plan, &mut around).map_err(|d| located(d, at))?;
            if let Some(arrived) = around.arrived {
                progress = Progress::Barrier(arrived);
                if let Some(events) = events {
                    events.arrive(&arrived, &self.position);
                }
            }
            if let Some(plane) = plan.cond {
                cond &= self.executor.plane(plane)?.lanes();
            }
            if let Some(plane) = plan.target {
                targets = by_target(self.executor.plane(plane)?, cond);
                control.target = targets.first().map_or(0, |(target, _)| *target);
            }
        }
        let state = &mut self.position.state;
        let moved = match targets.len() {
            0 | 1 => self.sequencer.step(state, &control, step.next, cond),
            _ => self.sequencer.scatter(state, &control, step.next, &targets),
        };
        moved.map_err(|d| located(d, at))?;
        Ok(if self.at() == At::Done { Progress::Done } else { progress })
    }

    /// Runs to the end as the only wave of its workgroup; barriers are passed.
    ///
    /// # Errors
    /// Those of [`Machine::step`]; `limit-exceeded` if a lane or the run executes more instructions than the limits
    /// allow.
    pub fn run<E: Environment, O: Observer<S::State>>(
        &mut self,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        while self.run_to_barrier(environment, observer, limits)? != Progress::Done {}
        Ok(())
    }

    /// Fails if a lane, or the run, has executed more than the limits allow.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn check(&self, limits: &Limits) -> Result<(), Diagnostic> {
        self.position.count.check(limits).map_err(|d| located(d, self.at()))
    }

    /// Runs until the wave arrives at a barrier or has ended, and returns which.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn run_to_barrier<E: Environment, O: Observer<S::State>>(
        &mut self,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<Progress, Diagnostic> {
        self.advance_to_barrier(environment, Reporter::new(observer).events(), limits)
    }

    /// As [`Machine::run_to_barrier`].
    fn advance_to_barrier(
        &mut self,
        environment: &mut dyn Environment,
        mut events: Option<&mut dyn Events<S::State>>,
        limits: &Limits,
    ) -> Result<Progress, Diagnostic> {
        loop {
            let events = events.as_mut().map(|events| &mut **events as &mut dyn Events<S::State>);
            let progress = self.advance(environment, events)?;
            self.check(limits)?;
            if progress != Progress::Running {
                return Ok(progress);
            }
        }
    }
}

/// The values that lanes have in a plane, each with its lanes, in the order of their lowest lanes.
fn by_target(plane: &Plane, lanes: Lanes) -> Vec<(u32, Lanes)> {
    let mut found: Vec<(u32, Lanes)> = Vec::new();
    for lane in each(lanes) {
        let target = plane.0[lane];
        match found.iter_mut().find(|(known, _)| *known == target) {
            Some((_, lanes)) => *lanes |= 1 << lane,
            None => found.push((target, 1 << lane)),
        }
    }
    found
}

/// Adds the position to an error.
fn located(d: Diagnostic, at: At) -> Diagnostic {
    match at {
        At::Step(pc) => d.note(format!("at program counter {pc:#x}")),
        At::Implied(i) => d.note(format!("at implied step {i}")),
        At::Done => d,
    }
}

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod texel_tests;
