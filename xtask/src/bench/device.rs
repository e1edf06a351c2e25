//! Speed of the same programs, translated, on the first Vulkan device: lavapipe, if no other is installed.

use super::timing::all_seconds;
use crate::execute::pica200::arrays;
use crate::vertices::Work;
use shisa::pica200::{Options, Outputs};
use shisa::{File, Settings};
use shisa_translate::execute::{Device, Register, Resources};
use shisa_translate::{Form, Target};
use std::error::Error;
use std::time::Instant;

/// Vertices of a run: enough that its start takes a small part of it.
const VERTICES: usize = 1 << 16;
/// Runs before the host waits.
const TIMES: u32 = 16;

/// The figures of a program.
pub(super) struct Figures {
    /// Million vertices a second, with memory and without compilation.
    pub(super) speed: f64,
    /// Microseconds until the first run ends, less those of a run.
    pub(super) compilation: f64,
}

/// What is known about the device and its threads.
pub(super) fn describe(device: &Device) -> String {
    let set = |name: &str| std::env::var(name).unwrap_or_else(|_| "not set".into());
    format!(
        "{}; LP_NUM_THREADS is {} (1 for one thread), MESA_SHADER_CACHE_DISABLE is {} (1 to compile each time)",
        device.name(),
        set("LP_NUM_THREADS"),
        set("MESA_SHADER_CACHE_DISABLE")
    )
}

/// Measures a vertex program in the compute form of its WGSL.
pub(super) fn measure(device: &Device, work: &Work) -> Result<Figures, Box<dyn Error>> {
    let mut settings = Settings::new();
    settings.pica200.options = Options::emulators();
    settings.pica200.outputs = Outputs::Registers;
    let lowered = File::open(work.bytes(), &settings)?.program(1)?.lower()?;
    let options = shisa_translate::Options { form: Form::Compute, ..Default::default() };
    let code = lowered.translate(Target::Wgsl, &options)?;
    let uniforms = arrays(&lowered, work.uniforms());
    let batch = work.batch();
    let input = |io: &shisa::ir::Io, lane: usize| -> Register {
        let column = batch.inputs.iter().find(|column| column.reg == io.reg);
        let bits = column.and_then(|column| column.lane(lane % batch.lanes));
        bits.and_then(|bits| bits.try_into().ok()).unwrap_or_default()
    };
    let inputs: Vec<Vec<Register>> = (0..VERTICES)
        .map(|lane| lowered.interface.inputs.iter().map(|io| input(io, lane)).collect())
        .collect();
    let resources = Resources { uniforms: &uniforms, ..Resources::default() };
    let begun = Instant::now();
    let kernel = device.prepare(&code, resources, &inputs)?;
    kernel.run(1)?;
    let first = begun.elapsed().as_secs_f64();
    let seconds = all_seconds(&mut [&mut || drop(kernel.run(TIMES))])[0] / f64::from(TIMES);
    Ok(Figures { speed: VERTICES as f64 / seconds / 1e6, compilation: (first - seconds) * 1e6 })
}
