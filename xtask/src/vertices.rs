//! Speed of the evaluator on PICA200 vertex programs, compared with an emulator's engines.

use shisa::diag::Limits;
use shisa::eval::{Batch, Column, NoEnvironment, NoObserver, Program};
use shisa::ir::{Lifted, Reg};
use shisa::pica200::ShaderSet;
use shisa::pica200::container::Shbin;
use shisa::pica200::upload::Uniforms;
use shisa::pica200::{self, INPUTS, OUTPUTS, Options, Sequencer};
use std::error::Error;
use std::path::Path;

/// A program, and the speed that Azahar (a2d16d4) reaches on the vertices of [`Work`], in million vertices a second from
/// the load of attributes to the store of outputs. Both engines were measured elsewhere: in one process, pinned to one
/// thread of a Zen 5 processor, alternating.
pub(crate) struct Peer {
    pub(crate) program: &'static str,
    pub(crate) interpreter: f64,
    /// Compiled code for x86-64, without the time to compile it.
    pub(crate) jit: f64,
}

const fn peer(program: &'static str, interpreter: f64, jit: f64) -> Peer {
    Peer { program, interpreter, jit }
}

/// The programs that are measured.
pub(crate) const PEERS: &[Peer] = &[
    peer("real_lit_directional", 3.90, 21.1),
    peer("real_skin4", 2.87, 18.9),
    peer("real_skin_branch", 3.46, 20.2),
    peer("real_lit_points", 2.54, 13.3),
    peer("real_normal_quat", 3.86, 18.4),
    peer("real_texgen_sphere", 4.14, 19.3),
    peer("real_sprite_batch", 5.54, 26.8),
    peer("real_fog_exp2", 5.74, 27.6),
    peer("real_toon", 5.30, 24.5),
    peer("real_waves", 3.45, 10.3),
    peer("real_instances", 7.04, 35.0),
    peer("real_mandelbrot", 1.05, 2.76),
];

/// Vertices of a run.
pub(crate) const VERTICES: usize = 4096;

/// The default limits, without one on the steps of a run.
pub(crate) fn unlimited() -> Limits {
    Limits { run_steps: u64::MAX, ..Limits::default() }
}

/// A program with a batch of vertices: those of its conformance data, repeated.
pub(crate) struct Work {
    bytes: Vec<u8>,
    file: Shbin,
    uniforms: Uniforms,
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
            uniforms: uniforms.registers().to_vec(),
            outputs: outputs.map(|n| (Reg::new(OUTPUTS, 4 * n), 4)).collect(),
            ..Batch::default()
        };
        Ok(Work { bytes, file, uniforms, batch })
    }

    /// The program's instructions in terms of the IR: those that control can reach, as emulators take them.
    pub(crate) fn lifted(&self, options: &Options) -> Result<Lifted, Box<dyn Error>> {
        let program = self.file.program(0).ok_or("no program")?;
        Ok(pica200::lift_reachable(&program, options).map_err(shisa::Error::from)?)
    }

    /// The file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The uniforms.
    pub(crate) fn uniforms(&self) -> &Uniforms {
        &self.uniforms
    }

    /// The vertices, and what the evaluator takes besides.
    pub(crate) fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Calls `measure` with a closure that runs the batch once; also returns the words that a vertex executes on average.
    pub(crate) fn with<T>(
        &self,
        options: &Options,
        measure: impl FnOnce(&mut dyn FnMut()) -> T,
    ) -> Result<(T, f64), Box<dyn Error>> {
        let (limits, lifted) = (unlimited(), self.lifted(options)?);
        let plan = Program::with_model(&lifted, options.float_model(), &limits)?;
        let run = || self.batch.run(&plan, &Sequencer, &mut NoEnvironment, &mut NoObserver, &limits);
        let words = run()?.executed as f64 / VERTICES as f64;
        let measured = measure(&mut || {
            std::hint::black_box(run().ok());
        });
        Ok((measured, words))
    }
}
