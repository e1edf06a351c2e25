//! `cargo xtask execute`: translated programs on a graphics device, against the evaluator.

use crate::oracle::Tally;
use crate::oracle::numbers::within;
use crate::oracle::run::files;
use serde_json::Value;
use shisa::ir::{Dim, Stage};
use shisa::{Lowered, RunInput, RunOptions, Settings};
use shisa_translate::execute::{Device, Image, Lane, Register, Resources};
use shisa_translate::{Form, Options, SpirvVersion, Target};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Largest relative difference between the device and the evaluator, where languages permit error.
const BOUND: f64 = 1e-3;
/// Differences this small are errors of functions whose absolute error languages bound, such as sine.
const SMALL: f32 = 1e-4;

/// Run the translations of every program of agal/run on a graphics device and compare with the evaluator
#[derive(Debug, clap::Args)]
pub(crate) struct Execute {
    /// Programs whose names contain one of these; without any all
    names: Vec<String>,
    /// Where the data lies
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
}

impl Execute {
    /// Runs them; whether all are equal.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let device = Device::open()?;
        println!("device {}", device.name());
        let mut all = true;
        for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
            let mut tally = Tally::default();
            let mut exact = 0;
            for path in files(&self.dir.join("agal/run"), ".json")? {
                let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
                if self.names.is_empty() || self.names.iter().any(|n| name.contains(n.as_str())) {
                    let done = one(&device, &self.dir.join("agal"), &path, target);
                    exact += u64::from(done == Ok(true));
                    tally.row(name, done.map(drop));
                }
            }
            let (passed, total) = (tally.passed(), tally.total());
            println!("agal/run on the device as {} {passed}/{total}, {exact} bit for bit", target.name());
            tally.failures().iter().for_each(|f| println!("  {f}"));
            all &= passed == total && total > 0;
        }
        Ok(all)
    }
}

/// Whether all bits are equal; an error when a component is further away than languages permit.
fn one(device: &Device, base: &Path, path: &Path, target: Target) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let program = file.get("program").and_then(Value::as_str).ok_or("no program")?;
    let bytes = std::fs::read(base.join(program)).map_err(|e| e.to_string())?;
    let settings = Settings::default();
    let input = RunInput::from_json(&text).map_err(|e| e.to_string())?;
    let expected = shisa::run(&bytes, &input, RunOptions::default(), &settings).map_err(|e| e.to_string())?;
    let lowered = Lowered::new(&bytes, &settings).map_err(|e| e.to_string())?;
    // Without a grid nothing changes from pixel to pixel: each lane is a quad of its own.
    let samples = lowered.interface.stage == Stage::Fragment && !lowered.interface.textures.is_empty();
    let form = if input.grid.is_some() || samples { Form::Stage } else { Form::Compute };
    let options = Options { form, exact: true, ..Options::default() };
    let output = shisa::translate(&bytes, target, &options, &settings).map_err(|e| e.to_string())?;
    let uniforms = uniforms(&lowered, &input);
    let textures = textures(&lowered, &input)?;
    let resources = Resources { uniforms: &uniforms, textures: &textures };
    let inputs = inputs(&lowered, &input);
    let lanes = match input.grid {
        Some(grid) => device.pixels(&output, resources, grid.width as u32, &inputs)?,
        None if samples => {
            let quad = |lane: &Vec<Register>| {
                let quad = device.pixels(
                    &output,
                    resources,
                    2,
                    &[lane.clone(), lane.clone(), lane.clone(), lane.clone()],
                )?;
                quad.into_iter().next().ok_or_else(|| "no pixel".to_owned())
            };
            inputs.iter().map(quad).collect::<Result<_, String>>()?
        }
        None => device.lanes(&output, resources, &inputs)?,
    };
    compare(&lanes, &expected)
}

fn compare(lanes: &[Lane], expected: &shisa::RunOutput) -> Result<bool, String> {
    let mut exact = true;
    for (l, (lane, &killed)) in lanes.iter().zip(&expected.killed).enumerate() {
        if lane.killed != killed {
            return Err(format!("lane {l}: expected killed {killed}, got {}", lane.killed));
        }
        if killed {
            continue;
        }
        for (column, got) in expected.outputs.iter().zip(&lane.outputs) {
            let want = column.lanes.get(l).map_or(&[][..], |w| w);
            for (i, (want, &got)) in want.iter().zip(got).enumerate() {
                let Some(want) = *want else { continue };
                exact &= want == got;
                let (w, g) = (f32::from_bits(want), f32::from_bits(got));
                let close = within(w, g, BOUND) || (w - g).abs() <= SMALL || (w.is_nan() && g.is_nan());
                // What is not finite is left open by the languages.
                if !close && w.is_finite() {
                    return Err(format!("{} lane {l} component {i}: expected {w}, got {g}", column.name));
                }
            }
        }
    }
    Ok(exact)
}

/// The input registers of each lane, in the order of the interface.
fn inputs(lowered: &Lowered, input: &RunInput) -> Vec<Vec<Register>> {
    let lane = |l: usize| {
        let register = |io: &shisa::ir::Io| -> Register {
            if io.name == "iid" {
                return [(input.instance.get(l).copied().unwrap_or(0) as f32).to_bits(), 0, 0, 0];
            }
            let given = input.inputs.get(&io.name).and_then(|lanes| lanes.get(l)).map_or(&[][..], |v| v);
            let fill = [0, 0, 0, 1f32.to_bits()];
            std::array::from_fn(|i| {
                given.get(i).copied().unwrap_or(if given.is_empty() { 0 } else { fill[i] })
            })
        };
        lowered.interface.inputs.iter().map(register).collect()
    };
    (0..input.lanes).map(lane).collect()
}

fn uniforms(lowered: &Lowered, input: &RunInput) -> Vec<Vec<Register>> {
    let array = |u: &shisa::ir::UniformArray| {
        let value = |n: u16| input.constants.get(&format!("{}{n}", u.name)).copied().unwrap_or_default();
        (0..u.registers).map(value).collect()
    };
    lowered.interface.uniforms.iter().map(array).collect()
}

fn textures(lowered: &Lowered, input: &RunInput) -> Result<Vec<Image>, String> {
    let prefix = if lowered.interface.stage == Stage::Vertex { "vs" } else { "fs" };
    let one = |t: &shisa::ir::Texture| {
        let given = input.textures.get(&format!("{prefix}{}", t.unit)).ok_or("a texture is missing")?;
        let texel = |p: &[u8]| std::array::from_fn(|i| f32::from(p.get(i).copied().unwrap_or(0)) / 255.0);
        let level = |faces: &Vec<Vec<u8>>| faces.iter().flat_map(|f| f.chunks(4)).map(texel).collect();
        let depth = if given.dim == Dim::Cube { 6 } else { 1 };
        Ok(Image {
            unit: t.unit,
            dim: given.dim,
            size: [given.width as u32, given.height as u32, depth],
            levels: given.levels.iter().map(level).collect(),
            sampler: t.sampler.unwrap_or(given.sampler),
        })
    };
    lowered.interface.textures.iter().map(one).collect()
}
