//! A dispatch of the evaluator on the batch engine.

use crate::Choice;
use crate::surroundings::Bound;
use shisa_diag::{Diagnostic, Severity};
use shisa_eval::{Arrived, Dispatch, Progress, Reduced, Wave, Workers, Workplace};
use shisa_exec::{Arrival, Floats, Program, Start, Stop, WaveRunner};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{FloatModel, Lifted, Reg, Sequencer, WAVE};
use shisa_run::TraceSink;

/// A lifted compute program, and the values of its registers.
pub struct Compute<'a, S> {
    /// The program.
    pub lifted: &'a Lifted,
    /// How lanes run it.
    pub start: Start<'a, S>,
    /// The model of its floats.
    pub model: FloatModel,
    /// Units of uniform registers, in [`Start::words`].
    pub uniforms: &'a [(Reg, Vec<u32>)],
    /// The values of a unit of an input register in a wave; `None` for one that only the evaluator has.
    pub input: &'a dyn Fn(Reg, &Wave) -> Option<Words>,
}

impl Choice<'_> {
    /// Runs a dispatch on the batch engine, if that or machine code is wanted, and it takes the program. Otherwise the
    /// evaluator must run it, with an environment as it was before: this one may have been written. `sink` receives a
    /// note that states why.
    ///
    /// Returns whether all lanes ran to their end.
    ///
    /// # Errors
    /// `limit-exceeded`; `internal-…` for a fault of shisa.
    pub fn dispatch<S: Sequencer, E: Workplace>(
        &self,
        dispatch: &Dispatch,
        compute: Compute<'_, S>,
        environment: &mut E,
        sink: &mut dyn TraceSink,
    ) -> Result<bool, Diagnostic> {
        if self.wanted == crate::Engine::Evaluator {
            return Ok(false);
        }
        if sink.needs_steps() {
            self.refuse("traces", sink);
            return Ok(false);
        }
        let Compute { lifted, start, model, uniforms, input } = compute;
        let make = || {
            let floats = Floats { model, precision: self.precision };
            let program = Program::of_lifted(lifted.clone(), start, floats, self.limits)?;
            check(&program, dispatch, input)?;
            Ok(program)
        };
        let compiled = self.compile(make)?;
        for reason in compiled.refused {
            sink.note(Diagnostic { severity: Severity::Note, ..reason });
        }
        let Some(program) = compiled.program else { return Ok(false) };
        if !Bound::new(environment).has_textures_of(lifted) {
            return Ok(false);
        }
        let left = self.limits.run_steps;
        let mut waves = Waves { choice: self, program, uniforms, input, runners: Vec::new(), left };
        match dispatch.run_waves(&mut waves, environment) {
            Ok(()) => Ok(true),
            Err(d) if d.code == "limit-exceeded" || d.code.starts_with("internal-") => Err(d),
            Err(d) => {
                // The evaluator states where an access is refused, or waves wait for others forever.
                if d.code == "exec-divergent" {
                    sink.note(Diagnostic { severity: Severity::Note, ..d });
                }
                Ok(false)
            }
        }
    }
}

/// Checks that all inputs of a program are known.
fn check(
    program: &Program,
    dispatch: &Dispatch,
    input: &dyn Fn(Reg, &Wave) -> Option<Words>,
) -> Result<(), Diagnostic> {
    let wave = Wave { group: [0; 3], number: 0, size: dispatch.workgroup, lanes: 0 };
    match program.inputs().find(|reg| input(*reg, &wave).is_none()) {
        None => Ok(()),
        Some(reg) => {
            let name: String =
                program.files().get(usize::from(reg.file.0)).map(|f| f.name).into_iter().collect();
            let text = format!(
                "the batch engine does not support register {} of the file `{name}`, which changes while lanes run",
                reg.unit
            );
            Err(Diagnostic::error("exec-unsupported", text)
                .help("use the evaluator, which runs every program"))
        }
    }
}

/// The waves of a workgroup on the batch engine.
struct Waves<'a> {
    choice: &'a Choice<'a>,
    program: Program,
    uniforms: &'a [(Reg, Vec<u32>)],
    input: &'a dyn Fn(Reg, &Wave) -> Option<Words>,
    runners: Vec<WaveRunner>,
    /// The instructions that may still run.
    left: u64,
}

impl Waves<'_> {
    fn runner(&mut self, number: usize) -> Result<&mut WaveRunner, Diagnostic> {
        while self.runners.len() <= number {
            let mut runner = self.program.wave_runner();
            runner.set_limits(self.choice.limits.clone());
            self.uniforms.iter().for_each(|(first, units)| runner.set_uniforms(*first, units));
            self.runners.push(runner);
        }
        let lacks = || Diagnostic::internal("internal-exec", format!("a workgroup lacks wave {number}"));
        self.runners.get_mut(number).ok_or_else(lacks)
    }
}

impl<E: Workplace> Workers<E> for Waves<'_> {
    fn start(&mut self, wave: &Wave) -> Result<(), Diagnostic> {
        let (program, input) = (self.program.clone(), self.input);
        let runner = self.runner(wave.number as usize)?;
        runner.start(wave.lanes);
        for reg in program.inputs() {
            runner.set_input(reg, &input(reg, wave).unwrap_or([0; WAVE]));
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
