//! `cargo xtask execute`: translated programs on a graphics device, against the evaluator.

mod pairs;

use crate::oracle::Tally;
use crate::oracle::numbers::{SENSITIVE, USUAL, within};
use crate::oracle::run::files;
use pairs::Pair;
use serde_json::Value;
use shisa::eval::Format;
use shisa::ir::{Dim, Filter, Stage};
use shisa::{Lowered, RunInput, RunOptions, Settings};
use shisa_translate::execute::{Device, Image, Lane, Register, Resources};
use shisa_translate::{Bindings, Form, Options, SpirvVersion, Target, Texture};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Largest relative difference of a component whose texels come from a linear filter: devices weigh
/// texels with as few as 8 bits, here against the evaluator's exact weights.
const FILTERED: f64 = 1.0 / 256.0;
/// Largest absolute difference of a component behind `sin` or `cos` (languages permit 2^-11).
const SINE: f64 = 1.0 / 2048.0;

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
    /// Runs them; whether all are equal within the bounds. Without a device it says so and does nothing.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let device = match Device::open() {
            Ok(device) => device,
            Err(e) => {
                println!("agal/run on a device skipped: {e}");
                return Ok(true);
            }
        };
        println!(
            "device {}; bounds: {USUAL:e} relative, {SENSITIVE:e} where sensitive, {FILTERED:.1e} of the larger \
             of 1 and the value where a filter is linear, {SINE:.1e} absolute behind sines; of pairs twice what varyings off by {:.1e} of their largest value at a corner make of it",
            device.name(),
            pairs::INTERPOLATION,
        );
        let device = device.with_words(shisa_passthrough::module)?;
        let mut all = true;
        for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
            let mut tally = Tally::default();
            let (mut equal, mut components) = (0, 0);
            for path in files(&self.dir.join("agal/run"), ".json")? {
                let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
                if !self.wanted(name) {
                    continue;
                }
                let done = Case::read(&self.dir.join("agal"), &path).and_then(|c| c.judge(&device, target));
                if let Ok(counts) = &done {
                    components += counts.components;
                    equal += counts.equal;
                }
                tally.row(name, done.map(drop));
            }
            let (passed, total) = (tally.passed(), tally.total());
            println!(
                "agal/run as {} {passed}/{total}; {equal} of {components} components equal in every bit",
                target.name()
            );
            tally.failures().iter().for_each(|f| println!("  {f}"));
            all &= passed == total && total > 0;
            all &= self.pairs(&device, target)?;
        }
        Ok(all)
    }

    /// Draws a triangle with every vertex and fragment program of one name that go together.
    fn pairs(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let (mut tally, mut counts) = (Tally::default(), Counts::default());
        let base = self.dir.join("agal");
        for path in files(&base.join("run"), ".vert.json")? {
            let name = path.file_name().and_then(|s| s.to_str()).unwrap_or_default();
            let name = name.trim_end_matches(".vert.json");
            if !path.with_file_name(format!("{name}.frag.json")).exists() || !self.wanted(name) {
                continue;
            }
            let Some(pair) = Pair::read(&base, name).transpose() else { continue };
            let done = pair.and_then(|p| p.judge(device, target));
            if let Ok(one) = &done {
                counts.components += one.components;
                counts.equal += one.equal;
            }
            tally.row(name, done.map(drop));
        }
        let (passed, total) = (tally.passed(), tally.total());
        println!(
            "pairs as {} {passed}/{total}; {} of {} components equal in every bit",
            target.name(),
            counts.equal,
            counts.components
        );
        tally.failures().iter().for_each(|f| println!("  {f}"));
        Ok(passed == total)
    }

    fn wanted(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| name.contains(n.as_str()))
    }
}

/// Components compared, and those that are equal in every bit.
#[derive(Default)]
struct Counts {
    components: usize,
    equal: usize,
}

/// A program with its inputs and what the evaluator makes of them.
struct Case {
    bytes: Vec<u8>,
    lowered: Lowered,
    input: RunInput,
    expected: shisa::RunOutput,
    /// Components such as `oc 3.x` that small changes of rounding move.
    sensitive: BTreeSet<String>,
}

impl Case {
    fn read(base: &Path, path: &Path) -> Result<Case, String> {
        let (file, bytes, input) = given(base, path)?;
        let settings = Settings::default();
        let expected = shisa::run(&bytes, &input, RunOptions::default(), &settings);
        let expected = expected.map_err(|e| e.to_string())?;
        let lowered = Lowered::new(&bytes, &settings).map_err(|e| e.to_string())?;
        let list = file.get("sensitive").and_then(Value::as_array).into_iter().flatten();
        let sensitive = list.filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(Case { bytes, lowered, input, expected, sensitive })
    }

    /// Runs the translation, fragment programs in a fragment stage, and compares.
    fn judge(&self, device: &Device, target: Target) -> Result<Counts, String> {
        let form = match self.lowered.interface.stage {
            Stage::Fragment => Form::Stage,
            _ => Form::Compute,
        };
        let uniforms = uniforms(&self.lowered, &self.input);
        let mut textures = textures(&self.lowered, &self.input)?;
        let mut bindings = Bindings::default();
        if matches!(target, Target::Spirv(_)) {
            // wgpu numbers bindings anew, without gaps. Words that are handed over as they are must have
            // those numbers.
            bindings.first_texture = uniforms.len() as u32;
        }
        let options = Options { form, exact: true, bindings, ..Options::default() };
        let output = shisa::translate(&self.bytes, target, &options, &Settings::default());
        let mut output = output.map_err(|e| e.to_string())?;
        if matches!(target, Target::Spirv(_)) {
            fill_gaps(&mut output.reflection.textures, &mut textures, &bindings);
        }
        let resources = Resources { uniforms: &uniforms, textures: &textures };
        let inputs = inputs(&self.lowered, &self.input);
        let lanes = match (form, self.input.grid) {
            (Form::Compute, _) => device.lanes(&output, resources, &inputs)?,
            (Form::Stage, Some(grid)) => device.pixels(&output, resources, grid.width as u32, &inputs)?,
            // Without a grid nothing changes from pixel to pixel: each lane is a quad of its own.
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
                    let place = format!("{} {l}.{letter}", column.name);
                    let (w, g) = (f32::from_bits(want), f32::from_bits(got));
                    let usual = if self.sensitive.contains(&place) { SENSITIVE } else { USUAL };
                    let apart = f64::from((w - g).abs());
                    let close = within(w, g, usual)
                        || filtered && apart <= FILTERED * f64::from(w.abs().max(1.0))
                        || sines && apart <= SINE;
                    // Languages leave open what is not finite.
                    if !close && w.is_finite() {
                        return Err(format!("{place}: the evaluator gives {w}, the device {g}"));
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
fn given(base: &Path, path: &Path) -> Result<(Value, Vec<u8>, RunInput), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let program = file.get("program").and_then(Value::as_str).ok_or("no program")?;
    let bytes = std::fs::read(base.join(program)).map_err(|e| e.to_string())?;
    let input = RunInput::from_json(&text).map_err(|e| e.to_string())?;
    Ok((file, bytes, input))
}

/// Whether a texture is read through a linear filter.
fn filtered(lowered: &Lowered, input: &RunInput) -> bool {
    textures(lowered, input).is_ok_and(|list| {
        list.iter().any(|t| t.sampler.filter == Filter::Linear || t.sampler.mip == Some(Filter::Linear))
    })
}

/// Binds a texture to every unit below the highest, so that bindings have no gaps.
fn fill_gaps(slots: &mut Vec<Texture>, images: &mut Vec<Image>, bindings: &Bindings) {
    let (Some(slot), Some(image)) = (slots.last().cloned(), images.last().cloned()) else { return };
    for unit in 0..slot.unit {
        if slots.iter().all(|s| s.unit != unit) {
            let mut filler = Texture { unit, ..slot.clone() };
            filler.slot.binding = bindings.texture(unit);
            filler.sampler_binding = bindings.texture(unit) + 1;
            slots.push(filler);
            images.push(Image { unit, ..image.clone() });
        }
    }
    slots.sort_by_key(|s| s.unit);
}

/// The input registers of each lane, in the order of the interface.
fn inputs(lowered: &Lowered, input: &RunInput) -> Vec<Vec<Register>> {
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
        if given.format != Format::Rgba8 {
            return Err(format!("textures of {} are not uploaded", given.format.name()));
        }
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
