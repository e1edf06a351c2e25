//! `maxwell/findings`: correct kernels, in whose runs nothing is found.

use super::kernels::{self, MadeKernel};
use super::{cuda, glsl_run};
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::Settings;
use shisa::maxwell::run_kernel;

/// Judges every case of `maxwell/cuda` and `maxwell/glsl-run`, and the kernels of [`kernels`]: runs of correct ones
/// report no access outside of memory, misaligned access, race, read of memory that nothing wrote, divergent barrier or
/// invalid handle, and runs of those with a fault report it.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    let settings = searching();
    for case in data.values("maxwell/cuda/cases.jsonl")? {
        tally.row(&name(&case), cuda::run(&case, &settings).and_then(|filled| nothing_in(&filled)));
    }
    for shader in data.values("maxwell/glsl/shaders.jsonl")? {
        let Some(input) = shader.get("run") else { continue };
        let filled = glsl_run::run(&shader, input, &settings);
        tally.row(&name(&shader), filled.and_then(|filled| nothing_in(&filled)));
    }
    own(tally);
    Ok(())
}

/// Judges the kernels that are made for tests.
fn own(tally: &mut Tally) {
    for kernel in kernels::all() {
        tally.row(&kernel.name, reported(&kernel).and_then(|codes| same(codes.is_empty(), &codes)));
    }
    for (kernel, code) in kernels::planted() {
        tally.row(&kernel.name, reported(&kernel).and_then(|codes| same(codes.contains(&code), &codes)));
    }
}

/// Settings with which runs look for faults that do not end them.
fn searching() -> Settings {
    let mut settings = Settings::default();
    settings.maxwell.findings = true;
    settings
}

fn name(case: &Value) -> String {
    case.get("name").and_then(Value::as_str).unwrap_or("?").to_owned()
}

/// The codes of what a run reports, whether or not it ends there.
fn reported(kernel: &MadeKernel) -> Result<Vec<&'static str>, String> {
    let code = kernel.code().map_err(|e| e.to_string())?;
    let run = MadeKernel::run(&code, &kernels::input());
    let found = run_kernel(&run, &searching()).map_or_else(|e| e.diagnostics, |output| output.findings);
    Ok(found.iter().map(|d| d.code).collect())
}

fn same(right: bool, codes: &[&str]) -> Result<(), String> {
    if right { Ok(()) } else { Err(format!("reported: {}", codes.join(", "))) }
}

/// Passed when a filled input has a list of findings, and it is empty.
fn nothing_in(filled: &Value) -> Result<(), String> {
    let found = filled.get("findings").and_then(Value::as_array).ok_or("the run has no list of findings")?;
    found.first().map_or(Ok(()), |finding| Err(format!("{} found, such as {finding}", found.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_reported_and_nothing_else() {
        let mut tally = Tally::default();
        own(&mut tally);
        assert_eq!(tally.failures(), [""; 0]);
        assert!(tally.total() > 90, "{}", tally.total());
    }
}
