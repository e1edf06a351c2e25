//! Texture operations on a graphics device, as WGSL and as our SPIR-V. Without a device the tests say so and pass.

use crate::common::*;
use shisa_ir::{SamplerSlot, Texture, *};
use shisa_translate::execute::{Device, Image, Resources};
use shisa_translate::*;

/// Two layers of four by four texels that count from 0 on, in sixty-fourths.
fn image(shape: Shape) -> Image {
    let level = (0..32).map(|n| [n as f32 / 64.0; 4]).collect();
    Image { unit: 0, shape, size: [4, 4, 2], levels: vec![level], sampler: Sampler::default() }
}

fn devices() -> Vec<(Device, Target)> {
    let open = |words: bool| match words {
        true => Device::open().and_then(|d| d.with_words(shisa_passthrough::module)),
        false => Device::open(),
    };
    [(false, Target::Wgsl), (true, Target::Spirv(SpirvVersion::V1_3))]
        .into_iter()
        .filter_map(|(words, target)| Some((open(words).map_err(|e| println!("skipped: {e}")).ok()?, target)))
        .collect()
}

/// A program that outputs the result of an operation on layer 1.
fn case(access: TextureAccess, made: impl FnOnce(&mut Builder, TexOp) -> TexOp) -> Case {
    let shape = Shape::from(Dim::D2).layered();
    let mut case = Case::vertex(|b| {
        let v = input(b, 0);
        let coord = b.swizzle(v, Swizzle::IDENTITY, 2);
        let layer = Some(b.i32(1));
        let op = TexOp { layer, sampler: SamplerRef::Unit(0), ..TexOp::sample(0, shape, coord, Lod::Zero) };
        let op = made(b, op);
        let mut out = v;
        match op.kind {
            TexKind::Store(_) => b.texture_store(op),
            _ => out = b.texture(op, Scalar::F32),
        }
        output(b, 2, out);
        output(b, 3, v);
    });
    case.interface.textures.push(Texture { access, ..Texture::new("ts0", 0, shape) });
    let comparison = access == TextureAccess::Compared;
    let slot = SamplerSlot { name: "ss0".into(), unit: 0, comparison, handle: String::new() };
    case.interface.samplers.push(slot);
    case
}

fn integers(b: &mut Builder, op: TexOp, kind: TexKind) -> TexOp {
    let coord = b.convert(Convert::FloatToSigned, op.coord, Scalar::I32);
    TexOp { kind, coord, sampler: SamplerRef::Texture, ..op }
}

/// GLSL 330 has the size of a texture, but not the number of its levels.
#[test]
fn glsl_330_has_no_levels() {
    let translated = |kind, level: i32, component, shape: Shape| {
        let mut case = Case::vertex(|b| {
            let level = b.i32(level);
            let op = TexOp { kind, ..TexOp::sample(0, shape, level, Lod::Zero) };
            let size = b.texture(op, Scalar::I32);
            let part = b.component(size, component);
            let part = b.convert(Convert::SignedToFloat, part, Scalar::F32);
            let out = b.splat(part, 4);
            output(b, 2, out);
            output(b, 3, out);
        });
        case.interface.textures = vec![Texture::new("ts0", 0, shape)];
        match case.translate(Target::Glsl(GlslVersion::Core330), &Options::default()) {
            Ok(_) => Ok(()),
            Err(list) => Err(list[0].code),
        }
    };
    let flat = Shape::from(Dim::D2);
    let samples = Shape { multisampled: true, ..flat };
    assert_eq!(translated(TexKind::Size, 0, 1, flat), Ok(()));
    // The fourth component is the number of levels. It states whether there is a level 1, too.
    assert_eq!(translated(TexKind::Size, 0, 3, flat), Err("translate-texture"));
    assert_eq!(translated(TexKind::Size, 1, 0, flat), Err("translate-texture"));
    assert_eq!(translated(TexKind::Size, 0, 3, samples), Ok(()));
    assert_eq!(translated(TexKind::Samples, 1, 0, flat), Ok(()));
}

/// A lane that was killed goes on as a helper, and may not write.
#[test]
fn only_lanes_that_are_not_killed_write_texels() {
    let shape = Shape::from(Dim::D2).layered();
    let mut case = Case::fragment(|b| {
        let (v, value) = (input(b, 0), input(b, 1));
        let (killed, half) = (b.component(v, 2), b.f32(0.5, 1));
        let killed = b.flt(half, killed);
        b.kill(killed);
        let (coord, layer) = (b.swizzle(v, Swizzle::IDENTITY, 2), Some(b.i32(1)));
        let op = TexOp { layer, ..TexOp::sample(0, shape, coord, Lod::Zero) };
        let op = integers(b, op, TexKind::Store(value));
        b.texture_store(op);
        output(b, 2, v);
    });
    let access = TextureAccess::Written;
    case.interface.textures = vec![Texture { access, ..Texture::new("ts0", 0, shape) }];
    let lane = |x: f32, y: f32, killed: f32| [[x, y, killed, 0.0], [1.0 + x; 4]].map(|r| r.map(f32::to_bits));
    let lanes = [lane(3.0, 1.0, 1.0), lane(2.0, 2.0, 0.0), lane(0.0, 3.0, 1.0)].map(Vec::from);
    let options = Options { form: Form::Compute, ..Options::default() };
    for (device, target) in devices() {
        let translated = case.translate(target, &options).unwrap_or_else(|e| panic!("{e:#?}"));
        let textures = [image(shape)];
        let resources = Resources { textures: &textures, ..Resources::default() };
        let written = device.texels(&translated, resources, &lanes).unwrap();
        let texels = written[0].iter().enumerate().filter(|(_, texel)| **texel != [0.0; 4]);
        assert_eq!(texels.collect::<Vec<_>>(), [(16 + 10, &[3.0; 4])], "{target:?}");
    }
}

/// A fragment program that kills lanes whose third coordinate is above a half, and then has an effect at the texel that
/// the first two name. Its value is that of the second input as integers; its output is what the effect yields.
fn effect(effect: impl FnOnce(&mut Builder, TexOp, Value) -> Option<Value>) -> Case {
    Case::fragment(|b| {
        let (v, value) = (input(b, 0), input(b, 1));
        let (killed, half) = (b.component(v, 2), b.f32(0.5, 1));
        let killed = b.flt(half, killed);
        b.kill(killed);
        let coord = b.swizzle(v, Swizzle::IDENTITY, 2);
        let op = integers(b, TexOp::sample(0, Dim::D2, coord, Lod::Zero), TexKind::Fetch);
        let value = b.convert(Convert::FloatToUnsigned, value, Scalar::I32);
        let old = effect(b, op, value).unwrap_or(value);
        let old = b.component(old, 0);
        let old = b.convert(Convert::UnsignedToFloat, old, Scalar::F32);
        let out = b.join(&[old; 4]);
        output(b, 2, out);
    })
}

/// Lanes of which only the second lives; the effects of all are at the same texel, with other values.
fn lanes() -> Vec<Vec<[u32; 4]>> {
    let lane = |killed: f32, value: f32| {
        let value = [value, value + 1.0, value + 2.0, value + 3.0];
        [[2.0, 1.0, killed, 0.0], value].map(|r| r.map(f32::to_bits)).to_vec()
    };
    vec![lane(1.0, 20.0), lane(0.0, 5.0), lane(1.0, 30.0)]
}

fn kernel() -> Options {
    Options { form: Form::Compute, ..Options::default() }
}

#[test]
fn only_lanes_that_are_not_killed_change_buffers() {
    type Effect = fn(&mut Builder, Value, Value) -> Option<Value>;
    let all: [(&str, Effect); 3] = [
        ("store", |b, at, word| {
            b.store(Space::Global, at, word);
            None
        }),
        ("add", |b, at, word| Some(b.atomic(Atomic::Combine(Binary::IAdd), (Space::Global, at), word, None))),
        ("exchange", |b, at, word| {
            let zero = b.i32(0);
            Some(b.atomic(Atomic::CompareExchange, (Space::Global, at), word, Some(zero)))
        }),
    ];
    for (name, made) in all {
        let case = effect(|b, _, value| {
            let (eight, word) = (b.i32(8), b.component(value, 0));
            made(b, eight, word)
        });
        for (device, target) in devices() {
            let translated = case.translate(target, &kernel()).unwrap_or_else(|e| panic!("{e:#?}"));
            let memory = std::cell::RefCell::new(vec![0; 4]);
            let resources = Resources { memory: Some(&memory), ..Resources::default() };
            device.lanes(&translated, resources, &lanes()).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(*memory.borrow(), [0, 0, 5, 0], "{target:?} {name}");
        }
    }
}

/// Only SPIR-V has atomic operations of 64 bits. The buffer is seen as words of both sizes.
#[test]
fn atomic_operations_of_64_bits_carry_into_the_upper_word() {
    let case = effect(|b, _, value| {
        let (eight, low) = (b.i32(8), b.component(value, 0));
        let word = b.convert(Convert::ZeroExtend, low, Scalar::I64);
        let twelve = b.i32(12);
        b.store(Space::Global, twelve, low);
        let old = b.atomic(Atomic::Combine(Binary::IAdd), (Space::Global, eight), word, None);
        Some(b.convert(Convert::Truncate, old, Scalar::I32))
    });
    for (device, target) in devices() {
        let translated = case.translate(target, &kernel());
        if target == Target::Wgsl {
            assert_eq!(translated.unwrap_err()[0].code, "translate-unsupported");
            continue;
        }
        let memory = std::cell::RefCell::new(vec![0, 0, u32::MAX - 2, 0]);
        let resources = Resources { memory: Some(&memory), ..Resources::default() };
        let lanes = device.lanes(&translated.unwrap(), resources, &lanes()).unwrap();
        assert_eq!(*memory.borrow(), [0, 0, 2, 6], "{target:?}");
        assert_eq!(lanes[1].outputs[0], [((u32::MAX - 2) as f32).to_bits(); 4]);
    }
}

/// The bits of texels are written as they are, and changed where the language can.
#[test]
fn the_bits_of_texels_are_written_and_changed() {
    type Made = fn(&mut Builder, TexOp, Value) -> Option<Value>;
    fn bits<const WORDS: u8>(b: &mut Builder, op: TexOp, value: Value) -> Option<Value> {
        let value = b.swizzle(value, Swizzle::IDENTITY, WORDS);
        b.texture_store(TexOp { kind: TexKind::Bits { value, bytes: 4 * WORDS }, ..op });
        None
    }
    fn atomic(b: &mut Builder, op: TexOp, value: Value, atomic: Atomic, expected: Value) -> Option<Value> {
        let value = b.component(value, 1);
        let expected = if atomic == Atomic::CompareExchange { expected } else { value };
        Some(
            b.texture_atomic(
                TexOp { kind: TexKind::Atomic { op: atomic, value, expected }, ..op },
                Type::I32,
            ),
        )
    }
    let all: [(TextureAccess, Made, [u32; 4]); 5] = [
        (TextureAccess::Bits(4), bits::<1>, [5, 0, 0, 0]),
        (TextureAccess::Bits(8), bits::<2>, [5, 6, 0, 0]),
        (TextureAccess::Bits(16), bits::<4>, [5, 6, 7, 8]),
        (
            TextureAccess::Changed(4),
            |b, op, value| atomic(b, op, value, Atomic::Combine(Binary::UMax), value),
            [6, 0, 0, 0],
        ),
        (
            TextureAccess::Changed(4),
            |b, op, value| {
                let zero = b.i32(0);
                atomic(b, op, value, Atomic::CompareExchange, zero)
            },
            [6, 0, 0, 0],
        ),
    ];
    let shape = Shape::from(Dim::D2);
    for (access, made, want) in all {
        let mut case = effect(made);
        case.interface.textures =
            vec![Texture { access, texels: Scalar::I32, ..Texture::new("ts0", 0, shape) }];
        for (device, target) in devices() {
            let translated = case.translate(target, &kernel());
            if target == Target::Wgsl && matches!(access, TextureAccess::Changed(_)) {
                assert_eq!(translated.unwrap_err()[0].code, "translate-texture");
                continue;
            }
            let translated = translated.unwrap_or_else(|e| panic!("{e:#?}"));
            let textures = [Image { size: [4, 4, 1], ..image(shape) }];
            let resources = Resources { textures: &textures, ..Resources::default() };
            let written = device.texels(&translated, resources, &lanes()).unwrap();
            let texels = written[0].iter().map(|t| t.map(f32::to_bits)).enumerate();
            let changed: Vec<_> = texels.filter(|(_, texel)| *texel != [0; 4]).collect();
            assert_eq!(changed, [(6, want)], "{target:?} {access:?}");
        }
    }
}

/// The centre of texels 21, 22, 25 and 26; without a filter it yields the last of them.
#[test]
fn every_kind_gives_what_its_texels_say() {
    use TextureAccess::{Compared, Read, Written};
    type Made = fn(&mut Builder, TexOp) -> TexOp;
    let linear = Sampler { filter: Filter::Linear, ..Sampler::default() };
    type Row = (&'static str, TextureAccess, Made, [f32; 2], [f32; 4]);
    let all: [Row; 6] = [
        ("sample", Read, |_, op| op, [0.5, 0.5], [23.5; 4]),
        (
            "offset",
            Read,
            |b, op| {
                let parts = [b.i32(1), b.i32(-1)];
                TexOp { offset: Some(b.join(&parts)), ..op }
            },
            [0.5, 0.5],
            [20.5; 4],
        ),
        (
            "gather",
            Read,
            |_, op| TexOp { kind: TexKind::Gather(2), ..op },
            [0.5, 0.5],
            [25.0, 26.0, 22.0, 21.0],
        ),
        (
            "compare",
            Compared,
            |b, op| TexOp { compare: Some(b.f32(23.0 / 64.0, 1)), ..op },
            [0.5, 0.5],
            [32.0; 4],
        ),
        (
            "gather and compare",
            Compared,
            |b, op| TexOp { kind: TexKind::Gather(0), compare: Some(b.f32(23.0 / 64.0, 1)), ..op },
            [0.5, 0.5],
            [64.0, 64.0, 0.0, 0.0],
        ),
        ("fetch", Read, |b, op| integers(b, op, TexKind::Fetch), [1.0, 2.0], [25.0; 4]),
    ];
    let shape = Shape::from(Dim::D2).layered();
    let options = Options { form: Form::Compute, ..Options::default() };
    for (device, target) in devices() {
        let (textures, samplers) = ([image(shape)], [(0, linear)]);
        let resources = Resources { textures: &textures, samplers: &samplers, ..Resources::default() };
        for (name, access, made, [x, y], want) in all {
            let translated =
                case(access, made).translate(target, &options).unwrap_or_else(|e| panic!("{e:#?}"));
            let lane = vec![[x, y, 0.0, 0.0].map(f32::to_bits); 2];
            let lanes =
                device.lanes(&translated, resources, &[lane]).unwrap_or_else(|e| panic!("{name}: {e}"));
            let got = lanes[0].outputs[0].map(|v| f32::from_bits(v) * 64.0);
            assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 0.01), "{target:?} {name}: {got:?}");
        }
        let store = case(Written, |b, op| {
            let value = input(b, 1);
            integers(b, op, TexKind::Store(value))
        });
        let translated = store.translate(target, &options).unwrap_or_else(|e| panic!("{e:#?}"));
        let color = [1.5, -2.0, 0.25, 8.0];
        let lane = vec![[3.0, 1.0, 0.0, 0.0].map(f32::to_bits), color.map(f32::to_bits)];
        let written = device.texels(&translated, resources, &[lane]).unwrap();
        assert_eq!(written[0][16 + 7], color, "{target:?}");
        assert_eq!(written[0].iter().filter(|t| **t != [0.0; 4]).count(), 1, "{target:?}");
    }
}
