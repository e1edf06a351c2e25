//! Programs of `agx/links` that run as compute.

use super::trial::Trial;
use super::{Fault, settings};
use crate::execute::Counts;
use shisa::agx::{ComputeProgram, ComputeRun};

pub(super) fn judge(trial: &Trial<'_>) -> Result<Counts, Fault> {
    let code = &trial.case.code;
    let program = ComputeProgram {
        code: code.clone(),
        main: (0, code.len()),
        stack: trial.case.stack,
        ..ComputeProgram::default()
    };
    let workgroup = trial.lowered.interface.workgroup;
    let run = ComputeRun {
        program,
        grid: [2 * workgroup[0], workgroup[1], workgroup[2]],
        workgroup,
        uniforms: trial.uniforms.clone(),
        buffers: vec![(0, trial.memory.clone())],
        ..ComputeRun::default()
    };
    let want = shisa::agx::run_compute(&run, &settings())?;
    let some = shisa::agx::run_compute(&ComputeRun { grid: workgroup, ..run }, &settings())?;
    let (_, memory) = trial.on_device(&[], |r| trial.device.compute(trial.output, r, [2, 1, 1]))?;
    let mut counts = Counts::default();
    trial.compare_memory(&some.buffers[0], &want.buffers[0], &memory, &mut counts)?;
    Ok(counts)
}
