//! Maxwell: kernels on the evaluator.

use super::dispatches::{TRACED, median, speed_of};
use super::{Figure, Inputs, plain};
use shisa::eval::{NoObserver, Trace};
use shisa::maxwell::KernelCode;
use std::error::Error;
use std::time::Instant;

pub(super) const NAMES: [&str; 3] = ["maxwell/run", "maxwell/run-traced", "maxwell/lift-plan"];

impl Inputs {
    /// Launches of compiled kernels. A launch is a whole dispatch: memory is allocated and filled, then all blocks
    /// run. Lifting and planning are done once for each kernel.
    pub(super) fn kernels(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.kernels.is_empty() {
            return Err("there are no kernels of Maxwell".into());
        }
        let [mut untraced, mut traced, mut plans] = [const { Vec::new() }; 3];
        for run in &self.kernels {
            let begun = Instant::now();
            let code = KernelCode::new(&run.kernel)?;
            let plan = code.plan(&self.settings)?;
            plans.push(begun.elapsed().as_secs_f64() * 1e6);
            let mut waves = plan.waves();
            untraced
                .push(speed_of(|| Ok(plan.run(&mut waves, run, &mut NoObserver, &self.settings)?.executed))?);
            let mut trace = Trace::new(TRACED);
            traced.push(speed_of(|| Ok(plan.run(&mut waves, run, &mut trace, &self.settings)?.executed))?);
        }
        let note = format!("launches of planned kernels, median of {}", self.kernels.len());
        let kept = format!("with a trace of the latest {TRACED} steps");
        let [untraced, traced, plan] = [untraced, traced, plans].map(median);
        Ok(vec![
            (untraced, "M-lane-instructions/s", note),
            (traced, "M-lane-instructions/s", kept),
            plain(plan, "µs/kernel"),
        ])
    }
}
