//! Running programs on the exact evaluator.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "agx")]
mod agx;
#[cfg(feature = "pica200")]
mod pica200;
#[cfg(any(feature = "agal", feature = "agx", feature = "pica200"))]
mod trace;

#[cfg(feature = "agal")]
pub use agal::{OutputColumn, RunInput, RunOutput, TextureInput, run};
#[cfg(feature = "agx")]
pub use agx::{
    ComputeCode, ComputeOutput, ComputePlan, ComputeProgram, ComputeRun, DrawPixels, DrawVertex, Drawing,
    DrawnPixel, PixelOutput, Preamble, VertexOutput, from_base64, run_agx_json, run_compute,
};
#[cfg(feature = "pica200")]
pub use pica200::{
    ShaderEmit, ShaderOutput, ShaderRegister, ShaderResult, ShaderRun, ShaderSet, ShaderTriangle, run_shader,
};
#[cfg(any(feature = "agal", feature = "agx", feature = "pica200"))]
pub use trace::{TraceStep, TraceTexel, TraceWrite};

use crate::{Error, Isa, Result, Settings, identify};
use shisa_diag::Diagnostic;

/// How a program is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// The most instructions that the trace keeps (the latest ones); 0 for no trace.
    pub trace: usize,
}

/// Runs a program of any instruction set on inputs as JSON, and fills in what came out. The forms are those
/// of `docs/schema/agal-run.schema.json` for AGAL, `docs/schema/pica200-run.schema.json` for PICA200 shader
/// binaries and `docs/schema/agx-run.schema.json` for AGX.
///
/// # Errors
/// `run-input` when the text is no JSON of the program's form; what the container, the lift and the evaluator
/// say; `not-recognised`.
pub fn run_json(
    bytes: &[u8],
    input: &str,
    options: RunOptions,
    settings: &Settings,
) -> Result<serde_json::Value> {
    #[cfg(not(any(feature = "agal", feature = "agx", feature = "pica200")))]
    let _ = options;
    match identify::program_isa(bytes, settings)? {
        #[cfg(feature = "agal")]
        Isa::Agal => agal::filled(bytes, input, options, settings),
        #[cfg(feature = "pica200")]
        Isa::Pica200 => pica200::filled(bytes, input, options, settings),
        #[cfg(feature = "maxwell")]
        Isa::Maxwell => Err(identify::not_built("running Maxwell code")),
        #[cfg(feature = "agx")]
        Isa::Agx => agx::run_agx_json(bytes, input, options, settings),
    }
}

fn wrong(text: impl Into<String>) -> Error {
    Error::from(Diagnostic::error("run-input", text))
}
