//! Comparisons of engines.

use crate::convert;
use crate::failure::Failure;
use crate::opened::Opened;
use serde::Deserialize;
use shisa::data::debug::{RECORDING_BYTES, captured};
use shisa::diag::Diagnostic;
use shisa_lockstep::{Compared, Native, lockstep};
use shisa_verbs::{Engine, Precision};
use wasm_bindgen::JsValue;

/// What is compared.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct LockstepOptions {
    /// The others are compared with the first.
    engines: Vec<Engine>,
    precision: Precision,
    /// Whether the values of all instructions are compared, where no output differs.
    values: bool,
}

impl Default for LockstepOptions {
    fn default() -> LockstepOptions {
        LockstepOptions {
            engines: vec![Engine::Evaluator, Engine::Batch],
            precision: Precision::default(),
            values: false,
        }
    }
}

/// Compares engines on the runs of an input, up to the first run in which one differs: what comes next has other inputs.
///
/// # Errors
/// `usage` for fewer than two engines; `debug-empty` if nothing runs; what the run and the comparison refuse.
pub(crate) fn compare(
    file: &Opened,
    number: usize,
    input: &str,
    options: &JsValue,
) -> Result<JsValue, Failure> {
    let LockstepOptions { engines, precision, values } = convert::options(options)?;
    let native = |engine: &Engine| Native { kind: engine.of_library(), precision: precision.of_library() };
    let engines: Vec<Native> = engines.iter().map(native).collect();
    let engines: Vec<&dyn shisa_lockstep::Engine> = engines.iter().map(|one| one as _).collect();
    let [reference, _, ..] = engines[..] else {
        return Err(Failure::usage("a comparison needs two engines"));
    };
    let program = file.program(number)?;
    let runs = captured(|trace| program.run_traced(input, trace)).map_err(|e| file.failed(e))?;
    if runs.is_empty() {
        return Err(Failure::of(Diagnostic::error("debug-empty", "nothing runs with this input")));
    }
    let mut lines = Vec::new();
    for (number, run) in (1..).zip(runs) {
        let session = run.session(RECORDING_BYTES);
        let limits = &file.settings().limits;
        let compared = lockstep(&session, &engines, values, limits).map_err(Failure::of)?;
        lines.extend(compared.iter().map(|one| {
            let mut line = one.json(reference.name(), &session);
            line["run"] = number.into();
            line
        }));
        if compared.iter().any(Compared::differs) {
            break;
        }
    }
    convert::object(&lines)
}
