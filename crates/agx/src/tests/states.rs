//! Textures and samplers that programs load.

use super::{assemble, device, kernel, run_on, translated};
use crate::*;
use alloc::vec::Vec;
use shisa_translate::execute::{Image, Resources};
use shisa_translate::{GlslVersion, ShaderModel, SpirvVersion, Target};

/// Texels of the texture that the host has bound as `ts3`; of the one that the program has loaded there and refers to by
/// another number, and by the address; and, filtered, of the one that was loaded into `ts5` by code that runs before.
const LOADING: (&[&str], &[&str]) = (
    &["ldimm r1, 64", "load ts5, du4, r1, a", "wait a", "stop"],
    &[
        "ldimm r1, 24",
        "ldimm r2, 1",
        "ldimm r3, 0",
        "smpi r8, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "load ts3, du4, r1, a",
        "wait a",
        "smpi r9, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "ldimm r4l, 3",
        "ldimm r2, 2",
        "smpi r10, r4l, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "smpi r11, du4, r1, r5l, r2_r3, 0, 2d, x, auto_lod, a",
        "ldimm r6, 48",
        "load ss2, du4, r6, a",
        "ldimm r2, 1056964608",
        "ldimm r4l, 0",
        "wait a",
        "smpf r12, ts5, ss2, r2_r3, r4l, 2d, x, lod_min, a",
        "wait a",
        "ldimm r0, 0",
        "store r8_r9_r10_r11, du0, 0, i32, xyzw, a",
        "store r12, du0, 4, i32, x, a",
        "wait a",
        "stop",
    ],
);

/// Textures and samplers that a program loads are those of their addresses, as if it named these itself.
#[test]
fn loaded_states_are_handles() {
    let [before, main] = [LOADING.0, LOADING.1].map(|lines| assemble(lines).code);
    let preamble = before.len();
    let program = Program { code: [before, main].concat(), workgroup: [1; 3], ..assemble(&["stop"]) };
    let staged = Staged { preamble, ..kernel(program) };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V6_0),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let output = translated(&staged, target).unwrap();
        let textures = output.reflection.textures.iter().map(|t| (&*t.name, &*t.handle));
        let first = "IAdd(u4_u5, 0x18)";
        let want = [("ts3", ""), ("texture0", first), ("texture1", "IAdd(u4_u5, 0x40)")];
        assert_eq!(textures.collect::<Vec<_>>(), want);
        let samplers = output.reflection.samplers.iter().map(|s| (&*s.name, &*s.handle));
        assert_eq!(samplers.collect::<Vec<_>>(), [("sampler0", "address IAdd(u4_u5, 0x30)")]);
        if let Some(text) = output.code.text().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert_eq!(text.matches("textureLoad(texture0, ").count(), 3, "{text}");
        }
    }
    let Some(device) = device() else { return };
    let image = |unit, first: f32| Image {
        unit,
        shape: shisa_ir::Dim::D2.into(),
        size: [4, 1, 1],
        levels: alloc::vec![(0..4).map(|i| [first + i as f32; 4]).collect()],
        sampler: shisa_ir::Sampler::default(),
    };
    let textures = [image(3, 10.0), image(64, 20.0), image(65, 30.0)];
    let linear = shisa_ir::Sampler { filter: shisa_ir::Filter::Linear, ..shisa_ir::Sampler::default() };
    let resources = Resources { textures: &textures, samplers: &[(8, linear)], ..Resources::default() };
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&staged, target).unwrap();
        let memory = run_on(&device, &output, resources, alloc::vec![0; 8], [1, 1, 1]);
        let got = [0, 1, 2, 3, 4].map(|i| f32::from_bits(memory[i]));
        assert_eq!(got, [11.0, 21.0, 22.0, 22.0, 31.5], "{}", target.name());
    }
}

/// Which of two textures a state register has may not depend on the path that led there.
#[test]
fn states_of_several_ways_are_refused() {
    let lines = [
        "ldimm r1, 24",
        "ldimm r2, 0",
        "ldimm r3, 0",
        "ldimm r0l, 0",
        "mov r4, thread_in_grid_x",
        "if r4, 0, 1, ieq",
        "load ts3, du4, r1, a",
        "wait a",
        "pop_exec 1",
        "smpi r8, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "wait a",
        "store r8, du0, 0, i32, x, a",
        "stop",
    ];
    let refused = translated(&kernel(assemble(&lines)), Target::Wgsl).unwrap_err();
    assert_eq!(refused[0].code, "translate-bindless");
}
