use super::Staged;
use crate::sample_loop::SampleLoop;
use crate::tests::{assemble, kernel, translated};
use crate::{Options, Program};
use alloc::string::{String, ToString};
use shisa_diag::Limits;
use shisa_ir::Stage;
use shisa_translate::{SpirvVersion, Target};

fn fragment(lines: &[&str], samples: u16) -> Staged {
    let code = assemble(lines).code;
    Staged { samples, ..kernel(Program::new(Stage::Fragment, code, Options::default())) }
}

fn wgsl(staged: &Staged) -> String {
    translated(staged, Target::Wgsl).unwrap().code.text().unwrap().to_string()
}

fn refusal(staged: &Staged) -> &'static str {
    staged.lower(&Limits::default()).unwrap_err()[0].code
}

/// A loop over four samples that draws the number of each.
const NUMBERED: [&str; 11] = [
    "ldimm r0l, 0",
    "ldimm r1l, 1",
    "body:",
    "ffs r2, r1l",
    "and r0h, 255, r1l",
    "st_tile r2, 0, r0h, 0, i32, x",
    "iadd r1l, 0, r1l, lsl 1",
    "while r1l, 15, 1, ult",
    "jmp_any {body}",
    "pop_exec 1",
    "stop",
];

#[test]
fn each_sample_takes_its_own_turn() {
    let four = fragment(&NUMBERED, 4);
    assert_eq!(SampleLoop::of(&four.program.code).map(|found| found.samples), Some(4));
    let text = wgsl(&four);
    assert!(text.contains("@builtin(sample_index)"), "{text}");
    assert!(!text.contains("loop {") && !text.contains("tile0"), "{text}");
    let one = wgsl(&Staged { samples: 1, ..four });
    assert!(one.contains("return program_out(0u)") && !one.contains("sample"), "{one}");
}

/// Samples beyond those that the loop shades are unchanged.
#[test]
fn samples_without_a_turn_are_left_alone() {
    let mut two = NUMBERED;
    two[7] = "while r1l, 3, 1, ult";
    let text = wgsl(&fragment(&two, 4));
    assert!(text.contains("texture_multisampled_2d<u32>"), "{text}");
    assert!(!wgsl(&fragment(&two, 2)).contains("tile0"));
}

#[test]
fn samples_die_one_by_one() {
    let lines = ["sample_mask 250, 5", "st_tile r2, 0, 255, 0, i32, x", "stop"];
    let text = wgsl(&fragment(&lines, 4));
    assert!(text.contains("discard") && text.contains("sample_index"), "{text}");
    assert!(!wgsl(&fragment(&lines, 1)).contains("discard"), "sample 0 lives");
    let all = ["sample_mask 255, 0", "st_tile r2, 0, 255, 0, i32, x", "stop"];
    assert!(!wgsl(&fragment(&all, 4)).contains("sample_index"), "all die alike");
}

#[test]
fn other_samples_cannot_be_seen() {
    let tile = ["ld_tile r2, 0, 1, 0, i32, x", "st_tile r2, 0, 255, 0, i32, x", "stop"];
    assert_eq!(refusal(&fragment(&tile, 4)), "translate-sample");
    assert!(wgsl(&fragment(&tile, 1)).contains("textureLoad(tile0"));
    let sampled = ["iter r2, cf1, cf0, 2, sample", "st_tile r2, 0, 255, 0, i32, x", "stop"];
    assert_eq!(refusal(&fragment(&sampled, 4)), "translate-sample");
    assert!(!wgsl(&fragment(&sampled, 1)).contains("@interpolate"), "the only sample is the centre");
}

/// Blending that is written out for each sample loads data of others only to store it back to them.
#[test]
fn samples_in_turn_keep_to_themselves() {
    let lines = [
        "ld_tile r2, 0, 1, 0, i32, x",
        "iadd r2, r2, 1",
        "st_tile r2, 0, 1, 0, i32, x",
        "ld_tile r2, 0, 2, 0, i32, x",
        "iadd r2, r2, 2",
        "st_tile r2, 0, 2, 0, i32, x",
        "stop",
    ];
    let text = wgsl(&fragment(&lines, 2));
    assert!(text.contains("textureLoad(tile0, pixel, sample_index)"), "{text}");
    let crossed = [lines[0], lines[5], lines[6]];
    assert_eq!(refusal(&fragment(&crossed, 2)), "translate-sample");
}

#[test]
fn varyings_at_samples_are_said_to_be() {
    let mut lines = NUMBERED;
    lines[4] = "iter r2, cf1, cf0, r2l, sample";
    lines[5] = "st_tile r2, 0, r1l, 0, i32, x";
    let staged = fragment(&lines, 4);
    let text = wgsl(&staged);
    assert!(text.contains("@interpolate(perspective, sample) cf1_sample"), "{text}");
    for target in [Target::Spirv(SpirvVersion::V1_3), Target::Msl] {
        translated(&staged, target).unwrap();
    }
}

/// A pixel is lane 0 of its wave, the only one.
#[test]
fn pixels_are_waves_of_their_own() {
    let lines = [
        "mov r2, thread_index_in_simdgroup",
        "mov r3, total_active_threads_in_simdgroup",
        "ballot r4",
        "simd r5, 12, iadd",
        "simd r6, 12, prefix, iadd",
        "shuffle r7, 20, 3",
        "iadd r2, r2, r3",
        "iadd r2, r2, r4",
        "iadd r2, r2, r5",
        "iadd r2, r2, r6",
        "iadd r2, r2, r7",
        "st_tile r2, 0, 255, 0, i32, x",
        "stop",
    ];
    let staged = fragment(&lines, 1);
    let text = wgsl(&staged);
    assert!(text.contains("return program_out(34u)"), "{text}");
    let (.., warnings) = staged.lower(&Limits::default()).unwrap();
    assert_eq!(warnings.iter().map(|w| w.code).collect::<alloc::vec::Vec<_>>(), ["translate-lanes"]);
    let (.., none) =
        fragment(&["st_tile r2, 0, 255, 0, i32, x", "stop"], 1).lower(&Limits::default()).unwrap();
    assert!(none.is_empty());
}

#[test]
fn pixels_of_a_quad_do_not_exchange() {
    for line in ["quad r2, r2, fadd", "shuffle r2, r2, 1, quad, xor", "ballot r2, r2, 0, quad, ieq"] {
        let lines = [line, "st_tile r2, 0, 255, 0, i32, x", "stop"];
        assert_eq!(refusal(&fragment(&lines, 1)), "translate-lanes", "{line}");
    }
}

#[test]
fn memory_that_a_workgroup_lacks_is_refused() {
    let at = |place: &str| {
        let lines = [&["ldimm r1, ", place].concat(), "lstore r2, r1l, 0, i32, x", "stop"];
        translated(&kernel(assemble(&lines)), Target::Wgsl).map_err(|faults| faults[0].code)
    };
    assert!(at("252").is_ok());
    assert_eq!(at("256").unwrap_err(), "translate-memory-size");
}

/// Sizes in the metadata count against the limit, and no size overflows, whatever the limit is.
#[test]
fn sizes_of_memory_are_limited() {
    let lines = ["stack_store r0, 0, i32, x, a", "wait a", "stop"];
    let lowered = |stack, shared, limits: &Limits| {
        let staged = Staged { stack, shared, ..kernel(assemble(&lines)) };
        staged.lower(limits).map(|_| ()).map_err(|faults| faults[0].code)
    };
    let few = Limits { memory: 64, ..Limits::default() };
    let unlimited = Limits { memory: usize::MAX, ..Limits::default() };
    assert_eq!(lowered(64, 64, &few), Ok(()));
    assert_eq!(lowered(65, 64, &few), Err("limit-exceeded"));
    assert_eq!(lowered(64, 65, &few), Err("limit-exceeded"));
    for size in [u32::MAX, u32::MAX - 2, 1 << 31] {
        assert_eq!(lowered(size, 0, &unlimited), Err("limit-exceeded"), "{size}");
        assert_eq!(lowered(0, size, &unlimited), Err("limit-exceeded"), "{size}");
    }
}

/// A workgroup of more lanes than shared memory has room for.
#[test]
fn lanes_exchange_within_the_reach_of_addresses() {
    let mut staged = kernel(assemble(&["shuffle r2, r2, 1, xor", "lstore r2, r1l, 0, i32, x", "stop"]));
    staged.program.workgroup = [u32::MAX; 3];
    assert_eq!(refusal(&staged), "exchange-memory");
}
