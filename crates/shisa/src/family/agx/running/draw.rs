//! AGX programs that draw: linked or single, for vertices or for pixels that a triangle covers.

use super::lines::{lines, name};
use super::outside::Outside;
use super::watch::Watch;
use crate::run::{TraceSink, wrong};
use crate::{Result, Settings};
use shisa_agx::{
    COEFFICIENTS, Coefficient, DEPTHS, KILLED, MOST_SAMPLES, Program, REGISTERS, SPECIALS, STENCILS,
    Sequencer, TESTED, TILE, TILE_HALVES, UNIFORMS, VARYINGS,
};
use shisa_debug::Code;
use shisa_diag::{Diagnostic, Limit};
use shisa_eval::{Batch, Column, Grid, Outcome, Plane, TextureSet};
use shisa_ir::{FileId, FloatModel, Lifted, Op, Reg, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// A program that draws, with everything except its vertices or pixels.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The instructions: all parts, one after the other.
    pub code: Vec<u8>,
    /// Bytes of a thread's stack.
    pub stack: usize,
    /// The uniforms' initial contents, from `u0l`.
    pub uniforms: Vec<u8>,
    /// Device memory: addresses and contents.
    pub buffers: Vec<(u64, Vec<u8>)>,
    /// Textures by state register or by address, and samplers.
    pub textures: TextureSet,
    /// The preamble and constants that set further uniforms.
    pub preamble: Preamble,
}

/// The preamble and constants of a program, which set uniforms before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preamble {
    /// Instructions that one thread runs; none if it is empty.
    pub code: Vec<u8>,
    /// The first half of the uniforms that the constants fill.
    pub first: usize,
    /// The constants.
    pub constants: Vec<u8>,
}

/// The inputs of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawVertex {
    /// Its number.
    pub vertex: u32,
    /// Its instance's number.
    pub instance: u32,
}

/// The result of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexOutput {
    /// For each vertex the bits of its outputs, by number.
    pub vertices: Vec<BTreeMap<u16, u32>>,
    /// The contents of the buffers, in the order given.
    pub buffers: Vec<Vec<u8>>,
    /// The textures after the run.
    pub textures: TextureSet,
    /// Instructions executed, counted for each lane; 0 if the engine does not count them.
    pub executed: u64,
}

/// Pixels of a rectangle at the upper left corner of the screen. One triangle covers all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawPixels {
    /// Pixels of a row, and number of rows.
    pub size: [usize; 2],
    /// Samples of a pixel: 1, 2 or 4.
    pub samples: u16,
    /// The contents of coefficient registers: the change along x, along y, and the value at the upper left corner of
    /// the screen.
    pub coefficients: BTreeMap<u8, [f32; 3]>,
    /// The coefficient register for the perspective division of others.
    pub divisor: u8,
    /// Depth of the triangle: the change along x, along y, and the value at the upper left corner of the screen.
    /// Samples for which a program emits no depth have this depth.
    pub depth: [f32; 3],
    /// Bytes of a sample in the tile.
    pub bytes: usize,
    /// The initial contents of the tile: pixel by pixel, row by row, the bytes of each sample together; zeros after
    /// the end.
    pub tile: Vec<u8>,
}

/// The result of a pixel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnPixel {
    /// The samples that were killed.
    pub killed: u32,
    /// The samples that were tested, as far as the program states them.
    pub tested: u32,
    /// For each sample the bits of its depth and its stencil value. If none was emitted, the depth is that of the
    /// triangle and the stencil value zero.
    pub depth_stencil: Vec<[u32; 2]>,
}

/// The result of all pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PixelOutput {
    /// Pixel by pixel, row by row.
    pub pixels: Vec<DrawnPixel>,
    /// The contents of the tile after the run, in the order of the input.
    pub tile: Vec<u8>,
    /// The contents of the buffers, in the order given.
    pub buffers: Vec<Vec<u8>>,
    /// The textures after the run.
    pub textures: TextureSet,
    /// Instructions executed, counted for each lane, helpers included; 0 if the engine does not count them.
    pub executed: u64,
}

/// Sample positions in sixteenths of a pixel, from its upper left corner.
const fn positions(samples: u16) -> &'static [[f32; 2]] {
    match samples {
        1 => &[[8.0, 8.0]],
        2 => &[[12.0, 12.0], [4.0, 4.0]],
        _ => &[[6.0, 2.0], [14.0, 6.0], [2.0, 10.0], [10.0, 14.0]],
    }
}

pub(super) fn lift(code: &[u8], stage: Stage, settings: &Settings) -> Result<Lifted> {
    settings.limits.check(Limit::File, "bytes of code", code.len())?;
    let code = shisa_agx::up_to_trap(code).to_vec();
    Ok(shisa_agx::lift(&Program::new(stage, code, settings.agx.options))?)
}

impl Drawing {
    pub(super) fn outside(&self, vertices: usize, settings: &Settings) -> Result<Outside> {
        Outside::new([0, self.stack], &self.buffers, self.textures.clone(), vertices, settings)
    }

    /// The uniforms in halves, after the preamble has run.
    ///
    /// # Errors
    /// `run-input` if there are more uniforms than registers; what the lift and the evaluator refuse.
    pub(super) fn registers(&self, outside: &mut Outside, settings: &Settings) -> Result<Vec<u32>> {
        let before = match self.preamble.code.is_empty() {
            true => None,
            false => Some(lift(&self.preamble.code, Stage::Compute, settings)?),
        };
        let before = before.as_ref().map(|b| shisa_eval::Program::new(b, &settings.limits)).transpose()?;
        let constants = (self.preamble.first, &self.preamble.constants[..]);
        let uniforms = outside.fill(&self.uniforms, constants, before.as_ref(), settings)?;
        let half = |half: &[u8]| half.iter().rev().fold(0, |bits, b| bits << 8 | u32::from(*b));
        Ok(uniforms.chunks(2).map(half).collect())
    }

    fn run(
        &self,
        lifted: &Lifted,
        mut batch: Batch,
        outside: &mut Outside,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Outcome> {
        batch.uniforms.push((Reg::new(UNIFORMS, 0), self.registers(outside, settings)?));
        batch.by_lane = vec![(Reg::new(SPECIALS, 52), Plane(std::array::from_fn(|lane| lane as u32)))];
        let code = Code {
            lifted,
            sequencer: Sequencer,
            model: FloatModel::F32,
            name_of: name,
            symbols: &[],
            lines: &|| lines(&self.code, settings),
        };
        Ok(code.run(&batch, outside, trace, |trace| Watch::new(lifted, trace), &settings.choice())?)
    }

    /// Runs a vertex program: `r5` holds the vertex, `r6` the instance. `trace` receives the steps.
    ///
    /// # Errors
    /// What the lift and the evaluator refuse; `run-output` if an output is written whose number does not exist.
    pub fn vertices(
        &self,
        vertices: &[DrawVertex],
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<VertexOutput> {
        settings.limits.check(Limit::Memory, "bytes of vertices", vertices.len().saturating_mul(64))?;
        let lifted = lift(&self.code, Stage::Vertex, settings)?;
        let mut outside = self.outside(vertices.len(), settings)?;
        let written = written(&lifted);
        let column = |unit: u16, of: fn(&DrawVertex) -> u32| {
            let bits = vertices.iter().map(of).flat_map(|n| [n & 0xffff, n >> 16]).collect();
            Column { reg: Reg::new(REGISTERS, unit), units: 2, bits }
        };
        let batch = Batch {
            lanes: vertices.len(),
            inputs: vec![column(10, |v| v.vertex), column(12, |v| v.instance)],
            outputs: written.iter().map(|n| (Reg::new(VARYINGS, *n), 1)).collect(),
            ..Batch::default()
        };
        let outcome = self.run(&lifted, batch, &mut outside, trace, settings)?;
        let buffers = outside.buffers(&self.buffers);
        let textures = outside.textures;
        let mut all = outside.given;
        for (number, column) in written.iter().zip(&outcome.outputs) {
            for (vertex, bits) in all.iter_mut().zip(&column.bits) {
                vertex.insert(*number, *bits);
            }
        }
        Ok(VertexOutput { vertices: all, buffers, textures, executed: outcome.executed })
    }

    /// Runs a fragment program. `trace` receives the steps.
    ///
    /// # Errors
    /// `run-input` if there are not 1, 2 or 4 samples, or more bytes of the tile than a sample has; what the lift and
    /// the evaluator refuse.
    pub fn pixels(
        &self,
        pixels: &DrawPixels,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<PixelOutput> {
        let (limits, samples, bytes) = (&settings.limits, pixels.samples, pixels.bytes);
        let [width, height] = pixels.size;
        if !matches!(samples, 1 | 2 | 4) {
            return Err(wrong(format!("a pixel has 1, 2 or 4 samples, not {samples}")));
        }
        let most = 2 * usize::from(TILE_HALVES);
        if bytes > most {
            return Err(wrong(format!("a sample has at most {most} bytes in the tile, not {bytes}")));
        }
        let lifted = lift(&self.code, Stage::Fragment, settings)?;
        let read = read(&lifted);
        // Every half and every coefficient is a 32-bit word while the program runs.
        let each = usize::from(samples) * (4 * bytes + 64) + 4 * read.len() + 64;
        let count = width.saturating_mul(height);
        limits.check(Limit::Memory, "bytes of pixels", count.saturating_mul(each))?;
        let mut outside = self.outside(0, settings)?;
        let mut batch = Batch { lanes: count, grid: Some(Grid { width, height }), ..Batch::default() };
        let all = (1 << samples) - 1;
        let special = |n: u16, bits: u32| (Reg::new(SPECIALS, n), vec![bits]);
        batch.uniforms =
            vec![special(14, samples.ilog2()), special(60, all), special(63, 1), special(124, all)];
        let column = |reg: Reg, of: &dyn Fn([usize; 2]) -> u32| Column {
            reg,
            units: 1,
            bits: (0..count).map(|i| of([i % width, i / width])).collect(),
        };
        batch.inputs.push(column(Reg::new(SPECIALS, 80), &|[x, _]| x as u32));
        batch.inputs.push(column(Reg::new(SPECIALS, 81), &|[_, y]| y as u32));
        for unit in read {
            let of = |pixel| pixels.value(unit, pixel).to_bits();
            batch.inputs.push(column(Reg::new(COEFFICIENTS, unit), &of));
        }
        for sample in 0..samples {
            let depth = |pixel| pixels.depth_at(sample, pixel).to_bits();
            batch.inputs.push(column(Reg::new(DEPTHS, sample), &depth));
            let column = pixels.tile_of(sample, count);
            batch.outputs.push((column.reg, column.units));
            batch.inputs.push(column);
        }
        batch.outputs.extend([(KILLED, 1), (TESTED, 1)]);
        batch.outputs.extend([DEPTHS, STENCILS].map(|file| (Reg::new(file, 0), samples)));
        let outcome = self.run(&lifted, batch, &mut outside, trace, settings)?;
        let (tiles, rest) = outcome.outputs.split_at(usize::from(samples).min(outcome.outputs.len()));
        let mut tile = Vec::with_capacity(count * usize::from(samples) * bytes);
        for i in 0..count {
            for column in tiles {
                tile.extend(
                    lane_of(column, i)?.iter().flat_map(|half| [*half as u8, (*half >> 8) as u8]).take(bytes),
                );
            }
        }
        let [killed, tested, depths, stencils] = rest else { return Err(lacks("of an output").into()) };
        let first = |column: &Column, i: usize| {
            lane_of(column, i)?.first().copied().ok_or_else(|| lacks(&format!("of pixel {i}")))
        };
        let pixel = |i: usize| {
            let depths = lane_of(depths, i)?.iter().zip(lane_of(stencils, i)?);
            Ok(DrawnPixel {
                killed: first(killed, i)?,
                tested: first(tested, i)?,
                depth_stencil: depths.map(|(d, s)| [*d, *s]).collect(),
            })
        };
        Ok(PixelOutput {
            pixels: (0..count).map(pixel).collect::<std::result::Result<_, Diagnostic>>()?,
            tile,
            buffers: outside.buffers(&self.buffers),
            textures: outside.textures,
            executed: outcome.executed,
        })
    }
}

/// The register units of a pixel.
fn lane_of(column: &Column, pixel: usize) -> std::result::Result<&[u32], Diagnostic> {
    column.lane(pixel).ok_or_else(|| lacks(&format!("of pixel {pixel}")))
}

/// The evaluator did not return a value that was requested.
#[cold]
fn lacks(what: &str) -> Diagnostic {
    Diagnostic::internal("internal-batch", format!("the evaluator returned no value {what}"))
}

impl DrawPixels {
    /// The initial contents of the tile for a sample of the given number of pixels.
    fn tile_of(&self, sample: u16, count: usize) -> Column {
        let units = self.bytes.div_ceil(2);
        let mut bits = Vec::with_capacity(count * units);
        for pixel in 0..count {
            let first = (pixel * usize::from(self.samples) + usize::from(sample)) * self.bytes;
            let byte = |at: usize| {
                let there = self.tile.get(first + at).filter(|_| at < self.bytes);
                there.map_or(0, |b| u32::from(*b))
            };
            bits.extend((0..units).map(|n| byte(2 * n) | byte(2 * n + 1) << 8));
        }
        Column { reg: Reg::new(TILE, sample * TILE_HALVES), units: units as u16, bits }
    }

    /// The triangle's depth at a sample of a pixel.
    fn depth_at(&self, sample: u16, [x, y]: [usize; 2]) -> f32 {
        let [sx, sy] = self.position(sample);
        let [dx, dy, c] = self.depth;
        c + (dx * (x as f32 + sx / 16.0) + dy * (y as f32 + sy / 16.0))
    }

    /// The position of a sample in sixteenths of a pixel; the pixel's centre if there is no such sample.
    fn position(&self, sample: u16) -> [f32; 2] {
        positions(self.samples).get(usize::from(sample)).copied().unwrap_or([8.0; 2])
    }

    /// The value of a unit of the coefficients at a pixel.
    fn value(&self, unit: u16, [x, y]: [usize; 2]) -> f32 {
        let plane = |register: u8| self.coefficients.get(&register).copied().unwrap_or([0.0; 3]);
        let own = plane((unit % 256) as u8);
        let at = |x: f32, y: f32, perspective: bool| {
            let value = |[dx, dy, c]: [f32; 3]| c + (dx * x + dy * y);
            if perspective { value(own) / value(plane(self.divisor)) } else { value(own) }
        };
        let within =
            |[sx, sy]: [f32; 2], perspective| at(x as f32 + sx / 16.0, y as f32 + sy / 16.0, perspective);
        match Coefficient::all().find(|kind| kind.unit() == unit & !255) {
            // The triangle covers the centre of every pixel.
            Some(Coefficient::Centre { perspective } | Coefficient::Centroid { perspective }) => {
                within([8.0; 2], perspective)
            }
            Some(Coefficient::Sample { sample, perspective }) => within(self.position(sample), perspective),
            Some(Coefficient::Dx) => own[0],
            Some(Coefficient::Dy) => own[1],
            Some(Coefficient::Corner) | None => at((x & !31) as f32, (y & !31) as f32, false),
        }
    }
}

/// The numbers of the outputs that a program writes.
pub(super) fn written(lifted: &Lifted) -> BTreeSet<u16> {
    let unit = |op: &Op| match *op {
        Op::Write { reg, .. } if reg.file == VARYINGS => Some(reg.unit),
        _ => None,
    };
    lifted.nodes.list.iter().filter_map(|n| unit(&n.op)).collect()
}

/// The units of coefficients that a program reads.
pub(super) fn read(lifted: &Lifted) -> BTreeSet<u16> {
    let sample = |sample, perspective| Coefficient::Sample { sample, perspective }.unit();
    let samples = sample(0, false)..sample(MOST_SAMPLES, false);
    let own = |file: FileId| file == COEFFICIENTS;
    let mut units = BTreeSet::new();
    for node in &lifted.nodes.list {
        match node.op {
            Op::Read { reg, .. } if own(reg.file) => {
                units.extend(reg.unit..reg.unit.saturating_add(node.ty.count.into()));
            }
            // Any register of the file, or of any sample.
            Op::ReadAt { file, base, .. } if own(file) && samples.contains(&base) => {
                units.extend(samples.clone())
            }
            Op::ReadAt { file, base, .. } if own(file) => units.extend(base..base.saturating_add(256)),
            _ => {}
        }
    }
    units
}
