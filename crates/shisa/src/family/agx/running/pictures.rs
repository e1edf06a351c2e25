//! AGX programs as pictures run them.

use super::Drawing;
use super::colors::Colors;
use super::draw::{lift, read, written};
use super::lines::{lines, name};
use super::outside::Outside;
use crate::{Result, Settings};
use shisa_agx::{REGISTERS, SPECIALS, Sequencer, UNIFORMS, VARYINGS};
use shisa_debug::Captured;
use shisa_eval::Plane;
use shisa_ir::{Binding, FloatModel, Io, Lifted, Mask, Name, Op, Reg, Scalar, Shape, Stage};
use shisa_pictures::{
    Around, Code, Constant, Counts, Image, Lanes, Ran, Result as Done, Shader, Slot, no_texture, wrong,
};
use std::collections::{BTreeMap, BTreeSet};

/// The special registers of pixels with one sample: the logarithm of their number, and masks of them.
const ONE_SAMPLE: [(u16, u32); 4] = [(14, 0), (60, 1), (63, 1), (124, 1)];
/// Column and row of a pixel.
const PIXEL: Reg = Reg::new(SPECIALS, 80);
/// The lane's number in its wave.
const LANE: Reg = Reg::new(SPECIALS, 52);
/// The registers with the numbers of the vertex and of the instance, in 16-bit halves.
const VERTEX: u16 = 10;
const INSTANCE: u16 = 12;
/// Bytes of a uniform.
const WORD: usize = 4;

/// Registers that all lanes share: the first unit, and the bits of the units.
type Uniforms = Vec<(Reg, Vec<u32>)>;

/// A program that draws, with its uniforms and textures.
pub(super) struct AgxShader {
    stage: Stage,
    code: Code<Sequencer>,
    drawing: Drawing,
    /// The outputs: of a fragment program the colours in the tile.
    outputs: Vec<Io>,
    colors: Colors,
    /// The 32-bit uniforms that instructions name, and those that have been set.
    used: BTreeSet<usize>,
    set: BTreeSet<usize>,
    textures: BTreeMap<u16, Shape>,
    settings: Settings,
}

impl AgxShader {
    /// Prepares a program.
    pub(super) fn new(drawing: Drawing, stage: Stage, settings: &Settings) -> Result<AgxShader> {
        let lifted = lift(&drawing.code, stage, settings)?;
        let vertex = stage == Stage::Vertex;
        let colors = if vertex { Colors::default() } else { Colors::of(&drawing.code)? };
        let (inputs, ports, outputs) = match vertex {
            true => {
                let outputs = vertex_outputs(&lifted);
                (vertex_inputs(), outputs.clone(), outputs)
            }
            false => (pixel_inputs(&lifted), colors.registers(), colors.outputs()),
        };
        let used = uniforms(&lifted);
        let first = 2 * drawing.preamble.first;
        let constants = first / WORD..(first + drawing.preamble.constants.len()).div_ceil(WORD);
        let given = 0..drawing.uniforms.len().div_ceil(WORD);
        let set = used.iter().copied().filter(|n| given.contains(n) || constants.contains(n)).collect();
        let textures = lifted.nodes.textures.iter().filter_map(|t| Some((t.unit()?, t.shape))).collect();
        let code = Code::new(lifted, (Sequencer, 0), FloatModel::F32, (inputs, ports), &settings.limits)?;
        let code = code.listed(name, lines(&drawing.code, settings));
        Ok(AgxShader {
            stage,
            code,
            drawing,
            outputs,
            colors,
            used,
            set,
            textures,
            settings: settings.clone(),
        })
    }

    /// The memory and the registers that all lanes share.
    fn outside(&self, lanes: &Lanes<'_>) -> Done<(Outside, Uniforms)> {
        let vertex = self.stage == Stage::Vertex;
        let vertices = if vertex { lanes.count } else { 0 };
        let mut outside = self.drawing.outside(vertices, &self.settings).map_err(|e| e.diagnostics)?;
        let registers = self.drawing.registers(&mut outside, &self.settings).map_err(|e| e.diagnostics)?;
        let mut uniforms = vec![(Reg::new(UNIFORMS, 0), registers)];
        if !vertex {
            uniforms.extend(ONE_SAMPLE.map(|(number, bits)| (Reg::new(SPECIALS, number), vec![bits])));
        }
        Ok((outside, uniforms))
    }
}

/// The numbers of a vertex and its instance, which registers hold in halves.
fn vertex_inputs() -> Vec<Io> {
    let half = |name: &'static str, unit: u16, binding: Binding| Io {
        name: name.into(),
        reg: Reg::new(REGISTERS, unit),
        scalar: Scalar::I16,
        count: 1,
        used: Mask::first(1),
        binding,
    };
    vec![half("vertex", VERTEX, Binding::VertexIndex), half("instance", INSTANCE, Binding::InstanceIndex)]
}

/// The outputs of a vertex program in groups of four: the position, then the others.
fn vertex_outputs(lifted: &Lifted) -> Vec<Io> {
    let numbers = written(lifted);
    let groups: BTreeSet<u16> = numbers.iter().map(|n| n / 4).collect();
    let group = |group: u16| Io {
        name: group.checked_sub(1).map_or("position".into(), |n| format!("varying{n}").into()),
        reg: Reg::new(VARYINGS, 4 * group),
        scalar: Scalar::F32,
        count: 4,
        used: Mask((0..4).filter(|c| numbers.contains(&(4 * group + c))).fold(0, |mask, c| mask | 1 << c)),
        binding: group.checked_sub(1).map_or(Binding::Position, |n| Binding::Location(n.into())),
    };
    groups.into_iter().map(group).collect()
}

/// What a fragment program reads of its pixel. Coefficients that it loads are flat: their changes are zero.
fn pixel_inputs(lifted: &Lifted) -> Vec<Io> {
    let mut inputs = shisa_agx::coefficients(read(lifted).into_iter().map(|unit| unit..unit + 1));
    inputs.push(Io {
        name: "pixel".into(),
        reg: PIXEL,
        scalar: Scalar::I32,
        count: 2,
        used: Mask::first(2),
        binding: Binding::Pixel,
    });
    inputs
}

/// The 32-bit uniforms that instructions name.
fn uniforms(lifted: &Lifted) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    for node in &lifted.nodes.list {
        if let Op::Read { reg, .. } = node.op
            && reg.file == UNIFORMS
        {
            let halves = u16::from(node.ty.count) * u16::from(node.ty.scalar.bits()).div_ceil(16);
            all.extend((reg.unit..reg.unit.saturating_add(halves)).map(|half| usize::from(half / 2)));
        }
    }
    all
}

/// The number in the name of a register.
fn numbered<T: std::str::FromStr>(prefix: &str, name: &str) -> Done<T> {
    let number = name.strip_prefix(prefix).and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| {
        wrong(format!("there is no register `{}`; names are like `{prefix}0`", shisa_diag::escape(name)))
    })
}

impl Shader for AgxShader {
    fn stage(&self) -> Stage {
        self.stage
    }

    fn inputs(&self) -> &[Io] {
        self.code.inputs()
    }

    fn outputs(&self) -> &[Io] {
        &self.outputs
    }

    fn constants(&self) -> Vec<Constant> {
        let constant = |n: &usize| Constant {
            name: Name::from(format!("u{n}")),
            count: 1,
            is_set: self.set.contains(n),
        };
        self.used.iter().map(constant).collect()
    }

    fn textures(&self) -> Vec<Slot> {
        let slot = |unit: &u16| Slot {
            name: Name::from(format!("ts{unit}")),
            is_set: self.drawing.textures.get(*unit).is_some(),
        };
        self.textures.keys().map(slot).collect()
    }

    /// Sets 32-bit uniforms, one after the other.
    fn set_constant(&mut self, name: &str, first: usize, values: &[f32]) -> Done<()> {
        let number: usize = numbered("u", name)?;
        let words = number.checked_add(first).and_then(|start| Some(start..start.checked_add(values.len())?));
        let words = words.filter(|words| words.end <= super::UNIFORM_BYTES / WORD);
        let words = words.ok_or_else(|| {
            wrong(format!("{name} is past the last uniform, u{}", super::UNIFORM_BYTES / WORD - 1))
        })?;
        let bytes = &mut self.drawing.uniforms;
        bytes.resize(bytes.len().max(WORD * words.end), 0);
        let slots = bytes.get_mut(WORD * words.start..).map(|bytes| bytes.as_chunks_mut::<WORD>().0);
        slots.into_iter().flatten().zip(values).for_each(|(slot, value)| *slot = value.to_le_bytes());
        self.set.extend(words);
        Ok(())
    }

    fn set_texture(&mut self, name: &str, image: &Image) -> Done<()> {
        let unit = numbered("ts", name)?;
        let shape = self.textures.get(&unit).ok_or_else(|| {
            let names: Vec<String> = self.textures.keys().map(|unit| format!("ts{unit}")).collect();
            no_texture(name, &names.iter().map(String::as_str).collect::<Vec<_>>())
        })?;
        let limits = &self.settings.limits;
        let texture = image.texture(*shape, limits)?;
        self.drawing.textures.bind(unit, texture, Image::SAMPLER, limits).map_err(|d| vec![d])
    }

    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Done<Ran> {
        let (mut outside, uniforms) = self.outside(lanes)?;
        let around = Around { uniforms: &uniforms, by_lane: &lane_numbers() };
        let ran = self.code.run(lanes, around, &mut outside, counts).map_err(|d| vec![d])?;
        match self.stage == Stage::Vertex {
            true => Ok(placed(ran, &outside, &self.outputs)),
            false => self.colors.resolved(ran, &self.settings.limits).map_err(|d| vec![d]),
        }
    }

    fn captured(&mut self, lanes: &Lanes<'_>) -> Done<Captured> {
        let (outside, uniforms) = self.outside(lanes)?;
        let around = Around { uniforms: &uniforms, by_lane: &lane_numbers() };
        self.code.captured(lanes, around, outside).map_err(|d| vec![d])
    }
}

/// The register with the number of a lane in its wave.
fn lane_numbers() -> [(Reg, Plane); 1] {
    [(LANE, Plane(std::array::from_fn(|lane| lane as u32)))]
}

/// The outputs of vertices with those whose number was computed.
fn placed(mut ran: Ran, outside: &Outside, outputs: &[Io]) -> Ran {
    for (bits, io) in ran.outputs.iter_mut().zip(outputs) {
        for (lane, given) in bits.chunks_exact_mut(io.count.into()).zip(&outside.given) {
            for (unit, slot) in (io.reg.unit..).zip(lane) {
                if let Some(value) = given.get(&unit) {
                    *slot = *value;
                }
            }
        }
    }
    ran
}
