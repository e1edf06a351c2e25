//! Linked pairs draw a triangle: varyings interpolated by a graphics device, compared with the evaluator.

use super::agal::{filtered, given, inputs, textures, uniforms};
use super::{Counts, FILTERED, SINE};
use crate::opened::{first, lowered};
use shisa::agal::{RunInput, RunOutput};
use shisa::eval::Grid;
use shisa::{Lowered, RunOptions, Settings};
use shisa_conformance::numbers::{SENSITIVE, within};
use shisa_translate::execute::{Device, Lane, Resources, Triangle};
use shisa_translate::{Options, Output, Target};
use std::path::Path;

/// Width and height of the target.
const SIZE: [usize; 2] = [24, 16];
/// The largest error of a device's varyings, as a fraction of their largest value at a corner: devices round corners
/// to a grid as coarse as 1/256 of a pixel.
pub(super) const INTERPOLATION: f64 = 1.0 / 1024.0;
/// Pixels whose centre is closer to an edge than this fraction of the triangle may be covered or not.
const EDGE: f64 = 1.0 / 512.0;
/// `va0` at the corners: on the target if it is the position, each with a distance (w) of its own, so that
/// interpolation has to respect it.
const CORNERS: [[f32; 4]; 3] = [[-0.9, -0.85, 0.25, 1.0], [1.4, -1.2, 0.5, 1.5], [0.1, 0.7, 0.25, 0.75]];

/// The program in some bytes.
fn program(bytes: &[u8]) -> Result<shisa::Program<'_>, String> {
    first(bytes, &Settings::new()).map_err(|e| e.to_string())
}

/// A vertex and a fragment program that belong together.
pub(crate) struct Pair {
    bytes: [Vec<u8>; 2],
    lowered: [Lowered; 2],
    /// Three lanes of the vertex program.
    corners: RunInput,
    /// The fragment program's constants and textures.
    pixels: RunInput,
}

impl Pair {
    /// The pair whose programs and inputs are `NAME.vert.json` and `NAME.frag.json`. Its transformation (`vc0` to
    /// `vc3`) is the identity, its position (`va0`) that of a triangle on the target. `None` for programs that cannot
    /// be linked.
    pub(super) fn read(base: &Path, name: &str) -> Result<Option<Pair>, String> {
        let read = |stage: &str| {
            let path = base.join(format!("run/{name}.{stage}.json"));
            given(base, &path).map(|(_, bytes, input)| (bytes, input))
        };
        let (vertex, mut corners) = read("vert")?;
        let (fragment, pixels) = read("frag")?;
        let faults = shisa::agal::check_pair(&program(&vertex)?, &program(&fragment)?);
        if faults.is_ok_and(|f| !f.is_empty()) {
            return Ok(None);
        }
        for (row, component) in (0..4).flat_map(|r| (0..4).map(move |c| (r, c))) {
            if let Some(value) = corners.constants.get_mut(&format!("vc{row}")) {
                value[component] = f32::from(u8::from(row == component)).to_bits();
            }
        }
        Pair::new([vertex, fragment], corners, pixels).map(Some)
    }

    /// Makes a pair, and positions the triangle.
    pub(crate) fn new(bytes: [Vec<u8>; 2], mut corners: RunInput, pixels: RunInput) -> Result<Pair, String> {
        corners.lanes = 3;
        // A draw call with one instance.
        corners.instance = vec![0; if corners.instance.is_empty() { 0 } else { 3 }];
        corners.inputs.values_mut().for_each(|lanes| lanes.truncate(3));
        corners.inputs.insert("va0".into(), CORNERS.map(|c| c.map(f32::to_bits).to_vec()).to_vec());
        let lower = |b: &[u8]| lowered(b, &Settings::default()).map_err(|e| e.to_string());
        let lowered = [lower(&bytes[0])?, lower(&bytes[1])?];
        let mut pair = Pair { bytes, lowered, corners, pixels };
        let positions = positions(&pair.run(0, &pair.corners)?)?;
        if !in_view(&positions) {
            pair.bring_into_view(&positions);
        }
        Ok(pair)
    }

    /// The reason why no whole triangle of the pair is visible, whatever draws it.
    pub(super) fn hidden(&self) -> Option<String> {
        self.run(0, &self.corners).and_then(|corners| Plane::new(&corners)).err()
    }

    /// Sets a transformation that maps this triangle to [`CORNERS`], unless the triangle is a line.
    fn bring_into_view(&mut self, positions: &[[f64; 4]; 3]) {
        let Some(inverse) = inverse(&positions.map(|[x, y, _, w]| [x, y, w])) else { return };
        let factors = |row: usize| {
            let factor = |k: usize| (0..3).map(|i| inverse[k][i] * f64::from(CORNERS[i][row])).sum::<f64>();
            [factor(0), factor(1), 0.0, factor(2)].map(|f| (f as f32).to_bits())
        };
        let rows = (0..4).map(|row| (format!("vc{row}"), factors(row)));
        self.corners.constants.extend(rows);
    }

    /// Draws it on the device and on the evaluator, and compares.
    pub(crate) fn judge(&self, device: &Device, target: Target) -> Result<Counts, String> {
        let plane = Plane::new(&self.run(0, &self.corners)?)?;
        let exact = self.run(1, &self.interpolated(&plane, |_, _, _| 0.0))?;
        // Where values wrap or jump, some of these end up on the other side.
        let mut near = Vec::new();
        for part in [1.0, 0.61, 0.37, 0.14].map(|p| p * INTERPOLATION) {
            let signed = |n: usize| if n.is_multiple_of(2) { part } else { -part };
            near.push(self.run(1, &self.interpolated(&plane, |_, _, c| signed(c)))?);
            near.push(self.run(1, &self.interpolated(&plane, |_, _, c| -signed(c)))?);
            near.push(self.run(1, &self.interpolated(&plane, |x, _, c| signed(x + c / 2)))?);
            near.push(self.run(1, &self.interpolated(&plane, |_, y, c| signed(y + c / 2)))?);
        }
        self.compare(&plane, &exact, &near, &self.draw(device, target)?)
    }

    fn run(&self, program: usize, input: &RunInput) -> Result<RunOutput, String> {
        let program = self::program(&self.bytes[program])?;
        shisa::agal::run(&program, input, RunOptions::new()).map_err(|e| e.to_string())
    }

    /// The fragment program's inputs at each pixel, shifted by a fraction of their largest value at a corner, which
    /// depends on column, row and component.
    fn interpolated(&self, plane: &Plane, shift: impl Fn(usize, usize, usize) -> f64) -> RunInput {
        let [width, height] = SIZE;
        let mut input = RunInput { lanes: width * height, ..self.pixels.clone() };
        input.grid = Some(Grid { width, height });
        input.inputs = (plane.varyings.iter().filter(|v| self.reads(&v.0)))
            .map(|(name, corners)| {
                let value = |(x, y): (usize, usize), c: usize| {
                    let largest = corners.iter().map(|v| v[c].abs()).fold(0.0, f64::max);
                    let weights = plane.weights(x, y);
                    let all: f64 = weights.iter().sum();
                    let sum: f64 = weights.iter().zip(corners).map(|(w, v)| w * v[c]).sum();
                    ((sum / all + shift(x, y, c) * largest) as f32).to_bits()
                };
                let lane = |at| (0..4).map(|c| value(at, c)).collect();
                (name.clone(), pixels().map(lane).collect())
            })
            .collect();
        input
    }

    fn reads(&self, varying: &str) -> bool {
        self.lowered[1].interface.inputs.iter().any(|i| i.name == varying)
    }

    fn draw(&self, device: &Device, target: Target) -> Result<Vec<Lane>, String> {
        let [vertex, fragment] = &self.lowered;
        let uniforms = [uniforms(vertex, &self.corners), uniforms(fragment, &self.pixels)];
        let images = [textures(vertex, &self.corners)?, textures(fragment, &self.pixels)?];
        let options = Options { exact: true, ..Options::default() };
        let [first, second] = &self.bytes;
        let pair = shisa::agal::translate_pair(&program(first)?, &program(second)?, target, &options);
        let [first, second]: [Output; 2] = pair.map_err(|e| e.to_string())?;
        let corners = inputs(vertex, &self.corners).try_into().map_err(|_| "not three corners")?;
        let resources = |stage: usize| Resources {
            uniforms: &uniforms[stage],
            textures: &images[stage],
            ..Resources::default()
        };
        let drawn = device.triangle(&Triangle {
            vertex: &first,
            fragment: &second,
            resources: [resources(0), resources(1)],
            corners: &corners,
            size: SIZE.map(|n| n as u32),
            samples: 1,
            drawn: SIZE.map(|n| n as u32),
        })?;
        Ok(drawn.pixels)
    }

    fn compare(
        &self,
        plane: &Plane,
        exact: &RunOutput,
        near: &[RunOutput],
        got: &[Lane],
    ) -> Result<Counts, String> {
        let (mut counts, mut covered) = (Counts::default(), 0);
        let filtered = filtered(&self.lowered[1], &self.pixels) || filtered(&self.lowered[0], &self.corners);
        let sines = self.lowered.iter().flat_map(Lowered::texts);
        let sines = sines.into_iter().any(|t| t.starts_with("sin ") || t.starts_with("cos "));
        for (l, ((x, y), lane)) in pixels().zip(got).enumerate() {
            let depth = plane.inside(x, y);
            let killed = exact.killed[l];
            if depth.abs() < EDGE || depth > 0.0 && near.iter().any(|n| n.killed[l] != killed) {
                continue;
            }
            if lane.killed != (killed || depth < 0.0) {
                return Err(format!("pixel {x} {y}: expected {}, got the opposite", !lane.killed));
            }
            covered += usize::from(depth > 0.0);
            if lane.killed {
                continue;
            }
            for (o, (column, got)) in exact.outputs.iter().zip(&lane.outputs).enumerate() {
                for (c, (want, &got)) in column.lanes[l].iter().zip(got).enumerate() {
                    let Some(want) = *want else { continue };
                    let (w, g) = (f32::from_bits(want), f32::from_bits(got));
                    let other = |n: &RunOutput| f32::from_bits(n.outputs[o].lanes[l][c].unwrap_or(want));
                    let spread = near.iter().map(|n| f64::from((other(n) - w).abs())).fold(0.0, f64::max);
                    let apart = f64::from((w - g).abs());
                    let close = within(w, g, SENSITIVE)
                        || apart <= 2.0 * spread
                        || filtered && apart <= FILTERED * f64::from(w.abs().max(1.0)) + 2.0 * spread
                        || sines && apart <= SINE + 2.0 * spread;
                    if !close && w.is_finite() && spread.is_finite() {
                        let at = format!("{} of pixel {x} {y}, component {c}", column.name);
                        return Err(format!("{at}: the evaluator yields {w} ± {spread}, the device {g}"));
                    }
                    counts.components += 1;
                    counts.equal += usize::from(want == got);
                }
            }
        }
        if covered > 0 { Ok(counts) } else { Err("no pixel of the triangle was compared".into()) }
    }
}

/// The pixels, row by row.
fn pixels() -> impl Iterator<Item = (usize, usize)> {
    (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)))
}

/// The triangle that the vertex program output.
struct Plane {
    /// Inverse of the matrix whose rows are x, y and w of the corners.
    inverse: [[f64; 3]; 3],
    /// w of the corners.
    w: [f64; 3],
    /// Each varying with its values at the corners.
    varyings: Vec<(String, [[f64; 4]; 3])>,
}

/// Each output with its values at the corners.
fn outputs(corners: &RunOutput) -> impl Iterator<Item = (String, [[f64; 4]; 3])> + '_ {
    corners.outputs.iter().map(|column| {
        let value = |lane: usize, c: usize| {
            let bits = column.lanes.get(lane).and_then(|l| *l.get(c)?).unwrap_or(0);
            f64::from(f32::from_bits(bits))
        };
        let corner = |lane: usize| std::array::from_fn(|c| value(lane, c));
        (column.name.clone(), std::array::from_fn(corner))
    })
}

/// The clip positions of the corners.
fn positions(corners: &RunOutput) -> Result<[[f64; 4]; 3], String> {
    outputs(corners).find(|o| o.0 == "op").map(|o| o.1).ok_or_else(|| "no position".into())
}

/// Whether no part of the triangle is clipped.
fn in_view(positions: &[[f64; 4]; 3]) -> bool {
    positions.iter().all(|&[x, y, z, w]| w > 0.01 && x.abs() <= w && y.abs() <= w && (0.0..=w).contains(&z))
}

/// The inverse of a matrix, if it has one.
fn inverse(m: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let minor = |r: usize, c: usize| {
        let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    };
    let size: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
    let inverse = std::array::from_fn(|r| std::array::from_fn(|c| minor(c, r) / size));
    (size.abs() > 1e-3).then_some(inverse)
}

impl Plane {
    fn new(corners: &RunOutput) -> Result<Plane, String> {
        let positions = positions(corners)?;
        let inverse = inverse(&positions.map(|[x, y, _, w]| [x, y, w])).filter(|_| in_view(&positions));
        let inverse = inverse.ok_or("its triangle is not completely in view")?;
        let varyings = outputs(corners).filter(|o| o.0 != "op").collect();
        Ok(Plane { inverse, w: positions.map(|p| p[3]), varyings })
    }

    /// The weights of the corners at the centre of a pixel, with perspective; their sum is not one.
    fn weights(&self, x: usize, y: usize) -> [f64; 3] {
        let [width, height] = SIZE.map(|n| n as f64);
        let at = [(2.0 * x as f64 + 1.0) / width - 1.0, 1.0 - (2.0 * y as f64 + 1.0) / height, 1.0];
        std::array::from_fn(|i| (0..3).map(|c| at[c] * self.inverse[c][i]).sum())
    }

    /// The distance of a pixel's centre from the nearest edge, as a fraction of the triangle's height; negative
    /// outside.
    fn inside(&self, x: usize, y: usize) -> f64 {
        self.weights(x, y).iter().zip(self.w).map(|(b, w)| b * w).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "helpers of tests")]

    use super::*;
    use shisa::Language;
    use shisa::agal::TextureInput;

    /// The lit cube of the examples, drawn by the device from end to end.
    #[test]
    fn an_example_pair_draws_alike() {
        let device = match Device::open() {
            Ok(device) => device,
            Err(e) => return println!("skipped: {e}"),
        };
        let assemble =
            |text| shisa::assemble(text, Language::Agal, &Settings::default()).map(|a| a.bytes).unwrap();
        let bytes = [
            assemble(include_str!("../../../examples/lit.vert.agal")),
            assemble(include_str!("../../../examples/lit.frag.agal")),
        ];
        let rows = |corners: RunInput, first: usize, count: usize| {
            (0..count).fold(corners, |input, row| {
                let unit = std::array::from_fn(|c| f32::from(u8::from(c == row)));
                input.constant(&format!("vc{}", first + row), unit)
            })
        };
        let corners = rows(rows(RunInput::new(3), 0, 4), 4, 3)
            .input("va1", [[0.0, 0.0], [1.5, 0.25], [0.5, 2.0]])
            .input("va2", [[0.0, 0.0, 1.0, 0.0], [0.5, 0.5, 1.0, 0.0], [-1.0, 0.25, 0.5, 0.0]]);
        let mut pixels = RunInput::default()
            .constant("fc0", [0.0, 0.6, 0.8, 0.0])
            .constant("fc1", [0.1, 0.1, 0.2, 0.0])
            .constant("fc2", [0.9, 0.8, 0.7, 0.0]);
        let level = |size: usize| vec![(0..4 * size * size).map(|i| (i * 37 % 256) as u8).collect()];
        pixels.textures.insert(
            "fs0".into(),
            TextureInput {
                dim: shisa::ir::Dim::D2,
                width: 4,
                height: 4,
                format: shisa::eval::Format::Rgba8,
                levels: [4, 2, 1].map(level).to_vec(),
                sampler: TextureInput::PLAIN_SAMPLER,
            },
        );
        let pair = Pair::new(bytes, corners, pixels).unwrap();
        let counts = pair.judge(&device, Target::Wgsl).unwrap();
        assert!(counts.components > 400, "{}", counts.components);
        // Another light, on the device only.
        let plane = Plane::new(&pair.run(0, &pair.corners).unwrap()).unwrap();
        let exact = pair.run(1, &pair.interpolated(&plane, |_, _, _| 0.0)).unwrap();
        let mut other = pair;
        other.pixels.constants.insert("fc2".into(), [0; 4]);
        let drawn = other.draw(&device, Target::Wgsl).unwrap();
        assert!(other.compare(&plane, &exact, &[], &drawn).is_err());
    }
}
