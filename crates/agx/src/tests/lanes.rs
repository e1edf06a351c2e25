//! Operations of lanes together.

use super::{assemble, device, evaluated, kernel, run_on, translated};
use crate::*;
use alloc::vec::Vec;
use shisa_diag::Limits;
use shisa_translate::execute::Resources;
use shisa_translate::{GlslVersion, ShaderModel, SpirvVersion, Target};

/// Each line leaves a word in `r8`. Its inputs are the lane's number in `r2`, a word that varies widely between lanes in
/// `r3`, a float in `r5` and halves in `r6` and `r7`.
const TOGETHER: &[&str] = &[
    "simd r8, r3, iadd",
    "simd r8, r3, umin",
    "simd r8, r3, smax",
    "simd r8l, r3l, smin",
    "simd r8, r3, prefix, iadd",
    "simd r8l, r3l, prefix, smin",
    "simd r8, r5, prefix, fadd",
    "simd r8l, r6l, fmul",
    "quad r8, r3, xor",
    "quad r8, r3, prefix, iadd",
    "quad r8l, r6l, fmax",
    "shuffle r8, r3, 37",
    "shuffle r8, r3, r2, xor",
    "shuffle r8, r3, 3, up",
    "shuffle r8, r3, 1, quad, xor",
    "shuffle r8l, r3h, 2, quad, xor",
    "ballot r8, r3, 0, sgt",
    "ballot r8, r5, 0.5, quad, flt",
    "mov r8, active_thread_index_in_quadgroup",
    "mov r8, total_active_threads_in_simdgroup",
    "mov r8, thread_index_in_threadgroup",
    "mov r8, simdgroup_index_in_threadgroup",
    "mov r8, threadgroup_in_grid_x",
    "mov r8, thread_in_threadgroup_y",
    "mov r8, dispatch_threads_per_threadgroup_x",
    "hfma r8l, r6l, r6h, r7l",
    "hadd r8l, r6l, r7h, sat",
    "fadd r8l, r5, r3",
];

/// Operations across lanes, and lane numbers, are the same in workgroups of several waves and of parts of one.
#[test]
fn a_device_runs_what_lanes_do_together() {
    let Some(device) = device() else { return };
    let begin = [
        "mov r2, thread_index_in_simdgroup",
        "mov r4, threadgroup_in_grid_x",
        "mov r9, thread_index_in_threadgroup",
        "imadd r4, r4, 64, r9",
        "ldimm r3, 2654435769",
        "imul r3, r3, r4",
        "u32_to_f r5, r2, rte",
        "fmul r5, r5, 0.125",
        "fadd r6l, r5, 1.0",
        "fmul r6h, r5, 0.046875",
        "fadd r7l, r6h, -3.0",
        "fadd r7h, r7l, 2.5",
    ];
    for workgroup in [[64, 1, 1], [20, 2, 1], [32, 1, 1]] {
        for line in TOGETHER {
            let lines = [&begin[..], &["ldimm r8, 0", line, "store r8, du0, r4, i32, x, a", "stop"]].concat();
            let program = Program { workgroup, ..assemble(&lines) };
            let memory = alloc::vec![0; 128];
            let want = evaluated(&program, 2, &[0, 1], &memory);
            for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
                let output = translated(&kernel(program.clone()), target).unwrap();
                let uniforms = [Vec::from([[0, 1, 0, 0]])];
                let resources = Resources { uniforms: &uniforms, ..Resources::default() };
                let got = run_on(&device, &output, resources, memory.clone(), [2, 1, 1]);
                assert_eq!(got, want, "{line} in workgroups of {workgroup:?} as {}", target.name());
            }
        }
    }
}

/// A condition that is the same in a wave may differ between the waves of a workgroup: what lanes do together leaves it.
#[test]
fn waves_that_skip_what_lanes_do_together_are_waited_for() {
    let lines = [
        "ldimm r0l, 0",
        "mov r3, thread_index_in_threadgroup",
        "ballot r2, r3, 5, ult",
        "ldimm r8, 0",
        "if r2, 0, 1, ieq",
        "simd r8, r3, iadd",
        "pop_exec 1",
        "store r8, du0, r3, i32, x, a",
        "stop",
    ];
    for workgroup in [[32, 1, 1], [33, 1, 1], [64, 1, 1], [16, 16, 1]] {
        let staged = kernel(Program { workgroup, ..assemble(&lines) });
        let refused = staged.lower(&Limits::default()).err();
        assert_eq!(refused, None, "{workgroup:?}");
        let native = Staged { subgroups: true, ..staged };
        assert_eq!(native.lower(&Limits::default()).err(), None, "{workgroup:?}, with subgroups");
    }
}

/// Every language that has subgroups gets operations of them, and no barrier, where waves are full.
#[test]
fn subgroups_carry_what_lanes_do_together() {
    let targets = [
        Target::Wgsl,
        Target::Msl,
        Target::Glsl(GlslVersion::Core450),
        Target::Glsl(GlslVersion::Es310),
        Target::Hlsl(ShaderModel::V6_0),
        Target::Spirv(SpirvVersion::V1_3),
    ];
    let begin = [
        "mov r2, thread_index_in_simdgroup",
        "mov r4, thread_index_in_threadgroup",
        "imul r3, r4, r4",
        "u32_to_f r5, r3, rte",
        "fadd r6l, r5, 1.0",
        "mov r6h, r3l",
        "mov r7l, r3h",
        "mov r7h, r3l",
    ];
    for line in TOGETHER {
        let lines = [&begin[..], &["ldimm r8, 0", line, "store r8, du0, r4, i32, x, a", "stop"]].concat();
        let program = Program { workgroup: [64, 1, 1], ..assemble(&lines) };
        // What needs no exchange, such as a number beyond the last lane, needs no subgroups either.
        let memory = translated(&kernel(program.clone()), Target::Wgsl).unwrap();
        let across = memory.code.text().is_some_and(|text| text.contains("workgroupBarrier"));
        for target in targets {
            let staged = Staged { subgroups: true, ..kernel(program.clone()) };
            let output = translated(&staged, target).unwrap_or_else(|e| panic!("{line}: {e:?}"));
            let promised = output.reflection.subgroup;
            if let Some(text) = output.code.text() {
                assert!(!text.to_lowercase().contains("barrier("), "{line}: {text}");
            }
            assert_eq!(promised, across.then_some(32), "{line} as {}", target.name());
        }
    }
    // Languages without subgroups refuse what was lowered for them.
    let program = Program {
        workgroup: [64, 1, 1],
        ..assemble(&["simd r1, r1, iadd", "store r1, du0, 0, i32, x, a", "stop"])
    };
    let staged = Staged { subgroups: true, ..kernel(program) };
    let refused = translated(&staged, Target::Hlsl(ShaderModel::V5_1)).unwrap_err();
    assert!(refused.iter().all(|d| d.code == "translate-unsupported"), "{refused:?}");
}
