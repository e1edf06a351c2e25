use super::*;
mod shapes;

use crate::{Environment, Plane, Sample, first_lanes};
use shisa_diag::Limits;
use shisa_ir::{Dim, Filter, Lanes, Lod, Sampler, SamplerRef, TexOp, WAVE, Wrap};

/// A flat texture with `levels` whose texel (x, y) of level l is [x, y, l, 1] / 255.
fn ramp(width: usize, height: usize, levels: usize) -> Texture {
    let levels: Vec<[Vec<u8>; 1]> = (0..levels)
        .map(|l| {
            let (w, h) = ((width >> l).max(1), (height >> l).max(1));
            [(0..w * h).flat_map(|i| [(i % w) as u8, (i / w) as u8, l as u8, 255]).collect()]
        })
        .collect();
    Texture::new(Format::Rgba8, Dim::D2, width, height, &levels, &Limits::default()).unwrap()
}

/// Six faces of `size`: the face's index in red, the texel's in green and blue.
fn faces(size: usize) -> Texture {
    let face =
        |f: u8| (0..size * size).flat_map(move |i| [f, (i % size) as u8, (i / size) as u8, 255]).collect();
    let level: Vec<Vec<u8>> = (0..6).map(face).collect();
    Texture::new(Format::Rgba8, Dim::Cube, size, size, &[level], &Limits::default()).unwrap()
}

const NEAREST: Sampler =
    Sampler { filter: Filter::Nearest, mip: None, wrap: [Wrap::Clamp; 3], anisotropy: 1, bias_eighths: 0 };
const LINEAR: Sampler = Sampler { filter: Filter::Linear, ..NEAREST };

/// The parameters of a test's sample: coordinates for each lane, and the source of the level.
struct Request {
    coords: Vec<[f32; 3]>,
    sampler: Sampler,
    quads: bool,
    lanes: Lanes,
}

fn planes(coords: &[[f32; 3]]) -> [Plane; 3] {
    let mut planes = [Plane::ZERO; 3];
    for (lane, c) in coords.iter().enumerate() {
        (0..3).for_each(|i| planes[i].0[lane] = c[i].to_bits());
    }
    planes
}

/// The planes of an operand with up to three components.
fn operand(planes: &[Plane; 3]) -> [&Plane; 4] {
    [&planes[0], &planes[1], &planes[2], &Plane::ZERO]
}

/// The colors, times 255.
fn sample(texture: &Texture, request: &Request, lod: Lod<[&Plane; 4]>) -> Vec<[f32; 4]> {
    let mut set = TextureSet::new();
    set.bind(5, texture.clone(), Sampler::default(), &Limits::default()).unwrap();
    let coord = planes(&request.coords);
    let mut texel = [Plane::ZERO; 4];
    let sample = Sample {
        op: TexOp {
            sampler: SamplerRef::State(request.sampler),
            ..TexOp::sample(5, texture.shape(), operand(&coord), lod)
        },
        quads: request.quads,
        lanes: request.lanes,
    };
    set.sample(&sample, &mut texel).unwrap();
    let lane = |l: usize| [0, 1, 2, 3].map(|i| f32::from_bits(texel[i].0[l]) * 255.0);
    (0..request.coords.len()).map(lane).collect()
}

/// Samples level 0 at positions without neighbours.
fn at(texture: &Texture, sampler: Sampler, positions: &[[f32; 2]]) -> Vec<[f32; 4]> {
    let coords = positions.iter().map(|&[s, t]| [s, t, 0.0]).collect();
    sample(texture, &Request { coords, sampler, quads: false, lanes: Lanes::MAX }, Lod::Implicit)
}

/// Samples a cube in a direction.
fn toward(texture: &Texture, sampler: Sampler, direction: [f32; 3]) -> [f32; 4] {
    let request = Request { coords: vec![direction], sampler, quads: false, lanes: 1 };
    sample(texture, &request, Lod::Implicit)[0]
}

/// Samples one quad whose coordinates change by `dx` and `dy`.
fn quad(texture: &Texture, sampler: Sampler, [s, t]: [f32; 2], dx: [f32; 2], dy: [f32; 2]) -> [f32; 4] {
    let coords = vec![
        [s, t, 0.0],
        [s + dx[0], t + dx[1], 0.0],
        [s + dy[0], t + dy[1], 0.0],
        [s + dx[0] + dy[0], t + dx[1] + dy[1], 0.0],
    ];
    sample(texture, &Request { coords, sampler, quads: true, lanes: 0xf }, Lod::Implicit)[0]
}

fn near(got: [f32; 4], want: [f32; 4]) {
    let off = got.iter().zip(want).map(|(g, w)| (g - w).abs()).fold(0.0, f32::max);
    assert!(off < 1e-3, "{got:?}, not {want:?}");
}

fn xy(c: [f32; 4]) -> [i32; 2] {
    [c[0].round() as i32, c[1].round() as i32]
}

#[test]
fn nearest_selects_the_texel_that_covers_the_position() {
    let t = ramp(4, 2, 1);
    let positions = [[0.0, 0.0], [0.249, 0.49], [0.25, 0.5], [0.999, 0.999], [0.5, 0.0]];
    let got: Vec<_> = at(&t, NEAREST, &positions).into_iter().map(xy).collect();
    assert_eq!(got, [[0, 0], [0, 0], [1, 1], [3, 1], [2, 0]]);
}

#[test]
fn wrap_modes_apply_to_each_axis() {
    let t = ramp(4, 4, 1);
    let positions: Vec<[f32; 2]> = [-1.1, -0.3, -0.01, 1.0, 1.3, 2.01].iter().map(|&x| [x, x]).collect();
    let with = |s, t| Sampler { wrap: [s, t, Wrap::Clamp], ..NEAREST };
    let column = |sampler, axis: usize| -> Vec<i32> {
        at(&t, sampler, &positions).into_iter().map(|c| xy(c)[axis]).collect()
    };
    let clamped = [0, 0, 0, 3, 3, 3];
    let repeated = [3, 2, 3, 0, 1, 0];
    let mirrored = [3, 1, 0, 3, 2, 0];
    assert_eq!(column(with(Wrap::Clamp, Wrap::Repeat), 0), clamped);
    assert_eq!(column(with(Wrap::Clamp, Wrap::Repeat), 1), repeated);
    assert_eq!(column(with(Wrap::Repeat, Wrap::Mirror), 0), repeated);
    assert_eq!(column(with(Wrap::Repeat, Wrap::Mirror), 1), mirrored);
    assert_eq!(column(with(Wrap::Mirror, Wrap::Clamp), 0), mirrored);
}

#[test]
fn linear_weighs_the_four_around() {
    let t = ramp(4, 4, 1);
    let got = at(&t, LINEAR, &[[0.125, 0.125], [0.25, 0.375], [0.3, 0.55], [0.0, 1.0]]);
    let want = [[0.0, 0.0], [0.5, 1.0], [0.7, 1.7], [0.0, 3.0]];
    for (g, [x, y]) in got.into_iter().zip(want) {
        near(g, [x, y, 0.0, 255.0]);
    }
    // Past the edge, the wrap mode decides the neighbour.
    let at_edge = |wrap| at(&t, Sampler { wrap: [wrap; 3], ..LINEAR }, &[[1.0, 0.125]])[0];
    near(at_edge(Wrap::Clamp), [3.0, 0.0, 0.0, 255.0]);
    near(at_edge(Wrap::Repeat), [1.5, 0.0, 0.0, 255.0]);
    near(at_edge(Wrap::Mirror), [3.0, 0.0, 0.0, 255.0]);
}

#[test]
fn coordinates_without_a_place_are_harmless() {
    let t = ramp(4, 4, 3);
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-40];
    for filter in [Filter::Nearest, Filter::Linear] {
        for mip in [None, Some(Filter::Nearest), Some(Filter::Linear)] {
            for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
                let sampler = Sampler { filter, mip, wrap: [wrap; 3], anisotropy: 16, bias_eighths: 3 };
                for x in odd {
                    for y in odd {
                        let c = quad(&t, sampler, [x, y], [y, x], [x, x]);
                        assert!(c.iter().all(|v| v.is_finite()), "{x} {y} gives {c:?}");
                        let c = toward(&faces(4), sampler, [x, y, x]);
                        assert!(c.iter().all(|v| v.is_finite()), "{x} {y} gives {c:?}");
                    }
                }
            }
        }
    }
    let nan = at(&t, NEAREST, &[[f32::NAN, f32::INFINITY]])[0];
    assert_eq!(xy(nan), [0, 3]);
}

#[test]
fn derivatives_choose_the_level() {
    let t = ramp(16, 16, 5);
    let mip = |filter| Sampler { mip: Some(filter), ..NEAREST };
    let level = |sampler, texels: f32| {
        let step = texels / 16.0;
        let across = quad(&t, sampler, [0.2, 0.2], [step, 0.0], [0.0, step / 2.0])[2];
        let down = quad(&t, sampler, [0.2, 0.2], [step / 2.0, 0.0], [0.0, step])[2];
        assert_eq!(across, down);
        across
    };
    for (texels, nearest, linear) in [
        (0.0, 0.0, 0.0),
        (0.5, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (2.0, 1.0, 1.0),
        (2.5, 1.0, 1.3219),
        (3.0, 2.0, 1.58496),
        (8.0, 3.0, 3.0),
        (16.0, 4.0, 4.0),
        (500.0, 4.0, 4.0),
    ] {
        let got = [level(mip(Filter::Nearest), texels), level(mip(Filter::Linear), texels)];
        assert!((got[0] - nearest).abs() < 1e-3 && (got[1] - linear).abs() < 1e-3, "{texels}: {got:?}");
        assert_eq!(level(NEAREST, texels), 0.0, "without mip levels");
    }
    // Each row of the quad has its own change along x.
    let coords = vec![[0.0, 0.0, 0.0], [2.0 / 16.0, 0.0, 0.0], [0.0, 0.0, 0.0], [8.0 / 16.0, 0.0, 0.0]];
    let request = Request { coords, sampler: mip(Filter::Nearest), quads: true, lanes: 0xf };
    let levels: Vec<f32> = sample(&t, &request, Lod::Implicit).iter().map(|c| c[2].round()).collect();
    // The right column also changes downward, by 6 texels.
    assert_eq!(levels, [1.0, 3.0, 3.0, 3.0]);
    // Without quads, coordinates do not change.
    let request = Request { quads: false, ..request };
    assert!(sample(&t, &request, Lod::Implicit).iter().all(|c| c[2] == 0.0));
}

#[test]
fn bias_levels_and_gradients() {
    let t = ramp(16, 16, 5);
    let sampler = Sampler { mip: Some(Filter::Linear), bias_eighths: 4, ..NEAREST };
    let request = Request { coords: vec![[0.3, 0.3, 0.0]], sampler, quads: true, lanes: 1 };
    let splat = |x: f32| Plane::splat(x.to_bits());
    let get = |lod: Lod<[&Plane; 4]>| sample(&t, &request, lod)[0][2];
    let close = |got: f32, want: f32| assert!((got - want).abs() < 1e-3, "{got}, not {want}");
    let zero = Plane::ZERO;
    for (texels, want) in [(4.0, 2.5), (1.0, 0.5), (0.25, 0.0), (64.0, 4.0)] {
        let dx = splat(texels / 16.0);
        close(get(Lod::Gradient([&dx, &zero, &zero, &zero], [&zero; 4])), want);
        close(get(Lod::Gradient([&zero; 4], [&zero, &dx, &zero, &zero])), want);
    }
    // Explicit levels have no bias.
    for (level, want) in [(1.25, 1.25), (-3.0, 0.0), (9.0, 4.0), (f32::NAN, 0.0), (f32::INFINITY, 4.0)] {
        close(get(Lod::Level([&splat(level); 4])), want);
    }
    let step = 4.0 / 16.0;
    let coords = vec![[0.0; 3], [step, 0.0, 0.0], [0.0, step, 0.0], [step, step, 0.0]];
    let request = Request { coords, lanes: 0xf, ..request };
    let bias = splat(0.25);
    sample(&t, &request, Lod::Bias([&bias; 4])).iter().for_each(|c| close(c[2], 2.75));
}

#[test]
fn anisotropy_samples_along_the_longer_axis() {
    let t = ramp(64, 64, 7);
    let with = |anisotropy| Sampler { mip: Some(Filter::Nearest), anisotropy, ..LINEAR };
    let dx = [8.0 / 64.0, 0.0];
    let dy = [0.0, 1.0 / 64.0];
    // Level 3 without anisotropy; with a ratio of 8, the samples are one texel apart in level 0.
    assert_eq!(quad(&t, with(1), [0.5, 0.5], dx, dy)[2], 3.0);
    assert_eq!(quad(&t, with(2), [0.5, 0.5], dx, dy)[2], 2.0);
    let sharp = quad(&t, with(8), [0.5, 0.5], dx, dy);
    // A linear ramp averages to its middle: no blur across the shorter axis, no shift along the longer.
    near(sharp, [31.5, 31.5, 0.0, 255.0]);
    near(quad(&t, with(16), [0.5, 0.5], dx, dy), [31.5, 31.5, 0.0, 255.0]);
    let square = quad(&t, with(16), [0.5, 0.5], [4.0 / 64.0, 0.0], [0.0, 4.0 / 64.0]);
    assert_eq!(square[2], 2.0, "equal axes need one sample");
}

#[test]
fn cube_faces_follow_the_largest_coordinate() {
    let t = faces(4);
    // Face, then the texel that a direction slightly off the axis hits.
    let directions: [([f32; 3], [f32; 3]); 9] = [
        ([1.0, 0.6, 0.6], [0.0, 0.0, 0.0]),
        ([1.0, -0.6, -0.6], [0.0, 3.0, 3.0]),
        ([-1.0, 0.6, 0.6], [1.0, 3.0, 0.0]),
        ([0.6, 1.0, 0.6], [2.0, 3.0, 3.0]),
        ([0.6, -1.0, 0.6], [3.0, 3.0, 0.0]),
        ([0.6, 0.6, 1.0], [4.0, 3.0, 0.0]),
        ([0.6, 0.6, -1.0], [5.0, 0.0, 0.0]),
        ([1.0, 1.0, 1.0], [4.0, 3.0, 0.0]),
        ([1.0, 1.0, 0.5], [2.0, 3.0, 3.0]),
    ];
    for (direction, [face, x, y]) in directions {
        near(toward(&t, NEAREST, direction), [face, x, y, 255.0]);
        near(toward(&t, NEAREST, direction.map(|v| v * 1e10)), [face, x, y, 255.0]);
    }
    // The edge of a face is repeated, whatever the wrap mode.
    let repeat = Sampler { wrap: [Wrap::Repeat; 3], ..LINEAR };
    near(toward(&t, repeat, [1.0, 0.0, -0.999]), [0.0, 3.0, 1.5, 255.0]);
}

#[test]
fn cubes_have_levels_too() {
    let levels: Vec<Vec<Vec<u8>>> =
        (0..3).map(|l: u8| vec![[0, 0, l, 255].repeat(16 >> (2 * l)); 6]).collect();
    let t = Texture::new(Format::Rgba8, Dim::Cube, 4, 4, &levels, &Limits::default()).unwrap();
    let sampler = Sampler { mip: Some(Filter::Linear), ..NEAREST };
    // Half a face is 2 texels of level 0 for each unit of s / m: a step of 1 is level 1, of 2 level 2.
    for (step, want) in [(0.25, 0.0), (1.0, 1.0), (2.0, 2.0)] {
        let request = Request {
            coords: vec![[2.0, 0.0, 0.0], [2.0, 0.0, 2.0 * step], [2.0, step, 0.0], [2.0, step, 2.0 * step]],
            sampler,
            quads: true,
            lanes: 1,
        };
        let got = sample(&t, &request, Lod::Implicit)[0][2];
        assert!((got - want).abs() < 1e-3, "step {step} gives {got}");
    }
}

#[test]
fn only_the_requested_lanes_are_sampled() {
    let t = ramp(4, 4, 1);
    let request =
        Request { coords: vec![[0.6, 0.6, 0.0]; WAVE], sampler: NEAREST, quads: true, lanes: first_lanes(3) };
    let got = sample(&t, &request, Lod::Implicit);
    assert!(got.iter().enumerate().all(|(l, c)| (c[3] == 255.0) == (l < 3)));
}

#[test]
fn missing_textures_are_reported() {
    let mut set = TextureSet::new();
    let bound = Sampler { filter: Filter::Linear, ..NEAREST };
    set.bind(1, ramp(4, 1, 1), bound, &Limits::default()).unwrap();
    let coord = planes(&[[0.5, 0.5, 0.0]]);
    let mut texel = [Plane::ZERO; 4];
    let mut run = |unit, dim, sampler| {
        let op = TexOp::sample(unit, dim, operand(&coord), Lod::Implicit);
        let op = TexOp { sampler: SamplerRef::given(sampler), ..op };
        let sample = Sample { op, quads: true, lanes: 1 };
        set.sample(&sample, &mut texel)
            .map(|()| (f32::from_bits(texel[0].0[0]) * 2550.0).round())
            .map_err(|d| d.code)
    };
    assert_eq!(run(0, Dim::D2, None), Err("texture-missing"));
    assert_eq!(run(1, Dim::Cube, None), Err("texture-shape"));
    assert_eq!(run(1, Dim::D2, None), Ok(15.0), "the bound sampler filters");
    assert_eq!(run(1, Dim::D2, Some(NEAREST)), Ok(20.0));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let limits = Limits::default();
    let make = |dim, w: usize, h: usize, sizes: &[&[usize]], limits: &Limits| {
        let levels: Vec<Vec<Vec<u8>>> =
            sizes.iter().map(|faces| faces.iter().map(|&n| vec![0; n]).collect()).collect();
        Texture::new(Format::Rgba8, dim, w, h, &levels, limits).map(|t| t.bytes()).map_err(|d| d.code)
    };
    let shape = Err("texture-shape");
    assert_eq!(make(Dim::D2, 4, 2, &[&[32], &[8], &[4]], &limits), Ok((8 + 2 + 1) * 16));
    assert_eq!(make(Dim::D2, 4, 2, &[&[32], &[8], &[4], &[4]], &limits), shape);
    assert_eq!(make(Dim::D2, 4, 2, &[&[31]], &limits), shape);
    assert_eq!(make(Dim::D2, 4, 2, &[&[32, 32]], &limits), shape);
    assert_eq!(make(Dim::D2, 0, 2, &[&[0]], &limits), shape);
    assert_eq!(make(Dim::D2, 1, 1, &[], &limits), shape);
    assert_eq!(make(Dim::Cube, 1, 1, &[&[4; 6]], &limits), Ok(96));
    assert_eq!(make(Dim::Cube, 1, 1, &[&[4; 5]], &limits), shape);
    assert_eq!(make(Dim::Cube, 2, 1, &[&[8; 6]], &limits), shape);
    assert_eq!(make(Dim::D3, 1, 1, &[&[4]], &limits), Ok(16));
    assert_eq!(make(Dim::D2, usize::MAX, usize::MAX, &[&[4]], &limits), Err("limit-exceeded"));
    for (memory, want) in [(128, Ok(128)), (127, Err("limit-exceeded"))] {
        assert_eq!(make(Dim::D2, 4, 2, &[&[32]], &Limits { memory, ..Limits::default() }), want);
    }
    let mut set = TextureSet::new();
    let limits = Limits { memory: 128, ..limits };
    set.bind(0, ramp(2, 2, 1), NEAREST, &limits).unwrap();
    set.bind(1, ramp(2, 2, 1), NEAREST, &limits).unwrap();
    assert_eq!(set.bind(2, ramp(1, 1, 1), NEAREST, &limits).unwrap_err().code, "limit-exceeded");
    set.bind(1, ramp(2, 1, 1), NEAREST, &limits).unwrap();
    assert_eq!(set.get(1).map(|t| (t.size(), t.levels(), t.shape().dim)), Some(((2, 1), 1, Dim::D2)));
}
