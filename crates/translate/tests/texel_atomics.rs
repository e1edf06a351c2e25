//! Atomic operations on texels in every language that has them. On a graphics device SPIR-V, GLSL and HLSL yield the same.

use crate::common::{glslang, *};
use shisa_ir::{Texture, *};
use shisa_translate::execute::{Device, Image, Resources};
use shisa_translate::*;

const LANGUAGES: [Target; 6] = [
    Target::Spirv(SpirvVersion::V1_3),
    Target::Glsl(GlslVersion::Core450),
    Target::Glsl(GlslVersion::Es310),
    Target::Hlsl(ShaderModel::V5_1),
    Target::Hlsl(ShaderModel::V6_0),
    Target::Msl,
];

/// Each operation with what it makes of a texel, its operand, and the expected value.
type Row = (&'static str, Atomic, fn(u32, u32, u32) -> u32);

const ROWS: [Row; 11] = [
    ("add", Atomic::Combine(Binary::IAdd), |old, value, _| old.wrapping_add(value)),
    ("subtract", Atomic::Combine(Binary::ISub), |old, value, _| old.wrapping_sub(value)),
    ("and", Atomic::Combine(Binary::And), |old, value, _| old & value),
    ("or", Atomic::Combine(Binary::Or), |old, value, _| old | value),
    ("xor", Atomic::Combine(Binary::Xor), |old, value, _| old ^ value),
    ("umin", Atomic::Combine(Binary::UMin), |old, value, _| old.min(value)),
    ("umax", Atomic::Combine(Binary::UMax), |old, value, _| old.max(value)),
    ("smin", Atomic::Combine(Binary::SMin), |old, value, _| (old as i32).min(value as i32) as u32),
    ("smax", Atomic::Combine(Binary::SMax), |old, value, _| (old as i32).max(value as i32) as u32),
    ("exchange", Atomic::Exchange, |_, value, _| value),
    (
        "compare_exchange",
        Atomic::CompareExchange,
        |old, value, expected| {
            if old == expected { value } else { old }
        },
    ),
];

/// Texels to begin with, operands, and expected values.
const NUMBERS: [[u32; 3]; 4] =
    [[7, 5, 7], [7, 0xffff_fff0, 8], [0xffff_ff00, 3, 0xffff_ff00], [0x8000_0001, 0x7fff_ffff, 0]];

const SHAPES: [(&str, Shape); 4] = [
    ("1d", Shape { dim: Dim::D1, arrayed: false, multisampled: false }),
    ("2d", Shape { dim: Dim::D2, arrayed: false, multisampled: false }),
    ("2d_array", Shape { dim: Dim::D2, arrayed: true, multisampled: false }),
    ("3d", Shape { dim: Dim::D3, arrayed: false, multisampled: false }),
];

/// Width of the textures: two texels for each operation.
const WIDTH: u32 = 32;

/// A fragment program in which each operation of `rows` sets a texel, changes it, and exchanges the old value with the next
/// texel. It kills the lane if the second component of the first input is above a half.
fn case(shape: Shape, rows: &[Row], [first, value, expected]: [u32; 3]) -> Case {
    let mut case = Case::fragment(|b| {
        let at = input(b, 0);
        let (killed, half) = (b.component(at, 1), b.f32(0.5, 1));
        let killed = b.flt(half, killed);
        b.kill(killed);
        let (y, one) = (b.component(at, 0), b.i32(1));
        let y = b.convert(Convert::FloatToUnsigned, y, Scalar::I32);
        let [first, value, expected] = [first, value, expected].map(|n| b.i32(n as i32));
        let change = |b: &mut Builder, x: usize, op, value, expected| {
            let x = b.i32(x as i32);
            let coord = match shape.dim {
                Dim::D1 => x,
                Dim::D2 => b.join(&[x, y]),
                _ => b.join(&[x, y, one]),
            };
            let kind = TexKind::Atomic { op, value, expected };
            let layer = shape.arrayed.then_some(one);
            let at = TexOp { layer, ..TexOp::sample(0, shape, coord, Lod::Zero) };
            b.texture_atomic(TexOp { kind, sampler: SamplerRef::Texture, ..at }, Type::I32)
        };
        for (i, (_, atomic, _)) in rows.iter().enumerate() {
            change(b, 2 * i, Atomic::Exchange, first, first);
            let old = change(b, 2 * i, *atomic, value, expected);
            change(b, 2 * i + 1, Atomic::Exchange, old, old);
        }
        output(b, 2, at);
    });
    let access = TextureAccess::Changed(4);
    case.interface.textures = vec![Texture { access, texels: Scalar::I32, ..Texture::new("ts0", 0, shape) }];
    case
}

fn kernel() -> Options {
    Options { form: Form::Compute, ..Options::default() }
}

#[test]
fn every_operation_changes_texels_of_every_shape() {
    let device = match Device::open().and_then(|d| d.with_words(shisa_passthrough::module)) {
        Ok(device) if glslang::is_installed() => device,
        Ok(_) => return,
        Err(e) => return println!("skipped: {e}"),
    };
    for (i, (shape_name, shape)) in SHAPES.into_iter().enumerate() {
        let size = match shape.dim {
            Dim::D1 => [WIDTH, 1, 1],
            _ if shape.arrayed || shape.dim == Dim::D3 => [WIDTH, 4, 2],
            _ => [WIDTH, 4, 1],
        };
        let texels = size.iter().product::<u32>() as usize;
        let row = match size {
            [_, 1, _] => 0,
            [_, rows, layers] => WIDTH * (2 + rows * (layers - 1)),
        };
        // All numbers in one shape, and one list of them in each of the others.
        for numbers @ [first, value, expected] in
            NUMBERS.into_iter().skip(if i == 1 { 0 } else { i }).take(if i == 1 { 4 } else { 1 })
        {
            let mut want = vec![0; texels];
            for ((_, _, combined), at) in ROWS.iter().zip((row as usize..).step_by(2)) {
                (want[at], want[at + 1]) = (combined(first, value, expected), first);
            }
            let case = case(shape, &ROWS, numbers);
            for target in LANGUAGES.into_iter().filter(|t| *t != Target::Msl) {
                let output = case.translate(target, &kernel()).unwrap_or_else(|e| panic!("{e:#?}"));
                let output = match target {
                    Target::Spirv(_) => output,
                    _ => glslang::compiled(&output, target, &format!("texels_{shape_name}")),
                };
                let levels = vec![vec![[0.0; 4]; texels]];
                let image = Image { unit: 0, shape, size, levels, sampler: Sampler::default() };
                let resources = Resources { textures: &[image], ..Resources::default() };
                let lane = |y: f32, killed: f32| vec![[y, killed, 0.0, 0.0].map(f32::to_bits); 2];
                let written = device.texels(&output, resources, &[lane(1.0, 1.0), lane(2.0, 0.0)]).unwrap();
                let got: Vec<u32> = written[0].iter().map(|t| t[0].to_bits()).collect();
                assert_eq!(got, want, "{target:?} {shape_name} {numbers:x?}");
            }
        }
    }
}

/// The call in each language, by the operation.
#[test]
fn each_language_has_its_function_for_each_operation() {
    let functions = [
        ("add", "imageAtomicAdd(ts0, ", "InterlockedAdd(ts0[", "ts0.atomic_fetch_add("),
        ("subtract", "imageAtomicAdd(ts0, ", "InterlockedAdd(ts0[", "ts0.atomic_fetch_add("),
        ("and", "imageAtomicAnd(ts0, ", "InterlockedAnd(ts0[", "ts0.atomic_fetch_and("),
        ("or", "imageAtomicOr(ts0, ", "InterlockedOr(ts0[", "ts0.atomic_fetch_or("),
        ("xor", "imageAtomicXor(ts0, ", "InterlockedXor(ts0[", "ts0.atomic_fetch_xor("),
        ("umin", "imageAtomicMin(ts0, ", "InterlockedMin(ts0[", "ts0.atomic_fetch_min("),
        ("umax", "imageAtomicMax(ts0, ", "InterlockedMax(ts0[", "ts0.atomic_fetch_max("),
        ("exchange", "imageAtomicExchange(ts0, ", "InterlockedExchange(ts0[", "ts0.atomic_exchange("),
    ];
    let exchanges =
        ("imageAtomicCompSwap(ts0, ", "InterlockedCompareExchange(ts0[", "ts0.atomic_compare_exchange_weak(");
    for row @ (name, ..) in ROWS {
        let found = functions.iter().find(|f| f.0 == name);
        let (glsl, hlsl, msl) = found.map_or(exchanges, |f| (f.1, f.2, f.3));
        for (_, shape) in SHAPES {
            let case = case(shape, &[row], NUMBERS[0]);
            for target in LANGUAGES {
                let call = match target {
                    Target::Glsl(_) => glsl,
                    Target::Hlsl(_) => hlsl,
                    Target::Msl => msl,
                    _ => continue,
                };
                let text = case.text(target, &Options::default());
                assert!(text.contains(call), "{name} {target:?}: no {call}\n{text}");
                // No stand-in is left.
                let stand_ins = ["imageStore(", "] = uint4(", ".write("];
                assert!(!stand_ins.iter().any(|s| text.contains(s)), "{text}");
            }
        }
    }
}

#[test]
fn the_text_has_what_the_language_requires() {
    let case = case(SHAPES[2].1, &ROWS[10..], NUMBERS[0]);
    let text = case.text(Target::Msl, &Options::default());
    assert!(text.contains("// language: metal3.1\n"), "{text}");
    assert!(text.contains("metal::texture2d_array<uint, metal::access::read_write>"), "{text}");
    let exchange = "    metal::uint4 old;
    do {
        old = metal::uint4(expected);
    } while (!ts0.atomic_compare_exchange_weak(metal::uint2(texel_1), layer_1, &old, metal::uint4(value_1)) && old.x == expected);
    return old.x;
}
";
    assert!(text.contains(exchange), "{text}");
    let text = case.text(Target::Glsl(GlslVersion::Es310), &Options::default());
    assert!(text.starts_with("#version 310 es\n#extension GL_OES_shader_image_atomic : require\n"), "{text}");
    let exchange = "    return imageAtomicCompSwap(ts0, ivec3(texel_1, layer_1), expected, value_1);\n}\n";
    assert!(text.contains(exchange), "{text}");
    let text = case.text(Target::Hlsl(ShaderModel::V5_1), &Options::default());
    let exchange = "{
    uint old;
    InterlockedCompareExchange(ts0[int3(texel_1, layer_1)], expected, value_1, old);
    return old;
}
";
    assert!(text.contains(exchange), "{text}");
}

/// The code and the message with which a language refuses a case.
fn refused(case: &Case, target: Target, options: &Options) -> (&'static str, String) {
    let d = case.translate(target, options).unwrap_err().remove(0);
    (d.code, d.message.to_string())
}

#[test]
fn what_languages_lack_is_refused_by_its_name() {
    let stage = Options::default();
    let message = |what: &str, target: Target| {
        ("translate-texture", format!("{what} cannot be expressed in {}", target.name()))
    };
    let plain = case(SHAPES[1].1, &ROWS[..1], NUMBERS[0]);
    let wgsl = refused(&plain, Target::Wgsl, &stage);
    assert_eq!(wgsl, message("an atomic operation on a texel", Target::Wgsl));
    let cube = case(Shape::from(Dim::Cube), &ROWS[..1], NUMBERS[0]);
    for target in &LANGUAGES[1..] {
        let what = "an atomic operation on a texel of a cube";
        assert_eq!(refused(&cube, *target, &stage), message(what, *target));
    }
    let layers = case(Shape::from(Dim::D1).layered(), &ROWS[..1], NUMBERS[0]);
    let es = Target::Glsl(GlslVersion::Es310);
    assert_eq!(refused(&layers, es, &stage), message("a texture of one dimension with layers", es));
    for target in [GlslVersion::Core330, GlslVersion::Es300].map(Target::Glsl) {
        assert_eq!(refused(&plain, target, &stage).0, "translate-unsupported");
    }
    // The name of the program's function is that of the function that changes texels.
    for options in [
        Options { name: "ts0_add".into(), ..Options::default() },
        Options { entry: Some("ts0_add".into()), ..Options::default() },
    ] {
        for target in &LANGUAGES[1..] {
            assert_eq!(refused(&plain, *target, &options).0, "translate-name");
        }
    }
}
