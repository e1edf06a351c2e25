//! Running a compute program on another engine than the evaluator.

use super::{ComputeCode, ComputeOutput, ComputePlan, ComputeRun, special};
use crate::run::TraceSink;
use crate::{Result, Settings};
use shisa_agx::{SPECIALS, Sequencer, UNIFORMS, WORD_FILES};
use shisa_engines::{Choice, Compute, Engine, Registers, Results, Start, alone};
use shisa_eval::{NoObserver, Wave};
use shisa_ir::{FloatModel, Reg, WAVE};

/// A compute program for the engine of the settings, made once for any number of runs.
pub struct FastCompute<'p> {
    plan: &'p ComputePlan<'p>,
    compute: Compute,
}

impl ComputeCode {
    /// Runs the program on the wanted engine, to which no other one falls back.
    ///
    /// # Errors
    /// `exec-unsupported` if the engine does not take it; those of [`ComputePlan::run`].
    pub(super) fn alone(
        &self,
        run: &ComputeRun,
        choice: &Choice<'_>,
        settings: &Settings,
    ) -> Result<Results> {
        let limits = choice.limits.clone();
        let settings =
            Settings { engine: choice.wanted, precision: choice.precision, limits, ..settings.clone() };
        let plan = self.plan(&settings)?;
        let output = match choice.wanted {
            Engine::Evaluator => plan.run(&mut plan.waves(), run, &mut NoObserver, &settings)?,
            _ => alone(|sink| plan.compile(&settings)?.run(run, sink, &settings))?,
        };
        Ok(Results::of_memory(output.buffers))
    }
}

impl ComputePlan<'_> {
    /// Compiles the program.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub fn compile(&self, settings: &Settings) -> Result<FastCompute<'_>> {
        let start = Start { sequencer: &Sequencer, entry: 0, words: WORD_FILES };
        let compute = settings.choice().compute(self.main.lifted(), start, FloatModel::F32, true)?;
        Ok(FastCompute { plan: self, compute })
    }
}

impl FastCompute<'_> {
    /// Runs the program; `None` if the evaluator must run it ([`ComputePlan::run`]). `sink` receives notes that state why. The
    /// evaluator runs the preamble. The output counts no executed instructions.
    ///
    /// # Errors
    /// As [`ComputePlan::run`].
    pub fn run(
        &mut self,
        run: &ComputeRun,
        sink: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Option<ComputeOutput>> {
        let (mut outside, uniforms) = self.plan.outside(run, settings)?;
        let words = uniforms.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let input = |reg: Reg, wave: &Wave| {
            (reg.file == SPECIALS).then(|| special(reg.unit, wave, run.grid).unwrap_or([0; WAVE]))
        };
        let registers = Registers { uniforms: &[(Reg::new(UNIFORMS, 0), words)], input: &input };
        let whole = self.compute.run(&run.dispatch(), &registers, &mut outside, sink)?;
        Ok(whole.then(|| outside.output(run, 0)))
    }
}
