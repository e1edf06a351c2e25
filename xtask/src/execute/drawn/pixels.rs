//! Fragment programs, which draw a triangle.

use super::trial::Trial;
use super::world::{Filling, part, scattered};
use super::{Fault, compare, settings, words};
use crate::execute::Counts;
use crate::execute::pairs::INTERPOLATION;
use shisa::agx::text::{AsmOptions, assemble};
use shisa::agx::{DrawPixels, Drawing, PixelOutput};
use shisa::data::NoTrace;
use shisa::eval::{Format, Size, Texture, TextureSet};
use shisa::ir::{Binding, Dim, Interpolation, Io, Sampler, TextureAccess};
use shisa_translate::execute::{Image, Register, Resources, Triangle, passing};
use std::collections::{BTreeMap, BTreeSet};

/// Pixels that are compared. The target has twice as many columns and rows, and the triangle is half of it.
const SIZE: [usize; 2] = [12, 8];
const TARGET: [u32; 2] = [24, 16];
/// The triangle's depth everywhere.
const DEPTH: f32 = 0.5;
/// Bytes of a pixel in the tile.
const TILE: usize = 64;
/// Texels of a row, and rows, of textures.
const TEXELS: usize = 8;

/// A location in the tile, as instructions state it: its offset, and the format of its numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    offset: usize,
    format: String,
    /// The number of components.
    count: u8,
}

/// The other inputs of a fragment program.
struct World<'a> {
    trial: &'a Trial<'a>,
    /// The coefficient register of the perspective division.
    divisor: u8,
    /// The contents of coefficient registers.
    planes: BTreeMap<u8, [f32; 3]>,
    tile: Vec<u8>,
    read: Vec<Place>,
    stored: Vec<Place>,
}

pub(super) fn judge(trial: &Trial<'_>) -> Result<Counts, Fault> {
    World::new(trial)?.judge()
}

impl<'a> World<'a> {
    fn new(trial: &'a Trial<'a>) -> Result<World<'a>, Fault> {
        let Trial { lowered, filling, .. } = *trial;
        let texts = lowered.texts();
        let operands =
            |text: &str| -> Vec<String> { text.split(", ").map(|o| o.trim().to_owned()).collect() };
        let places = |name: &str| -> Result<Vec<Place>, Fault> {
            let all = texts.iter().filter(|t| t.starts_with(name)).map(|t| {
                let operands = operands(t);
                let offset = operands.get(3).and_then(|o| o.parse().ok());
                let (format, mask) = (operands.get(4).cloned(), operands.get(5)?);
                let count = ["x", "xy", "xyz", "xyzw"].iter().position(|m| m == mask)? as u8 + 1;
                Some(Place { offset: offset?, format: format?, count })
            });
            let all: Option<BTreeSet<Place>> = all.collect();
            Ok(all.ok_or("an access to the tile has another form".to_owned())?.into_iter().collect())
        };
        let divisors = texts
            .iter()
            .filter(|t| t.starts_with("iter"))
            .filter_map(|t| operands(t).get(2)?.strip_prefix("cf")?.parse().ok());
        let divisors: BTreeSet<u8> = divisors.collect();
        if divisors.len() > 1 {
            return Err(Fault::Device("perspective has more than one divisor".into()));
        }
        let divisor = divisors.first().copied().unwrap_or(u8::MAX);
        let mut planes = BTreeMap::new();
        for io in &lowered.interface.inputs {
            let Binding::Varying { interpolation, .. } = io.binding else { continue };
            for register in coefficients(io) {
                let seed = 1000 + 8 * u32::from(register);
                planes.insert(
                    register,
                    match interpolation {
                        Interpolation::Flat => [0.0, flat(filling, seed), flat(filling, seed)],
                        _ => [part(seed) / 16.0, part(seed + 1) / 16.0, 1.5 * part(seed + 2)],
                    },
                );
            }
        }
        // Llvmpipe divides values interpolated at samples by the divisor at the centre, so the divisor is the same
        // everywhere.
        let divided_by = if trial.samples > 1 { [0.0, 0.0, 0.6] } else { [0.01, -0.005, 0.6] };
        planes.insert(divisor, divided_by);
        let halves = SIZE[0] * SIZE[1] * usize::from(trial.samples) * TILE / 2;
        let half = |n: u32| (0x3000 | scattered(n) as u16 & 0xfff).to_le_bytes();
        let tile = (0..halves as u32).flat_map(half).collect();
        let (read, stored) = (places("ld_tile")?, places("st_tile")?);
        Ok(World { trial, divisor, planes, tile, read, stored })
    }

    fn judge(&self) -> Result<Counts, Fault> {
        let textures = self.textures()?;
        let exact = self.run(SIZE, &textures, |_| 0.0)?;
        // Where values jump, some of these end up on the other side.
        let mut near = Vec::new();
        for part in [1.0, 0.61, 0.37, 0.14].map(|p| p * INTERPOLATION as f32) {
            let signed = |n: u32| if n & 1 == 0 { part } else { -part };
            near.push(self.run(SIZE, &textures, |_| part)?);
            near.push(self.run(SIZE, &textures, |_| -part)?);
            near.push(self.run(SIZE, &textures, signed)?);
            near.push(self.run(SIZE, &textures, |n| -signed(n))?);
            near.push(self.run(SIZE, &textures, |n| signed(scattered(n)))?);
        }
        let images = self.images(&textures)?;
        let Trial { output, device, .. } = *self.trial;
        let samples = usize::from(self.trial.samples);
        let vertex = passing(&output.reflection);
        let (drawn, memory) = self.trial.on_device(&images, |resources| {
            device.triangle(&Triangle {
                vertex: &vertex,
                fragment: output,
                resources: [Resources::default(), resources],
                corners: &self.corners(),
                size: TARGET,
                samples: samples as u32,
                drawn: SIZE.map(|n| n as u32),
            })
        })?;
        let mut counts = Counts::default();
        let numbers = |run: &PixelOutput| self.outputs(run);
        let (want, others) = (numbers(&exact)?, near.iter().map(numbers).collect::<Result<Vec<_>, _>>()?);
        for i in 0..SIZE[0] * SIZE[1] * samples {
            let (pixel, sample) = (i / samples, i % samples);
            let (x, y) = (pixel % SIZE[0], pixel / SIZE[0]);
            let lane = &drawn.pixels[(y * TARGET[0] as usize + x) * samples + sample];
            let is_killed = |run: &PixelOutput| run.pixels[pixel].killed >> sample & 1 != 0;
            let killed = is_killed(&exact);
            if near.iter().any(|n| is_killed(n) != killed) {
                continue;
            }
            let place = || format!("sample {sample} of pixel {x} {y}");
            if lane.killed != killed {
                let text = format!("{}: killed is {killed}, on the device {}", place(), lane.killed);
                return Err(text.into());
            }
            if killed {
                continue;
            }
            for (o, (io, got)) in self.trial.lowered.interface.outputs.iter().zip(&lane.outputs).enumerate() {
                for c in 0..usize::from(io.count) {
                    let others: Vec<u32> = others.iter().map(|n| n[o][i][c]).collect();
                    let place = || format!("{}.{c} of {}", io.name, place());
                    compare(place, want[o][i][c], &others, got[c], &mut counts)?;
                }
            }
        }
        let written = self.own().filter(|t| t.access == TextureAccess::Written);
        for (t, got) in written.zip(&drawn.written) {
            let want = self.bound(&exact.textures, t).map_or(Vec::new(), |b| texels(b, slices(t)));
            for (i, (want, got)) in want.as_flattened().iter().zip(got.as_flattened()).enumerate() {
                compare(|| format!("{} at {i}", t.name), want.to_bits(), &[], got.to_bits(), &mut counts)?;
            }
        }
        // Every sample stores what a pixel stores once.
        if samples == 1 {
            let some = self.run([SIZE[0], SIZE[1] / 2], &textures, |_| 0.0)?;
            self.trial.compare_memory(&some.buffers[0], &exact.buffers[0], &memory, &mut counts)?;
        }
        Ok(counts)
    }

    fn run(
        &self,
        size: [usize; 2],
        textures: &TextureSet,
        shift: impl Fn(u32) -> f32,
    ) -> Result<PixelOutput, Fault> {
        let drawing = self.trial.drawing(textures.clone());
        let moved = |(register, plane): (&u8, &[f32; 3])| {
            let [dx, dy, c] = *plane;
            let flat = dx == 0.0;
            let largest = [0.0, dx * TARGET[0] as f32]
                .map(|x| (c + x).abs().max((c + x + dy * TARGET[1] as f32).abs()));
            let by = largest[0].max(largest[1]) * if flat { 0.0 } else { shift((*register).into()) };
            let slope = by / TARGET[0] as f32 * shift(u32::from(*register) + 100).signum();
            (*register, [dx + slope, dy - slope, c + by])
        };
        let pixels = DrawPixels {
            size,
            samples: self.trial.samples,
            coefficients: self.planes.iter().map(moved).collect(),
            divisor: self.divisor,
            depth: [0.0, 0.0, DEPTH],
            bytes: TILE,
            tile: self.tile.clone(),
        };
        Ok(drawing.pixels(&pixels, &mut NoTrace, &settings())?)
    }

    /// For each output the registers of every sample, pixel by pixel.
    fn outputs(&self, run: &PixelOutput) -> Result<Vec<Vec<Register>>, Fault> {
        let samples = self.trial.samples.into();
        let each = || run.pixels.iter().flat_map(|p| p.depth_stencil.iter().take(samples));
        let one = |io: &Io| match io.binding {
            Binding::Location(n) => {
                let place =
                    self.stored.get(n as usize).ok_or("there is no such location in the tile".to_owned())?;
                unpacked(&run.tile, place, samples)
            }
            Binding::Stencil => Ok(each().map(|[_, stencil]| [stencil & 0xff, 0, 0, 0]).collect()),
            _ => Ok(each().map(|[bits, _]| [depth(*bits), 0, 0, 0]).collect()),
        };
        self.trial.lowered.interface.outputs.iter().map(one).collect()
    }

    /// The textures that programs sample and write, except those of the tile; and samplers that have handles.
    fn textures(&self) -> Result<TextureSet, Fault> {
        let (mut set, limits) = (TextureSet::new(), settings().limits);
        for t in self.own() {
            let mut size = Size::flat(TEXELS, TEXELS);
            (size.depth, size.layers) = (depth_of(t.shape.dim), if t.shape.arrayed { 2 } else { 1 });
            // On the device written textures begin as zeros.
            let scale = if t.access == TextureAccess::Written { 0.0 } else { 0.5 };
            let texel = |n: u32| (scale + scale * part(n)).to_le_bytes();
            let count = (4 * TEXELS * TEXELS) as u32;
            let slice = |s: u32| -> Vec<u8> {
                (0..count).flat_map(|n| texel(n + count * s + 7 * u32::from(t.unit))).collect()
            };
            let levels = [(0..slices(t)).map(slice).collect::<Vec<_>>()];
            let made = Texture::shaped(Format::Rgba32F, t.shape, size, &levels, &limits);
            let bound = made.and_then(|texture| match &*t.handle {
                "" => set.bind(t.unit, texture, Sampler::default(), &limits),
                place => set.bind_at(self.handle(place), texture, &limits),
            });
            bound.map_err(|d| d.message)?;
        }
        Ok(set)
    }

    /// Textures except those of the tile.
    fn own(&self) -> impl Iterator<Item = &shisa::ir::Texture> {
        self.trial.lowered.interface.textures.iter().filter(|t| !t.name.starts_with("tile"))
    }

    /// A texture of the set.
    fn bound<'t>(&self, set: &'t TextureSet, t: &shisa::ir::Texture) -> Option<&'t Texture> {
        if t.handle.is_empty() { set.get(t.unit) } else { set.at(self.handle(&t.handle)) }
    }

    /// The handle that is found at a location such as `IAdd(u0_u1, 0x48)`.
    fn handle(&self, place: &str) -> u64 {
        let inner = place.strip_prefix("IAdd(").map_or(place, |p| p.trim_end_matches(')'));
        let (uniform, more) = inner.split_once(", ").unwrap_or((inner, "0x0"));
        let number = |text: &str| text.trim_start_matches('u').parse().unwrap_or(0usize);
        let at = 4 * number(uniform.split('_').next().unwrap_or_default());
        let low =
            self.trial.uniforms.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
        low.wrapping_add(u64::from_str_radix(more.trim_start_matches("0x"), 16).unwrap_or(0))
    }

    /// The textures, and those of the tile, for the device.
    fn images(&self, textures: &TextureSet) -> Result<Vec<Image>, Fault> {
        let mut images = Vec::new();
        for t in &self.trial.lowered.interface.textures {
            let mut image = Image {
                unit: t.unit,
                shape: t.shape,
                size: [TEXELS as u32, TEXELS as u32, slices(t)],
                levels: Vec::new(),
                sampler: Sampler::default(),
            };
            if let Some(n) = t.name.strip_prefix("tile").and_then(|n| n.parse().ok()) {
                let samples = usize::from(self.trial.samples);
                let texels = unpacked(&self.tile, self.place_read(n)?, samples)?;
                image.size = [SIZE[0] as u32, SIZE[1] as u32, samples as u32];
                let slice = |sample| texels.iter().skip(sample).step_by(samples);
                let texels = (0..samples).flat_map(slice).map(|t| t.map(f32::from_bits));
                image.levels = vec![texels.collect()];
            } else if let Some(texture) = self.bound(textures, t) {
                image.levels = vec![texels(texture, slices(t))];
            }
            images.push(image);
        }
        Ok(images)
    }

    /// The location whose texels are the texture `tileN`: that of colour N, or one that the program does not store
    /// to.
    fn place_read(&self, n: usize) -> Result<&Place, Fault> {
        let other = |p: &&Place| self.stored.iter().all(|s| s.offset != p.offset);
        let found = match self.stored.get(n) {
            Some(stored) => self.read.iter().find(|p| p.offset == stored.offset).or(Some(stored)),
            None => self.read.iter().filter(other).nth(n - self.stored.len()),
        };
        found.ok_or_else(|| Fault::Device(format!("nothing is read at location {n} of the tile")))
    }

    /// The triangle's corners: position, then the interpolated values.
    fn corners(&self) -> [Vec<Register>; 3] {
        let [width, height] = TARGET.map(|n| n as f32);
        [(0.0, 0.0, -1.0, 1.0), (0.0, height, -1.0, -1.0), (width, 0.0, 1.0, 1.0)].map(|(px, py, x, y)| {
            let at = |register: u8| {
                let [dx, dy, c] = self.planes.get(&register).copied().unwrap_or_default();
                c + px * dx + py * dy
            };
            let w = 1.0 / at(self.divisor);
            let mut corner = vec![[x * w, y * w, DEPTH * w, w].map(f32::to_bits)];
            for io in &self.trial.lowered.interface.inputs {
                let Binding::Varying { interpolation, .. } = io.binding else { continue };
                let mut register = [0; 4];
                for (slot, n) in register.iter_mut().zip(coefficients(io)) {
                    let value = match interpolation {
                        Interpolation::Perspective => at(n) * w,
                        Interpolation::Linear => at(n),
                        Interpolation::Flat => self.planes[&n][2],
                    };
                    *slot = value.to_bits();
                }
                corner.push(register);
            }
            corner
        })
    }
}

/// A number that does not change: a float, or a small integer.
fn flat(filling: Filling, seed: u32) -> f32 {
    if filling == Filling::Numbers { part(seed) } else { f32::from_bits(scattered(seed) % 8) }
}

/// The number of texels in depth.
fn depth_of(dim: Dim) -> usize {
    if dim == Dim::D3 { TEXELS } else { 1 }
}

/// Layers, faces and texels in depth of a texture.
fn slices(t: &shisa::ir::Texture) -> u32 {
    let faces = if t.shape.dim == Dim::Cube { 6 } else { depth_of(t.shape.dim) as u32 };
    if t.shape.arrayed { 2 * faces } else { faces }
}

/// All texels, slice by slice.
fn texels(texture: &Texture, slices: u32) -> Vec<[f32; 4]> {
    let count = TEXELS * TEXELS;
    let texel = |i: usize| texture.texel(0, i / count, [i % TEXELS, i % count / TEXELS]);
    (0..slices as usize * count).map(|i| texel(i).expect("the texture has this texel")).collect()
}

/// The value as a depth target stores it.
fn depth(bits: u32) -> u32 {
    f32::from_bits(bits).clamp(0.0, 1.0).to_bits()
}

/// The coefficient registers of an input such as `cf3_flat`.
fn coefficients(io: &Io) -> std::ops::Range<u8> {
    let digits = io.name.trim_start_matches("cf").split('_').next().unwrap_or_default();
    let first: u8 = digits.parse().unwrap_or(0);
    first..first.saturating_add(io.count)
}

/// The first components at a location in the tile, pixel by pixel and sample by sample, as a program loads them.
fn unpacked(tile: &[u8], place: &Place, samples: usize) -> Result<Vec<Register>, Fault> {
    let Place { offset, format, count } = place;
    let mask = &"xyzw"[..usize::from(*count)];
    let registers = ["r4", "r4_r5", "r4_r5_r6", "r4_r5_r6_r7"][usize::from(count - 1)];
    let lines = format!(
        "ldimm r0l, 0\nldimm r4, 0\nldimm r5, 0\nldimm r6, 0\nldimm r7, 0\npixwait 8, 0\n\
         ld_tile {registers}, 0, 255, {offset}, {format}, {mask}\npixwait 12, 0\n\
         st_tile r4_r5_r6_r7, 0, 255, 0, i32, xyzw\nstop"
    );
    let code = assemble(&lines, &AsmOptions::default(), &settings().limits).bytes;
    let code = code.ok_or_else(|| format!("`{lines}` is not assembled"))?;
    // Samples are stored in the tile like pixels of one sample.
    let size = [SIZE[0] * samples, SIZE[1]];
    let pixels = DrawPixels { size, samples: 1, bytes: TILE, tile: tile.to_vec(), ..DrawPixels::default() };
    let drawing = Drawing { code, ..Drawing::default() };
    let output = drawing.pixels(&pixels, &mut NoTrace, &settings())?;
    let words = words(&output.tile);
    // The missing component of a colour is 1 in targets, since no format has three components.
    let last = if *count == 3 { 1f32.to_bits() } else { 0 };
    let pixel = |p: &[u32]| std::array::from_fn(|i| if i < 3 || *count == 4 { p[i] } else { last });
    Ok(words.chunks(TILE / 4).map(pixel).collect())
}
