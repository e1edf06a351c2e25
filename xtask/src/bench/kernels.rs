//! Maxwell: kernels on the evaluator.

use super::dispatches::{Batch, TRACED, fast, median, speed_of};
use super::{Figure, Inputs, plain};
use shisa::data::NoTrace;
use shisa::eval::{NoObserver, Trace};
use shisa::maxwell::KernelCode;
use std::error::Error;
use std::time::Instant;

pub(super) const NAMES: [&str; 5] =
    ["maxwell/run", "maxwell/run-batch", "maxwell/run-traced", "maxwell/lift-plan", "maxwell/lift-compile"];

impl Inputs {
    /// Launches of compiled kernels. A launch is a whole dispatch: memory is allocated and filled, then all blocks
    /// run. Lifting and planning are done once for each kernel.
    pub(super) fn kernels(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.kernels.is_empty() {
            return Err("there are no kernels of Maxwell".into());
        }
        let [mut untraced, mut traced, mut plans] = [const { Vec::new() }; 3];
        let mut batch = Batch::default();
        let fast = fast(&self.settings);
        for run in &self.kernels {
            let begun = Instant::now();
            let code = KernelCode::new(&run.kernel)?;
            let plan = code.plan(&self.settings)?;
            plans.push(begun.elapsed().as_secs_f64() * 1e6);
            let mut waves = plan.waves();
            let mut evaluate = || Ok(plan.run(&mut waves, run, &mut NoObserver, &self.settings)?.executed);
            let (executed, speed) = (evaluate()?, speed_of(&mut evaluate)?);
            untraced.push(speed);
            let begun = Instant::now();
            let mut compiled = KernelCode::new(&run.kernel)?.compile(&fast)?;
            let compile = begun.elapsed().as_secs_f64() * 1e6;
            // What the batch engine runs in the time of so many instructions of the evaluator.
            if compiled.run(run, &mut NoTrace, &fast)?.is_some() {
                let run = || compiled.run(run, &mut NoTrace, &fast).map(|_| executed);
                batch.add(compile, speed, speed_of(run)?);
            }
            let mut trace = Trace::new(TRACED);
            traced.push(speed_of(|| Ok(plan.run(&mut waves, run, &mut trace, &self.settings)?.executed))?);
        }
        let note = format!("launches of planned kernels, median of {}", self.kernels.len());
        let kept = format!("with a trace of the latest {TRACED} steps");
        let [untraced, traced, plan] = [untraced, traced, plans].map(median);
        Ok(vec![
            (untraced, "M-lane-instructions/s", note),
            batch.speed(),
            (traced, "M-lane-instructions/s", kept),
            plain(plan, "µs/kernel"),
            plain(median(batch.compile), "µs/kernel"),
        ])
    }
}
