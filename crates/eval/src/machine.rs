//! A wave at work.

use crate::{Emission, Environment, Observer, Plane, Program, count::Count, micro::P, wave::each};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{At, FileKind, Lanes, Reg, Sequencer, WAVE};

/// What a step led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to run.
    Running,
    /// The instruction waits for the other waves of the workgroup; stepping on passes it.
    Barrier,
    /// Every lane has ended.
    Done,
}

/// All that decides how a wave goes on, but for its registers and its environment.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<T> {
    /// The sequencer's state.
    pub state: T,
    /// Lanes whose outputs are discarded; they go on for the sake of derivatives.
    pub killed: Lanes,
    /// Per lane, what the next emitted vertex is for.
    pub(crate) emission: [Emission; WAVE],
    /// Instructions executed.
    pub(crate) count: Count,
}

/// A wave of up to 32 lanes that runs a program under a sequencer.
///
/// Operations run in all 32 lanes. Which lanes are active decides where registers are written, which
/// lanes are killed, load, store or emit, and what votes and shuffles see. So derivatives and computed
/// levels of detail take the operands of inactive neighbours as their registers give them.
#[derive(Debug)]
pub struct Machine<'a, S: Sequencer> {
    pub(crate) program: &'a Program<'a>,
    sequencer: &'a S,
    pub(crate) planes: Vec<Plane>,
    pub(crate) position: Position<S::State>,
    /// The lanes that the wave has.
    pub(crate) lanes: Lanes,
    pub(crate) quads: bool,
    /// Whether somebody else than the program may have changed temporaries or outputs.
    touched: bool,
    /// The active lanes as a mask over planes.
    pub(crate) mask: (Lanes, Plane),
    /// The instruction behind the latest one: most often it comes next.
    behind: usize,
}

impl<'a, S: Sequencer> Machine<'a, S> {
    /// A wave of these lanes at `entry`. All registers are zero. Lanes 4k to 4k + 3 count as quads
    /// (upper left, upper right, lower left, lower right) unless [`Machine::set_quads`] says otherwise.
    pub fn new(program: &'a Program<'a>, sequencer: &'a S, entry: u32, lanes: Lanes) -> Self {
        let mut planes: Vec<Plane> = program.constants.iter().map(|&bits| Plane::splat(bits)).collect();
        planes.resize(program.planes, Plane::ZERO);
        let position = Position {
            state: sequencer.start(entry, lanes),
            killed: 0,
            emission: [Emission::default(); WAVE],
            count: Count::new(0),
        };
        let mask = (0, Plane::ZERO);
        Machine { program, sequencer, planes, position, lanes, quads: true, touched: false, mask, behind: 0 }
    }

    /// Puts the wave back to `entry` with other lanes: temporaries and outputs are zero again, inputs
    /// and uniforms stay. The count of lane-instructions of the run goes on.
    pub fn restart(&mut self, entry: u32, lanes: Lanes) {
        if std::mem::take(&mut self.touched) {
            for range in self.program.layout.of(&[FileKind::Temp, FileKind::Output]) {
                self.planes.get_mut(range).unwrap_or_default().fill(Plane::ZERO);
            }
        }
        for &written in &self.program.written {
            if let Some(plane) = self.planes.get_mut(written as usize) {
                *plane = Plane::ZERO;
            }
        }
        self.lanes = lanes;
        self.position = Position {
            state: self.sequencer.start(entry, lanes),
            killed: 0,
            emission: [Emission::default(); WAVE],
            count: Count::new(self.position.count.total),
        };
    }

    /// Runs from `entry` again with all registers, killed lanes and emission as they are.
    pub fn run_again(&mut self, entry: u32) {
        self.position.state = self.sequencer.start(entry, self.lanes);
        self.position.count = Count::new(self.position.count.total);
    }

    /// Whether neighbouring lanes form quads. Without quads nothing changes from lane to lane:
    /// derivatives are zero.
    pub fn set_quads(&mut self, quads: bool) {
        self.quads = quads;
    }

    /// Makes lanes helpers from the start: they run, but leave no outputs and write no memory.
    pub fn set_killed(&mut self, lanes: Lanes) {
        self.position.killed = lanes;
    }

    /// Sets one unit of a register in one lane: an input, usually.
    ///
    /// # Errors
    /// `eval-register` when there is no such register or lane.
    pub fn set_input(&mut self, reg: Reg, lane: usize, bits: u32) -> Result<(), Diagnostic> {
        if lane >= WAVE || !self.program.layout.exists(reg) {
            return Err(no_register(reg));
        }
        if let Some(slot) = self.plane_mut(reg).and_then(|p| p.0.get_mut(lane)) {
            *slot = bits;
        }
        Ok(())
    }

    /// Sets one unit of a register in all lanes: a uniform, usually.
    ///
    /// # Errors
    /// `eval-register` when there is no such register.
    pub fn set_uniform(&mut self, reg: Reg, bits: u32) -> Result<(), Diagnostic> {
        if !self.program.layout.exists(reg) {
            return Err(no_register(reg));
        }
        if let Some(plane) = self.plane_mut(reg) {
            *plane = Plane::splat(bits);
        }
        Ok(())
    }

    /// One unit of a register in all lanes; zero where the program does not name it.
    pub fn plane(&self, reg: Reg) -> Option<&Plane> {
        match self.program.layout.plane(reg) {
            Some(plane) => self.planes.get(plane as usize),
            None => self.program.layout.exists(reg).then_some(&Plane::ZERO),
        }
    }

    /// One unit of a register in all lanes, to be changed. Bits beyond the width of the unit must be
    /// zero. Registers that the program does not name cannot be changed.
    pub fn plane_mut(&mut self, reg: Reg) -> Option<&mut Plane> {
        let (file, _) = self.program.layout.file(reg.file)?;
        self.touched |= matches!(file.kind, FileKind::Temp | FileKind::Output);
        self.planes.get_mut(self.program.layout.plane(reg)? as usize)
    }

    /// One unit of a register in one lane; zero where there is none.
    pub fn register(&self, reg: Reg, lane: usize) -> u32 {
        self.plane(reg).map_or(0, |p| p.get(lane))
    }

    /// The program that runs.
    pub fn program(&self) -> &'a Program<'a> {
        self.program
    }

    /// What runs next.
    pub fn at(&self) -> At {
        self.sequencer.at(&self.position.state)
    }

    /// The lanes that it runs for.
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

    /// Where the wave stands.
    pub fn position(&self) -> &Position<S::State> {
        &self.position
    }

    /// Lane-instructions executed since the machine was made.
    pub fn executed(&self) -> u64 {
        self.position.count.total
    }

    /// Runs one instruction.
    ///
    /// # Errors
    /// `eval-off-program` when control leaves the program; what the environment and the sequencer
    /// refuse, with a note of the place. The machine then stands where it was, but registers and memory
    /// may have been written.
    pub fn step<E: Environment, O: Observer<S::State>>(
        &mut self,
        environment: &mut E,
        observer: &mut O,
    ) -> Result<Progress, Diagnostic> {
        let at = self.at();
        if at == At::Done {
            return Ok(Progress::Done);
        }
        let off = || {
            Diagnostic::error("eval-off-program", format!("control leaves the program at {at}"))
                .help("end every path with the instruction that ends the program")
        };
        let lifted = self.program.lifted;
        let next = lifted.steps.get(self.behind).filter(|step| at == At::Step(step.pc));
        let (index, step) = match next {
            Some(step) => (self.behind, step),
            None => lifted.step(at).ok_or_else(off)?,
        };
        self.behind = index + 1;
        let plan = self.program.steps.get(index).ok_or_else(off)?;
        let active = self.active();
        if O::ACTIVE {
            observer.step(index, active, &self.position);
        }
        self.position.count.step(active);
        let mut progress = Progress::Running;
        let lanes = if plan.whole_wave { self.lanes } else { active };
        let mut cond = lanes;
        if lanes != 0 {
            if self.mask.0 != lanes {
                self.mask = (lanes, Plane::mask(lanes));
            }
            progress = self.execute(plan.ops.clone(), environment, observer).map_err(|d| place(d, at))?;
            if let Some(plane) = plan.cond {
                cond &= self.planes.get(plane as usize).map_or(0, Plane::lanes);
            }
        }
        let mut control = step.control;
        if let Some(plane) = plan.place
            && lanes != 0
        {
            control.target = self.agreed(plane, lanes).map_err(|d| place(d, at))?;
        }
        let moved = self.sequencer.step(&mut self.position.state, &control, step.next, cond);
        moved.map_err(|d| place(d, at))?;
        Ok(if self.at() == At::Done { Progress::Done } else { progress })
    }

    /// What all of these lanes, of which there is one, have in a plane.
    fn agreed(&self, plane: P, lanes: Lanes) -> Result<u32, Diagnostic> {
        let Some(plane) = self.planes.get(plane as usize) else { return Ok(0) };
        let first = plane.get(lanes.trailing_zeros() as usize);
        match each(lanes).map(|lane| plane.get(lane)).find(|n| *n != first) {
            None => Ok(first),
            Some(other) => {
                let text = format!("active lanes go to different places: {first:#x} and {other:#x}");
                Err(Diagnostic::error("flow-divergent", text))
            }
        }
    }

    /// Runs to the end, through barriers.
    ///
    /// # Errors
    /// As [`Machine::step`]; `limit-exceeded` when a lane or the run executes more instructions than the
    /// limits allow.
    pub fn run<E: Environment, O: Observer<S::State>>(
        &mut self,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        while self.run_to_barrier(environment, observer, limits)? != Progress::Done {}
        Ok(())
    }

    /// Runs until the next barrier is passed or the wave has ended; which of both.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn run_to_barrier<E: Environment, O: Observer<S::State>>(
        &mut self,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<Progress, Diagnostic> {
        loop {
            let progress = self.step(environment, observer)?;
            self.position.count.check(limits).map_err(|d| place(d, self.at()))?;
            if progress != Progress::Running {
                return Ok(progress);
            }
        }
    }
}

fn no_register(reg: Reg) -> Diagnostic {
    Diagnostic::error("eval-register", format!("there is no register {reg:?}"))
}

fn place(d: Diagnostic, at: At) -> Diagnostic {
    match at {
        At::Step(pc) => d.note(format!("at program counter {pc:#x}")),
        At::Implied(i) => d.note(format!("at implied step {i}")),
        At::Done => d,
    }
}

#[cfg(test)]
mod tests;
