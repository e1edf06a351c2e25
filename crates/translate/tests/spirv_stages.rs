//! Our SPIR-V as a fragment stage, passed to the driver unchanged: kills, derivatives, samples. Without a device the
//! tests say so and pass.

use crate::common::*;
use shisa_ir::*;
use shisa_translate::execute::{Device, Image, Lane, Register, Resources};
use shisa_translate::*;

const WIDTH: usize = 8;
const VERSIONS: [SpirvVersion; 2] = [SpirvVersion::V1_3, SpirvVersion::V1_6];

fn device() -> Option<Device> {
    let device = Device::open().and_then(|d| d.with_words(shisa_passthrough::module));
    device.map_err(|why| println!("skipped: {why}")).ok()
}

/// Column and row in v0, a quarter of the row in v1.y.
fn inputs() -> Vec<Vec<Register>> {
    let at = |i: usize| ((i % WIDTH) as f32, (i / WIDTH) as f32);
    (0..WIDTH * 6)
        .map(at)
        .map(|(x, y)| {
            vec![[x, y, 2.0 * x, 0.5].map(f32::to_bits), [0.1, y / 4.0, 0.0, 1.0].map(f32::to_bits)]
        })
        .collect()
}

fn pixels(device: &Device, case: &Case, version: SpirvVersion, textures: &[Image]) -> Vec<Lane> {
    let output = case.translate(Target::Spirv(version), &Options::default()).expect("it can be said");
    let resources = Resources { textures, ..Resources::default() };
    device.pixels(&output, resources, WIDTH as u32, &inputs()).expect("it runs")
}

/// Whether the column lies within a quarter of `at`.
fn column_is(b: &mut Builder, at: f32) -> Value {
    let v = input(b, 0);
    let x = b.component(v, 0);
    let at = b.f32(at, 1);
    let distance = b.fsub(x, at);
    let distance = b.fabs(distance);
    let quarter = b.f32(0.25, 1);
    b.flt(distance, quarter)
}

#[test]
fn killed_lanes_write_nothing_and_help_with_derivatives() {
    let Some(device) = device() else { return };
    let case = Case::fragment(|b| {
        let killed = column_is(b, 3.0);
        b.kill(killed);
        let v = input(b, 0);
        let out = b.derivative(Axis::X, v);
        output(b, 2, out);
    });
    for version in VERSIONS {
        for (i, lane) in pixels(&device, &case, version, &[]).iter().enumerate() {
            assert_eq!(lane.killed, i % WIDTH == 3, "{version:?} lane {i}");
            let right = lane.outputs[0].map(f32::from_bits);
            let close = right.iter().zip([1.0, 0.0, 2.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(lane.killed || close, "{version:?} lane {i}: {right:?}");
        }
    }
}

/// A texture whose level n holds n + 0.5 in every component.
fn levels() -> Image {
    let level = |n: u32| vec![[n as f32 + 0.5; 4]; 1 << (8 - 2 * n)];
    let sampler = Sampler { mip: Some(Filter::Nearest), anisotropy: 1, ..Sampler::default() };
    Image { unit: 0, shape: Dim::D2.into(), size: [16, 16, 1], levels: (0..5).map(level).collect(), sampler }
}

#[test]
fn samples_where_lanes_are_apart_see_the_whole_quad() {
    let Some(device) = device() else { return };
    type Given = fn(&mut Builder) -> Lod;
    let lods: [(Given, i8, f32); 5] = [
        (|_| Lod::Implicit, 0, 2.0),
        (|_| Lod::Implicit, 8, 3.0),
        (|b| Lod::Bias(b.f32(-1.0, 1)), 0, 1.0),
        (|b| Lod::Bias(b.f32(-1.0, 1)), 16, 3.0),
        (|b| Lod::Level(b.f32(4.0, 1)), 8, 4.0),
    ];
    for (lod, bias_eighths, expected) in lods {
        for apart in [false, true] {
            let sampler = Some(Sampler { bias_eighths, ..levels().sampler });
            let mut case = Case::fragment(|_| ()).texture(Dim::D2, sampler);
            let mut cond = Value(0);
            let first = case.block(|b| cond = column_is(b, 2.0));
            // Four texels a row.
            let sampled = case.block(|b| {
                let v = input(b, 1);
                let coord = b.swizzle(v, Swizzle::IDENTITY, 2);
                let lod = lod(b);
                let out = b.texture(
                    TexOp { sampler: SamplerRef::given(sampler), ..TexOp::sample(0, Dim::D2, coord, lod) },
                    Scalar::F32,
                );
                output(b, 2, out);
            });
            let yes = vec![Stmt::Block(sampled), Stmt::Exit];
            case.tree.body = vec![Stmt::Block(first), Stmt::If { cond: Cond::Value(cond), yes, no: vec![] }];
            if !apart {
                case.tree.body = vec![Stmt::Block(sampled), Stmt::Exit];
            }
            for version in VERSIONS {
                for (i, lane) in pixels(&device, &case, version, &[levels()]).iter().enumerate() {
                    let level = f32::from_bits(lane.outputs[0][0]);
                    let sampled = !apart || i % WIDTH == 2;
                    let wanted = if sampled { expected + 0.5 } else { 0.0 };
                    assert_eq!(level, wanted, "{version:?} {bias_eighths} {apart} lane {i}");
                }
            }
        }
    }
}
