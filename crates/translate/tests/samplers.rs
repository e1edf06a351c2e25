//! The state of samplers on a graphics device: how coordinates wrap, how texels and levels are filtered. Without a device
//! the tests say so and pass.

use crate::common::*;
use shisa_ir::{SamplerSlot, Texture, *};
use shisa_translate::execute::{Device, Image, Resources};
use shisa_translate::*;

/// Texels of a row or a column of level 0.
const SIZE: i32 = 4;

/// Each level has half as many texels a row; a texel's number states its level, row and column.
fn levels() -> Vec<Vec<[f32; 4]>> {
    (0..3)
        .map(|level| {
            let size = SIZE >> level;
            (0..size * size).map(|n| [number(level, n % size, n / size), 0.0, 0.0, 1.0]).collect()
        })
        .collect()
}

fn number(level: i32, x: i32, y: i32) -> f32 {
    (100 * level + 10 * y + x) as f32
}

/// The index of a texel that exists.
fn wrapped(wrap: Wrap, index: i32, size: i32) -> i32 {
    match wrap {
        Wrap::Clamp => index.clamp(0, size - 1),
        Wrap::Repeat => index.rem_euclid(size),
        Wrap::Mirror => {
            let index = index.rem_euclid(2 * size);
            index.min(2 * size - 1 - index)
        }
    }
}

/// A sample of one level.
fn of_level(state: &Sampler, level: i32, [u, v]: [f32; 2]) -> f32 {
    let size = SIZE >> level;
    let texel =
        |x: i32, y: i32| number(level, wrapped(state.wrap[0], x, size), wrapped(state.wrap[1], y, size));
    let [x, y] = [u, v].map(|c| c * size as f32);
    if state.filter == Filter::Nearest {
        return texel(x.floor() as i32, y.floor() as i32);
    }
    let [(left, right), (above, below)] = [x, y].map(|c| ((c - 0.5).floor(), (c - 0.5) - (c - 0.5).floor()));
    let row = |y: i32| texel(left as i32, y) * (1.0 - right) + texel(left as i32 + 1, y) * right;
    row(above as i32) * (1.0 - below) + row(above as i32 + 1) * below
}

fn sampled(state: &Sampler, at: [f32; 2], lod: f32) -> f32 {
    match state.mip {
        None => of_level(state, 0, at),
        Some(Filter::Nearest) => of_level(state, lod.round() as i32, at),
        Some(Filter::Linear) => {
            let (first, part) = (lod.floor() as i32, lod - lod.floor());
            of_level(state, first, at) * (1.0 - part) + of_level(state, (first + 1).min(2), at) * part
        }
    }
}

/// A program that samples at the first two components of its input, at the level of the third.
fn case(state: Option<Sampler>) -> Case {
    let mut case = Case::vertex(|b| {
        let v = input(b, 0);
        let (coord, lod) = (b.swizzle(v, Swizzle::IDENTITY, 2), b.component(v, 2));
        let sampler = if state.is_some() { SamplerRef::Texture } else { SamplerRef::Unit(3) };
        let op = TexOp { sampler, ..TexOp::sample(0, Dim::D2, coord, Lod::Level(lod)) };
        let out = b.texture(op, Scalar::F32);
        output(b, 2, out);
        output(b, 3, v);
    });
    case.interface.textures.push(Texture { sampler: state, ..Texture::new("ts0", 0, Dim::D2) });
    if state.is_none() {
        let slot = SamplerSlot { name: "ss3".into(), unit: 3, comparison: false, handle: String::new() };
        case.interface.samplers.push(slot);
    }
    case
}

/// Coordinates in the texture and outside of it on all sides, at levels between others.
fn points() -> Vec<([f32; 2], f32)> {
    let coordinates = [-0.8, -0.3, 0.1, 0.45, 0.7, 0.9, 1.2, 1.9];
    let mut points = Vec::new();
    for (i, u) in coordinates.iter().enumerate() {
        for (j, lod) in [0.0, 0.25, 0.75, 1.25, 2.0].iter().enumerate() {
            points.push(([*u, coordinates[(3 * i + j) % coordinates.len()]], *lod));
        }
    }
    points
}

#[test]
fn samplers_wrap_and_filter_as_their_state_says() {
    let Ok(device) = Device::open().map_err(|e| println!("skipped: {e}")) else { return };
    let options = Options { form: Form::Compute, ..Options::default() };
    let lanes: Vec<_> =
        points().iter().map(|([u, v], lod)| vec![[*u, *v, *lod, 0.0].map(f32::to_bits); 2]).collect();
    let wraps = [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror];
    for filter in [Filter::Nearest, Filter::Linear] {
        for mip in [None, Some(Filter::Nearest), Some(Filter::Linear)] {
            for (n, u) in wraps.into_iter().enumerate() {
                let v = wraps[(n + 1) % wraps.len()];
                let state = Sampler { filter, mip, wrap: [u, v, Wrap::Clamp], ..Sampler::default() };
                for own in [true, false] {
                    let translated = case(own.then_some(state)).translate(Target::Wgsl, &options);
                    let translated = translated.unwrap_or_else(|e| panic!("{e:#?}"));
                    let sampler = if own { state } else { Sampler::default() };
                    let textures = [Image {
                        unit: 0,
                        shape: Dim::D2.into(),
                        size: [4, 4, 1],
                        levels: levels(),
                        sampler,
                    }];
                    // The first sampler is another unit's.
                    let others = [(2, Sampler::default()), (3, state)];
                    let resources =
                        Resources { textures: &textures, samplers: &others, ..Resources::default() };
                    let got = device.lanes(&translated, resources, &lanes).unwrap_or_else(|e| panic!("{e}"));
                    for ((at, lod), lane) in points().iter().zip(&got) {
                        let (got, want) = (f32::from_bits(lane.outputs[0][0]), sampled(&state, *at, *lod));
                        assert!((got - want).abs() < 0.6, "{state:?} at {at:?}, {lod}: {got}, not {want}");
                    }
                }
            }
        }
    }
}
