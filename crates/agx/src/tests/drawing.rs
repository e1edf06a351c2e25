//! Programs that draw.

use super::{assemble, close, device, kernel, translated};
use crate::*;
use alloc::{format, vec::Vec};
use shisa_ir::Stage;
use shisa_translate::execute::{Image, Resources, Triangle, passing};
use shisa_translate::{GlslVersion, ShaderModel, SpirvVersion, Target};

/// Inputs and outputs of a program that draws are those of its stage.
#[test]
fn programs_that_draw_become_stages() {
    let vertex = assemble(&[
        "fadd r0, r8, r10",
        "st_var r0, 0",
        "st_var r9, 1",
        "st_var r8, 2",
        "st_var r8, 3",
        "iadd r1l, u4l, 1",
        "st_var r9, r1l",
        "u32_to_f r2, r5, rte",
        "st_var r2, 9, last",
        "stop",
    ]);
    let fragment = assemble(&[
        "ldimm r0l, 0",
        "iter r8_r9_r10, cf1, cf0",
        "ldcf r4_r5_r6, cf5",
        "csel r11, u9l, 0, r6, r5, ieq",
        "if r11, 0.5, 1, flt",
        "sample_mask 255, 0",
        "pop_exec 1",
        "st_tile r8_r9_r10_r11, 0, 255, 0, u8norm, xyzw",
        "st_tile r11, 0, 255, 4, i32, x",
        "stop",
    ]);
    let stages = [(Stage::Vertex, vertex), (Stage::Fragment, fragment)];
    let told = |list: &[shisa_translate::Variable]| {
        let one = |v: &shisa_translate::Variable| format!("{} {:?} {:?}", v.name, v.used, v.location);
        list.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let outputs = stages.clone().map(|(stage, program)| {
            assert_eq!(Staged::stage_of(&program.code), stage);
            translated(&kernel(Program { stage, ..program }), target).unwrap()
        });
        let [vertex, fragment] =
            outputs.each_ref().map(|o| (told(&o.reflection.inputs), told(&o.reflection.outputs)));
        assert_eq!(vertex.0, "attribute0 xyz Some(0), vertex x None");
        assert_eq!(vertex.1, "position xyzw None, varying1 y Some(1), varying2_u4l y Some(2)");
        assert_eq!(fragment.0, "cf1 xyz Some(0), cf5_flat x Some(1)");
        assert_eq!(fragment.1, "colour0 xyzw Some(0), colour1 x Some(1)");
        if let Some(text) = outputs[1].code.text().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert!(text.contains("discard") && text.contains("@interpolate(flat)"), "{text}");
        }
    }
    let refused = |lines: &[&str]| {
        let program = Program { stage: Stage::Fragment, ..assemble(lines) };
        translated(&kernel(program), Target::Wgsl).unwrap_err()[0].code
    };
    let two = ["ld_tile r0, 0, 255, 0, i32, x", "ld_tile r1, 0, 255, 0, u8norm, x", "stop"];
    assert_eq!(refused(&two), "translate-tile");
    assert_eq!(refused(&["mov r1, u4", "imgwblk r1l, ts0, r0, 0, 2d, i32", "stop"]), "translate-tile");
    assert_eq!(refused(&["imgwblk r1l, ts0, r0, 0, 2d_ms, i32", "stop"]), "translate-texture");
    assert_eq!(refused(&["st_var r8, 0, last", "stop"]), "translate-stage");
    assert_eq!(
        refused(&["mov r0, core_index", "st_tile r0, 0, 255, 0, i32, x", "stop"]),
        "translate-special"
    );
}

/// Derivatives of a coefficient, which side of the triangle is seen, what was drawn before where nothing is stored,
/// and the first sample of those that a loop shades, on a graphics device.
#[test]
fn a_device_draws_pixels() {
    let Some(device) = device() else { return };
    let program = assemble(&[
        "ldimm r0l, 0",
        "ldimm r1l, 1",
        "next:",
        "ldcf r2_r3_r4, cf2",
        "ffs r8l, r1l",
        "iter r5, cf1, cf0, r8l, sample",
        "mov r6, thread_in_grid_x",
        "and r7l, r6, r1l",
        "mov r6, backfacing",
        "st_tile r2_r3_r4_r5, 0, r1l, 0, i32, xyzw",
        "st_tile r6, 0, r7l, 16, i32, x",
        "iadd r1l, 0, r1l, lsl 1",
        "while r1l, 3, 1, ult",
        "jmp_any {next}",
        "pop_exec 1",
        "stop",
    ]);
    let program = Program { stage: Stage::Fragment, ..program };
    let before = Image {
        unit: 65,
        shape: shisa_ir::Dim::D2.into(),
        size: [4, 4, 1],
        levels: alloc::vec![alloc::vec![[f32::from_bits(7); 4]; 16]],
        sampler: shisa_ir::Sampler::default(),
    };
    // cf2 is 1 + x / 2 + y / 4, cf1 x / 2.
    let corner = |x: f32, y: f32| -> Vec<[u32; 4]> {
        let place = [x / 4.0 - 1.0, 1.0 - y / 4.0, 0.5, 1.0];
        let plane = [1.0 + x / 2.0 + y / 4.0, 0.0, 0.0, 0.0];
        [place, plane, [x / 2.0, 0.0, 0.0, 0.0]].map(|r| r.map(f32::to_bits)).into()
    };
    let front = [corner(0.0, 0.0), corner(0.0, 8.0), corner(8.0, 0.0)];
    let [first, second, third] = front.clone();
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&kernel(program.clone()), target).unwrap();
        assert_eq!(output.reflection.textures.len(), 1, "only of what is not always stored");
        let vertex = passing(&output.reflection);
        for (backfacing, corners) in [(0, front.clone()), (1, [first.clone(), third.clone(), second.clone()])]
        {
            let textures = [before.clone()];
            let drawn = Triangle {
                vertex: &vertex,
                fragment: &output,
                resources: [Resources::default(), Resources { textures: &textures, ..Resources::default() }],
                corners: &corners,
                size: [8, 8],
                samples: 1,
                drawn: [4, 4],
            };
            let pixels = device.triangle(&drawn).unwrap().pixels;
            for (i, lane) in pixels.iter().enumerate().filter(|(i, _)| i % 8 < 4 && *i < 32) {
                let (x, [plane, other]) = ((i % 8) as f32, [lane.outputs[0], lane.outputs[1]]);
                let want = [0.5, 0.25, 1.0, (x + 0.5) / 2.0];
                assert!(plane.iter().zip(want).all(|(g, w)| close(*g, w)), "{i}: {plane:x?}");
                assert_eq!(other[0], if i % 2 == 0 { 7 } else { backfacing }, "{i}");
            }
        }
    }
}

/// Depth and stencil values of some pixels only: others have the depth of the triangle, and the stencil value 0.
/// Languages without an output for stencil values name those that have one.
#[test]
fn depth_and_stencil_of_some_pixels() {
    let program = assemble(&[
        "ldimm r0l, 0",
        "mov r1, thread_in_grid_x",
        "and r1, r1, 1",
        "if r1, 0, 1, ieq",
        "ldimm r2, 1048576000",
        "ldimm r3l, 263",
        "zs_emit 255, r2l_r2h_r3l",
        "pop_exec 1",
        "st_tile r1, 0, 255, 0, i32, x",
        "stop",
    ]);
    let staged = kernel(Program { stage: Stage::Fragment, ..program });
    for target in [Target::Wgsl, Target::Glsl(GlslVersion::Es310)] {
        let refused = translated(&staged, target).unwrap_err();
        assert_eq!(refused[0].code, "translate-unsupported");
        assert!(refused[0].help.iter().any(|h| h.contains("SPIR-V")), "{refused:?}");
    }
    for (target, said) in [
        (Target::Glsl(GlslVersion::Core330), "gl_FragStencilRefARB = int("),
        (Target::Glsl(GlslVersion::Core450), "gl_FragStencilRefARB = int("),
        (Target::Hlsl(ShaderModel::V5_1), "uint stencil : SV_StencilRef;"),
        (Target::Msl, "uint stencil [[stencil]];"),
    ] {
        let output = translated(&staged, target).unwrap();
        let text = output.code.text().unwrap();
        assert!(text.contains(said) && !text.contains("location1"), "{text}");
    }
    let Some(device) = device() else { return };
    let output = translated(&staged, Target::Spirv(SpirvVersion::V1_3)).unwrap();
    let vertex = passing(&output.reflection);
    let corner = |x: f32, y: f32| alloc::vec![[x, y, 0.75, 1.0].map(f32::to_bits)];
    let drawn = Triangle {
        vertex: &vertex,
        fragment: &output,
        resources: [Resources::default(); 2],
        corners: &[corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, 1.0)],
        size: [8, 8],
        samples: 1,
        drawn: [4, 4],
    };
    let pixels = device.triangle(&drawn).unwrap().pixels;
    for (i, lane) in pixels.iter().enumerate().filter(|(i, _)| i % 8 < 4 && *i < 32) {
        let (depth, stencil) = if i % 2 == 0 { (0.25f32, 7) } else { (0.75, 0) };
        let got = [0, 1, 2].map(|n| lane.outputs[n][0]);
        assert_eq!(got, [i as u32 % 2, depth.to_bits(), stencil], "{i}");
    }
}

/// Data of the pixel below that a program reads is a texel of a texture, in every language.
#[test]
fn what_was_drawn_before_is_a_texture() {
    let program = assemble(&[
        "iter r0_r1_r2_r3, cf1, cf0",
        "ld_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw",
        "ffma r0, r0, r3, r4",
        "mov r8, thread_in_grid_x",
        "u32_to_f r1, r8, rte",
        "st_tile r0_r1_r2_r3, 0, 255, 0, u8norm, xyzw",
        "ld_tile r9, 0, 255, 8, rg11b10f, x",
        "ld_tile r10l_r10h, 0, 255, 4, i16, xy",
        "st_tile r10l_r10h, 0, 255, 4, i16, xy",
        "s32_to_f r11l, r9, rte",
        "st_tile r11l, 0, 255, 12, f16, x",
        "stop",
    ]);
    let program = Program { stage: Stage::Fragment, ..program };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let output = translated(&kernel(program.clone()), target).unwrap();
        let names = |list: &[shisa_translate::Variable]| {
            list.iter().map(|v| format!("{}", v.name)).collect::<Vec<_>>()
        };
        assert_eq!(names(&output.reflection.inputs), ["cf1", "pixel"]);
        let textures = output.reflection.textures.iter();
        assert_eq!(
            textures.map(|t| (&*t.name, t.unit)).collect::<Vec<_>>(),
            [("tile0", 64), ("tile1", 65), ("tile3", 67)]
        );
        if let Some(text) = output.code.text().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert!(
                text.contains("textureLoad(tile0, ") && text.contains("tile1: texture_2d<u32>"),
                "{text}"
            );
        }
    }
}

/// GLSL has one object for an image and its sampler: an image with several samplers is bound once for each.
#[test]
fn images_with_several_samplers_are_split_for_glsl() {
    let sample = |to: &str, sampler: u32| {
        format!("smpf {to}, ts0, ss{sampler}, r0_r1, u8l, 2d, xyzw, auto_lod_bias, a")
    };
    let lines = [
        "iter r0_r1, cf1, cf0".into(),
        sample("r4_r5_r6_r7", 0),
        sample("r8_r9_r10_r11", 1),
        sample("r12_r13_r14_r15", 0),
        "wait a".into(),
        "fadd r4, r4, r8".into(),
        "fadd r4, r4, r12".into(),
        "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw".into(),
        "stop".into(),
    ];
    let lines: Vec<&str> = lines.iter().map(|line: &alloc::string::String| line.as_str()).collect();
    let program = Program { stage: Stage::Fragment, ..assemble(&lines) };
    let textures = |target| {
        let output = translated(&kernel(program.clone()), target).unwrap();
        let list = output.reflection.textures.iter();
        list.map(|t| format!("{} {} {}", t.name, t.unit, t.handle)).collect::<Vec<_>>()
    };
    assert_eq!(textures(Target::Wgsl), ["ts0 0 "]);
    let both = textures(Target::Glsl(GlslVersion::Core450));
    assert_eq!(both, ["ts0 0 ", "ts0_ss1 1 the image of ts0"]);
}
