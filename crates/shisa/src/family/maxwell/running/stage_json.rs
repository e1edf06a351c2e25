//! The inputs of programs of graphics stages as JSON.

use super::super::stages::GraphicsProgram;
use super::emitting::Components;
use super::keys::KEYS;
use super::launched::{KernelOutput, KernelRun};
use super::resources::{Bound, Resources};
use super::stage::{Lane, Ran, Samples, StageCode};
use super::values::{Given, Named, Names};
use crate::run::{TraceSink, set_executed, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_eval::Grid;
use shisa_maxwell::component::{DOMAIN, FRONT_FACING, INSTANCE, POSITION, PRIMITIVE, VERTEX};
use shisa_maxwell::launch::{Driver, Kernel, Launch};
use shisa_maxwell::primitives::{STREAMS, Stream};
use shisa_maxwell::{ATTRIBUTE_BYTES, Drawing, MOST_VERTICES, PixelOutput, ShaderStage, TARGETS};
use shisa_run::from_hex;
use std::collections::BTreeMap;

/// An input for a program of a graphics stage.
#[derive(Default, Deserialize)]
pub(super) struct Input {
    vertices: Option<Vec<Item>>,
    pixels: Option<Rectangles>,
    primitives: Option<Vec<Primitive>>,
    patches: Option<Vec<Patch>>,
    /// Banks of constants by number, in hexadecimal.
    #[serde(default)]
    constants: BTreeMap<u8, String>,
    #[serde(default)]
    resources: Resources,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default, rename = "in")]
    given: Named,
}

/// One rectangle of pixels, or several, which run one after the other.
#[derive(Deserialize)]
#[serde(untagged)]
enum Rectangles {
    One(Pixels),
    Several(Vec<Pixels>),
}

impl Rectangles {
    fn all(&self) -> &[Pixels] {
        match self {
            Rectangles::One(pixels) => std::slice::from_ref(pixels),
            Rectangles::Several(all) => all,
        }
    }
}

#[derive(Deserialize)]
struct Pixels {
    /// The column and the row of the first pixel.
    #[serde(default)]
    x: usize,
    #[serde(default)]
    y: usize,
    width: usize,
    height: usize,
    /// Whether each pixel is covered; the others are helper lanes. All of them without it.
    #[serde(default)]
    covered: Vec<bool>,
    /// The same for all pixels.
    #[serde(default, rename = "in")]
    given: Named,
    /// For each pixel, row by row.
    #[serde(default)]
    each: BTreeMap<String, Vec<Given>>,
    #[serde(default = "one")]
    coverage: u32,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
struct Primitive {
    vertices: Vec<Item>,
    #[serde(default, rename = "in")]
    given: Named,
}

#[derive(Deserialize)]
struct Patch {
    vertices: Vec<Item>,
    #[serde(default, rename = "in")]
    given: Named,
    #[serde(default)]
    patch: Named,
    /// Positions in the domain.
    #[serde(default)]
    points: Vec<[f32; 2]>,
}

/// The given components over others.
fn over(given: Components, others: impl IntoIterator<Item = (u16, u32)>) -> Components {
    let mut all: Components = others.into_iter().collect();
    all.extend(given);
    all
}

impl Input {
    /// Whether an input is for a program of a graphics stage.
    pub(super) fn is_drawn(json: &Value) -> bool {
        ["vertices", "pixels", "primitives", "patches"].iter().any(|key| json.get(key).is_some())
    }

    /// Reads a text.
    ///
    /// # Errors
    /// `run-input` if it has another form or an unknown key.
    pub(super) fn of_text(text: &str) -> Result<Input> {
        KEYS.check(text)?;
        serde_json::from_str(text).map_err(|e| wrong(e.to_string()))
    }

    /// The run of a program, without its lanes.
    pub(super) fn run(
        &self,
        mut kernel: Kernel,
        drawing: &Drawing,
        settings: &Settings,
    ) -> Result<KernelRun> {
        let driver = Driver::Deko3dStage(drawing.stage);
        let Bound { storage, buffers, textures } = self.resources.bind(&mut kernel, driver, settings)?;
        for (number, text) in &self.constants {
            let bytes = from_hex(text)
                .ok_or_else(|| wrong(format!("bank {number} of the constants is not hexadecimal")))?;
            kernel.banks.insert(*number, bytes);
        }
        // Attributes of a patch are in memory that its invocations share.
        let control = drawing.stage == ShaderStage::TessellationControl;
        Ok(KernelRun {
            launch: Launch {
                driver,
                grid: [1; 3],
                block: [1; 3],
                shared: if control { ATTRIBUTE_BYTES.into() } else { 0 },
                dynamic_shared: 0,
                local: kernel.local,
                stack: kernel.stack.unwrap_or(0),
                registers: kernel.registers,
                parameters: storage,
            },
            buffers,
            textures,
            kernel,
        })
    }

    /// Runs a program, and writes its outputs into the input.
    ///
    /// # Errors
    /// `run-input` for an input of another stage, names that do not exist and values of another form; what the lift and
    /// the evaluator refuse.
    pub(super) fn filled(
        &self,
        filled: &mut Value,
        program: &GraphicsProgram,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<()> {
        let drawing = program.drawing;
        let given = self.run(program.kernel.clone(), &drawing, settings)?;
        let code = StageCode::new(drawing, given.clone())?;
        let mut runs = Runs { code, names: Names::vertex(), patch: Names::patch(), settings };
        let output = match (drawing.stage, self) {
            (ShaderStage::Vertex, Input { vertices: Some(all), .. }) => runs.vertices(all, filled, trace)?,
            (ShaderStage::Fragment, Input { pixels: Some(pixels), .. }) => {
                runs.rectangles(pixels, filled, trace)?
            }
            (ShaderStage::Geometry, Input { primitives: Some(all), .. }) => {
                runs.primitives(all, filled, trace)?
            }
            (ShaderStage::TessellationControl, Input { patches: Some(all), .. }) => {
                runs.controls(all, filled, trace)?
            }
            (ShaderStage::TessellationEvaluation, Input { patches: Some(all), .. }) => {
                runs.evaluations(all, filled, trace)?
            }
            (stage, _) => {
                let needs = match stage {
                    ShaderStage::Vertex => "vertices",
                    ShaderStage::Fragment => "pixels",
                    ShaderStage::Geometry => "primitives",
                    _ => "patches",
                };
                return Err(wrong(format!("a {} program runs for {needs}", stage.name())));
            }
        };
        self.resources.fill(filled, &given, &output);
        if let Some(filled) = filled.as_object_mut() {
            set_executed(filled, output.executed);
        }
        Ok(())
    }
}

/// A program, and the names of what it reads and writes.
struct Runs<'a> {
    code: StageCode,
    names: Names,
    patch: Names,
    settings: &'a Settings,
}

impl Runs<'_> {
    fn vertices(
        &self,
        items: &[Item],
        filled: &mut Value,
        trace: &mut dyn TraceSink,
    ) -> Result<KernelOutput> {
        let lane = |(i, item): (u32, &Item)| {
            let vertex = over(self.names.all(&item.given)?, [(INSTANCE, 0), (VERTEX, i)]);
            Ok(Lane { vertices: vec![vertex], ..Lane::default() })
        };
        let lanes: Vec<Lane> = (0..).zip(items).map(lane).collect::<Result<_>>()?;
        let ran = self.code.vertices(&lanes, 1, trace, self.settings)?;
        put(filled, "vertices", ran.lanes.iter().map(|lane| self.names.text(lane)));
        Ok(ran.output)
    }

    fn rectangles(
        &mut self,
        rectangles: &Rectangles,
        filled: &mut Value,
        trace: &mut dyn TraceSink,
    ) -> Result<KernelOutput> {
        let filled = match filled.get_mut("pixels") {
            Some(Value::Array(all)) => all.as_mut_slice(),
            Some(one) => std::slice::from_mut(one),
            None => &mut [],
        };
        let mut output = self.code.untouched();
        for (pixels, filled) in rectangles.all().iter().zip(filled) {
            output = self.code.follow(self.pixels(pixels, filled, trace)?, &output);
        }
        Ok(output)
    }

    fn pixels(&self, pixels: &Pixels, filled: &mut Value, trace: &mut dyn TraceSink) -> Result<KernelOutput> {
        let Pixels { width, height, coverage, .. } = *pixels;
        if width == 0 || height == 0 {
            return Err(wrong("the width and the height of the pixels are at least 1"));
        }
        let count = width.saturating_mul(height);
        self.settings.limits.check(shisa_diag::Limit::Memory, "bytes of pixels", count.saturating_mul(64))?;
        let same = self.names.all(&pixels.given)?;
        let mut each = vec![Components::new(); count];
        for (name, values) in &pixels.each {
            if values.len() != count {
                let text = format!("{name} has {} values for {count} pixels", values.len());
                return Err(wrong(text));
            }
            for (pixel, value) in each.iter_mut().zip(values) {
                pixel.extend(self.names.components(name, value)?);
            }
        }
        if !pixels.covered.is_empty() && pixels.covered.len() != count {
            return Err(wrong(format!("covered has {} values for {count} pixels", pixels.covered.len())));
        }
        let lane = |(i, own): (usize, Components)| {
            let at = |start: usize, by: usize| ((start as f64 + by as f64 + 0.5) as f32).to_bits();
            let [x, y] = [at(pixels.x, i % width), at(pixels.y, i / width)];
            let position = (POSITION..).zip([x, y, 0, 1f32.to_bits()]);
            let mut pixel = over(same.clone(), position.chain([(FRONT_FACING, 1)]));
            pixel.extend(own);
            Lane { vertices: vec![pixel], ..Lane::default() }
        };
        let lanes: Vec<Lane> = each.into_iter().enumerate().map(lane).collect();
        let grid = Grid { width, height };
        let helpers = pixels.covered.iter().map(|covered| !covered).collect();
        let samples = Samples { coverage, helpers };
        let ran = self.code.pixels(&lanes, grid, samples, trace, self.settings)?;
        if let Some(pixels) = filled.as_object_mut() {
            pixels.insert("out".into(), drawn(&ran));
            pixels.insert("killed".into(), ran.killed.iter().map(|k| Value::from(*k)).collect());
        }
        Ok(ran.output)
    }

    /// The lanes of primitives, each run for as many times as the header states, and the vertices of a primitive.
    fn lanes(&self, primitives: &[Primitive], instances: u32) -> Result<(Vec<Lane>, u32)> {
        let vertices = primitives.first().map_or(0, |p| p.vertices.len());
        let mut lanes = Vec::new();
        for (i, primitive) in (0..).zip(primitives) {
            counted(primitive.vertices.len(), vertices)?;
            let given = over(self.names.all(&primitive.given)?, [(PRIMITIVE, i)]);
            let vertices = self.corners(&primitive.vertices, given)?;
            lanes.extend((0..instances).map(|invocation| Lane {
                vertices: vertices.clone(),
                invocation,
                ..Lane::default()
            }));
        }
        Ok((lanes, vertices as u32))
    }

    /// The vertices of a primitive or patch. What belongs to it as a whole is with the first one.
    fn corners(&self, items: &[Item], given: Components) -> Result<Vec<Components>> {
        let each = items.iter().map(|item| self.names.all(&item.given));
        let mut vertices = each.collect::<Result<Vec<_>>>()?;
        if let Some(first) = vertices.first_mut() {
            first.extend(given);
        }
        Ok(vertices)
    }

    fn primitives(
        &self,
        primitives: &[Primitive],
        filled: &mut Value,
        trace: &mut dyn TraceSink,
    ) -> Result<KernelOutput> {
        let instances = self.threads();
        let (lanes, vertices) = self.lanes(primitives, instances)?;
        let (lanes, output) = self.code.primitives(&lanes, vertices, trace, self.settings)?;
        let each = lanes.chunks(instances as usize).map(|runs| {
            let runs = runs.iter().map(|streams| self.emitted(&streams.all, streams.sound));
            runs.collect::<Value>()
        });
        put(filled, "primitives", each);
        Ok(output)
    }

    /// How many threads the header has for a primitive or patch.
    fn threads(&self) -> u32 {
        let stated = self.code.drawing.header.and_then(|h| h.get("ThreadsPerInputPrimitive"));
        stated.filter(|threads| *threads > 0).unwrap_or(1)
    }

    /// What a lane emitted.
    fn emitted(&self, streams: &[Stream<Components>; STREAMS], sound: bool) -> Value {
        let used = streams.iter().enumerate().filter(|(_, stream)| !stream.vertices.is_empty());
        let stream = |(number, stream): (usize, &Stream<Components>)| {
            let vertices: Value = stream.vertices.iter().map(|v| self.names.text(v)).collect();
            (number.to_string(), json!({ "vertices": vertices, "primitives": stream.primitives }))
        };
        let mut out = Map::from_iter([("streams".to_owned(), Value::Object(used.map(stream).collect()))]);
        if !sound {
            out.insert("damaged".into(), true.into());
        }
        Value::Object(out)
    }

    fn controls(
        &mut self,
        patches: &[Patch],
        filled: &mut Value,
        trace: &mut dyn TraceSink,
    ) -> Result<KernelOutput> {
        let (mut outs, mut output) = (Vec::new(), self.code.untouched());
        for (i, patch) in (0..).zip(patches) {
            counted(patch.vertices.len(), patch.vertices.len())?;
            let given = over(self.names.all(&patch.given)?, [(PRIMITIVE, i)]);
            let vertices = self.corners(&patch.vertices, given)?;
            let threads = self.threads().min(MOST_VERTICES.into());
            let lane = |invocation| Lane { vertices: vertices.clone(), invocation, ..Lane::default() };
            let lanes: Vec<Lane> = (0..threads).map(lane).collect();
            let (ran, stored) = self.code.patch(&lanes, patch.vertices.len() as u32, trace, self.settings)?;
            let each: Value = ran.lanes.iter().map(|lane| self.names.text(lane)).collect();
            let stored: Components = stored.into_iter().filter(|(_, bits)| *bits != 0).collect();
            outs.push(json!({ "vertices": each, "patch": self.patch.text(&stored) }));
            output = self.code.follow(ran.output, &output);
        }
        put(filled, "patches", outs.into_iter());
        Ok(output)
    }

    fn evaluations(
        &self,
        patches: &[Patch],
        filled: &mut Value,
        trace: &mut dyn TraceSink,
    ) -> Result<KernelOutput> {
        let corners = patches.first().map_or(0, |p| p.vertices.len());
        let mut lanes = Vec::new();
        for (i, patch) in (0..).zip(patches) {
            counted(patch.vertices.len(), corners)?;
            let given = over(self.names.all(&patch.given)?, [(PRIMITIVE, i)]);
            let vertices = self.corners(&patch.vertices, given)?;
            let own = self.patch.all(&patch.patch)?;
            for point in &patch.points {
                let mut vertices = vertices.clone();
                let first = vertices.first_mut().ok_or_else(|| wrong("a patch has no vertices"))?;
                first.extend(DOMAIN.zip(point.map(f32::to_bits)));
                lanes.push(Lane { vertices, patch: own.clone(), invocation: 0 });
            }
        }
        let ran = self.code.vertices(&lanes, corners as u32, trace, self.settings)?;
        let mut points = ran.lanes.iter().map(|lane| self.names.text(lane));
        let each = patches.iter().map(|patch| points.by_ref().take(patch.points.len()).collect::<Value>());
        put(filled, "patches", each.collect::<Vec<_>>().into_iter());
        Ok(ran.output)
    }
}

/// Refuses primitives or patches of too many vertices, or of different numbers of vertices.
fn counted(vertices: usize, first: usize) -> Result<()> {
    if vertices == 0 || vertices > usize::from(MOST_VERTICES) {
        let text = format!("{vertices} vertices; a primitive or patch has 1 to {MOST_VERTICES}");
        return Err(wrong(text));
    }
    if vertices != first {
        return Err(wrong(format!("{vertices} vertices after a first primitive or patch of {first}")));
    }
    Ok(())
}

/// Writes `out` of each element of a list.
fn put(filled: &mut Value, key: &str, outs: impl Iterator<Item = Value>) {
    let items = filled.get_mut(key).and_then(Value::as_array_mut);
    for (item, out) in items.into_iter().flatten().zip(outs) {
        if let Some(item) = item.as_object_mut() {
            item.insert("out".into(), out);
        }
    }
}

/// The outputs of pixels: for each render target, the mask of samples and depth the words of each pixel.
fn drawn(ran: &Ran) -> Value {
    let mut all = Map::new();
    let words = |units: &[u16]| -> Option<Value> {
        let has = |unit: &u16| ran.lanes.first().is_some_and(|lane| lane.contains_key(unit));
        let count = units.iter().rposition(has)? + 1;
        let word = |lane: &Components, unit: &u16| format!("{:08x}", lane.get(unit).copied().unwrap_or(0));
        let text = |lane: &Components| {
            Value::from(units.iter().take(count).map(|unit| word(lane, unit)).collect::<Vec<_>>().join(" "))
        };
        Some(ran.lanes.iter().map(text).collect())
    };
    for number in 0..TARGETS {
        let units = [0, 1, 2, 3].map(|component| PixelOutput::Target { number, component }.unit());
        all.extend(words(&units).map(|text| (format!("target{number}"), text)));
    }
    for (name, output) in [("sample_mask", PixelOutput::SampleMask), ("depth", PixelOutput::Depth)] {
        all.extend(words(&[output.unit()]).map(|text| (name.to_owned(), text)));
    }
    Value::Object(all)
}
