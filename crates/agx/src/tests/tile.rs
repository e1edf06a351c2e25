//! The tile of workgroups and of pixels, and blocks of it that become texels.

use super::{assemble, close, device, evaluated, kernel, translated};
use crate::*;
use alloc::{format, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::Stage;
use shisa_translate::execute::{Image, Resources, Triangle, passing};
use shisa_translate::{GlslVersion, Output, ShaderModel, SpirvVersion, Target};

/// Every thread of a workgroup stores to the tile, one loads what another stored, and one writes all of it to an image.
const TILED: &[&str] = &[
    "ldimm r0l, 0",
    "mov r1, thread_in_threadgroup_x",
    "mov r2, thread_in_threadgroup_y",
    "mov r3l, r1l",
    "mov r3h, r2l",
    "u32_to_f r4, r1, rte",
    "u32_to_f r5, r2, rte",
    "ffma r4, r4, 0.015625, r5",
    "fadd r5, r5, 0.5",
    "st_tile r4_r5, r3l_r3h, 1, 4, explicit_coords, i32, xy",
    "barrier",
    "xor r6l, r3l, 31",
    "mov r6h, r3h",
    "ld_tile r7l, r6l_r6h, 1, 4, f16, x",
    "ld_tile r8, r6l_r6h, 1, 8, i32, x",
    "ldimm r7h, 0",
    "iadd r8, r8, r7",
    "iadd r9, r1, r2, lsl 4",
    "iadd r9, r9, r2, lsl 4",
    "store r8, du0, r9, i32, x, a",
    "ldimm r5, 3",
    "ldimm r6, 2",
    "ldimm r7l, 4",
    "if r9, 0, 1, ieq",
    "imgwblk r7l, ts0, r5_r6, 0, explicit_coords, 2d, i32",
    "pop_exec 1",
    "stop",
];

/// The tile of a workgroup is memory that its threads share, in every language, and a block of it a loop.
#[test]
fn tiles_of_workgroups_are_shared_memory() {
    let tile = Imageblock::new([32, 16], 1, 16).unwrap();
    let program = Program { workgroup: [32, 16, 1], imageblock: Some(tile), ..assemble(TILED) };
    assert_eq!(Staged::stage_of(&program.code), Stage::Compute);
    let staged = Staged { shared: 0, ..kernel(program.clone()) };
    for target in
        [Target::Wgsl, Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0), Target::Msl]
    {
        let output = translated(&staged, target).unwrap();
        let text = output.code.text().unwrap();
        assert_eq!(text.matches("loop {").count() + text.matches("while(true)").count(), 1, "{text}");
        if target == Target::Wgsl {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert_eq!(text.matches("textureStore(").count(), 1, "{text}");
        }
    }
    let both = translated(&kernel(program.clone()), Target::Wgsl).unwrap_err();
    assert_eq!(both[0].code, "translate-tile");
    let line = "imgwblk r7l, ts1, r5_r6_r7l_r7h, 0, explicit_coords, 2d_ms_array, i32";
    let samples = [&[line], TILED].concat();
    let samples = Staged { program: Program { code: assemble(&samples).code, ..program }, ..staged };
    assert_eq!(translated(&samples, Target::Wgsl).unwrap_err()[0].code, "translate-texture");
}

/// Programs that compute have instructions on a tile where their compiler says how large it is.
#[test]
fn parts_that_compute_may_have_a_tile() {
    let stage_faults = |imageblock_stride| {
        let code = assemble(TILED).code;
        let (stage, main_size) = (Stage::Compute, code.len() as u32);
        let meta = part::Meta { stage, main_size, imageblock_stride, ..part::Meta::default() };
        let found = abi::check_part(&part::Part { code, meta }, &Limits::default());
        found.iter().filter(|d| d.code == "agx-abi-stage" || d.code == "agx-abi-flag").count()
    };
    assert_eq!([stage_faults(16), stage_faults(0)], [0, 4]);
}

/// A graphics device leaves the memory and the texels that the evaluator leaves.
#[test]
fn a_device_writes_blocks() {
    let Some(device) = device() else { return };
    let tile = Imageblock::new([32, 16], 1, 16).unwrap();
    let program = Program { workgroup: [32, 16, 1], imageblock: Some(tile), ..assemble(TILED) };
    let memory = alloc::vec![0; 512];
    // The evaluator has no images here.
    let lines: Vec<&str> = TILED.iter().copied().filter(|line| !line.starts_with("imgwblk")).collect();
    let loads = Program { code: assemble(&lines).code, ..program.clone() };
    let want = evaluated(&loads, 1, &[0, 1], &memory);
    assert!(want.iter().any(|w| *w != 0));
    let image = Image {
        unit: 0,
        shape: shisa_ir::Dim::D2.into(),
        size: [40, 20, 1],
        levels: Vec::from([alloc::vec![[0.0; 4]; 800]]),
        sampler: shisa_ir::Sampler::default(),
    };
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&Staged { shared: 0, ..kernel(program.clone()) }, target).unwrap();
        let (uniforms, words) = ([Vec::from([[0, 1, 0, 0]])], core::cell::RefCell::new(memory.clone()));
        let resources = Resources {
            uniforms: &uniforms,
            textures: core::slice::from_ref(&image),
            memory: Some(&words),
            ..Resources::default()
        };
        let texels = device.compute(&output, resources, [1, 1, 1]).unwrap().remove(0);
        assert_eq!(words.into_inner(), want, "{}", target.name());
        for (i, texel) in texels.iter().enumerate() {
            let (x, y) = (i % 40, i / 40);
            let inside = (3..35).contains(&x) && (2..18).contains(&y);
            let (column, row) = (x as f32 - 3.0, y as f32 - 2.0);
            let pair = if inside { [row + column / 64.0, row + 0.5] } else { [0.0; 2] };
            assert_eq!(texel[..2], pair, "({x}, {y}) as {}", target.name());
        }
    }
}

/// A block of the tile is a texel of each pixel: what the program has stored there, or what was drawn before.
#[test]
fn blocks_of_pixels_are_texels() {
    let program = assemble(&[
        "ldimm r0l, 0",
        "ldimm r1l, 0",
        "ldimm r1h, 17",
        "mov r6, thread_in_grid_x",
        "mov r7, thread_in_grid_y",
        "u32_to_f r2, r6, rte",
        "u32_to_f r3, r7, rte",
        "st_tile r2_r3_r4_r5, 0, 255, 0, i32, xyzw",
        "imgwblk r1l, ts0, r0, 0, 2d, i32",
        "imgwblk r1h, ts1, r0, 0, 2d, u8norm",
        "stop",
    ]);
    let staged = kernel(Program { stage: Stage::Fragment, ..program });
    let nothing_else = assemble(&["imgwblk r1l, ts0, r0, 0, 2d, i16", "stop"]);
    assert_eq!(Staged::stage_of(&nothing_else.code), Stage::Fragment);
    let alone = kernel(Program { stage: Stage::Fragment, ..nothing_else });
    let of = |output: &Output| {
        let textures = output.reflection.textures.iter();
        textures.map(|t| format!("{} {:?}", t.name, t.access)).collect::<Vec<_>>()
    };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let outputs = [&staged, &alone].map(|staged| translated(staged, target).unwrap());
        assert_eq!(of(&outputs[0]), ["ts0 Written", "ts1 Written", "tile1 Read"]);
        assert_eq!(of(&outputs[1]), ["ts0 Written", "tile0 Read"]);
        for output in outputs.iter().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(output.code.text().unwrap()).unwrap();
        }
    }
    let Some(device) = device() else { return };
    let image = |unit, texel: [f32; 4]| Image {
        unit,
        shape: shisa_ir::Dim::D2.into(),
        size: [8, 8, 1],
        levels: alloc::vec![alloc::vec![texel; 64]],
        sampler: shisa_ir::Sampler::default(),
    };
    let drawn_before = [0.2, 0.4, 0.6, 1.0];
    let textures = [image(0, [0.0; 4]), image(1, [0.0; 4]), image(65, drawn_before)];
    let corner = |x: f32, y: f32| alloc::vec![[x, y, 0.5, 1.0].map(f32::to_bits)];
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&staged, target).unwrap();
        let vertex = passing(&output.reflection);
        let drawn = Triangle {
            vertex: &vertex,
            fragment: &output,
            resources: [Resources::default(), Resources { textures: &textures, ..Resources::default() }],
            corners: &[corner(-1.0, 1.0), corner(-1.0, -3.0), corner(3.0, 1.0)],
            size: [8, 8],
            samples: 1,
            drawn: [4, 4],
        };
        let written = device.triangle(&drawn).unwrap().written;
        for (i, (stored, before)) in written[0].iter().zip(&written[1]).enumerate() {
            let (x, y) = (i % 8, i / 8);
            if x < 4 && y < 4 {
                assert_eq!(*stored, [x as f32, y as f32, 0.0, 0.0], "{}", target.name());
                let near = before.iter().zip(drawn_before).all(|(got, want)| close(got.to_bits(), want));
                assert!(near, "({x}, {y}): {before:?}");
            } else {
                assert_eq!([*stored, *before], [[0.0; 4]; 2], "({x}, {y}) is not drawn");
            }
        }
    }
}
