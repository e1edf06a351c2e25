//! AGAL programs with their inputs: fragment programs in a fragment stage, vertex programs as kernels.

use super::{Counts, FILTERED, SINE};
use crate::opened::first;
use serde_json::Value;
use shisa::agal::{RunInput, RunOutput};
use shisa::eval::Format;
use shisa::ir::{Dim, Filter, Stage};
use shisa::{Lowered, RunOptions, Settings};
use shisa_conformance::numbers::{SENSITIVE, USUAL, within};
use shisa_translate::execute::{Device, Image, Lane, Register, Resources};
use shisa_translate::{Form, Options, Target};
use std::collections::BTreeSet;
use std::path::Path;

/// A program with its inputs and the evaluator's results.
pub(super) struct Case {
    lowered: Lowered,
    input: RunInput,
    expected: RunOutput,
    /// Components such as `oc 3.x` that small changes of rounding affect.
    sensitive: BTreeSet<String>,
}

impl Case {
    pub(super) fn read(base: &Path, path: &Path) -> Result<Case, String> {
        let (file, bytes, input) = given(base, path)?;
        let settings = Settings::default();
        let program = first(&bytes, &settings).map_err(|e| e.to_string())?;
        let expected = shisa::agal::run(&program, &input, RunOptions::new()).map_err(|e| e.to_string())?;
        let lowered = program.lower().map_err(|e| e.to_string())?;
        let list = file.get("sensitive").and_then(Value::as_array).into_iter().flatten();
        let sensitive = list.filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(Case { lowered, input, expected, sensitive })
    }

    /// Runs the translation, fragment programs in a fragment stage, and compares.
    pub(super) fn judge(&self, device: &Device, target: Target) -> Result<Counts, String> {
        let form = match self.lowered.interface.stage {
            Stage::Fragment => Form::Stage,
            _ => Form::Compute,
        };
        let uniforms = uniforms(&self.lowered, &self.input);
        let textures = textures(&self.lowered, &self.input)?;
        let options = Options { form, exact: true, ..Options::default() };
        let output = self.lowered.translate(target, &options);
        let output = output.map_err(|e| e.to_string())?;
        let resources = Resources { uniforms: &uniforms, textures: &textures, ..Resources::default() };
        let inputs = inputs(&self.lowered, &self.input);
        let lanes = match (form, self.input.grid) {
            (Form::Compute, _) => device.lanes(&output, resources, &inputs)?,
            (Form::Stage, Some(grid)) => device.pixels(&output, resources, grid.width as u32, &inputs)?,
            // Without a grid nothing changes between pixels: each lane is a quad of its own.
            (Form::Stage, None) => {
                let quad = |lane: &Vec<Register>| {
                    let four = vec![lane.clone(); 4];
                    let quad = device.pixels(&output, resources, 2, &four)?;
                    quad.into_iter().next().ok_or_else(|| "no pixel".to_owned())
                };
                inputs.iter().map(quad).collect::<Result<_, String>>()?
            }
        };
        self.compare(&lanes)
    }

    fn compare(&self, lanes: &[Lane]) -> Result<Counts, String> {
        let mut counts = Counts::default();
        let filtered = filtered(&self.lowered, &self.input);
        let sines = self.lowered.texts().iter().any(|t| t.starts_with("sin ") || t.starts_with("cos "));
        for (l, (lane, &killed)) in lanes.iter().zip(&self.expected.killed).enumerate() {
            if lane.killed != killed {
                return Err(format!("lane {l}: expected killed {killed}, got {}", lane.killed));
            }
            for (column, got) in self.expected.outputs.iter().zip(&lane.outputs).filter(|_| !killed) {
                let wanted = column.lanes.get(l).map_or(&[][..], |w| w);
                for ((want, &got), letter) in wanted.iter().zip(got).zip(["x", "y", "z", "w"]) {
                    let Some(want) = *want else { continue };
                    let component = format!("{} {l}.{letter}", column.name);
                    let (w, g) = (f32::from_bits(want), f32::from_bits(got));
                    let usual = if self.sensitive.contains(&component) { SENSITIVE } else { USUAL };
                    let apart = f64::from((w - g).abs());
                    let close = within(w, g, usual)
                        || filtered && apart <= FILTERED * f64::from(w.abs().max(1.0))
                        || sines && apart <= SINE;
                    // Languages leave non-finite values open.
                    if !close && w.is_finite() {
                        return Err(format!("{component}: the evaluator yields {w}, the device {g}"));
                    }
                    counts.components += 1;
                    counts.equal += usize::from(want == got);
                }
            }
        }
        Ok(counts)
    }
}

/// A file of `run`, the program that it names, and its inputs.
pub(super) fn given(base: &Path, path: &Path) -> Result<(Value, Vec<u8>, RunInput), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let program = file.get("program").and_then(Value::as_str).ok_or("no program")?;
    let bytes = std::fs::read(base.join(program)).map_err(|e| e.to_string())?;
    let input = RunInput::from_json(&text).map_err(|e| e.to_string())?;
    Ok((file, bytes, input))
}

/// Whether a texture is read through a linear filter.
pub(super) fn filtered(lowered: &Lowered, input: &RunInput) -> bool {
    textures(lowered, input).is_ok_and(|list| {
        list.iter().any(|t| t.sampler.filter == Filter::Linear || t.sampler.mip == Some(Filter::Linear))
    })
}

/// The input registers of each lane, in the order of the interface.
pub(super) fn inputs(lowered: &Lowered, input: &RunInput) -> Vec<Vec<Register>> {
    let lane = |l: usize| {
        let register = |io: &shisa::ir::Io| -> Register {
            if io.name == "iid" {
                return [(input.instance.get(l).copied().unwrap_or(0) as f32).to_bits(), 0, 0, 0];
            }
            let given = input.inputs.get(&*io.name).and_then(|lanes| lanes.get(l)).map_or(&[][..], |v| v);
            let fill = [0, 0, 0, 1f32.to_bits()];
            std::array::from_fn(|i| {
                given.get(i).copied().unwrap_or(if given.is_empty() { 0 } else { fill[i] })
            })
        };
        lowered.interface.inputs.iter().map(register).collect()
    };
    (0..input.lanes).map(lane).collect()
}

pub(super) fn uniforms(lowered: &Lowered, input: &RunInput) -> Vec<Vec<Register>> {
    let array = |u: &shisa::ir::UniformArray| {
        let value = |n: u16| input.constants.get(&format!("{}{n}", u.name)).copied().unwrap_or_default();
        (0..u.registers).map(value).collect()
    };
    lowered.interface.uniforms.iter().map(array).collect()
}

pub(super) fn textures(lowered: &Lowered, input: &RunInput) -> Result<Vec<Image>, String> {
    let prefix = if lowered.interface.stage == Stage::Vertex { "vs" } else { "fs" };
    let one = |t: &shisa::ir::Texture| {
        let given = input.textures.get(&format!("{prefix}{}", t.unit)).ok_or("a texture is missing")?;
        if given.format != Format::Rgba8 {
            return Err(format!("textures of {} are not uploaded", given.format.name()));
        }
        let texel = |p: &[u8]| std::array::from_fn(|i| f32::from(p.get(i).copied().unwrap_or(0)) / 255.0);
        let level = |faces: &Vec<Vec<u8>>| faces.iter().flat_map(|f| f.chunks(4)).map(texel).collect();
        let depth = if given.dim == Dim::Cube { 6 } else { 1 };
        Ok(Image {
            unit: t.unit,
            shape: given.dim.into(),
            size: [given.width as u32, given.height as u32, depth],
            levels: given.levels.iter().map(level).collect(),
            sampler: t.sampler.unwrap_or(given.sampler),
        })
    };
    lowered.interface.textures.iter().map(one).collect()
}
