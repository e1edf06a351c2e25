//! Maxwell: kernels on every engine.

use super::dispatches::{Fast, TRACED, median, speed_of};
use super::{Figure, Inputs, plain};
use shisa::data::NoTrace;
use shisa::eval::{NoObserver, Trace};
use shisa::maxwell::KernelCode;
use std::error::Error;
use std::time::Instant;

pub(super) const NAMES: [&str; 7] = [
    "maxwell/run",
    "maxwell/run-batch",
    "maxwell/run-code",
    "maxwell/run-traced",
    "maxwell/lift-plan",
    "maxwell/lift-compile",
    "maxwell/lift-code",
];

impl Inputs {
    /// Launches of compiled kernels. A launch is a whole dispatch: memory is allocated and filled, then all blocks
    /// run. Lifting and planning are done once for each kernel.
    pub(super) fn kernels(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.kernels.is_empty() {
            return Err("there are no kernels of Maxwell".into());
        }
        let [mut untraced, mut traced, mut plans] = [const { Vec::new() }; 3];
        let mut all_fast = Fast::all(&self.settings);
        for run in &self.kernels {
            let begun = Instant::now();
            let code = KernelCode::new(&run.kernel)?;
            let plan = code.plan(&self.settings)?;
            plans.push(begun.elapsed().as_secs_f64() * 1e6);
            let mut waves = plan.waves();
            let mut evaluate = || Ok(plan.run(&mut waves, run, &mut NoObserver, &self.settings)?.executed);
            let (executed, speed) = (evaluate()?, speed_of(&mut evaluate)?);
            untraced.push(speed);
            let mut before = speed;
            for fast in &mut all_fast {
                let begun = Instant::now();
                let mut compiled = KernelCode::new(&run.kernel)?.compile(&fast.settings)?;
                let compile = begun.elapsed().as_secs_f64() * 1e6;
                // What the engine runs in the time of so many instructions of the evaluator.
                if compiled.run(run, &mut NoTrace, &fast.settings)?.is_some() {
                    let own = speed_of(|| compiled.run(run, &mut NoTrace, &fast.settings).map(|_| executed))?;
                    fast.add(compile, [speed, before], own);
                    before = own;
                }
            }
            let mut trace = Trace::new(TRACED);
            traced.push(speed_of(|| Ok(plan.run(&mut waves, run, &mut trace, &self.settings)?.executed))?);
        }
        let note = format!("launches of planned kernels, median of {}", self.kernels.len());
        let kept = format!("with a trace of the latest {TRACED} steps");
        let [untraced, traced, plan] = [untraced, traced, plans].map(median);
        let [batch, code] = all_fast;
        Ok(vec![
            (untraced, "M-lane-instructions/s", note),
            batch.speed(),
            code.speed(),
            (traced, "M-lane-instructions/s", kept),
            plain(plan, "µs/kernel"),
            plain(median(batch.compile), "µs/kernel"),
            plain(median(code.compile), "µs/kernel"),
        ])
    }
}
