//! PICA200 programs as kernels: outputs as registers and by their meaning, compared with the evaluator's `f32` model.

use super::Counts;
use serde_json::Value;
use shisa::ir::{Io, Stage, UniformArray};
use shisa::pica200::container::{Dvle, Shbin};
use shisa::pica200::outputs::{OutputMap, Semantic};
use shisa::pica200::upload::Uniforms;
use shisa::pica200::{Options as Choices, Outputs};
use shisa::pica200::{ShaderOutput, ShaderResult, ShaderSet};
use shisa::{File, Lowered, RunOptions, Settings};
use shisa_conformance::numbers::{USUAL, within};
use shisa_translate::execute::{Device, Register, Resources};
use shisa_translate::{Form, Options, Output, Target};
use std::fmt;
use std::path::Path;
use std::slice;

/// The relative change of inputs and constants that shows which results depend on rounding.
pub(super) const NUDGE: f32 = 1.0 / (1 << 20) as f32;
/// The allowed error of a component, as a multiple of the change's effect.
pub(super) const TIMES: f64 = 4.0;

/// A translation and its source.
struct Translated {
    lowered: Lowered,
    code: Output,
}

/// A set of a file of `run`: one program, uniforms, and vertices or primitives.
pub(super) struct Case {
    name: String,
    bytes: Vec<u8>,
    set: ShaderSet,
    dvle: Dvle,
    expected: ShaderOutput,
    /// The same results with inputs and constants changed up, and down.
    nudged: [ShaderOutput; 2],
    /// The runs in which every step is exact, so that every bit must be equal.
    exact: Vec<bool>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Case {
    pub(super) fn read(base: &Path, path: &Path) -> Result<Vec<Case>, String> {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let program = file.get("program").and_then(Value::as_str).ok_or("no program")?;
        let bytes = std::fs::read(base.join(program)).map_err(|e| e.to_string())?;
        let container = Shbin::read(&bytes, &settings().limits).map_err(|d| format!("{d:?}"))?;
        let sets = ShaderSet::from_json(&text).map_err(|e| e.to_string())?;
        let stated = file.get("sets").and_then(Value::as_array).into_iter().flatten();
        let case = |(mut set, stated): (ShaderSet, &Value)| {
            if set.keep_registers {
                // A translation begins each run with fresh state.
                set.runs.truncate(1);
            }
            let run = |set: &ShaderSet| {
                let outputs = File::open(&bytes, &settings())
                    .and_then(|file| file.program(1))
                    .and_then(|first| shisa::pica200::run(&first, slice::from_ref(set), RunOptions::new()));
                let mut outputs = outputs.map_err(|e| e.to_string())?;
                outputs.pop().ok_or_else(|| "no output".to_owned())
            };
            let dvle = container.programs.get(set.program).ok_or("no such program")?;
            Ok(Case {
                name: stated.get("set").and_then(Value::as_str).unwrap_or_default().to_owned(),
                dvle: dvle.clone(),
                expected: run(&set)?,
                nudged: [run(&nudged(&set, 1.0 + NUDGE))?, run(&nudged(&set, 1.0 - NUDGE))?],
                exact: exact(stated, set.runs.len()),
                bytes: bytes.clone(),
                set,
            })
        };
        sets.into_iter().zip(stated).map(case).collect()
    }

    /// Runs the translation with both kinds of outputs and compares: all lanes side by side, and if that fails, each
    /// lane among copies of itself, which is reported.
    ///
    /// llvmpipe (seen with Mesa 22.3, LLVM 15) lets a lane that left a loop see values of iterations that other lanes
    /// still execute: the same words yield correct results if lanes do not diverge.
    pub(super) fn judge(&self, device: &Device, target: Target) -> Result<Counts, String> {
        let mut counts = Counts::default();
        for outputs in [Outputs::Registers, Outputs::Meaning] {
            let mut settings = settings();
            settings.pica200.outputs = outputs;
            let program = File::open(&self.bytes, &settings).and_then(|f| f.program(self.set.program + 1));
            let lowered = program.and_then(|program| program.lower()).map_err(|e| e.to_string())?;
            let options = Options { form: Form::Compute, exact: true, ..Options::default() };
            let code = lowered.translate(target, &options).map_err(|e| e.to_string())?;
            let code = Translated { lowered, code };
            let all: Vec<usize> = (0..self.set.runs.len()).collect();
            let own = code.lowered.interface.uniforms.iter().any(|u| u.per_lane);
            let together = own || self.set.runs.iter().all(|r| r.constants.is_empty());
            let beside = match together {
                true => self.lanes(device, &code, &all),
                false => Err("lanes have constants of their own".into()),
            };
            let done = beside.or_else(|_| {
                counts.alone |= together;
                let mut alone = Counts::default();
                for &lane in &all {
                    alone += self.lanes(device, &code, &[lane; 4])?;
                }
                Ok::<_, String>(alone)
            });
            counts += done?;
        }
        Ok(counts)
    }

    /// Runs lanes side by side, with the constants of the first, and compares.
    fn lanes(&self, device: &Device, code: &Translated, lanes: &[usize]) -> Result<Counts, String> {
        let interface = &code.lowered.interface;
        let uniforms = arrays(&code.lowered, &self.uniforms(lanes.first().copied().unwrap_or(0)));
        let resources = Resources { uniforms: &uniforms, ..Resources::default() };
        let inputs: Vec<_> = lanes.iter().map(|&lane| self.inputs(&code.lowered, lane)).collect();
        let got: Vec<Vec<Register>> = match interface.geometry {
            None => {
                device.lanes(&code.code, resources, &inputs)?.into_iter().map(|lane| lane.outputs).collect()
            }
            Some(_) => {
                let lanes = device.primitives(&code.code, resources, &inputs)?;
                lanes.into_iter().map(|vertices| vertices.concat()).collect()
            }
        };
        let mut counts = Counts::default();
        for (&lane, got) in lanes.iter().zip(&got) {
            self.compare(&interface.outputs, lane, got, &mut counts)
                .map_err(|e| format!("run {lane} {e}"))?;
        }
        Ok(counts)
    }

    /// The uniforms, overridden by the constants of the program and of a run.
    fn uniforms(&self, run: usize) -> Uniforms {
        let mut uniforms = self.set.uniforms.clone();
        uniforms.load(&self.dvle, &settings().pica200.options);
        for (&n, &value) in self.set.runs.get(run).into_iter().flat_map(|r| &r.constants) {
            if let Some(slot) = uniforms.floats.get_mut(usize::from(n)) {
                *slot = value;
            }
        }
        uniforms
    }

    /// The inputs of a lane: its input registers, followed by its per-lane array.
    fn inputs(&self, lowered: &Lowered, lane: usize) -> Vec<Register> {
        let given = self.set.runs.get(lane).map(|r| &r.inputs);
        let input = |io: &Io| {
            let number = io.name.trim_start_matches('v').parse::<u8>().ok();
            given.zip(number).and_then(|(given, n)| given.get(&n)).copied().unwrap_or_default()
        };
        let mut registers: Vec<Register> = lowered.interface.inputs.iter().map(input).collect();
        for array in lowered.interface.uniforms.iter().filter(|u| u.per_lane) {
            registers.extend(self.uniforms(lane).floats.iter().take(usize::from(array.registers)));
        }
        registers
    }

    /// Compares the vertices that a lane output.
    fn compare(
        &self,
        outputs: &[Io],
        lane: usize,
        got: &[Register],
        counts: &mut Counts,
    ) -> Result<(), String> {
        let all = |output: &ShaderOutput| -> Vec<Register> {
            output.results.get(lane).map_or(Vec::new(), |r| self.emitted(outputs, r))
        };
        let (want, moved) = (all(&self.expected), self.nudged.each_ref().map(all));
        if want.len() != got.len() {
            let hangs = moved.iter().any(|m| m.len() != want.len());
            let message = format!("outputs {} registers, the device {}", want.len(), got.len());
            return if hangs { Ok(()) } else { Err(message) };
        }
        let exact = self.exact.get(lane).copied().unwrap_or_default();
        for (i, (want, got)) in want.iter().zip(got).enumerate() {
            let Some(io) = outputs.get(i % outputs.len().max(1)) else { continue };
            for c in 0..usize::from(io.count) {
                let at = |list: &Vec<Register>| list.get(i).map_or(f32::NAN, |r| f32::from_bits(r[c]));
                let (w, g) = (f32::from_bits(want[c]), f32::from_bits(got[c]));
                let equal = w == g || w.is_nan() && g.is_nan();
                // Languages may treat denormals as zero.
                let denormal = f64::from((w - g).abs()) < f64::from(f32::MIN_POSITIVE);
                let bound = moved.iter().map(|m| TIMES * f64::from((at(m) - w).abs())).fold(0.0, larger);
                let close = !exact && (within(w, g, USUAL) || f64::from((w - g).abs()) <= bound);
                // Languages leave non-finite values open, and the change may reach one.
                let open = !(exact || w.is_finite() && bound.is_finite());
                if !(equal || close || open || denormal) {
                    return Err(format!(
                        "{}.{}: the evaluator yields {w}, the device {g}",
                        io.name,
                        ["x", "y", "z", "w"][c]
                    ));
                }
                counts.components += 1;
                counts.equal += usize::from(equal);
            }
        }
        Ok(())
    }

    /// The registers that a run outputs, in the order of a translation's outputs: those of the vertex, or of the
    /// vertices of every triangle.
    fn emitted(&self, outputs: &[Io], result: &ShaderResult) -> Vec<Register> {
        let mut vertices: Vec<&[(u8, Register)]> = Vec::new();
        match self.dvle.stage() {
            Some(Stage::Geometry) => {
                for t in &result.triangles {
                    let [a, b, c] = t.vertices.each_ref().map(Vec::as_slice);
                    vertices.extend(if t.flipped { [b, a, c] } else { [a, b, c] });
                }
            }
            _ => vertices.push(&result.outputs),
        }
        vertices.iter().flat_map(|v| outputs.iter().map(|io| self.value(io, v))).collect()
    }

    /// An output of a vertex.
    fn value(&self, io: &Io, vertex: &[(u8, Register)]) -> Register {
        let mut registers = [[0; 4]; 16];
        for &(n, value) in vertex {
            registers[usize::from(n & 15)] = value;
        }
        match Semantic::ALL.into_iter().find(|s| s.name() == io.name) {
            Some(semantic) => {
                let [x, y, z, w] = OutputMap::of(&self.dvle).value(semantic, &registers);
                // Clip space goes from 0 to w.
                [x, y, if semantic == Semantic::Position { -z } else { z }, w].map(f32::to_bits)
            }
            None => registers[io.name.trim_start_matches('o').parse::<usize>().unwrap_or(0) & 15],
        }
    }
}

fn settings() -> Settings {
    let mut settings = Settings::new();
    settings.pica200.options = Choices::emulators();
    settings
}

/// The larger one; NaN counts as infinite.
fn larger(a: f64, b: f64) -> f64 {
    a.max(if b.is_nan() { f64::INFINITY } else { b })
}

/// The set with every input and constant times a factor.
fn nudged(set: &ShaderSet, factor: f32) -> ShaderSet {
    let mut set = set.clone();
    let runs = set.runs.iter_mut().flat_map(|r| r.inputs.values_mut().chain(r.constants.values_mut()));
    for bits in set.uniforms.floats.iter_mut().chain(runs).flatten() {
        *bits = (f32::from_bits(*bits) * factor).to_bits();
    }
    set
}

/// The runs that are exact throughout. Special functions are approximated even where their results are exact.
fn exact(stated: &Value, runs: usize) -> Vec<bool> {
    let flag = |name: &str| stated.get(name).and_then(Value::as_bool) == Some(true);
    let listed: Vec<u64> = stated
        .get("f24_exact_vertices")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .collect();
    let special = flag("uses_rcp_rsq_ex2_lg2");
    (0..runs as u64).map(|n| !special && (flag("f24_exact") || listed.contains(&n))).collect()
}

/// The uniform arrays of a translation.
pub(crate) fn arrays(lowered: &Lowered, uniforms: &Uniforms) -> Vec<Vec<Register>> {
    let array = |u: &UniformArray| match &*u.name {
        "c" => uniforms.floats.to_vec(),
        "i" => uniforms.integers.map(|v| v.map(u32::from)).to_vec(),
        _ => vec![[u32::from(uniforms.booleans), 0, 0, 0]],
    };
    lowered.interface.uniforms.iter().map(array).collect()
}
