//! Translations run on a graphics device and compared with a plain interpreter. Without a device the
//! tests say so and pass.

use crate::common::{interpret::interpret, *};
use shisa_ir::*;
use shisa_translate::execute::{Device, Image, Lane, Register, Resources};
use shisa_translate::*;
use std::sync::OnceLock;

fn device() -> Option<&'static Device> {
    static DEVICE: OnceLock<Result<Device, String>> = OnceLock::new();
    let device = DEVICE.get_or_init(Device::open).as_ref();
    device.inspect_err(|e| println!("skipped: {e}")).ok()
}

fn register(x: f32, y: f32, z: f32, w: f32) -> Register {
    [x, y, z, w].map(f32::to_bits)
}

fn wgsl(case: &Case, form: Form) -> Output {
    let options = Options { form, exact: true, ..Options::default() };
    case.translate(Target::Wgsl, &options).unwrap_or_else(|e| panic!("{e:#?}"))
}

/// Whether `got` is acceptable for `want`: equal bits, both NaN, both zero or denormal, or close.
fn fits(got: u32, want: u32, close: f32) -> bool {
    let (g, w) = (f32::from_bits(got), f32::from_bits(want));
    let small = |f: f32| f.abs() < f32::MIN_POSITIVE;
    got == want
        || g.is_nan() && w.is_nan()
        || small(g) && small(w)
        || (g - w).abs() <= close * w.abs().max(g.abs())
}

/// Compares lanes of the device with those of the interpreter: floats that are close to what is wanted, or all bits.
/// Small integers, as bits of floats, are denormals, which are close to everything that is small.
fn compare(
    name: &str,
    case: &Case,
    got: &[Lane],
    inputs: &[Vec<Register>],
    constants: &[Register],
    close: Option<f32>,
) {
    assert_eq!(got.len(), inputs.len());
    for (lane, got) in inputs.iter().zip(got) {
        let want = interpret(case, lane, constants);
        assert_eq!(got.killed, want.killed, "{name}: {lane:x?}");
        if got.killed {
            continue;
        }
        for (g, w) in got.outputs.iter().zip(&want.outputs) {
            let good = g.iter().zip(w).all(|(&g, &w)| close.map_or(g == w, |close| fits(g, w, close)));
            assert!(good, "{name}: inputs {lane:x?}\n got {g:x?}\nwant {w:x?}");
        }
    }
}

fn constants() -> Vec<Register> {
    (0..16).map(|i| i as f32).map(|i| register(i, 0.5 - i, 2.0 * i, 1.0 + i)).collect()
}

/// Inputs that keep every program inside what it can read.
fn inputs() -> Vec<Vec<Register>> {
    (0..100)
        .map(|i| {
            let f = i as f32;
            vec![
                register((i % 12) as f32, (i % 7) as f32, 0.25 * f, 1.0 + f / 64.0),
                register((i % 5) as f32, f - 50.0, 0.125 * f, 3.0 - f / 16.0),
                register(f, 0.0, 0.0, 0.0),
            ]
        })
        .collect()
}

#[test]
fn vertex_programs_run_in_the_compute_form() {
    let Some(device) = device() else { return };
    println!("on {}", device.name());
    for (name, case) in cases::all() {
        // Sums over all operations say little; single operations are tested one by one. WGSL leaves open what the
        // logarithm of 0 is.
        let left_out = ["floats", "floats_ruled", "integers", "constants", "memory", "power_of_zero"];
        if case.interface.stage != Stage::Vertex || left_out.contains(&name) {
            continue;
        }
        let uniforms = [constants()];
        let resources = Resources { uniforms: &uniforms, ..Resources::default() };
        let got = device.lanes(&wgsl(&case, Form::Compute), resources, &inputs()).unwrap();
        compare(name, &case, &got, &inputs(), &constants(), Some(1e-6));
    }
}

const EDGES: [u32; 20] = [
    0x0000_0000,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x4020_0000,
    0xc020_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x0080_0000,
    0x4b00_0001,
    0x4f00_0000,
    0xcf00_0000,
    0x3fc0_0000,
    0x0000_0021,
    0xffff_ffff,
    0x42f6_0000,
];

/// All pairs of edge values, four to a lane.
fn edges() -> Vec<Vec<Register>> {
    let pairs: Vec<(u32, u32)> = EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b))).collect();
    let lane = |c: &[(u32, u32)]| vec![std::array::from_fn(|i| c[i].0), std::array::from_fn(|i| c[i].1)];
    pairs.chunks_exact(4).map(lane).collect()
}

const WGSL: &[Target] = &[Target::Wgsl];
const BOTH: &[Target] = &[Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)];

/// Runs `op = f(va0, va1)` over all pairs of edge values, in some languages.
fn single(
    device: &Device,
    name: &str,
    targets: &[Target],
    close: f32,
    f: impl FnOnce(&mut Builder, Value, Value) -> Value,
) {
    let mut integer = false;
    let case = Case::vertex(|b| {
        let (x, y) = (input(b, 0), input(b, 1));
        let r = f(b, x, y);
        integer = b.ty(r).scalar != Scalar::F32;
        let r = match b.ty(r).scalar {
            Scalar::I1 => b.convert(Convert::ZeroExtend, r, Scalar::I32),
            _ => r,
        };
        let r = if b.ty(r).scalar == Scalar::I32 { b.convert(Convert::Bits, r, Scalar::F32) } else { r };
        let r = if b.ty(r).count == 1 { b.splat(r, 4) } else { r };
        output(b, 2, r);
        output(b, 3, x);
    });
    let close = (!integer).then_some(close);
    for target in targets {
        let options = Options { form: Form::Compute, exact: true, ..Options::default() };
        let code = case.translate(*target, &options).unwrap_or_else(|e| panic!("{e:#?}"));
        let got = device.lanes(&code, Resources::default(), &edges()).unwrap();
        compare(&format!("{target:?} {name}"), &case, &got, &edges(), &[[0; 4]; 16], close);
    }
}

#[test]
fn single_float_operations() {
    let Some(device) = device() else { return };
    use Binary::*;
    let zero = FloatRule { zero_product: true, ..FloatRule::IEEE };
    let saturate = FloatRule { saturate: true, ..FloatRule::IEEE };
    let nan = |nan| FloatRule { nan, ..FloatRule::IEEE };
    let rules = [
        (FAdd, FloatRule::IEEE),
        (FSub, FloatRule::IEEE),
        (FMul, FloatRule::IEEE),
        (FDiv, FloatRule::IEEE),
        (FMul, zero),
        (FAdd, saturate),
        (FMin, nan(NanRule::Any)),
        (FMax, nan(NanRule::Any)),
        (FMin, nan(NanRule::Number)),
        (FMax, nan(NanRule::Number)),
        (FMin, nan(NanRule::Second)),
        (FMax, nan(NanRule::Second)),
        (FEq, FloatRule::IEEE),
        (FNe, FloatRule::IEEE),
        (FLt, FloatRule::IEEE),
        (FLe, FloatRule::IEEE),
    ];
    for (op, rule) in rules {
        single(device, &format!("{op:?} {rule:?}"), WGSL, 3e-7, |b, x, y| {
            b.rule = rule;
            b.binary(op, x, y)
        });
    }
    use Unary::*;
    for (op, close) in [
        (FNeg, 0.0),
        (FAbs, 0.0),
        (FSat, 0.0),
        (FFloor, 0.0),
        (FCeil, 0.0),
        (FTrunc, 0.0),
        (FRound, 0.0),
        (FSqrt, 3e-7),
        (FRsqrt, 1e-6),
        (FRcp, 3e-7),
    ] {
        single(device, &format!("{op:?}"), WGSL, close, |b, x, _| b.unary(op, x));
    }
}

#[test]
fn single_integer_operations() {
    let Some(device) = device() else { return };
    let bits = |b: &mut Builder, v| b.convert(Convert::Bits, v, Scalar::I32);
    use Binary::*;
    for op in [
        IAdd, ISub, IMul, UMulHi, SMulHi, UMin, UMax, SMin, SMax, And, Or, Xor, Shl, LShr, AShr, IEq, INe,
        ULt, ULe, SLt, SLe,
    ] {
        // The device's reader of SPIR-V has no products of twice the width.
        let targets = if matches!(op, UMulHi | SMulHi) { WGSL } else { BOTH };
        single(device, &format!("{op:?}"), targets, 0.0, |b, x, y| {
            let (x, y) = (bits(b, x), bits(b, y));
            b.binary(op, x, y)
        });
    }
    for (op, by) in [Shl, LShr, AShr].into_iter().flat_map(|op| [31, 32, 33].map(|by| (op, by))) {
        single(device, &format!("{op:?} by {by}"), BOTH, 0.0, |b, x, _| {
            let (x, by) = (bits(b, x), b.constant(Scalar::I32.by(4), by));
            b.binary(op, x, by)
        });
    }
    for op in [Unary::INeg, Unary::Not, Unary::PopCount, Unary::LeadingZeros, Unary::ReverseBits] {
        // The device's reader of SPIR-V negates signed integers only.
        let targets = if op == Unary::INeg { WGSL } else { BOTH };
        single(device, &format!("{op:?}"), targets, 0.0, |b, x, _| {
            let x = bits(b, x);
            b.unary(op, x)
        });
    }
    for op in [Convert::FloatToSigned, Convert::FloatToUnsigned] {
        single(device, &format!("{op:?}"), BOTH, 0.0, |b, x, _| b.convert(op, x, Scalar::I32));
    }
    for op in [Convert::SignedToFloat, Convert::UnsignedToFloat] {
        // Nor does it know that an unsigned type is converted as signed.
        let targets = if op == Convert::SignedToFloat { WGSL } else { BOTH };
        single(device, &format!("{op:?}"), targets, 1e-7, |b, x, _| {
            let x = bits(b, x);
            b.convert(op, x, Scalar::F32)
        });
    }
}

/// Rules that flush keep the sign of a denormal.
#[test]
fn flushed_denormals_are_zeros_of_their_sign() {
    let Some(device) = device() else { return };
    let flush = FloatRule { flush: true, ..FloatRule::IEEE };
    let case = Case::vertex(|b| {
        let x = input(b, 0);
        b.rule = flush;
        let one = b.f32(1.0, 4);
        let product = b.fmul(x, one);
        b.rule = FloatRule::IEEE;
        output(b, 2, product);
        output(b, 3, x);
    });
    let options = Options { form: Form::Compute, exact: true, ..Options::default() };
    let code = case.translate(Target::Spirv(SpirvVersion::V1_3), &options).unwrap();
    let lanes = [vec![[1, 0x8000_0001, 0x007f_ffff, 0x807f_ffff], [0; 4]]];
    let got = device.lanes(&code, Resources::default(), &lanes).unwrap();
    assert_eq!(got[0].outputs[0], [0, 0x8000_0000, 0, 0x8000_0000]);
}

#[test]
fn constants_that_are_not_finite_survive() {
    let Some(device) = device() else { return };
    let case = cases::all().into_iter().find(|c| c.0 == "constants").unwrap().1;
    let got = device.lanes(&wgsl(&case, Form::Compute), Resources::default(), &inputs()[..1]).unwrap();
    let [x, y, z, _] = got[0].outputs[0].map(f32::from_bits);
    assert!(x == f32::INFINITY && y.is_nan() && z == f32::NEG_INFINITY);
    // 1 / -0 and log2(-0) are both -inf.
    assert_eq!(got[0].outputs[1].map(f32::from_bits), [f32::NEG_INFINITY; 4]);
}

fn pixel_inputs(width: usize, height: usize) -> Vec<Vec<Register>> {
    (0..width * height)
        .map(|i| {
            let (x, y) = ((i % width) as f32, (i / width) as f32);
            vec![register(x / 8.0, y / 8.0, 2.0 * x, 0.5), register(0.25, x / 16.0, y, 0.125 * x)]
        })
        .collect()
}

#[test]
fn fragment_programs_kill_and_write_every_target() {
    let Some(device) = device() else { return };
    for (name, case) in cases::all().into_iter().filter(|c| ["kill", "targets"].contains(&c.0)) {
        let inputs = pixel_inputs(8, 6);
        let resources = Resources::default();
        let got = device.pixels(&wgsl(&case, Form::Stage), resources, 8, &inputs).unwrap();
        compare(name, &case, &got, &inputs, &[[0; 4]; 8], Some(0.0));
        let got = device.lanes(&wgsl(&case, Form::Compute), resources, &inputs).unwrap();
        compare(name, &case, &got, &inputs, &[[0; 4]; 8], Some(0.0));
    }
}

#[test]
fn killed_lanes_help_with_derivatives() {
    let Some(device) = device() else { return };
    let case = cases::all().into_iter().find(|c| c.0 == "kill_then_derive").unwrap().1;
    // Column 3 is killed, column 2 is its neighbour in the quad.
    let mut inputs = pixel_inputs(8, 4);
    inputs.iter_mut().for_each(|l| l[0][0] = (f32::from_bits(l[0][0]) + 0.7).to_bits());
    inputs.iter_mut().skip(3).step_by(8).for_each(|l| l[0][0] = 0.25f32.to_bits());
    let got = device.pixels(&wgsl(&case, Form::Stage), Resources::default(), 8, &inputs).unwrap();
    for (i, lane) in got.iter().enumerate() {
        assert_eq!(lane.killed, i % 8 == 3);
        let right = |c: usize| f32::from_bits(inputs[i | 1][0][c]) - f32::from_bits(inputs[i & !1][0][c]);
        if !lane.killed {
            assert_eq!(lane.outputs[0].map(f32::from_bits), [right(0), right(1), right(2), right(3)]);
        }
    }
}

/// A texture whose level n holds n in its red, and the column in its green component.
fn image(unit: u16, mip: Option<Filter>) -> Image {
    let level = |n: u32| {
        let width = 16 >> n;
        (0..width * width).map(|i| [n as f32, (i % width) as f32, 0.0, 1.0]).collect()
    };
    let sampler = Sampler { filter: Filter::Nearest, mip, anisotropy: 1, ..Sampler::default() };
    Image { unit, shape: Dim::D2.into(), size: [16, 16, 1], levels: (0..5).map(level).collect(), sampler }
}

#[test]
fn samples_in_branches_take_the_level_of_the_whole_quad() {
    let Some(device) = device() else { return };
    let case = cases::all().into_iter().find(|c| c.0 == "sample_in_branch").unwrap().1;
    // v1.x steps by 1/4 a row: 1/2 of the texture after doubling, 8 texels, level 3, less 1 of bias.
    let inputs: Vec<Vec<Register>> = (0..64)
        .map(|i| {
            let (x, y) = ((i % 8) as f32, (i / 8) as f32);
            let taken = if (i % 2) ^ (i / 8 % 2) == 0 { 0.0 } else { 9.0 };
            vec![register(taken, 7.0, 7.0, 7.0), register(y / 4.0 + 0.01, 0.01 * x, 5.0, 0.0)]
        })
        .collect();
    let textures = [image(0, Some(Filter::Nearest))];
    let resources = Resources { textures: &textures, ..Resources::default() };
    let got = device.pixels(&wgsl(&case, Form::Stage), resources, 8, &inputs).unwrap();
    for (lane, got) in inputs.iter().zip(&got) {
        let [v0, v1] = [0, 1].map(|i| lane[i].map(f32::from_bits));
        let level = if v0[0] < v1[0] { 2.0 } else { v0[0] };
        assert_eq!(f32::from_bits(got.outputs[0][0]), level, "{v0:?} {v1:?}");
    }
}

#[test]
fn spirv_runs_in_the_same_harness() {
    let Some(device) = device() else { return };
    let case = cases::transform();
    let options = Options { form: Form::Compute, ..Options::default() };
    let code = case.translate(Target::Spirv(SpirvVersion::V1_3), &options).unwrap();
    let uniforms = [constants()];
    let resources = Resources { uniforms: &uniforms, ..Resources::default() };
    let got = device.lanes(&code, resources, &inputs()).unwrap();
    compare("transform", &case, &got, &inputs(), &constants(), Some(1e-6));

    let case = Case::fragment(|b| {
        let v = input(b, 0);
        let out = b.derivative(Axis::Y, v);
        output(b, 2, out);
    });
    let code = case.translate(Target::Spirv(SpirvVersion::V1_3), &Options::default()).unwrap();
    let got = device.pixels(&code, Resources::default(), 8, &pixel_inputs(8, 6)).unwrap();
    for lane in got {
        let d = lane.outputs[0].map(f32::from_bits);
        assert!((d[1] - 0.125).abs() < 1e-4 && d[0].abs() < 1e-4, "{d:?}");
    }
}
