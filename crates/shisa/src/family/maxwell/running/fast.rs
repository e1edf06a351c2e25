//! Running a kernel on another engine than the evaluator.

use super::kernel::{KernelCode, special};
use super::launched::{KernelOutput, KernelRun};
use super::memory::Memory;
use crate::run::TraceSink;
use crate::{Result, Settings};
use shisa_engines::{Choice, Compute, Engine, Registers, Results, Start, alone};
use shisa_eval::{NoObserver, Wave};
use shisa_ir::{FloatModel, Reg};
use shisa_maxwell::{CLOCKS, SPECIALS, Sequencer, bundle};

/// A kernel for the engine of the settings, made once for any number of runs.
pub struct FastKernel(Compute);

impl KernelCode {
    /// Compiles the kernel.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub fn compile(&self, settings: &Settings) -> Result<FastKernel> {
        let lifted = self.lifted();
        let start = Start { sequencer: &Sequencer, entry: bundle::address(0), words: lifted.files };
        Ok(FastKernel(settings.choice().compute(lifted, start, FloatModel::F32, false)?))
    }

    /// Runs the kernel on the wanted engine, to which no other one falls back.
    ///
    /// # Errors
    /// `exec-unsupported` if the engine does not take it; those of [`super::KernelPlan::run`].
    pub(super) fn alone(&self, run: &KernelRun, choice: &Choice<'_>, settings: &Settings) -> Result<Results> {
        let limits = choice.limits.clone();
        let settings =
            Settings { engine: choice.wanted, precision: choice.precision, limits, ..settings.clone() };
        let output = match choice.wanted {
            Engine::Evaluator => {
                let plan = self.plan(&settings)?;
                plan.run(&mut plan.waves(), run, &mut NoObserver, &settings)?
            }
            _ => alone(|sink| self.compile(&settings)?.run(run, sink, &settings))?,
        };
        Ok(Results::of_memory(output.buffers))
    }
}

impl FastKernel {
    /// Runs the kernel; `None` if the evaluator must run it ([`super::KernelPlan::run`]), for the kernel, for this run, or for
    /// findings and a profile. `sink` receives notes that state why. The output counts no executed instructions.
    ///
    /// # Errors
    /// As [`super::KernelPlan::run`].
    pub fn run(
        &mut self,
        run: &KernelRun,
        sink: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Option<KernelOutput>> {
        if settings.maxwell.findings || settings.maxwell.profile {
            settings.choice().refuse("findings and profiles", sink);
            return Ok(None);
        }
        let dispatch = run.dispatch(&settings.limits)?;
        let mut memory = Memory::new(run, &settings.limits)?;
        let is_clock = |reg: Reg| CLOCKS.iter().any(|c| c.low == reg || c.high == Some(reg));
        let input = |reg: Reg, wave: &Wave| match u8::try_from(reg.unit) {
            Ok(number) if reg.file == SPECIALS && !is_clock(reg) => Some(special(number, wave, &run.launch)),
            _ => None,
        };
        let registers = Registers { uniforms: &[], input: &input };
        if !self.0.run(&dispatch, &registers, &mut memory, sink)? {
            return Ok(None);
        }
        let buffers = memory.buffers(&run.buffers);
        Ok(Some(KernelOutput { buffers, textures: memory.textures, ..KernelOutput::default() }))
    }
}
