//! The pixels of triangles: their inputs, their programs, and what becomes of their colours.

use crate::counts::Counts;
use crate::covered::Covered;
use crate::drawing::Render;
use crate::faults::Result;
use crate::mesh::{Mesh, dot, unit};
use crate::picture::Picture;
use crate::preview::{colors, target};
use crate::samples::{Coverage, MOST, Sampled};
use crate::shader::{Lanes, Ran, Shader};
use shisa_debug::Captured;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_eval::draw::{Blend, Fragment, PixelTests, Stored};
use shisa_eval::{Grid, TargetFormat};
use shisa_ir::{Binding, Interpolation, Io, Scalar};

/// Lanes that run at once.
const LANES: usize = 1 << 14;
/// The direction to the light that shades plain surfaces, and how bright its back is.
const LIGHT: [f32; 3] = [0.4, 0.6, 1.0];
const AMBIENT: f32 = 0.25;

/// Where a component of an input comes from: an output of the vertex program and its component.
type Source = Option<(usize, u8)>;

/// What a pixel needs.
pub(crate) struct Surface {
    /// The inputs of the fragment program, each with the sources of its components.
    inputs: Vec<(Io, Vec<Source>)>,
    /// The colour and the depth among the outputs of the fragment program.
    color: usize,
    depth: Option<usize>,
    /// The outputs of the vertex program.
    vertex: Vec<Io>,
}

/// The location of a varying.
fn location(io: &Io) -> Option<u32> {
    match io.binding {
        Binding::Location(location) | Binding::Varying { location, .. } => Some(location),
        _ => None,
    }
}

impl Surface {
    /// The surface of a fragment program after a vertex program with these outputs. Inputs are linked by name, else by
    /// location.
    pub(crate) fn of_program(shader: &dyn Shader, vertex: &[Io], number: u32) -> Result<Surface> {
        let link = |io: &Io| -> Vec<Source> {
            let named = vertex.iter().position(|out| out.name == io.name);
            let located =
                || vertex.iter().position(|out| location(out).is_some() && location(out) == location(io));
            let found = match location(io) {
                Some(_) => named.or_else(located),
                None => None,
            };
            (0..io.count).map(|component| found.map(|output| (output, component))).collect()
        };
        let inputs = shader.inputs().iter().map(|io| (io.clone(), link(io))).collect();
        let color = target(shader.outputs(), number)?;
        let depth = shader.outputs().iter().position(|io| io.binding == Binding::Depth);
        Ok(Surface { inputs, color, depth, vertex: vertex.to_vec() })
    }

    /// A surface without a program: its pixels have a colour that the vertex program outputs, if there is one.
    pub(crate) fn plain(vertex: &[Io]) -> Surface {
        Surface { inputs: Vec::new(), color: 0, depth: None, vertex: vertex.to_vec() }
    }

    /// The colour among the outputs of the vertex program.
    fn color_of_vertex(&self) -> Option<usize> {
        self.vertex.iter().position(|io| io.name.starts_with("color"))
    }
}

/// A pixel that waits for its program.
struct Pending {
    /// Its number in the picture; `None` for one that only completes a quad.
    at: Option<usize>,
    /// The triangle, by its index in the mesh.
    triangle: usize,
    coverage: Coverage,
}

/// A picture that is being drawn.
pub(crate) struct Pixels<'p, 's> {
    surface: Surface,
    shader: Option<&'p mut (dyn Shader + 's)>,
    limits: &'p Limits,
    tests: PixelTests,
    /// How colours are combined, and the constant colour.
    blend: Option<(Blend, [f32; 4])>,
    format: Option<TargetFormat>,
    picture: Picture,
    /// The samples of each pixel, with the colours that were drawn to them.
    samples: usize,
    stored: Vec<Stored>,
    colors: Vec<Option<[f32; 4]>>,
    /// The quads that wait, four pixels each, and their inputs.
    pending: Vec<Pending>,
    values: Vec<Vec<u32>>,
    /// Pixels of rectangles around triangles so far.
    examined: u64,
    /// The only pixel that is drawn, if not all are.
    only: Option<Covered>,
}

impl<'p, 's> Pixels<'p, 's> {
    pub(crate) fn new(
        render: &Render,
        surface: Surface,
        shader: Option<&'p mut (dyn Shader + 's)>,
        executed: u64,
        limits: &'p Limits,
    ) -> Pixels<'p, 's> {
        let [width, height] = render.size;
        let count = width * height;
        let picture = Picture {
            width,
            height,
            pixels: vec![[0.0; 4]; count],
            drawn: vec![false; count],
            counts: render.counts.then(|| Counts::of(count)),
            executed,
            ..Picture::default()
        };
        Pixels {
            values: vec![Vec::new(); surface.inputs.len()],
            surface,
            shader,
            limits,
            tests: PixelTests { depth: render.depth, stencil: None },
            blend: render.blend.map(|blend| (blend, render.constant)),
            format: render.format,
            picture,
            samples: render.samples,
            stored: vec![Stored { depth: render.cleared_depth, stencil: 0 }; count * render.samples],
            colors: vec![None; count * render.samples],
            pending: Vec::new(),
            examined: 0,
            only: None,
        }
    }

    /// Draws only the pixel with a number in the picture, and the pixels that complete its quads.
    pub(crate) fn only(self, at: usize) -> Pixels<'p, 's> {
        Pixels { only: Some(Covered::new(at)), ..self }
    }

    /// Draws the pixels of a triangle of the mesh, by its index, or lets them wait.
    ///
    /// # Errors
    /// `limit-exceeded`; what the evaluator refuses.
    pub(crate) fn triangle(
        &mut self,
        sampled: &Sampled,
        vertices: &Ran,
        mesh: &Mesh,
        number: usize,
    ) -> Result<()> {
        let triangle = mesh.triangles.get(number).ok_or_else(|| {
            vec![Diagnostic::internal("internal-picture", format!("the mesh has no triangle {number}"))]
        })?;
        let fragments = &sampled.centres;
        self.examined = self.examined.saturating_add(fragments.pixels.len() as u64);
        let check = self.limits.check(Limit::RunSteps, "pixels around triangles", self.examined);
        check.map_err(|d| vec![d])?;
        if self.shader.is_none() {
            self.plain(sampled, vertices, mesh, (number, triangle));
            return Ok(());
        }
        let corners = |output: usize, component: u8| {
            corners(vertices, &self.surface.vertex, triangle, output, component)
        };
        let front = fragments.counterclockwise == Some(true);
        // The corners of each component of each input.
        let sources: Vec<Vec<Option<[u32; 3]>>> = self
            .surface
            .inputs
            .iter()
            .map(|(_, sources)| {
                sources.iter().map(|source| source.and_then(|(o, c)| corners(o, c))).collect()
            })
            .collect();
        let rows = fragments.pixels.chunks_exact((2 * fragments.width).max(1));
        for (row, pair) in rows.enumerate() {
            let (upper, lower) = pair.split_at(fragments.width);
            for (column, (upper, lower)) in upper.chunks_exact(2).zip(lower.chunks_exact(2)).enumerate() {
                let quad = [upper.first(), upper.last(), lower.first(), lower.last()];
                let first = 2 * row * fragments.width + 2 * column;
                let numbers = [first, first + 1, first + fragments.width, first + fragments.width + 1];
                let covered = numbers.map(|number| sampled.coverage(number));
                if covered.iter().all(|coverage| coverage.mask == 0) {
                    continue;
                }
                let [left, top] = [fragments.x + 2 * column, fragments.y + 2 * row];
                let position = |corner: usize| [left + corner % 2, top + corner / 2];
                let width = self.picture.width;
                let number_of = |corner: usize, coverage: &Coverage| {
                    let [x, y] = position(corner);
                    (coverage.mask != 0).then_some(y * width + x)
                };
                if let Some(only) = &mut self.only {
                    let mut covered = covered.iter().enumerate();
                    if !covered.any(|(corner, coverage)| number_of(corner, coverage) == Some(only.at)) {
                        continue;
                    }
                    only.triangles.push(number);
                }
                for (corner, (fragment, coverage)) in quad.into_iter().flatten().zip(covered).enumerate() {
                    let [x, y] = position(corner);
                    let at = number_of(corner, &coverage);
                    self.pending.push(Pending { at, triangle: number, coverage });
                    for ((values, (io, _)), corners) in
                        self.values.iter_mut().zip(&self.surface.inputs).zip(&sources)
                    {
                        values.extend(input(io, fragment, corners, [x, y], front));
                    }
                }
            }
        }
        if self.pending.len() >= LANES { self.run() } else { Ok(()) }
    }

    /// Runs the program for the pixels that wait.
    fn run(&mut self) -> Result<()> {
        let Some(shader) = &mut self.shader else { return Ok(()) };
        let count = self.pending.len();
        if count == 0 {
            return Ok(());
        }
        let helpers: Vec<bool> = self.pending.iter().map(|pixel| pixel.at.is_none()).collect();
        // A grid of two columns: each quad is two of its rows.
        let grid = Grid { width: 2, height: count / 2 };
        let lanes = Lanes { count, grid: Some(grid), helpers: &helpers, inputs: &self.values };
        let mut counts = self.picture.counts.is_some().then(Counts::default);
        let ran = shader.run(&lanes, counts.as_mut())?;
        self.picture.executed = self.picture.executed.saturating_add(ran.executed);
        let executed = self.picture.executed;
        self.limits.check(Limit::RunSteps, "instructions of all pixels", executed).map_err(|d| vec![d])?;
        let lacks = || {
            let text = format!("a run of {count} pixels returned other numbers of values");
            vec![Diagnostic::internal("internal-picture", text)]
        };
        let of = |output: usize| ran.outputs.get(output).zip(shader.outputs().get(output));
        let (bits, io) = of(self.surface.color).ok_or_else(lacks)?;
        let colors = colors(bits, io);
        if colors.len() != count || ran.killed.len() != count {
            return Err(lacks());
        }
        let depths = self.surface.depth.and_then(of).map(|(bits, _)| bits.clone());
        let pending = std::mem::take(&mut self.pending);
        for (lane, ((pixel, color), killed)) in pending.into_iter().zip(colors).zip(&ran.killed).enumerate() {
            let Some(at) = pixel.at else { continue };
            if let (Some(all), Some(counts)) = (&mut self.picture.counts, &counts) {
                all.add(at, counts, lane);
            }
            let own = depths.as_ref().and_then(|depths| depths.get(lane)).map(|bits| f32::from_bits(*bits));
            if !killed {
                let depths = own.map_or(pixel.coverage.depths, |own| [own; MOST]);
                self.merge((at, pixel.triangle), Coverage { depths, ..pixel.coverage }, color);
            }
        }
        self.values.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// Draws a colour to the covered samples of a pixel whose depths pass the test.
    fn merge(&mut self, (at, triangle): (usize, usize), coverage: Coverage, color: [f32; 4]) {
        let (first, format) = (at * self.samples, self.format);
        let clamped = |color| format.map_or(color, |format| format.clamped(color));
        let held = |color| format.map_or(color, |format| format.stored(color));
        let samples = (first..first + self.samples).zip(coverage.depths).enumerate();
        for (_, (slot, depth)) in samples.filter(|(sample, _)| coverage.mask >> sample & 1 != 0) {
            let (Some(stored), Some(own)) = (self.stored.get_mut(slot), self.colors.get_mut(slot)) else {
                continue;
            };
            if self.tests.pass(true, depth.clamp(0.0, 1.0), stored) {
                let before = own.unwrap_or_else(|| held([0.0; 4]));
                *own = Some(held(match &self.blend {
                    Some((blend, constant)) => blend.blended(clamped(color), before, clamped(*constant)),
                    None => color,
                }));
                if let Some(only) = self.only.as_mut().filter(|only| only.at == at) {
                    only.visible = Some(triangle);
                }
            }
        }
    }

    /// Draws the pixels of a triangle without a program.
    fn plain(
        &mut self,
        sampled: &Sampled,
        vertices: &Ran,
        mesh: &Mesh,
        (number, triangle): (usize, &[usize; 3]),
    ) {
        let fragments = &sampled.centres;
        let color = self.surface.color_of_vertex().map(|output| {
            [0, 1, 2, 3].map(|component| corners(vertices, &self.surface.vertex, triangle, output, component))
        });
        let normals = mesh.corners(triangle).map(|corners| corners.map(|vertex| vertex.normal));
        let light = unit(LIGHT);
        for (n, fragment) in fragments.pixels.iter().enumerate() {
            let coverage = sampled.coverage(n);
            if coverage.mask == 0 {
                continue;
            }
            let [x, y] = [fragments.x + n % fragments.width, fragments.y + n / fragments.width];
            let at = y * self.picture.width + x;
            if let Some(only) = &mut self.only {
                if only.at != at {
                    continue;
                }
                only.triangles.push(number);
            }
            let [space, _] = fragment.weights;
            let color = match (&color, normals) {
                (Some(components), _) => {
                    let component = |corners: &Option<[u32; 3]>, without: f32| {
                        corners.map_or(without, |corners| blend(corners, space))
                    };
                    [0, 1, 2, 3].map(|n| component(&components[n], f32::from(u8::from(n == 3))))
                }
                (None, Some(normals)) => {
                    let normal = [0, 1, 2].map(|n| blend(normals.map(|normal| normal[n].to_bits()), space));
                    let bright = AMBIENT + (1.0 - AMBIENT) * dot(unit(normal), light).abs();
                    [bright, bright, bright, 1.0]
                }
                (None, None) => [1.0; 4],
            };
            self.merge((at, number), coverage, color);
        }
    }

    /// The triangles of the only pixel that was drawn, once all are drawn.
    ///
    /// # Errors
    /// What the evaluator refuses; `internal-picture` if all pixels were drawn.
    pub(crate) fn covered(mut self) -> Result<Covered> {
        self.run()?;
        self.only.ok_or_else(|| vec![Diagnostic::internal("internal-picture", "all pixels were drawn")])
    }

    /// The run of the only pixel's quad that waits, for a debugger, and the pixel's lane in it. `None` if no program or no
    /// quad is there.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub(crate) fn captured(self) -> Result<Option<(Captured, usize)>> {
        let (Some(shader), Some(only)) = (self.shader, &self.only) else { return Ok(None) };
        let found = self.pending.iter().position(|pixel| pixel.at == Some(only.at));
        let Some(lane) = found else { return Ok(None) };
        let helpers: Vec<bool> = self.pending.iter().map(|pixel| pixel.at.is_none()).collect();
        let count = self.pending.len();
        let grid = Some(Grid { width: 2, height: count / 2 });
        let lanes = Lanes { count, grid, helpers: &helpers, inputs: &self.values };
        Ok(Some((shader.captured(&lanes)?, lane)))
    }

    /// The picture, once all pixels are drawn: the colour of a pixel is the mean of its samples that were drawn to.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub(crate) fn picture(mut self) -> Result<Picture> {
        self.run()?;
        let mut picture = self.picture;
        if self.tests.depth.is_some() {
            picture.depths = self.stored.iter().map(|stored| stored.depth).collect();
        }
        let pixels = picture.pixels.iter_mut().zip(&mut picture.drawn);
        for ((pixel, drawn), samples) in pixels.zip(self.colors.chunks_exact(self.samples)) {
            let count = samples.iter().flatten().count() as f32;
            *drawn = count > 0.0;
            if *drawn {
                let sum = |n: usize| samples.iter().flatten().map(|color| color[n]).sum::<f32>();
                *pixel = [0, 1, 2, 3].map(|n| sum(n) / count);
            }
            if self.samples > 1 {
                picture.parts.push(count / self.samples as f32);
            }
        }
        Ok(picture)
    }
}

/// A component of an output at the corners of a triangle; `None` if the program does not write it.
fn corners(
    vertices: &Ran,
    ports: &[Io],
    triangle: &[usize; 3],
    output: usize,
    component: u8,
) -> Option<[u32; 3]> {
    let io = ports.get(output).filter(|io| io.used.has(component))?;
    let bits = vertices.outputs.get(output)?;
    let at = |vertex: usize| bits.get(vertex * usize::from(io.count) + usize::from(component)).copied();
    let [a, b, c] = triangle.map(at);
    Some([a?, b?, c?])
}

/// The mean of the corners with weights.
fn blend(corners: [u32; 3], weights: [f64; 3]) -> f32 {
    let parts = corners.iter().zip(weights).map(|(bits, weight)| f64::from(f32::from_bits(*bits)) * weight);
    parts.sum::<f64>() as f32
}

/// The bits of an input of a pixel. Components that the vertex program does not write are 0, 0, 0, 1.
fn input(
    io: &Io,
    fragment: &Fragment,
    corners: &[Option<[u32; 3]>],
    [x, y]: [usize; 2],
    front: bool,
) -> Vec<u32> {
    let [space, screen] = fragment.weights;
    let number = |n: u32| match io.scalar {
        Scalar::F32 => (n as f32).to_bits(),
        _ => n,
    };
    let varying = |how: Interpolation| {
        let component = |(n, corners): (usize, &Option<[u32; 3]>)| match (corners, how) {
            (None, _) => f32::from(u8::from(n == 3)).to_bits(),
            (Some([first, ..]), Interpolation::Flat) => *first,
            (Some(corners), Interpolation::Linear) => blend(*corners, screen).to_bits(),
            (Some(corners), Interpolation::Perspective) => blend(*corners, space).to_bits(),
        };
        corners.iter().enumerate().map(component).collect()
    };
    let all = match io.binding {
        Binding::Location(_) => return varying(Interpolation::Perspective),
        Binding::Varying { interpolation, .. } => return varying(interpolation),
        Binding::PixelPosition => fragment.position.map(f32::to_bits),
        Binding::Pixel => [number(x as u32), number(y as u32), 0, 0],
        Binding::PixelDepth => [fragment.position[2].to_bits(); 4],
        Binding::FrontFacing => [number(front.into()); 4],
        Binding::SampleMask => [number(1); 4],
        _ => [0; 4],
    };
    all.into_iter().cycle().take(io.count.into()).collect()
}
