//! Graphics shaders of uam on made-up inputs: pixels in a real fragment stage, all others as kernels.

use super::shaders::image;
use crate::execute::Counts;
use crate::execute::agx::Done;
use crate::execute::drawn::{Fault, compare};
use crate::execute::pairs::INTERPOLATION;
use crate::opened::first;
use serde_json::{Value, json};
use shisa::RunOptions;
use shisa::ir::{Binding, Interpolation, Io, Scalar, Stage, TextureAccess};
use shisa::{Lowered, Settings};
use shisa_run::{from_base64, to_base64};
use shisa_translate::execute::{Device, Image, Register, Resources, Triangle, passing};
use shisa_translate::{Form, Options, Output, Target};
use std::collections::BTreeMap;

/// Vertices that run: more than a warp has.
const VERTICES: u32 = 40;
/// Pixels that are compared. The target has twice as many columns and rows, and the triangle is half of it.
const SIZE: [usize; 2] = [12, 8];
const TARGET: [u32; 2] = [24, 16];
/// The depth of the triangle.
const DEPTH: f32 = 0.5;
/// 1 / w: its changes along x and y, and its value at the corner.
const DIVISOR: [f32; 3] = [0.01, -0.005, 0.6];
/// The relative change of the inputs of vertices whose effect is tolerated.
pub(super) const NUDGE: f32 = 1.0 / (1 << 20) as f32;
/// Smaller numbers count as equal.
const NOTHING: f32 = 1e-9;
/// Texels of a row, and rows, of textures.
const TEXELS: usize = 8;

/// A graphics shader.
pub(in crate::execute) struct Case {
    dksh: Vec<u8>,
}

/// A hash: the same result for the same `n`, without a pattern.
fn scattered(n: u32) -> u32 {
    let n = (n ^ 0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    let n = (n ^ n >> 13).wrapping_mul(0xc2b2_ae35);
    n ^ n >> 16
}

/// A float from -1 to 1.
pub(super) fn part(n: u32) -> f32 {
    scattered(n) as i32 as f32 / (1u32 << 31) as f32
}

pub(super) fn hexadecimal(words: &[u32]) -> String {
    words.iter().map(|w| format!("{w:08x}")).collect::<Vec<_>>().join(" ")
}

/// The words of a text of them.
pub(super) fn parsed(text: &str) -> Vec<u32> {
    text.split(' ').filter_map(|word| u32::from_str_radix(word, 16).ok()).collect()
}

/// What the program reads besides its inputs.
pub(super) struct World {
    banks: Vec<(u8, Vec<u32>)>,
    images: Vec<Image>,
    resources: Vec<Value>,
}

impl World {
    fn new(output: &Output) -> Result<World, String> {
        let mut banks = Vec::new();
        for memory in &output.reflection.memory {
            let Some(number) = memory.name.strip_prefix('c').and_then(|n| n.parse().ok()) else {
                return Err(format!("memory {} has no made-up contents", memory.name));
            };
            let word = |n: u32| match number {
                // The driver's bank holds handles and pointers.
                0 => 0,
                _ => (0.5 + 0.5 * part(n + 1000 * u32::from(number))).to_bits(),
            };
            banks.push((number, (0..memory.size.unwrap_or(0) / 4).map(word).collect()));
        }
        let (mut images, mut resources) = (Vec::new(), Vec::new());
        for t in &output.reflection.textures {
            let plain = t.access != TextureAccess::Written && t.texels == Scalar::F32;
            if !plain || !t.handle.starts_with("handle") || t.unit >= 32 {
                return Err(format!("texture {} has no made-up contents", t.name));
            }
            let shape = match t.shape.name() {
                "2d" => ("2d", 1, 1),
                "2d_array" => ("2da", 1, 2),
                "3d" => ("3d", TEXELS, 1),
                "cube" => ("cube", 1, 1),
                other => return Err(format!("textures of the shape {other} have no made-up contents")),
            };
            let (dim, depth, layers) = shape;
            let faces = if dim == "cube" { 6 } else { 1 };
            let count = (TEXELS * TEXELS * depth * layers * faces * 4) as u32;
            let texel = |n: u32| (0.5 + 0.5 * part(n + 70_000 * u32::from(t.unit))).to_le_bytes();
            let data: Vec<u8> = (0..count).flat_map(texel).collect();
            let mut resource = json!({
                "kind": "texture", "binding": t.unit, "dim": dim, "format": "rgba32f", "width": TEXELS,
                "height": TEXELS, "depth": depth, "layers": layers, "levels": 1, "filter": "nearest",
                "wrap": "repeat", "data": to_base64(&data),
            });
            if t.access == TextureAccess::Compared {
                resource["compare"] = "less".into();
            }
            images.push(image(&resource, t.unit.into(), &data)?);
            resources.push(resource);
        }
        Ok(World { banks, images, resources })
    }

    /// The input of the evaluator.
    fn input(&self, key: &str, given: Value) -> String {
        let bytes =
            |words: &[u32]| words.iter().map(|w| format!("{:08x}", w.swap_bytes())).collect::<String>();
        let constants: BTreeMap<String, String> =
            self.banks.iter().filter(|b| b.0 != 0).map(|(n, words)| (n.to_string(), bytes(words))).collect();
        json!({ key: given, "constants": constants, "resources": self.resources }).to_string()
    }

    pub(super) fn on_device(&self) -> Resources<'_> {
        Resources { banks: &self.banks, textures: &self.images, ..Resources::default() }
    }
}

impl Case {
    /// The shader of a line, if it is one of the stages that run. Control shaders have no kernels.
    pub(in crate::execute) fn read(shader: &Value) -> Option<Result<Case, String>> {
        let stage = shader.get("stage").and_then(Value::as_str)?;
        let dksh = shader.get("dksh").and_then(Value::as_str).and_then(from_base64);
        ["vert", "frag", "geom", "tese"]
            .contains(&stage)
            .then(|| dksh.ok_or("no dksh".to_owned()).map(|dksh| Case { dksh }))
    }

    /// A shader in a file.
    pub(in crate::execute) fn of(dksh: Vec<u8>) -> Case {
        Case { dksh }
    }

    /// Runs the translation and compares it with the evaluator.
    pub(in crate::execute) fn judge(&self, device: &Device, target: Target) -> Result<Done, String> {
        let settings = Settings::default();
        let refused = |e: shisa::Error| {
            let reason = e.diagnostics.first().map(|d| format!("{}: {}", d.code, d.message));
            Ok(Done::Refused(reason.unwrap_or_default()))
        };
        let lowered = match first(&self.dksh, &settings).and_then(|program| program.lower()) {
            Ok(lowered) => lowered,
            Err(e) => return refused(e),
        };
        let stage = lowered.interface.stage;
        let pixels = stage == Stage::Fragment;
        let form = if pixels { Form::Stage } else { Form::Compute };
        let options = Options { exact: true, form, ..Options::default() };
        let output = match lowered.translate(target, &options) {
            Ok(output) => output,
            Err(e) => return refused(e),
        };
        let samples = |io: &Io| {
            matches!(
                io.binding,
                Binding::SampleMask
                    | Binding::SampleIndex
                    | Binding::ClipDistance(_)
                    | Binding::Layer
                    | Binding::PrimitiveIndex
                    | Binding::PointCoordinate
            )
        };
        if pixels && lowered.interface.inputs.iter().chain(&lowered.interface.outputs).any(samples) {
            return Ok(Done::Refused("inputs or outputs that a triangle does not have".into()));
        }
        let world = match World::new(&output) {
            Ok(world) => world,
            Err(why) => return Ok(Done::Refused(why)),
        };
        let trial = Trial { case: self, lowered: &lowered, output: &output, world: &world, device };
        let done = match stage {
            Stage::Fragment => trial.pixels(),
            Stage::Geometry => trial.primitives(),
            Stage::TessellationEvaluation => trial.points(),
            _ => trial.vertices(),
        };
        match done {
            Ok(counts) => Ok(Done::Ran(counts)),
            // A comparison with a texture of one dimension is translated as one with two.
            Err(Fault::Evaluator(e)) if e.starts_with("texture-shape") => Ok(Done::Refused(e)),
            Err(Fault::Evaluator(e)) => Err(format!("the evaluator: {e}")),
            Err(Fault::Device(e)) => Err(e),
        }
    }
}

/// A program with its translation and environment.
pub(super) struct Trial<'a> {
    case: &'a Case,
    pub(super) lowered: &'a Lowered,
    pub(super) output: &'a Output,
    pub(super) world: &'a World,
    pub(super) device: &'a Device,
}

impl Trial<'_> {
    /// The evaluator's output.
    pub(super) fn run(&self, key: &str, given: Value) -> Result<Value, Fault> {
        let program = first(&self.case.dksh, &Settings::default())?;
        let mut filled = program.run_json(&self.world.input(key, given), RunOptions::default())?;
        Ok(filled[key].take())
    }

    fn vertices(&self) -> Result<Counts, Fault> {
        let inputs = &self.lowered.interface.inputs;
        let value = |io: &Io, vertex: u32, factor: f32| -> Register {
            std::array::from_fn(|c| match io.binding {
                Binding::VertexIndex => vertex % 8,
                Binding::InstanceIndex => vertex / 8,
                _ if io.scalar == Scalar::I32 => scattered(vertex * 64 + io.reg.unit as u32 + c as u32) % 4,
                _ => (2.0 * factor * part(vertex * 512 + io.reg.unit as u32 + c as u32)).to_bits(),
            })
        };
        let count = |io: &Io| usize::from(io.count);
        let all = |factor: f32| -> Vec<Vec<Register>> {
            (0..VERTICES).map(|v| inputs.iter().map(|io| value(io, v, factor)).collect()).collect()
        };
        let lanes = all(1.0);
        let given = |lane: &Vec<Register>| {
            let words = |(io, register): (&Io, &Register)| {
                (io.name.to_string(), Value::from(hexadecimal(&register[..count(io)])))
            };
            json!({ "in": inputs.iter().zip(lane).map(words).collect::<BTreeMap<_, _>>() })
        };
        let want = self.run("vertices", lanes.iter().map(given).collect())?;
        let near = [1.0 + NUDGE, 1.0 - NUDGE].map(all);
        let near = near.map(|lanes| self.run("vertices", lanes.iter().map(given).collect()));
        let [more, less] = near;
        let near = [more?, less?];
        let got = self.device.lanes(self.output, self.world.on_device(), &lanes)?;
        let mut counts = Counts::default();
        for (i, lane) in got.iter().enumerate() {
            for (io, got) in self.lowered.interface.outputs.iter().zip(&lane.outputs) {
                let words = |run: &Value| run[i]["out"][&*io.name].as_str().map(parsed).unwrap_or_default();
                let (want, near) = (words(&want), near.each_ref().map(words));
                for c in io.used.iter().map(usize::from) {
                    let at = |words: &Vec<u32>| words.get(c).copied().unwrap_or(0);
                    let place = || format!("{}.{c} of vertex {i}", io.name);
                    close(place, at(&want), &near.each_ref().map(at), got[c], &mut counts)?;
                }
            }
        }
        Ok(counts)
    }

    /// A varying at a point of the window: the attribute, which is divided by w only where perspective is.
    fn varying(&self, io: &Io, c: usize, [x, y]: [f32; 2], change: f32) -> f32 {
        let seed = 8 * (u32::from(io.reg.unit) + c as u32);
        let [dx, dy, at] = [part(seed) / 16.0, part(seed + 1) / 16.0, 1.5 * part(seed + 2)];
        let linear = (at + x * dx + y * dy) * (1.0 + change);
        match interpolation(io) {
            Interpolation::Flat => at,
            Interpolation::Linear => linear,
            Interpolation::Perspective => linear / divisor([x, y]),
        }
    }

    fn varyings(&self) -> impl Iterator<Item = &Io> {
        let inputs = self.lowered.interface.inputs.iter();
        inputs.filter(|io| matches!(io.binding, Binding::Location(_) | Binding::Varying { .. }))
    }

    /// The evaluator's pixels, for varyings that differ by a part.
    fn evaluated(&self, change: impl Fn(u32) -> f32) -> Result<Value, Fault> {
        let [width, height] = SIZE;
        let places: Vec<[f32; 2]> =
            (0..width * height).map(|i| [(i % width) as f32 + 0.5, (i / width) as f32 + 0.5]).collect();
        let mut each: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for io in self.varyings() {
            let words = |(n, at): (u32, &[f32; 2])| {
                let all = (0..usize::from(io.count)).map(|c| {
                    let change = change(n * 64 + u32::from(io.reg.unit) + c as u32);
                    self.varying(io, c, *at, change).to_bits()
                });
                hexadecimal(&all.collect::<Vec<_>>())
            };
            each.insert(io.name.to_string(), (0..).zip(&places).map(words).collect());
        }
        let position = |[x, y]: &[f32; 2]| hexadecimal(&[*x, *y, DEPTH, divisor([*x, *y])].map(f32::to_bits));
        each.insert("position".into(), places.iter().map(position).collect());
        self.run("pixels", json!({ "width": width, "height": height, "each": each }))
    }

    fn corners(&self) -> [Vec<Register>; 3] {
        let [width, height] = TARGET.map(|n| n as f32);
        [(0.0, 0.0, -1.0, 1.0), (0.0, height, -1.0, -1.0), (width, 0.0, 1.0, 1.0)].map(|(px, py, x, y)| {
            let w = 1.0 / divisor([px, py]);
            let mut corner = vec![[x * w, y * w, DEPTH * w, w].map(f32::to_bits)];
            corner.extend(self.varyings().map(|io| -> Register {
                let value = |c: usize| self.varying(io, c, [px, py], 0.0).to_bits();
                std::array::from_fn(|c| if c < usize::from(io.count) { value(c) } else { 0 })
            }));
            corner
        })
    }

    fn pixels(&self) -> Result<Counts, Fault> {
        let exact = self.evaluated(|_| 0.0)?;
        // Where values jump, some of these end up on the other side.
        let mut near = Vec::new();
        for part in [1.0, 0.37].map(|p| p * INTERPOLATION as f32) {
            let signed = |n: u32| if scattered(n) & 1 == 0 { part } else { -part };
            near.push(self.evaluated(|_| part)?);
            near.push(self.evaluated(|_| -part)?);
            near.push(self.evaluated(signed)?);
            near.push(self.evaluated(|n| -signed(n))?);
        }
        let vertex = passing(&self.output.reflection);
        let drawn = self.device.triangle(&Triangle {
            vertex: &vertex,
            fragment: self.output,
            resources: [Resources::default(), self.world.on_device()],
            corners: &self.corners(),
            size: TARGET,
            samples: 1,
            drawn: SIZE.map(|n| n as u32),
        })?;
        let mut counts = Counts::default();
        for i in 0..SIZE[0] * SIZE[1] {
            let (x, y) = (i % SIZE[0], i / SIZE[0]);
            let lane = &drawn.pixels[y * TARGET[0] as usize + x];
            let is_killed = |run: &Value| run["killed"][i].as_bool();
            let killed = is_killed(&exact);
            if near.iter().any(|n| is_killed(n) != killed) {
                continue;
            }
            if killed != Some(lane.killed) {
                let text = format!("pixel {x} {y}: killed is {killed:?}, on the device {}", lane.killed);
                return Err(text.into());
            }
            if lane.killed {
                continue;
            }
            let words =
                |run: &Value, io: &Io| run["out"][&*io.name][i].as_str().map(parsed).unwrap_or_default();
            for (io, got) in self.lowered.interface.outputs.iter().zip(&lane.outputs) {
                let (want, near): (Vec<u32>, Vec<Vec<u32>>) =
                    (words(&exact, io), near.iter().map(|n| words(n, io)).collect());
                for c in io.used.iter().map(usize::from) {
                    let at = |words: &Vec<u32>| words.get(c).copied().unwrap_or(0);
                    let others: Vec<u32> = near.iter().map(at).collect();
                    let place = || format!("{}.{c} of pixel {x} {y}", io.name);
                    close(place, at(&want), &others, got[c], &mut counts)?;
                }
            }
        }
        Ok(counts)
    }
}

/// As [`compare`], but numbers that are both next to nothing are equal.
pub(super) fn close(
    place: impl Fn() -> String,
    want: u32,
    near: &[u32],
    got: u32,
    counts: &mut Counts,
) -> Result<(), Fault> {
    if [want, got].iter().all(|bits| f32::from_bits(*bits).abs() < NOTHING) {
        counts.components += 1;
        counts.equal += usize::from(want == got);
        return Ok(());
    }
    compare(place, want, near, got, counts)
}

fn divisor([x, y]: [f32; 2]) -> f32 {
    let [dx, dy, at] = DIVISOR;
    at + x * dx + y * dy
}

fn interpolation(io: &Io) -> Interpolation {
    match io.binding {
        Binding::Varying { interpolation, .. } => interpolation,
        _ => Interpolation::Perspective,
    }
}
