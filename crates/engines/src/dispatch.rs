//! Dispatches on the batch engine.

use crate::Choice;
use crate::choice::Compiled;
use crate::codes::unsupported;
use crate::surroundings::Bound;
use shisa_diag::{Diagnostic, Limit, Limits, Severity};
use shisa_eval::{Arrived, Dispatch, Progress, Reduced, Wave, Workers, Workplace};
use shisa_exec::{Arrival, Floats, Program, Start, Stop, WaveRunner};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{FloatModel, Lifted, Reg, Sequencer, TexOp};
use shisa_run::TraceSink;

/// A compute program for the engine that takes it, with the memory of its waves, which later dispatches reuse.
pub struct Compute {
    compiled: Compiled,
    textures: Vec<TexOp>,
    runners: Vec<WaveRunner>,
    limits: Limits,
}

/// The values of registers in a dispatch.
pub struct Registers<'a> {
    /// Units of uniform registers, in [`Start::words`].
    pub uniforms: &'a [(Reg, Vec<u32>)],
    /// The values of a unit of an input register in a wave; `None` for one that only the evaluator has.
    pub input: &'a dyn Fn(Reg, &Wave) -> Option<Words>,
}

impl Choice<'_> {
    /// Compiles a lifted compute program for the wanted engine. `quads` states whether neighbouring lanes form quads ([`shisa_eval::Machine::set_quads`]): only the evaluator runs operations that
    /// depend on the other lanes of a quad.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub fn compute<S: Sequencer>(
        &self,
        lifted: &Lifted,
        start: Start<'_, S>,
        model: FloatModel,
        quads: bool,
    ) -> Result<Compute, Diagnostic> {
        let floats = Floats { model, precision: self.precision };
        let compiled = self.compile(|| {
            let program = Program::of_lifted(lifted.clone(), start, floats, self.limits)?;
            match quads && program.uses_quads() {
                true => Err(unsupported("derivatives of compute programs")),
                false => Ok(program),
            }
        })?;
        let textures = lifted.nodes.textures.clone();
        Ok(Compute { compiled, textures, runners: Vec::new(), limits: self.limits.clone() })
    }
}

impl Compute {
    /// Runs a dispatch. Returns whether all lanes ran to their end. If not, the evaluator must run it, with an environment as
    /// it was before: this one may have been written. `sink` receives a note for each engine that does not take the program
    /// or the dispatch.
    ///
    /// # Errors
    /// `limit-exceeded`; `internal-…` for a fault of shisa.
    pub fn run<E: Workplace>(
        &mut self,
        dispatch: &Dispatch,
        registers: &Registers<'_>,
        environment: &mut E,
        sink: &mut dyn TraceSink,
    ) -> Result<bool, Diagnostic> {
        let mut note =
            |reason: &Diagnostic| sink.note(Diagnostic { severity: Severity::Note, ..reason.clone() });
        self.compiled.refused.iter().for_each(&mut note);
        let Some(program) = &self.compiled.program else { return Ok(false) };
        if !Bound::new(environment).has_textures_of(&self.textures) {
            return Ok(false);
        }
        for runner in &mut self.runners {
            prepare(runner, registers);
        }
        let mut waves = Waves {
            program,
            registers,
            runners: &mut self.runners,
            limits: &self.limits,
            left: self.limits.run_steps,
        };
        match dispatch.run_waves(&mut waves, environment) {
            Ok(()) => Ok(true),
            Err(d) if d.code == "limit-exceeded" || d.code.starts_with("internal-") => Err(d),
            Err(d) => {
                // The evaluator states where an access is refused, or waves wait for others forever.
                if matches!(d.code, "exec-divergent" | "exec-unsupported") {
                    note(&d);
                }
                Ok(false)
            }
        }
    }
}

/// Sets the uniforms of a wave, whose constant memory may have changed, too.
fn prepare(runner: &mut WaveRunner, registers: &Registers<'_>) {
    runner.set_constants_changed();
    registers.uniforms.iter().for_each(|(first, units)| runner.set_uniforms(*first, units));
}

/// The refusal of a register that only the evaluator has.
fn changes(program: &Program, reg: Reg) -> Diagnostic {
    let file = program.files().get(usize::from(reg.file.0));
    let name: String = file.map(|f| f.name).into_iter().collect();
    unsupported(&format!("register {} of the file `{name}`, which changes while lanes run", reg.unit))
}

/// The waves of a workgroup on the batch engine.
struct Waves<'a> {
    program: &'a Program,
    registers: &'a Registers<'a>,
    runners: &'a mut Vec<WaveRunner>,
    limits: &'a Limits,
    /// The instructions that may still run.
    left: u64,
}

impl Waves<'_> {
    fn runner(&mut self, number: usize) -> Result<&mut WaveRunner, Diagnostic> {
        while self.runners.len() <= number {
            let bytes = self.program.working_set().saturating_mul(self.runners.len() + 1);
            self.limits.check(Limit::Memory, "bytes of the waves of a workgroup", bytes)?;
            let mut runner = self.program.wave_runner();
            runner.set_limits(self.limits.clone());
            prepare(&mut runner, self.registers);
            self.runners.push(runner);
        }
        let lacks = || Diagnostic::internal("internal-exec", format!("a workgroup lacks wave {number}"));
        self.runners.get_mut(number).ok_or_else(lacks)
    }
}

impl<E: Workplace> Workers<E> for Waves<'_> {
    fn start(&mut self, wave: &Wave) -> Result<(), Diagnostic> {
        let (program, input) = (self.program, self.registers.input);
        let runner = self.runner(wave.number as usize)?;
        runner.start(wave.lanes);
        for reg in program.inputs() {
            let values = input(reg, wave).ok_or_else(|| changes(program, reg))?;
            runner.set_input(reg, &values);
        }
        Ok(())
    }

    fn run(&mut self, number: usize, environment: &mut E) -> Result<Progress, Diagnostic> {
        let mut left = self.left;
        let stop = self.runner(number)?.run(&mut Bound::new(environment), &mut left);
        self.left = left;
        Ok(match stop? {
            Stop::Ended => Progress::Done,
            Stop::Barrier(Arrival::Everybody { lanes }) => Progress::Barrier(Arrived::everybody(lanes)),
            Stop::Barrier(Arrival::Numbered { how, number, threads, lanes, votes }) => {
                Progress::Barrier(Arrived::numbered(number, threads, how, lanes, votes)?)
            }
        })
    }

    fn set_reduced(&mut self, number: usize, reduced: Reduced) {
        if let Some(runner) = self.runners.get_mut(number) {
            runner.set_reduced(&reduced.plane().0);
        }
    }
}
