//! Shapes other than the flat ones, and operations other than the plain sample, on textures with one number per texel.

use super::{LINEAR, NEAREST};
use crate::{Compare, Environment, Format, Plane, Sample, Sampling, Size, Texture, TextureSet};
use shisa_diag::Limits;
use shisa_ir::{Dim, Filter, Lod, Sampler, SamplerRef, Shape, Space, TexKind, TexOp, TextureRef};

/// A texture whose texels count from `first` on: x fastest, then y, then slices.
fn counted(shape: impl Into<Shape>, size: Size, slices: usize, first: f32) -> Texture {
    let texels = size.width * size.height;
    let slice =
        |s: usize| (0..texels).flat_map(|i| (first + (s * texels + i) as f32).to_le_bytes()).collect();
    let level: Vec<Vec<u8>> = (0..slices).map(slice).collect();
    Texture::shaped(Format::R32F, shape, size, &[level], &Limits::default()).unwrap()
}

/// The operand values of one lane.
type Given = [u32; 4];

fn floats(list: &[f32]) -> Given {
    std::array::from_fn(|i| list.get(i).map_or(0, |v| v.to_bits()))
}

fn numbers(list: &[i32]) -> Given {
    std::array::from_fn(|i| list.get(i).map_or(0, |v| *v as u32))
}

/// The result of an operation of one lane.
fn run(set: &mut TextureSet, op: &TexOp<Given>) -> Result<[f32; 4], &'static str> {
    let mut planes = Vec::new();
    op.map(|given| planes.push(given.map(Plane::splat)));
    let mut planes = planes.iter();
    let none = [Plane::ZERO; 4];
    let op = op.map(|_| planes.next().unwrap_or(&none).each_ref());
    let sample = Sample { op, quads: false, lanes: 1 };
    let mut texel = [Plane::ZERO; 4];
    let done = match sample.op.kind {
        TexKind::Store(_) => set.store_texel(&sample),
        _ => set.sample(&sample, &mut texel),
    };
    done.map(|()| texel.map(|p| f32::from_bits(p.0[0]))).map_err(|d| d.code)
}

fn holding(texture: Texture, sampler: Sampler) -> TextureSet {
    let mut set = TextureSet::new();
    set.bind(0, texture, sampler, &Limits::default()).unwrap();
    set
}

/// A sample of level 0.
fn at(shape: impl Into<Shape>, position: &[f32]) -> TexOp<Given> {
    TexOp::sample(0, shape, floats(position), Lod::Zero)
}

fn red(set: &mut TextureSet, op: &TexOp<Given>) -> f32 {
    run(set, op).unwrap()[0]
}

#[test]
fn depth_is_filtered_between_slices() {
    let size = Size { depth: 2, ..Size::flat(2, 2) };
    let volume = counted(Dim::D3, size, 2, 0.0);
    let mut near = holding(volume.clone(), NEAREST);
    assert_eq!(red(&mut near, &at(Dim::D3, &[0.75, 0.25, 0.25])), 1.0);
    assert_eq!(red(&mut near, &at(Dim::D3, &[0.75, 0.25, 0.75])), 5.0);
    let mut linear = holding(volume, LINEAR);
    // The middle of all eight; then of the far slice.
    assert_eq!(red(&mut linear, &at(Dim::D3, &[0.5, 0.5, 0.5])), 3.5);
    assert_eq!(red(&mut linear, &at(Dim::D3, &[0.5, 0.5, 1.0])), 5.5);
}

#[test]
fn layers_are_separate_and_clamped_to_the_last() {
    let shape = Shape::from(Dim::D2).layered();
    let mut set = holding(counted(shape, Size { layers: 3, ..Size::flat(2, 1) }, 3, 0.0), LINEAR);
    for (layer, want) in [(0, 0.5), (1, 2.5), (2, 4.5), (3, 4.5), (-1, 4.5)] {
        let op = TexOp { layer: Some(numbers(&[layer])), ..at(shape, &[0.5, 0.5]) };
        assert_eq!(red(&mut set, &op), want, "layer {layer}");
    }
    let cubes = Shape::from(Dim::Cube).layered();
    let mut set = holding(counted(cubes, Size { layers: 2, ..Size::flat(1, 1) }, 12, 0.0), NEAREST);
    let op = TexOp { layer: Some(numbers(&[1])), ..at(cubes, &[0.0, -1.0, 0.0]) };
    assert_eq!(red(&mut set, &op), 9.0, "the fourth face of the second cube");
    let rows = Shape::from(Dim::D1).layered();
    let mut set = holding(counted(rows, Size { layers: 2, ..Size::flat(4, 1) }, 2, 0.0), LINEAR);
    let op = TexOp { layer: Some(numbers(&[1])), ..at(rows, &[0.5]) };
    assert_eq!(red(&mut set, &op), 5.5);
}

#[test]
fn comparisons_are_weighed() {
    let mut set = holding(counted(Dim::D2, Size::flat(2, 2), 1, 1.0), LINEAR);
    // Texels 1, 2, 3, 4, a quarter each.
    for (compare, part) in [
        (Compare::Less, 0.5),
        (Compare::LessEqual, 0.75),
        (Compare::Equal, 0.25),
        (Compare::NotEqual, 0.75),
        (Compare::GreaterEqual, 0.5),
        (Compare::Greater, 0.25),
        (Compare::Always, 1.0),
        (Compare::Never, 0.0),
    ] {
        set.bind_sampler(3, LINEAR, compare);
        let compare = Some(floats(&[2.0]));
        let op = TexOp { compare, sampler: SamplerRef::Unit(3), ..at(Dim::D2, &[0.5, 0.5]) };
        assert_eq!(run(&mut set, &op), Ok([part; 4]));
    }
    // The sampler that belongs to the texture compares with less or equal.
    let op = TexOp { compare: Some(floats(&[2.0])), ..at(Dim::D2, &[0.25, 0.25]) };
    assert_eq!(red(&mut set, &op), 0.0);
    let op = TexOp { kind: TexKind::Gather(0), ..op };
    assert_eq!(run(&mut set, &op), Ok([1.0, 1.0, 1.0, 0.0]), "a gather compares each texel");
}

#[test]
fn gathers_go_round_from_the_lower_left() {
    let mut set = holding(counted(Dim::D2, Size::flat(3, 3), 1, 0.0), NEAREST);
    let gather = TexOp { kind: TexKind::Gather(0), ..at(Dim::D2, &[0.5, 0.5]) };
    // The corner of the filter is in the middle of texel 4: it uses 4, 5, 7 and 8.
    assert_eq!(run(&mut set, &gather), Ok([7.0, 8.0, 5.0, 4.0]));
    let moved = TexOp { offset: Some(numbers(&[-1, -1])), ..gather };
    assert_eq!(run(&mut set, &moved), Ok([3.0, 4.0, 1.0, 0.0]));
    let other = TexOp { kind: TexKind::Gather(3), ..gather };
    assert_eq!(run(&mut set, &other), Ok([1.0; 4]), "there is no alpha");
}

#[test]
fn offsets_count_texels_of_the_level() {
    let mut set = holding(counted(Dim::D2, Size::flat(4, 2), 1, 0.0), NEAREST);
    let position = at(Dim::D2, &[0.3, 0.3]);
    for (offset, want) in [([0, 0], 1.0), ([2, 1], 7.0), ([-1, 0], 0.0), ([9, -9], 3.0)] {
        assert_eq!(red(&mut set, &TexOp { offset: Some(numbers(&offset)), ..position }), want);
    }
}

#[test]
fn texels_are_named_by_number() {
    let samples = Shape { multisampled: true, ..Dim::D2.into() }.layered();
    let size = Size { layers: 2, samples: 4, ..Size::flat(2, 1) };
    let mut set = holding(counted(samples, size, 8, 0.0), LINEAR);
    let fetch = |x, layer, sample| TexOp {
        kind: TexKind::Fetch,
        layer: Some(numbers(&[layer])),
        sample: Some(numbers(&[sample])),
        ..TexOp::sample(0, samples, numbers(&[x, 0]), Lod::Zero)
    };
    assert_eq!(red(&mut set, &fetch(1, 0, 0)), 1.0);
    assert_eq!(red(&mut set, &fetch(1, 1, 2)), 13.0);
    for (x, layer, sample) in [(2, 0, 0), (-1, 0, 0), (0, 2, 0), (0, 0, 4)] {
        assert_eq!(run(&mut set, &fetch(x, layer, sample)), Ok([0.0; 4]), "outside");
    }
    let levels = [vec![[1f32, 2.0].map(f32::to_le_bytes).concat()], vec![7f32.to_le_bytes().to_vec()]];
    let texture = Texture::new(Format::R32F, Dim::D1, 2, 1, &levels, &Limits::default()).unwrap();
    let mut set = holding(texture, LINEAR);
    for (level, want) in [(0, 1.0), (1, 7.0), (2, 0.0), (-1, 0.0)] {
        let op = TexOp::sample(0, Dim::D1, numbers(&[0]), Lod::Level(numbers(&[level])));
        assert_eq!(red(&mut set, &TexOp { kind: TexKind::Fetch, ..op }), want, "level {level}");
    }
}

#[test]
fn levels_of_detail_are_returned_and_bounded_from_below() {
    let levels: Vec<[Vec<u8>; 1]> =
        (0..3).map(|l| [(0..16 >> (2 * l)).flat_map(|_| (l as f32).to_le_bytes()).collect()]).collect();
    let texture = Texture::new(Format::R32F, Dim::D2, 4, 4, &levels, &Limits::default()).unwrap();
    let mut set = holding(texture, Sampler { mip: Some(Filter::Nearest), ..NEAREST });
    let across = |texels: f32| Lod::Gradient(floats(&[texels / 4.0, 0.0]), floats(&[0.0, 0.0]));
    let plain = |lod| TexOp { lod, ..at(Dim::D2, &[0.5, 0.5]) };
    assert_eq!(red(&mut set, &plain(across(2.0))), 1.0);
    assert_eq!(red(&mut set, &TexOp { least: Some(floats(&[1.75])), ..plain(across(2.0)) }), 2.0);
    assert_eq!(red(&mut set, &TexOp { least: Some(floats(&[0.5])), ..plain(across(2.0)) }), 1.0);
    // Without neighbours, coordinates do not change: there is no length to take the logarithm of.
    let detail = TexOp { kind: TexKind::Detail, least: Some(floats(&[5.25])), ..plain(Lod::Implicit) };
    assert_eq!(run(&mut set, &detail), Ok([2.0, 5.25, 0.0, 0.0]));
}

#[test]
fn texels_are_written_as_the_format_keeps_them() {
    let limits = Limits::default();
    let write = |format: Format, color: [f32; 4], x: i32| {
        let empty = vec![0; format.bytes(4, 4)];
        let texture = Texture::new(format, Dim::D2, 4, 4, &[[empty]], &limits).unwrap();
        let mut set = holding(texture, NEAREST);
        let op = TexOp::sample(0, Dim::D2, numbers(&[x, 1]), Lod::Zero);
        let done = run(&mut set, &TexOp { kind: TexKind::Store(floats(&color)), ..op });
        let texture = set.get(0).unwrap();
        let written = (0..4).filter(|i| texture.texel(0, 0, [*i, 1]) != texture.texel(0, 0, [3, 3])).count();
        done.map(|_| (texture.texel(0, 0, [2, 1]).unwrap(), written))
    };
    let color = [0.5, 2.0, -1.0, 1.0 / 3.0];
    assert_eq!(write(Format::Rgba32F, color, 2), Ok((color, 1)));
    assert_eq!(write(Format::R32F, color, 2), Ok(([0.5, 0.0, 0.0, 1.0], 1)));
    assert_eq!(write(Format::Rgba8, color, 2), Ok(([128.0 / 255.0, 1.0, 0.0, 85.0 / 255.0], 1)));
    assert_eq!(write(Format::Rgba16F, color, 2), Ok(([0.5, 2.0, -1.0, 1365.0 / 4096.0], 1)));
    assert_eq!(write(Format::Rgba32F, color, 4).unwrap().1, 0, "nothing outside");
    assert_eq!(write(Format::Dxt1, color, 2), Err("texture-store"));
}

#[test]
fn handles_are_addresses() {
    let (limits, mut set) = (Limits::default(), TextureSet::new());
    let address = 0x12_3456_7890;
    set.bind_at(address, counted(Dim::D2, Size::flat(2, 1), 1, 5.0), &limits).unwrap();
    assert!(set.at(address).is_some() && set.at(address + 1).is_none());
    set.bind_sampler_in_heap(70_000, LINEAR, Compare::Less);
    let handle = [address as u32, (address >> 32) as u32, 0, 0];
    let op = TexOp { texture: TextureRef::Handle(handle), ..at(Dim::D2, &[0.5, 0.5]) };
    assert_eq!(red(&mut set, &op), 6.0);
    let linear = TexOp { sampler: SamplerRef::Handle(numbers(&[70_000])), ..op };
    assert_eq!(red(&mut set, &linear), 5.5);
    let other = TexOp { texture: TextureRef::Handle(numbers(&[7])), ..op };
    assert_eq!(run(&mut set, &other), Err("texture-missing"));
    // Loaded from their addresses, they replace numbered ones.
    let numbered = TexOp { texture: TextureRef::Numbered(numbers(&[4])), sampler: SamplerRef::Unit(2), ..op };
    assert_eq!(run(&mut set, &numbered), Err("texture-missing"));
    let load = |set: &mut TextureSet, position: u64, at: u64| {
        set.store(Space::States, 0, position, &at.to_le_bytes())
    };
    load(&mut set, 32, address).unwrap();
    assert_eq!(red(&mut set, &numbered), 6.0);
    set.bind_sampler_at(9, LINEAR, Compare::Less);
    load(&mut set, 2048 + 16, 9).unwrap();
    assert_eq!(red(&mut set, &numbered), 5.5);
    assert_eq!(red(&mut set, &TexOp { texture: TextureRef::Unit(4), ..numbered }), 5.5);
    let wrong = set.store(Space::Global, 0, 0, &[0; 8]);
    assert_eq!(wrong.unwrap_err().code, "eval-no-environment");
}

/// What is stored through the handle is read by the number, and the handle has the number's sampler and comparison.
#[test]
fn handles_name_numbered_textures() {
    let compare = Compare::Greater;
    let mut set = TextureSet::new();
    let texture = counted(Dim::D2, Size::flat(2, 1), 1, 5.0);
    set.bind(3, texture, Sampling { state: LINEAR, compare }, &Limits::default()).unwrap();
    set.alias(0x30_0003, 3);
    let by_handle = TexOp { texture: TextureRef::Handle(numbers(&[0x30_0003])), ..at(Dim::D2, &[0.5, 0.5]) };
    assert_eq!(red(&mut set, &by_handle), 5.5);
    assert_eq!(red(&mut set, &TexOp { compare: Some(floats(&[5.5])), ..by_handle }), 0.5);
    assert_eq!(red(&mut set, &TexOp { compare: Some(floats(&[7.0])), ..by_handle }), 1.0);
    let store =
        TexOp { kind: TexKind::Store(floats(&[9.0])), coord: numbers(&[1, 0]), lod: Lod::Zero, ..by_handle };
    run(&mut set, &store).unwrap();
    let fetch = TexOp { kind: TexKind::Fetch, texture: TextureRef::Unit(3), ..store };
    assert_eq!(red(&mut set, &fetch), 9.0);
}

/// Texels of a row follow each other in memory, also across an access; outside of the texture nothing is stored.
#[test]
fn texels_have_addresses() {
    let bytes: Vec<u8> = (0..24).collect();
    let size = Size { layers: 2, ..Size::flat(3, 1) };
    let shape = Shape::from(Dim::D1).layered();
    let level = [&bytes[..12], &bytes[12..]];
    let texture = Texture::shaped(Format::Rgba8Ui, shape, size, &[level], &Limits::default()).unwrap();
    let mut set = holding(texture, NEAREST);
    let locate = |set: &mut TextureSet, x: i32, layer: i32, traps: bool| {
        let op = at(shape, &[]);
        let op = TexOp { coord: numbers(&[x]), layer: Some(numbers(&[layer])), traps, ..op };
        let found = run(set, &TexOp { kind: TexKind::Location, ..op })?.map(f32::to_bits);
        assert_eq!(found[2..], [2, 0]);
        Ok(u64::from(found[0]) | u64::from(found[1]) << 32)
    };
    let second = locate(&mut set, 1, 1, true).unwrap();
    let load = |set: &mut TextureSet, address: u64| {
        let mut bytes = [9; 4];
        set.load(Space::Texels, 0, address, &mut bytes).unwrap();
        bytes
    };
    assert_eq!(load(&mut set, second + 2), [18, 19, 20, 21]);
    set.store(Space::Texels, 0, second + 3, &[100, 101, 102]).unwrap();
    assert_eq!(load(&mut set, second), [16, 17, 18, 100]);
    assert_eq!(load(&mut set, second + 4), [101, 102, 22, 23]);
    assert_eq!(load(&mut set, second + 8), [0; 4]);
    let before = set.clone();
    for (x, layer) in [(3, 0), (-1, 0), (0, 2)] {
        assert_eq!(locate(&mut set, x, layer, false), Ok(0));
        assert_eq!(locate(&mut set, x, layer, true), Err("texture-outside"));
    }
    assert_eq!(load(&mut set, 0), [0; 4]);
    set.store(Space::Texels, 0, 0, &[1]).unwrap();
    assert!(set == before);
}

#[test]
fn sizes_fit_their_shapes() {
    let limits = Limits::default();
    let make = |shape: Shape, size: Size, slices: usize| {
        let level = vec![vec![0; 4 * size.width * size.height]; slices];
        Texture::shaped(Format::R32F, shape, size, &[level], &limits).map(drop).map_err(|d| d.code)
    };
    let flat = Size::flat(2, 2);
    let samples = Shape { multisampled: true, ..Dim::D2.into() };
    let wrong = Err("texture-shape");
    assert_eq!(make(samples, Size { samples: 4, ..flat }, 4), Ok(()));
    assert_eq!(make(samples, Size { samples: 4, ..flat }, 3), wrong);
    assert_eq!(make(Dim::D2.into(), Size { samples: 4, ..flat }, 4), wrong);
    assert_eq!(make(Dim::D2.into(), Size { layers: 2, ..flat }, 2), wrong);
    assert_eq!(make(Dim::D2.into(), Size { depth: 2, ..flat }, 2), wrong);
    assert_eq!(make(Dim::D1.into(), flat, 1), wrong);
    assert_eq!(make(Shape::from(Dim::D3).layered(), flat, 1), wrong);
    assert_eq!(
        make(Shape::from(Dim::Cube).layered(), Size { layers: usize::MAX, ..flat }, 1),
        Err("limit-exceeded")
    );
}
