//! Speed of the evaluator on PICA200 vertex programs, compared with an emulator's interpreter.

use shisa::diag::Limits;
use shisa::eval::{Batch, Column, NoEnvironment, NoObserver, Program};
use shisa::ir::Reg;
use shisa::pica200::ShaderSet;
use shisa::pica200::container::Shbin;
use shisa::pica200::upload::Uniforms;
use shisa::pica200::{self, BOOLEANS, CONSTANTS, INPUTS, INTEGERS, OUTPUTS, Options, Sequencer};
use std::error::Error;
use std::path::Path;

/// Programs with the speed of Azahar's interpreter in million vertices a second (one thread of a Zen 5 processor).
pub(crate) const PROGRAMS: &[(&str, f64)] = &[
    ("real_lit_directional", 5.0),
    ("real_skin4", 3.3),
    ("real_skin_branch", 4.0),
    ("real_lit_points", 2.5),
    ("real_normal_quat", 4.6),
    ("real_texgen_sphere", 5.0),
    ("real_sprite_batch", 6.6),
    ("real_fog_exp2", 7.8),
    ("real_toon", 6.8),
    ("real_waves", 4.5),
    ("real_instances", 8.5),
    ("real_mandelbrot", 3.8),
];

/// Vertices of a run.
pub(crate) const VERTICES: usize = 4096;

/// A program with a batch of vertices: those of its conformance data, repeated.
pub(crate) struct Work {
    file: Shbin,
    batch: Batch,
}

impl Work {
    /// The work of a program by name; `dir` has `bin` and `run`.
    pub(crate) fn read(dir: &Path, name: &str) -> Result<Work, Box<dyn Error>> {
        let limits = Limits::default();
        let bytes = std::fs::read(dir.join(format!("bin/{name}.shbin")))?;
        let file = Shbin::read(&bytes, &limits).map_err(shisa::Error::from)?;
        let text = std::fs::read_to_string(dir.join(format!("run/{name}.json")))?;
        let sets = ShaderSet::from_json(&text)?;
        let set = sets.last().ok_or("no set")?;
        let dvle = file.programs.get(set.program).ok_or("no such program")?;
        let mut uniforms = set.uniforms.clone();
        uniforms.load(dvle, &Options::emulators());
        let inputs = (0..16u8).filter(|n| set.runs.iter().any(|r| r.inputs.contains_key(n))).map(|n| {
            let value = |lane: usize| {
                let run = set.runs.get(lane % set.runs.len().max(1));
                run.and_then(|r| r.inputs.get(&n)).copied().unwrap_or_default()
            };
            let bits = (0..VERTICES).flat_map(value).collect();
            Column { reg: Reg::new(INPUTS, 4 * u16::from(n)), units: 4, bits }
        });
        let outputs = (0..16u16).filter(|n| dvle.enabled_outputs() >> n & 1 != 0);
        let batch = Batch {
            entry: dvle.entry,
            lanes: VERTICES,
            inputs: inputs.collect(),
            uniforms: registers(&uniforms),
            outputs: outputs.map(|n| (Reg::new(OUTPUTS, 4 * n), 4)).collect(),
            ..Batch::default()
        };
        Ok(Work { file, batch })
    }

    /// Calls `measure` with a closure that runs the batch once.
    pub(crate) fn with<T>(
        &self,
        options: &Options,
        measure: impl FnOnce(&mut dyn FnMut()) -> T,
    ) -> Result<T, Box<dyn Error>> {
        let limits = Limits { run_steps: u64::MAX, ..Limits::default() };
        let program = self.file.program(0).ok_or("no program")?;
        let lifted = pica200::lift(&program, options).map_err(shisa::Error::from)?;
        let plan = Program::with_model(&lifted, options.float_model(), &limits)?;
        let run = || self.batch.run(&plan, &Sequencer, &mut NoEnvironment, &mut NoObserver, &limits);
        run()?;
        Ok(measure(&mut || {
            std::hint::black_box(run().ok());
        }))
    }
}

fn registers(uniforms: &Uniforms) -> Vec<(Reg, Vec<u32>)> {
    let integers = uniforms.integers.iter().flatten().map(|b| u32::from(*b)).collect();
    let booleans = (0..16).map(|n| u32::from(uniforms.booleans >> n & 1)).collect();
    vec![
        (Reg::new(CONSTANTS, 0), uniforms.floats.as_flattened().to_vec()),
        (Reg::new(INTEGERS, 0), integers),
        (Reg::new(BOOLEANS, 0), booleans),
    ]
}
