//! Scenes of random triangles: the rasteriser of pictures, compared with a graphics device.
//!
//! Each triangle of a scene is drawn alone on the device, and its pixels are put over those of the triangles before it.
//! Devices round corners to 1/256 of a pixel. So a sample that is closer than that to an edge or to a clipping plane is
//! not compared, unless the corners of the scene are on that grid.

use crate::opened::first;
use shisa::Settings;
use shisa::data::pictures::{Mesh, Picture, Render, Vertex, render};
use shisa::diag::Limits;
use shisa_fuzz_targets::Random;
use shisa_translate::execute::{Device, Lane, Register, Resources, Triangle};
use shisa_translate::{Options, Output, Target};

/// Number of scenes.
pub(super) const SCENES: u64 = 100;
/// Triangles of a scene.
const TRIANGLES: usize = 4;
/// Width and height in pixels: powers of two, so that half pixels are exact numbers.
const SIZE: [usize; 2] = [32, 16];
/// Distances in pixels below which a sample may be covered or not.
const EDGE: f64 = 1.0 / 256.0;
/// The same for the depth, from 0 to 1.
const PLANE: f64 = 1.0 / 1024.0;

const VERTEX: &str = "// agal 1 vertex\nmov vt0, va0\nmov vt0.w, va1.y\nmov op, vt0\nmov v0, va2\n";
const FRAGMENT: &str = "// agal 1 fragment\nmov oc, v0\n";

/// Positions of samples in a pixel, as Direct3D and Vulkan define them.
const ONE: &[[f64; 2]] = &[[0.5, 0.5]];
const FOUR: &[[f64; 2]] = &[[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// A corner: its position before the division by w, and its colour.
#[derive(Clone, Copy)]
struct Corner {
    position: [f32; 4],
    color: [f32; 3],
}

struct Scene {
    triangles: Vec<[Corner; 3]>,
    samples: usize,
    /// Whether corners are on the grid of devices.
    is_exact: bool,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Compared {
    /// Pixels that are equal.
    pub(super) pixels: usize,
    /// Those to which something was drawn.
    pub(super) drawn: usize,
    /// Pixels that are not compared because a sample is on an edge.
    pub(super) on_edges: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.pixels += other.pixels;
        self.drawn += other.drawn;
        self.on_edges += other.on_edges;
    }
}

/// A random number between two others.
fn between(random: &mut Random, least: f32, most: f32) -> f32 {
    least + (most - least) * (random.below(1 << 24) as f32 / (1 << 24) as f32)
}

impl Scene {
    /// The scene of a number: of each ten, two have corners on a grid of half pixels, two are slivers, two reach out of the
    /// view, two through the near and the far plane, and two have a negative w. Every second one has four samples.
    fn new(number: u64) -> Scene {
        let (mut random, kind) = (Random::new(number), number / 2 % 5);
        let samples = if number.is_multiple_of(2) { 1 } else { 4 };
        let triangles = (0..TRIANGLES).map(|_| Scene::triangle(&mut random, kind)).collect();
        Scene { triangles, samples, is_exact: kind == 0 }
    }

    fn triangle(random: &mut Random, kind: u64) -> [Corner; 3] {
        let mut corners = [(); 3].map(|()| {
            let color = [(); 3].map(|()| between(random, 0.0, 1.0));
            let reach = if kind == 2 { 2.5 } else { 0.98 };
            let [x, y] = [(); 2].map(|()| between(random, -reach, reach));
            let z = if kind == 3 { between(random, -0.7, 1.7) } else { between(random, 0.05, 0.95) };
            let w = if kind == 4 { between(random, -0.4, 1.5) } else { between(random, 0.5, 2.0) };
            let position = match kind {
                0 => {
                    let halves = |at: f32, pixels: usize| (at * pixels as f32).round() / pixels as f32;
                    [halves(x, SIZE[0]), halves(y, SIZE[1]), z, 1.0]
                }
                4 => [x, y, z * w.max(0.1), w],
                _ => [x * w, y * w, z * w, w],
            };
            Corner { position, color }
        });
        if kind == 1 {
            // The third corner is close to the middle of the others.
            let [a, b, c] = corners.map(|corner| corner.position);
            let near = |n: usize| (a[n] / a[3] + b[n] / b[3]) / 2.0 + between(random, -0.03, 0.03);
            let [x, y] = [0, 1].map(near);
            corners[2].position = [x * c[3], y * c[3], c[2], c[3]];
        }
        corners
    }

    fn mesh(&self) -> Mesh {
        let vertex = |corner: &Corner| Vertex {
            position: [corner.position[0], corner.position[1], corner.position[2]],
            coordinates: [0.0, corner.position[3]],
            normal: corner.color,
            color: [1.0; 4],
        };
        let triangles = (0..self.triangles.len()).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]);
        Mesh {
            vertices: self.triangles.iter().flatten().map(vertex).collect(),
            triangles: triangles.collect(),
        }
    }

    fn picture(&self) -> Result<Picture, String> {
        let text = |e: Vec<shisa::diag::Diagnostic>| e.iter().map(ToString::to_string).collect::<String>();
        let shader = |source: &str| {
            let program = first(source.as_bytes(), &Settings::new()).map_err(|e| e.to_string())?;
            program.shader(None).map_err(|e| e.to_string())
        };
        let (mut vertex, mut fragment) = (shader(VERTEX)?, shader(FRAGMENT)?);
        let how = Render { size: SIZE, samples: self.samples, depth: false, ..Render::default() };
        render(&mut *vertex, Some(&mut *fragment), &self.mesh(), &how, &Limits::default()).map_err(text)
    }
}

/// The programs for a device.
pub(super) struct Programs([Output; 2]);

impl Programs {
    pub(super) fn new(target: Target) -> Result<Programs, String> {
        let open =
            |source: &'static str| first(source.as_bytes(), &Settings::new()).map_err(|e| e.to_string());
        let options = Options { exact: true, ..Options::default() };
        let pair = shisa::agal::translate_pair(&open(VERTEX)?, &open(FRAGMENT)?, target, &options);
        pair.map(Programs).map_err(|e| e.to_string())
    }

    /// The pixels of a triangle; samples of a pixel are adjacent.
    fn draw(&self, device: &Device, corners: &[Corner; 3], samples: usize) -> Result<Vec<Lane>, String> {
        let [vertex, fragment] = &self.0;
        let register = |name: &str, corner: &Corner| -> Register {
            let ([x, y, z, w], [r, g, b]) = (corner.position, corner.color);
            let value = match name {
                "va0" => [x, y, z, 1.0],
                "va1" => [0.0, w, 0.0, 1.0],
                _ => [r, g, b, 1.0],
            };
            value.map(f32::to_bits)
        };
        let inputs = |corner: Corner| -> Vec<Register> {
            vertex.reflection.inputs.iter().map(|input| register(&input.name, &corner)).collect()
        };
        let drawn = device.triangle(&Triangle {
            vertex,
            fragment,
            resources: [Resources::default(); 2],
            corners: &corners.map(inputs),
            size: SIZE.map(|n| n as u32),
            samples: samples as u32,
            drawn: SIZE.map(|n| n as u32),
        })?;
        Ok(drawn.pixels)
    }
}

/// A triangle in numbers of 64 bits, which judges how far from its edges a position is.
struct Plane {
    /// Each edge as a function of x, y and 1.
    edges: [[f64; 3]; 3],
    corners: [[f64; 4]; 3],
    colors: [[f64; 3]; 3],
}

impl Plane {
    fn new(corners: &[Corner; 3]) -> Plane {
        let positions = corners.map(|corner| corner.position.map(f64::from));
        let edge = |a: [f64; 4], b: [f64; 4]| {
            [a[1] * b[3] - a[3] * b[1], a[3] * b[0] - a[0] * b[3], a[0] * b[1] - a[1] * b[0]]
        };
        let [a, b, c] = positions;
        let colors = corners.map(|corner| corner.color.map(f64::from));
        Plane { edges: [edge(b, c), edge(c, a), edge(a, b)], corners: positions, colors }
    }

    fn values(&self, [x, y]: [f64; 2]) -> [f64; 3] {
        let at = [2.0 * x / SIZE[0] as f64 - 1.0, 1.0 - 2.0 * y / SIZE[1] as f64, 1.0];
        self.edges.map(|edge| (0..3).map(|n| edge[n] * at[n]).sum())
    }

    /// The colour at a position in pixels.
    fn color(&self, at: [f64; 2]) -> [f64; 3] {
        let values = self.values(at);
        let sum: f64 = values.iter().sum();
        std::array::from_fn(|n| {
            values.iter().zip(self.colors).map(|(value, color)| value / sum * color[n]).sum()
        })
    }

    /// Whether rounding of the corners may change what a position shows.
    fn is_doubtful(&self, at: [f64; 2]) -> bool {
        let values = self.values(at);
        let slope = |edge: [f64; 3]| (2.0 * edge[0] / SIZE[0] as f64).hypot(2.0 * edge[1] / SIZE[1] as f64);
        let near_edge = values.iter().zip(self.edges).any(|(value, edge)| value.abs() < EDGE * slope(edge));
        let sum: f64 = values.iter().sum();
        let z: f64 = values.iter().zip(self.corners).map(|(value, corner)| value * corner[2]).sum();
        let w: f64 = values.iter().zip(self.corners).map(|(value, corner)| value * corner[3]).sum();
        near_edge || sum == 0.0 || (z / w).abs() < PLANE || (z / w - 1.0).abs() < PLANE
    }

    /// How much rounding of the corners may change the colour at a position.
    fn spread(&self, at: [f64; 2]) -> f64 {
        let own = self.color(at);
        let moved = [[EDGE, 0.0], [-EDGE, 0.0], [0.0, EDGE], [0.0, -EDGE]];
        let apart = moved.iter().flat_map(|[right, down]| {
            let other = self.color([at[0] + right, at[1] + down]);
            (0..3).map(move |n| (other[n] - own[n]).abs())
        });
        4.0 * apart.fold(0.0, f64::max) + 1e-4
    }
}

/// What a sample shows: the number of its triangle and the colour.
type Shown = Option<(usize, [f32; 3])>;

/// Draws a scene with the rasteriser and on the device, and compares the pixels.
pub(super) fn judge(number: u64, programs: &Programs, device: &Device) -> Result<Compared, String> {
    let scene = Scene::new(number);
    let (own, samples) = (scene.picture()?, scene.samples);
    let places = if samples == 1 { ONE } else { FOUR };
    let mut shown: Vec<Shown> = vec![None; SIZE[0] * SIZE[1] * samples];
    for (n, corners) in scene.triangles.iter().enumerate() {
        let lanes = programs.draw(device, corners, samples)?;
        for (to, lane) in shown.iter_mut().zip(&lanes).filter(|(_, lane)| !lane.killed) {
            let [r, g, b, _] = lane.outputs.first().copied().unwrap_or_default().map(f32::from_bits);
            *to = Some((n, [r, g, b]));
        }
    }
    let planes: Vec<Plane> = scene.triangles.iter().map(Plane::new).collect();
    let mut compared = Compared::default();
    for (pixel, shown) in shown.chunks_exact(samples).enumerate() {
        let [x, y] = [pixel % SIZE[0], pixel / SIZE[0]].map(|n| n as f64);
        let doubtful = |at: &[f64; 2]| planes.iter().any(|plane| plane.is_doubtful([x + at[0], y + at[1]]));
        if !scene.is_exact && places.iter().any(doubtful) {
            compared.on_edges += 1;
            continue;
        }
        let covered: Vec<(usize, [f32; 3])> = shown.iter().flatten().copied().collect();
        let part = own.parts.get(pixel).copied().unwrap_or(f32::from(u8::from(own.drawn[pixel])));
        let expected = covered.len() as f32 / samples as f32;
        if part != expected {
            return Err(format!("pixel {x} {y}: {part} of it is drawn, and {expected} of it on the device"));
        }
        let spread = covered.iter().map(|(n, _)| planes[*n].spread([x + 0.5, y + 0.5])).fold(0.0, f64::max);
        for n in 0..3 {
            let mean = covered.iter().map(|(_, color)| color[n]).sum::<f32>() / covered.len().max(1) as f32;
            let apart = f64::from((mean - own.pixels[pixel][n]).abs());
            if !covered.is_empty() && apart > spread {
                let own = own.pixels[pixel][n];
                return Err(format!(
                    "pixel {x} {y}, component {n}: {own}, and {mean} ± {spread} on the device"
                ));
            }
        }
        compared.pixels += 1;
        compared.drawn += usize::from(!covered.is_empty());
    }
    Ok(compared)
}
