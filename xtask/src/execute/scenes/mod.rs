//! Scenes of random triangles: the rasteriser of pictures, compared with a graphics device.
//!
//! The colours and the depths of all samples are compared after all triangles are drawn, in the state of the scene: depth
//! test, blending, culling. Not compared are pixels with a sample whose result is in doubt:
//!
//! * Devices round corners to 1/256 of a pixel. A sample that is closer than that to an edge or to a clipping plane may be
//!   covered or not, unless the corners of the scene are on that grid.
//! * A depth may be away from the exact one by what [`Plane::depth_within`] states. Where two depths are closer to each other
//!   than that, their test may pass or not. Depths that are the same everywhere on a triangle are exact, and so
//!   are ties between them, and ties between triangles with the same corners.

mod device;
mod expected;
mod faults;
mod plane;
mod state;

pub(super) use device::Programs;

use crate::opened::first;
use expected::{Certain, Within};
use faults::FAULTS;
use plane::Plane;
use shisa::Settings;
use shisa::data::pictures::{Attribute, Mesh, Picture, Render, Vertex, render};
use shisa::diag::Limits;
use shisa_fuzz_targets::Random;
use shisa_translate::execute::Device;
use shisa_translate::execute::scene::Sample;
use state::State;

/// Scenes without depth test, blending and culling.
const PLAIN: u64 = 100;
/// Number of scenes. Those after the plain ones have the state of their number.
pub(super) const SCENES: u64 = 300;
/// Triangles of a scene.
const TRIANGLES: usize = 4;
/// Width and height in pixels: powers of two, so that half pixels are exact numbers.
const SIZE: [usize; 2] = [32, 16];
/// Depths of triangles that have the same depth everywhere.
const FLAT: [f32; 3] = [0.25, 0.5, 0.75];

const VERTEX: &str = "// agal 1 vertex\nmov vt0, va0\nmov vt0.w, va1.y\nmov op, vt0\nmov v0, va2\n";
const FRAGMENT: &str = "// agal 1 fragment\nmov oc, v0\n";

/// Positions of samples in a pixel, as Direct3D and Vulkan define them.
const ONE: &[[f64; 2]] = &[[0.5, 0.5]];
const FOUR: &[[f64; 2]] = &[[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// A corner: its position before the division by w, and its colour.
#[derive(Clone, Copy)]
struct Corner {
    position: [f32; 4],
    color: [f32; 4],
}

struct Scene {
    triangles: Vec<[Corner; 3]>,
    samples: usize,
    /// Whether corners are on the grid of devices.
    is_exact: bool,
    state: State,
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
    /// Pixels that are not compared because the test of a sample's depth is in doubt.
    pub(super) near_ties: usize,
    /// Depths of samples that are equal.
    pub(super) depths: usize,
    /// For each fault the scenes that have it, and those whose comparison notices it.
    pub(super) faults: [[usize; 2]; FAULTS.len()],
}

impl Compared {
    /// For each fault in how many of the scenes that have it the comparison notices it.
    pub(super) fn noticed(&self) -> String {
        let faults = FAULTS.iter().zip(self.faults);
        let texts = faults.map(|((name, _), [all, noticed])| format!("{name} {noticed}/{all}"));
        texts.collect::<Vec<_>>().join(", ")
    }

    /// Whether there are scenes with a fault that the comparison of none notices.
    pub(super) fn misses_faults(&self) -> bool {
        self.faults.iter().any(|[all, noticed]| *all > 0 && *noticed == 0)
    }
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.pixels += other.pixels;
        self.drawn += other.drawn;
        self.on_edges += other.on_edges;
        self.near_ties += other.near_ties;
        self.depths += other.depths;
        for (own, other) in self.faults.iter_mut().flatten().zip(other.faults.iter().flatten()) {
            *own += other;
        }
    }
}

/// A random number between two others.
fn between(random: &mut Random, least: f32, most: f32) -> f32 {
    least + (most - least) * (random.below(1 << 24) as f32 / (1 << 24) as f32)
}

/// Gives a triangle the same depth everywhere, and its corners the same w. A scene on the grid stays there.
fn flatten(random: &mut Random, corners: &mut [Corner; 3], is_exact: bool) {
    let depth = FLAT[random.below(FLAT.len())];
    let w = if is_exact { 1.0 } else { [0.5, 1.0, 2.0][random.below(3)] };
    for Corner { position, .. } in corners {
        let [x, y, _, own] = *position;
        *position = [x / own * w, y / own * w, depth * w, w];
    }
}

impl Scene {
    /// The scene of a number: of each ten, two have corners on a grid of half pixels, two are slivers, two reach out of the
    /// view, two through the near and the far plane, and two have a negative w. Every second one has four samples. With a
    /// state, half of the triangles have the same depth everywhere, and in every third scene two triangles have the same
    /// corners.
    fn new(number: u64) -> Scene {
        let (mut random, kind) = (Random::new(number), number / 2 % 5);
        let samples = if number.is_multiple_of(2) { 1 } else { 4 };
        let mut triangles: Vec<[Corner; 3]> =
            (0..TRIANGLES).map(|_| Scene::triangle(&mut random, kind)).collect();
        let mut state = State::PLAIN;
        if let Some(own) = number.checked_sub(PLAIN) {
            state = State::new(own as usize);
            for triangle in &mut triangles {
                triangle.iter_mut().for_each(|corner| corner.color[3] = between(&mut random, 0.0, 1.0));
                if kind < 3 && random.below(2) == 0 {
                    flatten(&mut random, triangle, kind == 0);
                }
            }
            if let ([first, .., last], true) = (&mut triangles[..], own.is_multiple_of(3)) {
                for (from, to) in first.iter().zip(last) {
                    to.position = from.position;
                }
            }
        }
        Scene { triangles, samples, is_exact: kind == 0, state }
    }

    fn triangle(random: &mut Random, kind: u64) -> [Corner; 3] {
        let mut corners = [(); 3].map(|()| {
            let [r, g, b] = [(); 3].map(|()| between(random, 0.0, 1.0));
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
            Corner { position, color: [r, g, b, 1.0] }
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
            normal: [0.0; 3],
            color: corner.color,
        };
        let triangles = (0..self.triangles.len()).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]);
        Mesh {
            vertices: self.triangles.iter().flatten().map(vertex).collect(),
            triangles: triangles.collect(),
        }
    }

    /// What is certain of each pixel.
    fn certain(&self) -> Vec<Certain> {
        let planes = self.triangles.iter().map(|corners| Plane::new(corners, self.is_exact));
        let planes: Vec<Plane> = planes.collect();
        let places = if self.samples == 1 { ONE } else { FOUR };
        let pixels = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y].map(|n| n as f64)));
        pixels.map(|pixel| Certain::new(self, &planes, pixel, places)).collect()
    }

    /// Draws the scene with the rasteriser, in a state.
    fn picture(&self, state: &State) -> Result<Picture, String> {
        let text = |e: Vec<shisa::diag::Diagnostic>| e.iter().map(ToString::to_string).collect::<String>();
        let shader = |source: &str| {
            let program = first(source.as_bytes(), &Settings::new()).map_err(|e| e.to_string())?;
            program.shader(None).map_err(|e| e.to_string())
        };
        let (mut vertex, mut fragment) = (shader(VERTEX)?, shader(FRAGMENT)?);
        let attributes = [("va2".to_owned(), Attribute::Color)].into();
        let how = Render { size: SIZE, samples: self.samples, attributes, ..state.render() };
        render(&mut *vertex, Some(&mut *fragment), &self.mesh(), &how, &Limits::default()).map_err(text)
    }
}

/// Draws a scene with the rasteriser and on the device, and compares the samples. Then it draws the scene with faults.
pub(super) fn judge(number: u64, programs: &Programs, device: &Device) -> Result<Compared, String> {
    let scene = Scene::new(number);
    let samples = programs.draw(device, &scene)?;
    let certain = scene.certain();
    let mut compared = compare(&scene, &certain, &scene.picture(&scene.state)?, &samples)?;
    for ((_, fault), [all, noticed]) in FAULTS.iter().zip(&mut compared.faults) {
        let state = fault(scene.state);
        if state != scene.state {
            *all += 1;
            let is_equal = compare(&scene, &certain, &scene.picture(&state)?, &samples).is_ok();
            *noticed += usize::from(!is_equal);
        }
    }
    Ok(compared)
}

/// Compares a picture with the samples of a device.
fn compare(
    scene: &Scene,
    certain: &[Certain],
    own: &Picture,
    samples: &[Sample],
) -> Result<Compared, String> {
    let count = certain.len() * scene.samples;
    let depths = if scene.state.depth.is_some() { count } else { 0 };
    if (samples.len(), own.depths.len()) != (count, depths) {
        let (drawn, stored) = (samples.len(), own.depths.len());
        return Err(format!("{drawn} samples of the device and {stored} depths, of {count} samples"));
    }
    let mut compared = Compared::default();
    let mut depths = own.depths.chunks_exact(scene.samples);
    for (pixel, (drawn, certain)) in samples.chunks_exact(scene.samples).zip(certain).enumerate() {
        let [x, y] = [pixel % SIZE[0], pixel / SIZE[0]];
        // Without a depth test there are no depths.
        let depths = depths.next().into_iter().flatten();
        let within = match certain {
            Certain::OnEdge => {
                compared.on_edges += 1;
                continue;
            }
            Certain::NearTie => {
                compared.near_ties += 1;
                continue;
            }
            Certain::Within(within) => within,
        };
        let covered: Vec<(&Sample, f64)> =
            drawn.iter().zip(within.iter().map(|w| w.color)).filter(|(sample, _)| sample.drawn > 0).collect();
        let part = own.parts.get(pixel).copied().unwrap_or(f32::from(u8::from(own.drawn[pixel])));
        let expected = covered.len() as f32 / scene.samples as f32;
        if part != expected {
            return Err(format!("pixel {x} {y}: {part} of it is drawn, and {expected} of it on the device"));
        }
        let spread = covered.iter().map(|(_, apart)| *apart).fold(0.0, f64::max);
        for n in 0..4 {
            let mean =
                covered.iter().map(|(sample, _)| sample.color[n]).sum::<f32>() / covered.len().max(1) as f32;
            let own = own.pixels[pixel][n];
            let apart = f64::from((mean - own).abs());
            if !covered.is_empty() && (apart > spread || apart.is_nan()) {
                return Err(format!(
                    "pixel {x} {y}, component {n}: {own}, and {mean} ± {spread} on the device"
                ));
            }
        }
        for ((own, Sample { depth, .. }), Within { depth: within, .. }) in depths.zip(drawn).zip(within) {
            let apart = f64::from((own - depth).abs());
            if apart > *within || apart.is_nan() {
                return Err(format!("pixel {x} {y}: depth {own}, and {depth} ± {within} on the device"));
            }
            compared.depths += 1;
        }
        compared.pixels += 1;
        compared.drawn += usize::from(!covered.is_empty());
    }
    Ok(compared)
}
