//! Runs of single waves, which wait for each other at barriers.

use crate::code::Code;
use crate::environment::{Environment, HALVES};
use crate::host::HostLevel;
use crate::instruction::Arrive;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
use crate::jit::Machine;
use crate::memory::{Chunk, LANES, Operand};
use crate::program::Program;
use crate::task::{Budget, End, Stopped, Task, Work};
use crate::working::Memory;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::scalar::lanes::{Words, votes};
use shisa_ir::{Lanes, Reg, WAVE};

/// Why a wave stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All lanes have ended.
    Ended,
    /// The lanes arrived at a barrier. The next run continues after it.
    Barrier(Arrival),
}

/// The arrival of the lanes of a wave at a barrier. All other lanes have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// At the barrier of all waves ([`shisa_ir::Op::Barrier`]).
    Everybody {
        /// The lanes.
        lanes: Lanes,
    },
    /// At a numbered barrier ([`shisa_ir::Op::Arrive`]).
    Numbered {
        /// What the lanes do there.
        how: shisa_ir::Arrival,
        /// The number of the barrier.
        number: u32,
        /// The number of threads that open it.
        threads: u32,
        /// The lanes.
        lanes: Lanes,
        /// Those whose vote is true.
        votes: Lanes,
    },
}

/// Runs a wave of 32 lanes. A run stops at barriers; the caller decides when the wave continues. Of a program that changes
/// memory or waits at barriers pieces can be machine code ([`Program::add_machine_code`]).
pub struct WaveRunner {
    program: Program,
    code: Code,
    memory: Memory,
    /// Whether uniforms changed, or constant memory may have, since the instructions on uniforms ran.
    stale: bool,
    limits: Limits,
    lanes: Lanes,
    /// Whether the lanes have begun.
    begun: bool,
    /// Instructions of a lane since then.
    steps: u64,
    /// What machine code of pieces needs, if the program has any that is in use.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    machine: Option<Machine>,
}

impl Program {
    /// The memory of a wave, with all uniforms zero, for the widest vector units of this processor.
    pub fn wave_runner(&self) -> WaveRunner {
        WaveRunner {
            program: self.clone(),
            code: Code::of(HostLevel::best()).unwrap_or(Code::BASE),
            memory: Memory::new(&self.plan),
            stale: true,
            limits: Limits::default(),
            lanes: 0,
            begun: false,
            steps: 0,
            #[cfg(all(feature = "jit", target_arch = "x86_64"))]
            machine: self.machine.as_ref().map(|code| code.machine(&self.plan)),
        }
    }
}

impl WaveRunner {
    /// Uses other vector units, and no machine code; `false`, without effect, if this processor lacks them.
    pub fn set_level(&mut self, level: HostLevel) -> bool {
        let code = Code::of(level);
        self.code = code.unwrap_or(self.code);
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if code.is_some() {
            self.machine = None;
        }
        code.is_some()
    }

    /// Sets the limits of runs. [`Limits::lane_steps`] counts instructions of a lane since
    /// [`WaveRunner::start`].
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets units of a uniform file from `first` on. Other units keep their values; units that the program does not read
    /// are ignored.
    pub fn set_uniforms(&mut self, first: Reg, units: &[u32]) {
        self.stale = true;
        self.memory.set_uniforms(&self.program.plan, first, units);
    }

    /// Constant memory may have other contents from now on.
    pub fn set_constants_changed(&mut self) {
        self.stale = true;
    }

    /// Starts these lanes at the beginning of the program. All inputs are zero, and so is the result of a reduction.
    pub fn start(&mut self, lanes: Lanes) {
        (self.lanes, self.begun, self.steps) = (lanes, false, 0);
        self.memory.reduced = [0; WAVE];
        for load in &self.program.plan.inputs {
            set(&mut self.memory.chunks, load.to, &[0; WAVE]);
        }
    }

    /// Sets a unit of an input register in all lanes of the wave; one that the program does not read is ignored.
    pub fn set_input(&mut self, reg: Reg, values: &Words) {
        if let Some(to) = self.program.plan.input(reg) {
            set(&mut self.memory.chunks, to, values);
        }
    }

    /// Sets the result of the latest arrival at a barrier.
    pub fn set_reduced(&mut self, values: &Words) {
        self.memory.reduced = *values;
    }

    /// Runs the lanes until they arrive at a barrier or all have ended. `left` is the number of instructions that all
    /// lanes may still run; the run subtracts what it executed.
    ///
    /// # Errors
    /// `exec-divergent` if only some lanes come to an operation that needs all, or lanes disagree about a barrier;
    /// `limit-exceeded`; the errors of the environment.
    pub fn run(&mut self, environment: &mut dyn Environment, left: &mut u64) -> Result<Stop, Diagnostic> {
        if self.lanes == 0 {
            return Ok(Stop::Ended);
        }
        if self.stale {
            let mut lane = u64::MAX;
            self.task(Work::Uniforms, &mut lane, environment, left)?;
            self.stale = false;
        }
        let lanes = self.lanes.into();
        let work = match self.begun {
            true => Work::Rest { lanes },
            false => Work::Slab { lanes, first: 0, quads: false },
        };
        self.begun = true;
        let before = self.limits.lane_steps.saturating_sub(self.steps);
        let mut lane = before;
        let stopped = self.task(work, &mut lane, environment, left);
        self.steps += before - lane;
        match stopped? {
            Stopped::Ended => Ok(Stop::Ended),
            Stopped::Barrier(lanes, arrive) => self.arrival(lanes as Lanes, arrive).map(Stop::Barrier),
        }
    }

    fn task(
        &mut self,
        work: Work,
        lane: &mut u64,
        environment: &mut dyn Environment,
        left: &mut u64,
    ) -> Result<Stopped, Diagnostic> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        let parts = self.machine.as_mut().and_then(Machine::parts);
        #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
        let parts = None;
        let task = Task { work, budget: Budget { run: left, lane }, environment };
        let stopped = self.code.run(&self.program.plan, &mut self.memory, task, parts);
        stopped.map_err(|end| end.error(&self.limits))
    }

    /// The arrival of lanes, which agree about the barrier.
    fn arrival(&self, lanes: Lanes, arrive: Arrive<Operand>) -> Result<Arrival, Diagnostic> {
        let Arrive::Numbered { how, number, threads, vote } = arrive else {
            return Ok(Arrival::Everybody { lanes });
        };
        let [number, threads] = [number, threads].map(|operand| {
            let words = self.words(operand);
            let first = words[lanes.trailing_zeros() as usize % WAVE];
            let same = (0..).zip(words).all(|(lane, word)| lanes >> lane & 1 == 0 || word == first);
            same.then_some(first)
        });
        match (number, threads) {
            (Some(number), Some(threads)) => {
                let votes = votes(&self.words(vote)) & lanes;
                Ok(Arrival::Numbered { how, number, threads, lanes, votes })
            }
            _ => Err(End::Divergent.error(&self.limits)),
        }
    }

    fn words(&self, operand: Operand) -> Words {
        let mut words = [0; WAVE];
        for (half, to) in words.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            *to = self.memory.chunks[operand.chunk(half)].0;
        }
        words
    }
}

/// Sets a component in all lanes of a wave, which has the first chunks of a slab.
fn set(chunks: &mut [Chunk], to: Operand, values: &Words) {
    for (half, bits) in (0..HALVES).zip(values.as_chunks::<LANES>().0) {
        chunks[to.chunk(half)] = Chunk(*bits);
    }
}
