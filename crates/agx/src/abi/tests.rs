//! Small parts, each with one fault or none.

use super::{check_part, check_parts};
use crate::part::{Coefficient, Coefficients, Meta, Part, Parts};
use crate::tests::assemble;
use alloc::{string::String, vec::Vec};
use shisa_diag::{Code, Diagnostic, Limits, Severity};
use shisa_ir::Stage;

/// A part of these lines, which end in a `stop` and traps unless another part follows.
fn part(stage: Stage, lines: &[&str], change: impl FnOnce(&mut Meta)) -> Part {
    let mut meta = Meta { stage, nr_gprs: 256, push_count: 64, ..Meta::default() };
    meta.key.ignore_tib_dependencies = true;
    (meta.reads_tib, meta.writes_sample_mask, meta.workgroup_size) = (true, true, [32, 1, 1]);
    change(&mut meta);
    let mut all = lines.to_vec();
    if !meta.key.no_stop {
        all.push("stop");
        all.extend(["trap"; 8]);
    }
    let code = assemble(&all).code;
    meta.main_size = code.len() as u32 - meta.main_offset;
    meta.binary_size = code.len() as u32;
    Part { code, meta }
}

fn findings(stage: Stage, lines: &[&str], change: impl FnOnce(&mut Meta)) -> Vec<Diagnostic> {
    check_part(&part(stage, lines, change), &Limits::default())
}

fn found(stage: Stage, lines: &[&str], change: impl FnOnce(&mut Meta)) -> Vec<Code> {
    findings(stage, lines, change).iter().map(|d| d.code).collect()
}

fn compute(lines: &[&str]) -> Vec<Code> {
    found(Stage::Compute, lines, |_| ())
}

/// A part that another follows.
fn open(lines: &[&str]) -> Vec<Code> {
    found(Stage::Compute, lines, |meta| meta.key.no_stop = true)
}

fn vertex(lines: &[&str]) -> Vec<Code> {
    found(Stage::Vertex, lines, |meta| meta.key.reserved_preamble = 64)
}

fn fragment(lines: &[&str]) -> Vec<Code> {
    found(Stage::Fragment, lines, |_| ())
}

const NONE: [Code; 0] = [];
const ZERO: &str = "ldimm r0l, 0";
const IF: &str = "if 0, 0, 1, ieq";

#[test]
fn conditions_need_the_counter() {
    assert_eq!(compute(&[IF, "pop_exec 1"]), ["agx-abi-counter"; 2]);
    assert_eq!(compute(&[ZERO, IF, "pop_exec 1"]), NONE);
    assert_eq!(compute(&[ZERO, "else 0, 0, 1, ieq"]), ["agx-abi-counter"]);
    assert_eq!(compute(&[ZERO, IF, "else 0, 0, 1, ieq", "pop_exec 1"]), NONE);
    assert_eq!(compute(&[ZERO, "pop_exec 1"]), ["agx-abi-counter"]);
    assert_eq!(compute(&[ZERO, "update_exec"]), NONE);
    // An `if` may push two levels, or none.
    assert_eq!(compute(&[ZERO, "if 0, 0, 2, ieq", "pop_exec 2"]), NONE);
    assert_eq!(compute(&[ZERO, "if 0, 0, 2, ieq", "pop_exec 3"]), ["agx-abi-counter"]);
    assert_eq!(compute(&[ZERO, "if 0, 0, 0, ieq", "pop_exec 1"]), NONE);
}

#[test]
fn loops_open_the_levels_that_lanes_leave() {
    let of = |levels, pop| compute(&[ZERO, "head:", levels, "jmp_any {head}", pop]);
    assert_eq!(of("while 0, 0, 1, ieq", "pop_exec 1"), NONE);
    assert_eq!(of("while 0, 0, 2, ieq", "pop_exec 2"), NONE);
    assert_eq!(of("while 0, 0, 1, ieq", "pop_exec 2"), ["agx-abi-counter"]);
    // A loop that only deepens: its depth is unknown.
    assert_eq!(of(IF, "pop_exec 3"), NONE);
    assert_eq!(open(&[ZERO, "head:", "while 0, 0, 1, ieq", "jmp_any {head}"]), ["agx-abi-counter"]);
}

#[test]
fn the_counter_is_overwritten_only_outside_of_conditions() {
    let inside = findings(Stage::Compute, &[ZERO, IF, "mov r0l, 5", "pop_exec 1"], |_| ());
    let texts: Vec<&str> = inside.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        texts,
        [
            "the nesting counter, r0l, is overwritten inside of a condition",
            "pop_exec needs the nesting counter, but r0l may hold another number",
        ]
    );
    assert_eq!(compute(&[ZERO, IF, "pop_exec 1", "mov r0l, 5"]), NONE);
    assert_eq!(compute(&[ZERO, IF, "pop_exec 1", "mov r0l, 5", IF, "pop_exec 1"]), ["agx-abi-counter"; 2]);
    // After all conditions are closed the register may be reused, and reused again.
    assert_eq!(compute(&[ZERO, IF, "pop_exec 1", "ldimm r0l, 4095", "ldimm r0, 7"]), NONE);
    assert_eq!(open(&[ZERO, IF, "pop_exec 1", "ldimm r0l, 4095"]), NONE);
    assert_eq!(compute(&["ldimm r0l, 4095", IF, "pop_exec 1"]), ["agx-abi-counter"; 2]);
    // Lanes leave a condition by a constant.
    assert_eq!(compute(&[ZERO, IF, IF, "ldimm r0l, 2", "pop_exec 1", "pop_exec 1"]), NONE);
    assert_eq!(compute(&[ZERO, IF, IF, "ldimm r0l, 3", "pop_exec 3"]), NONE);
}

#[test]
fn parts_end_with_all_levels_closed_and_loads_done() {
    assert_eq!(open(&[ZERO, IF]), ["agx-abi-counter"]);
    assert_eq!(open(&[ZERO, IF, "pop_exec 1"]), NONE);
    let load = "load r2, du0, 0, i32, x, a";
    assert_eq!(open(&[load]), ["agx-abi-wait"]);
    assert_eq!(open(&[load, "wait b"]), ["agx-abi-wait"]);
    assert_eq!(open(&[load, "wait a"]), NONE);
    // A register that is overwritten is no longer loaded: the rules report it instead.
    assert_eq!(open(&[load, "ldimm r2, 3"]), ["agx-wait-missing"]);
    assert_eq!(open(&["store r8, du0, 0, i32, x, a"]), ["agx-abi-undefined"]);
    assert_eq!(open(&["stop"]), ["agx-part-stop"; 2]);
    assert_eq!(open(&[ZERO, IF, "jmp_none {on}", "stop", "on:", "pop_exec 1"]), NONE);
    assert_eq!(open(&["head:", "jmp_any {head}", "stop"]), ["agx-part-stop"; 2]);
}

#[test]
fn registers_are_written_before_they_are_read() {
    let undefined = findings(Stage::Compute, &["mov r2, r3"], |_| ());
    let text = "r3 is read but never written, and the main does not receive it as an input";
    assert_eq!(undefined[0].message, text);
    assert_eq!(compute(&["mov r3, 1", "mov r2, r3"]), NONE);
    assert_eq!(compute(&["mov r3l, 1", "mov r2, r3"]), NONE, "the first half of a register counts");
    assert_eq!(compute(&["mov r3h, 1", "mov r2, r3"]), ["agx-abi-undefined"]);
    // On one path only.
    let some = [ZERO, IF, "jmp_none {on}", "mov r3, 1", "on:", "pop_exec 1", "mov r2, r3"];
    assert_eq!(compute(&some), NONE);
    // Inputs of a vertex main part: r5, r6 and attributes from r8 on.
    assert_eq!(vertex(&["mov r2, r5", "mov r3, r6", "mov r4, r8", "no_var"]), NONE);
    assert_eq!(vertex(&["mov r2, r7", "no_var"]), ["agx-abi-undefined"]);
}

#[test]
fn calls_are_followed() {
    // After the call, the registers that the procedure writes are written; the call itself writes r1.
    let sub = ["call {f}", "mov r2, r3", "mov r2, r1", "no_var", "stop", "f:", "mov r3, 1", "ret r1"];
    assert_eq!(vertex(&sub), NONE);
    let lacks = ["call {f}", "mov r2, r3", "no_var", "stop", "f:", "mov r4, 1", "ret r1"];
    assert_eq!(vertex(&lacks), ["agx-abi-undefined"]);
    // Errors in a procedure are found once, however often it is called.
    let closes = |call: &[&str]| {
        let body = [&[ZERO], call, &["no_var", "stop", "f:", "pop_exec 2", "ret r1"]].concat();
        vertex(&body)
    };
    assert_eq!(closes(&[]), NONE, "nobody calls it");
    assert_eq!(closes(&["call {f}"]), ["agx-abi-counter"]);
    assert_eq!(closes(&["call {f}", "call {f}"]), ["agx-abi-counter"]);
    // A procedure may be called inside of a condition and outside.
    let both = [
        ZERO,
        IF,
        "call {f}",
        "pop_exec 1",
        "call {f}",
        "jmp_any {end}",
        "jmp_none {end}",
        "f:",
        IF,
        "pop_exec 1",
        "ret r1",
        "end:",
    ];
    assert_eq!(open(&both), NONE);
    let varying = ["call {f}", "stop", "f:", "st_var r5, 0, last", "ret r1"];
    assert_eq!(vertex(&varying), NONE);
    // Nothing is known about an unknown procedure.
    assert_eq!(compute(&["mov r12, 1", "call r12", "mov r2, r3"]), NONE);
    let load = "load r2, du0, 0, i32, x, a";
    assert_eq!(compute(&["mov r12, 1", load, "call r12", "mov r3, r2"]), NONE);
}

#[test]
fn instructions_belong_to_a_stage_and_a_part() {
    assert_eq!(vertex(&["iter r2, cf0", "no_var"]), ["agx-abi-stage", "agx-abi-coefficient"]);
    assert_eq!(vertex(&["barrier", "no_var"]), ["agx-abi-stage"]);
    assert_eq!(vertex(&["pixwait 1, 0", "no_var"]), ["agx-abi-stage"]);
    assert_eq!(fragment(&["no_var"]), ["agx-abi-stage"]);
    assert_eq!(fragment(&["lload r2, 0, i32, x"]), ["agx-abi-stage", "agx-abi-memory"]);
    assert_eq!(compute(&["sample_mask 1, 0"]), ["agx-abi-stage"]);
    let prolog = |lines: &[&str]| {
        found(Stage::Vertex, lines, |meta| {
            (meta.name, meta.push_count) = ("VS prolog".into(), 0);
            meta.key.no_stop = true;
        })
    };
    assert_eq!(prolog(&["no_var"]), ["agx-abi-stage"]);
    assert_eq!(prolog(&["mov r8, r5"]), NONE);
    // r5 and r6 are for the main part.
    assert_eq!(prolog(&["mov r8, r5", "mov r6, 1"]), ["agx-abi-preserve"]);
    assert_eq!(prolog(&["mov r6, 1"]), NONE, "no vertex program of the hardware");
    let colour = |name: &str| {
        found(Stage::Fragment, &["ldimm r2, 1", "st_tile r2, 0, 255, 0, i32, x"], |meta| {
            meta.name = name.into();
            meta.key.no_stop = true;
            meta.push_count = 0;
        })
    };
    assert_eq!(colour(""), ["agx-abi-stage"]);
    assert_eq!(colour("FS epilog"), NONE);
}

#[test]
fn metadata_states_what_instructions_use() {
    let bare = |stage, lines: &[&str]| {
        found(stage, lines, |meta| (meta.reads_tib, meta.writes_sample_mask) = (false, false))
    };
    assert_eq!(bare(Stage::Fragment, &["sample_mask 1, 0"]), ["agx-abi-flag"]);
    assert_eq!(bare(Stage::Fragment, &["mov r2, 1", "zs_emit 1, r2"]), ["agx-abi-flag"]);
    assert_eq!(bare(Stage::Fragment, &["ld_tile r2, 0, 255, 0, i32, x"]), ["agx-abi-flag"]);
    assert_eq!(fragment(&["sample_mask 1, 0", "ld_tile r2, 0, 255, 0, i32, x"]), NONE);
    for line in ["lload r2, 0, i32, x", "latomic r2, r3, 0, umax"] {
        let lines = ["mov r3, 1", line];
        assert_eq!(compute(&lines), ["agx-abi-memory"], "{line}");
        assert_eq!(found(Stage::Compute, &lines, |meta| meta.local_size = 4), NONE, "{line}");
    }
    for line in ["stack_load r2, 16, i32, x, a", "stack_store r3, 16, i32, x, a", "stack_adjust 8"] {
        let lines = ["mov r3, 1", line];
        let without = findings(Stage::Compute, &lines, |_| ());
        let texts: Vec<String> = without.iter().map(|d| d.message.clone()).collect();
        let name = line.split(' ').next().unwrap();
        assert_eq!(texts, [alloc::format!("{name} is used, but the part has no stack")]);
        assert_eq!(found(Stage::Compute, &lines, |meta| meta.scratch_size = 4), NONE, "{line}");
    }
}

#[test]
fn varyings_end_with_the_last() {
    let store = |n: u8, last: &str| alloc::format!("st_var r5, {n}{last}");
    assert_eq!(vertex(&[]), ["agx-abi-varying"]);
    assert_eq!(vertex(&["no_var"]), NONE);
    assert_eq!(vertex(&[&store(0, "")]), ["agx-abi-varying"]);
    assert_eq!(vertex(&[&store(0, ""), &store(1, ", last")]), NONE);
    assert_eq!(vertex(&[&store(0, ", last"), &store(1, "")]), ["agx-abi-varying"]);
}

#[test]
fn coefficients_are_those_of_the_part() {
    let with = |nr_cf, cf_base, line: &str| {
        found(Stage::Fragment, &[line], |meta| {
            meta.cf = Some(Coefficients { nr_cf, ..Coefficients::default() });
            meta.key.cf_base = cf_base;
        })
    };
    assert_eq!(with(5, 0, "iter r4_r5, cf3"), NONE);
    assert_eq!(with(4, 0, "iter r4_r5, cf3"), ["agx-abi-coefficient"]);
    assert_eq!(with(7, 0, "iter r4_r5_r6_r7, cf3"), NONE);
    assert_eq!(with(6, 0, "iter r4_r5_r6_r7, cf3"), ["agx-abi-coefficient"]);
    assert_eq!(with(4, 0, "ldcf r4_r5_r6, cf3"), NONE);
    assert_eq!(with(3, 0, "ldcf r4_r5_r6, cf3"), ["agx-abi-coefficient"]);
    assert_eq!(with(9, 4, "iter r4, cf3"), ["agx-abi-coefficient"]);
    assert_eq!(with(9, 3, "iter r4, cf3"), NONE);
    let computed = found(Stage::Fragment, &["ldimm r3l, 200", "iter r4, r3l"], |_| ());
    assert_eq!(computed, NONE, "a register's number is not known");
}

#[test]
fn sample_loops_preserve_mask_and_counter() {
    let inside = |lines: &[&str]| {
        found(Stage::Fragment, lines, |meta| (meta.key.inside_sample_loop, meta.key.no_stop) = (true, true))
    };
    assert_eq!(inside(&["mov r2l, r1l", IF, "pop_exec 1"]), NONE, "both are inputs");
    assert_eq!(inside(&["ldimm r1l, 1"]), ["agx-abi-preserve"]);
    assert_eq!(inside(&["ldimm r1h, 1"]), NONE);
    assert_eq!(inside(&["mov r0l, 1"]), ["agx-abi-preserve"]);
    assert_eq!(inside(&["ldimm r0l, 1"]), ["agx-abi-preserve"]);
    assert_eq!(inside(&["ldimm r0l, 1", ZERO]), NONE);
    assert_eq!(inside(&["mov r2, u2"]), ["agx-abi-uniform"], "the blend constant");
    assert_eq!(inside(&["mov r2, u1"]), NONE);
}

#[test]
fn preambles_write_their_own_uniforms() {
    let with = |lines: &[&str]| {
        let main = ["no_var", "stop"].iter().chain(&["trap"; 8]);
        let pad = core::iter::repeat_n(&"trap", 128);
        let all: Vec<&str> = main.chain(pad).copied().collect();
        let mut code = assemble(&all).code;
        code.truncate(128);
        let meta = |code: &[u8]| {
            let mut meta =
                Meta { stage: Stage::Vertex, nr_gprs: 64, nr_preamble_gprs: 64, ..Meta::default() };
            (meta.main_size, meta.binary_size) = (22, code.len() as u32);
            (meta.preamble_offset, meta.push_count) = (Some(128), 64);
            meta.key.reserved_preamble = 16;
            meta
        };
        code.extend(assemble(lines).code);
        let meta = meta(&code);
        let found = check_part(&Part { code, meta }, &Limits::default());
        found.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    let traps = ["stop", "trap", "trap", "trap", "trap", "trap", "trap", "trap", "trap"];
    assert_eq!(with(&[&["mov r2, 1", "mov u8, r2"], &traps[..]].concat()), NONE);
    assert_eq!(with(&[&["mov r2, 1", "mov u7, r2"], &traps[..]].concat()), ["agx-abi-uniform"]);
    assert_eq!(with(&[&["mov r2, 1", "mov u32, r2"], &traps[..]].concat()), ["agx-abi-uniform"]);
    assert_eq!(with(&[&[IF, "pop_exec 1"], &traps[..]].concat()), ["agx-abi-counter"; 2]);
    assert_eq!(with(&[&[ZERO, IF, "pop_exec 1"], &traps[..]].concat()), NONE);
    assert_eq!(with(&["mov r2, 1", "stop"]), ["agx-part-stop"]);
    // Up to the first stop with traps; an earlier stop has none.
    let two = [&["stop", "mov r2, 1", "mov u7, r2"], &traps[..]].concat();
    assert_eq!(with(&two), ["agx-abi-uniform"]);
}

/// The faults of parts together.
fn together(prolog: Option<&Part>, main: &Part, epilog: Option<&Part>, samples: u32) -> Vec<Code> {
    let parts = Parts { prolog, main, epilog, samples };
    check_parts(&parts, &Limits::default()).iter().map(|d| d.code).collect()
}

#[test]
fn prologs_leave_what_the_main_part_reads() {
    let prolog = |lines: &[&str]| {
        part(Stage::Vertex, lines, |meta| {
            (meta.name, meta.push_count) = ("VS prolog".into(), 0);
            meta.key.no_stop = true;
        })
    };
    let main = |lines: &[&str]| part(Stage::Vertex, lines, |meta| meta.key.reserved_preamble = 16);
    let reads = main(&["mov r2, r8", "no_var"]);
    assert_eq!(together(Some(&prolog(&["mov r8, 1"])), &reads, None, 0), NONE);
    assert_eq!(together(Some(&prolog(&["mov r9, 1"])), &reads, None, 0), ["agx-link-attribute"]);
    assert_eq!(together(None, &reads, None, 0), ["agx-link-attribute"]);
    let past = prolog(&["mov r8, 1", "mov r20, 1"]);
    assert_eq!(together(Some(&past), &reads, None, 0), ["agx-link-attribute"]);
    let number = main(&["mov r2, r5", "mov r2, r8", "no_var"]);
    let overwrites = prolog(&["mov r5, 1", "mov r8, 1"]);
    assert_eq!(together(Some(&overwrites), &number, None, 0), ["agx-link-attribute"]);
    let own = main(&["mov r2, r8", "mov r2, u2", "no_var"]);
    assert_eq!(together(Some(&prolog(&["mov r8, 1"])), &own, None, 0), ["agx-link-uniform"]);
    let uniform = prolog(&["mov r8, u8"]);
    assert_eq!(together(Some(&uniform), &reads, None, 0), ["agx-link-uniform"]);
    assert_eq!(together(Some(&reads), &reads, None, 0).first(), Some(&"agx-link-role"));
}

/// The same where vertices are computed: the prolog leaves the numbers of vertex and instance too, and finds none.
#[test]
fn prologs_leave_numbers_where_vertices_are_computed() {
    let main = |lines: &[&str]| {
        part(Stage::Compute, lines, |meta| {
            (meta.key.reserved_preamble, meta.workgroup_size) = (24, [0; 3]);
        })
    };
    for stage in [Stage::Vertex, Stage::Compute] {
        let prolog = |lines: &[&str]| {
            part(stage, lines, |meta| {
                (meta.name, meta.push_count) = ("VS prolog".into(), 0);
                (meta.key.no_stop, meta.workgroup_size) = (true, [0; 3]);
            })
        };
        let joined = |leaves: &[&str], reads: &[&str]| together(Some(&prolog(leaves)), &main(reads), None, 0);
        assert_eq!(joined(&["mov r8, 1"], &["mov r2, r8"]), NONE, "{stage:?}");
        for (leaves, reads) in [
            // An attribute, and each number: the vertex from zero, the vertex, the instance.
            ("mov r9, 1", "mov r2, r8"),
            ("mov r2, 1", "mov r2, r4"),
            ("mov r2, 1", "mov r2, r5"),
            ("mov r2, 1", "mov r2, r6"),
        ] {
            assert_eq!(joined(&[leaves], &[reads]), ["agx-link-attribute"], "{stage:?}: {leaves}, {reads}");
            let number = reads.strip_prefix("mov r2, ").unwrap();
            let left = alloc::format!("mov {number}, 1");
            assert_eq!(joined(&[&left], &[reads]), NONE, "{stage:?}: {left}, {reads}");
        }
        let own = ["mov r2, r8", "mov r2, u2"];
        assert_eq!(joined(&["mov r8, 1"], &own), ["agx-link-uniform"], "{stage:?}");
    }
}

#[test]
fn epilogs_read_what_the_main_part_writes() {
    let main = |lines: &[&str], inside| {
        part(Stage::Fragment, lines, |meta| {
            (meta.key.no_stop, meta.key.inside_sample_loop) = (true, inside);
            meta.cf = Some(Coefficients {
                nr_cf: 2,
                bindings: [Coefficient { count: 2, ..Coefficient::default() }].into(),
                ..Coefficients::default()
            });
        })
    };
    let epilog = |lines: &[&str]| {
        part(Stage::Fragment, lines, |meta| (meta.name, meta.push_count) = ("FS epilog".into(), 0))
    };
    let reads = epilog(&["st_tile r4_r5, 0, 255, 0, i32, xy"]);
    assert_eq!(together(None, &main(&["mov r4, 1", "mov r5, 1"], false), Some(&reads), 0), NONE);
    assert_eq!(together(None, &main(&["mov r4, 1"], false), Some(&reads), 0), ["agx-link-component"]);
    let [second, depth] = [main(&["mov r8, 1"], false), main(&["mov r2, 1"], false)];
    let all = epilog(&["st_tile r4_r5_r6_r7, 0, 255, 0, i32, xyzw"]);
    assert_eq!(together(None, &second, Some(&all), 0), ["agx-link-output"]);
    // The only component of the first colour that the shader sets may be the alpha 1.0.
    assert_eq!(together(None, &second, Some(&reads), 0), ["agx-link-component"]);
    assert_eq!(together(None, &depth, Some(&reads), 0), ["agx-link-component"]);
    // Other colours are passed with their alpha.
    let other = epilog(&["st_tile r8_r9, 0, 255, 0, i32, xy"]);
    assert_eq!(together(None, &depth, Some(&other), 0), ["agx-link-output"]);
    let plain = main(&["mov r4, 1", "mov r5, 1"], false);
    assert_eq!(together(None, &plain, None, 0), ["agx-link-stop"]);
    assert_eq!(together(None, &plain, Some(&reads), 3)[..2], ["agx-link-stop", "agx-link-samples"]);
    let looped = main(&["mov r4, 1", "mov r5, 1"], true);
    assert_eq!(together(None, &looped, None, 2), NONE);
    assert_eq!(together(None, &looped, Some(&reads), 0), ["agx-link-samples"]);
    let prolog = |cf_base| {
        part(Stage::Fragment, &["mov r4, 1"], |meta| {
            (meta.name, meta.push_count) = ("FS prolog".into(), 0);
            (meta.key.no_stop, meta.key.cf_base) = (true, cf_base);
            let binding = Coefficient { cf_base, count: 1, ..Coefficient::default() };
            meta.cf = Some(Coefficients { nr_cf: 3, bindings: [binding].into(), ..Coefficients::default() });
        })
    };
    assert_eq!(together(Some(&prolog(2)), &plain, Some(&reads), 0), NONE);
    assert_eq!(together(Some(&prolog(1)), &plain, Some(&reads), 0), ["agx-link-coefficient"]);
    let other = vertex_part();
    assert_eq!(together(Some(&prolog(2)), &other, None, 0).first(), Some(&"agx-link-stage"));
}

fn vertex_part() -> Part {
    part(Stage::Vertex, &["no_var"], |_| ())
}

/// Main part and epilog of a fragment program, with lines of their own.
fn drawn(main: &[&str], epilog: &[&str], samples: u32) -> Vec<Code> {
    drawn_after(&[], main, epilog, samples)
}

/// The same after a prolog of these lines, if there are any.
fn drawn_after(prolog: &[&str], main: &[&str], epilog: &[&str], samples: u32) -> Vec<Code> {
    found_after(prolog, main, epilog, samples).iter().map(|d| d.code).collect()
}

fn found_after(prolog: &[&str], main: &[&str], epilog: &[&str], samples: u32) -> Vec<Diagnostic> {
    let inside = samples > 0;
    let prolog = (!prolog.is_empty()).then(|| {
        part(Stage::Fragment, prolog, |meta| {
            (meta.name, meta.push_count, meta.key.no_stop) = ("FS prolog".into(), 0, true);
            meta.key.ignore_tib_dependencies = false;
        })
    });
    let change = |meta: &mut Meta| {
        (meta.key.no_stop, meta.key.inside_sample_loop) = (true, inside);
        meta.key.ignore_tib_dependencies = false;
    };
    let main = part(Stage::Fragment, main, change);
    let epilog = part(Stage::Fragment, epilog, |meta| {
        change(meta);
        (meta.key.no_stop, meta.key.secondary, meta.push_count) = (inside, true, 0);
    });
    let parts = Parts { prolog: prolog.as_ref(), main: &main, epilog: Some(&epilog), samples };
    let found = check_parts(&parts, &Limits::default());
    // `link` refuses what is an error here.
    let linked = crate::link::link(&parts, &Limits::default());
    let errors = found.iter().filter(|d| d.severity == Severity::Error).count();
    assert_eq!(linked.is_err(), errors > 0, "{found:?}");
    found
}

#[test]
fn samples_are_killed_and_tested_once_by_all_parts() {
    let emit = ["pixwait 1, 0", "zs_emit 255, r2"];
    let wrote = ["ldimm r2, 0"];
    assert_eq!(drawn(&wrote, &emit, 0), NONE);
    assert_eq!(drawn(&["ldimm r2, 0", "pixwait 1, 0", "zs_emit 255, r2"], &emit, 0), ["agx-sample-twice"]);
    let kill = ["pixwait 1, 0", "sample_mask 245, 10"];
    assert_eq!(drawn(&kill, &kill, 0), ["agx-sample-twice"]);
    // A prolog kills samples, too, and waits before it does.
    assert_eq!(drawn_after(&kill, &wrote, &["mov r3, r2"], 0), NONE);
    assert_eq!(drawn_after(&kill[1..], &wrote, &["mov r3, r2"], 0), ["agx-pixel-wait"]);
    assert_eq!(drawn_after(&kill, &wrote, &kill, 0), ["agx-sample-twice"]);
    assert_eq!(drawn_after(&kill, &wrote, &emit, 0), NONE);
    // What is left may be killed after a prolog has killed some; to kill all twice has no use.
    let all = ["pixwait 1, 0", "sample_mask 255, 0"];
    assert_eq!(drawn_after(&kill, &all, &["mov r3, r7"], 0), ["agx-link-output"]);
    assert_eq!(drawn_after(&kill, &[&all[..], &["ldimm r4, 0"]].concat(), &["mov r3, r4"], 0), NONE);
    assert_eq!(
        drawn_after(&all, &[&all[..], &["ldimm r4, 0"]].concat(), &["mov r3, r4"], 0),
        ["agx-sample-twice"]
    );
    // A second test or kill is an error or a warning in one part and a note in several, because a driver's linker leads to it.
    let tests = ["pixwait 1, 0", "sample_mask 255, 1"];
    for (first, last) in [(tests, emit), (kill, kill)] {
        let found = found_after(&first, &wrote, &last, 0);
        let found: Vec<_> = found.iter().map(|d| (d.code, d.severity)).collect();
        assert_eq!(found, [("agx-sample-twice", Severity::Note)]);
    }
    // Once for each sample.
    let own = ["pixwait 1, 0", "zs_emit r1l, r2"];
    assert_eq!(drawn(&wrote, &own, 2), NONE);
    assert_eq!(drawn(&wrote, &emit, 2), ["agx-abi-sample"]);
    let twice = ["pixwait 1, 0", "zs_emit r1l, r2", "zs_emit r1l, r2"];
    assert_eq!(drawn(&wrote, &twice, 2), ["agx-sample-twice"]);
    let late = ["pixwait 13, 0", "st_tile r2, 0, r1l, 0, i32, x", "sample_mask r1l, 255"];
    assert_eq!(drawn(&wrote, &late, 2), ["agx-sample-late"]);
}

/// Findings with their severities about a part that runs once for each sample.
fn for_each_sample(line: &str, early_fragment_tests: bool) -> Vec<(Code, Severity)> {
    let found = findings(Stage::Fragment, &["pixwait 1, 0", line], |meta| {
        (meta.key.inside_sample_loop, meta.key.no_stop) = (true, true);
        meta.early_fragment_tests = early_fragment_tests;
    });
    found.iter().map(|d| (d.code, d.severity)).collect()
}

#[test]
fn early_tests_of_all_samples_are_a_note_where_samples_are_shaded_one_by_one() {
    let found = |severity| [("agx-abi-sample", severity)];
    assert_eq!(for_each_sample("sample_mask 255, 255", true), found(Severity::Note));
    assert_eq!(for_each_sample("sample_mask 255, 255", false), found(Severity::Error));
    assert_eq!(for_each_sample("sample_mask 1, 255", true), found(Severity::Error));
    assert_eq!(for_each_sample("sample_mask 255, 0", true), found(Severity::Error));
    assert_eq!(for_each_sample("sample_mask r1l, 255", true), []);
    // No sample.
    assert_eq!(for_each_sample("sample_mask 0, 255", false), []);
}

#[test]
fn epilogs_read_padding_of_their_own() {
    let last = "st_tile r38_r39_r40_r41, 0, r1l, 0, i32, xyzw";
    assert_eq!(drawn(&["ldimm r4, 0"], &["mov r38, r4", "pixwait 12, 0", last], 2), NONE);
    let passed = "st_tile r34_r35_r36_r37, 0, r1l, 0, i32, xyzw";
    assert_eq!(drawn(&["ldimm r4, 0"], &["mov r34, r4", "pixwait 12, 0", passed], 2), ["agx-link-output"]);
}

/// Attributes are counted before the compiler removes what it does not need.
#[test]
fn a_prolog_may_pass_an_attribute_that_the_main_part_no_longer_reads() {
    let lines = ["ldimm r13, 0", "mov r3, u7"];
    let room = |room: u32| {
        with_attribute(false, &lines, move |prolog, main| {
            main.key.reserved_preamble = room;
            prolog.uses_base_param = true;
        })
    };
    assert_eq!(room(17), NONE, "two attributes");
    assert_eq!(room(16), NONE, "without the number of the draw");
    assert_eq!(room(15), ["agx-link-attribute", "agx-link-uniform"], "one attribute");
}

#[test]
fn uniforms_are_written_by_preambles_only() {
    let store = ["mov r2, 1", "mov u4, r2"];
    assert_eq!(compute(&store), ["agx-abi-uniform"]);
    assert_eq!(fragment(&store), ["agx-abi-uniform"]);
}

#[test]
fn memory_is_written_by_programs_that_must_run() {
    let store = ["ldimm r2, 0", "store r2, du0, 0, i32, x, a"];
    let with =
        |lines: &[&str], skipped| found(Stage::Fragment, lines, |meta| meta.tag_write_disable = skipped);
    assert_eq!(with(&store, false), NONE);
    assert_eq!(with(&store, true), ["agx-abi-flag"]);
    let load = ["load r2, du0, 0, i32, x, a", "wait a"];
    assert_eq!(with(&load, true), NONE);
    let atomic = ["ldimm r2, 0", "atomic r3, r2, du0, 0, add, a", "wait a"];
    assert_eq!(with(&atomic, true), ["agx-abi-flag"]);
    // A driver counts invocations in a prolog, whose flag says nothing about memory.
    let prolog = |meta: &mut Meta| {
        (meta.name, meta.push_count) = ("FS prolog".into(), 0);
        (meta.tag_write_disable, meta.key.no_stop) = (true, true);
    };
    assert_eq!(found(Stage::Fragment, &atomic, prolog), NONE);
}

/// A vertex program of one attribute, with what its prolog and its metadata change.
fn with_attribute(compute: bool, prolog: &[&str], change: impl FnOnce(&mut Meta, &mut Meta)) -> Vec<Code> {
    found_with_attribute(compute, prolog, change).iter().map(|d| d.code).collect()
}

fn found_with_attribute(
    compute: bool,
    prolog: &[&str],
    change: impl FnOnce(&mut Meta, &mut Meta),
) -> Vec<Diagnostic> {
    let stage = if compute { Stage::Compute } else { Stage::Vertex };
    let main_lines: &[&str] = if compute { &["mov r2, r8"] } else { &["mov r2, r8", "no_var"] };
    let mut main = part(stage, main_lines, |meta| meta.workgroup_size = [0; 3]);
    let mut lines = alloc::vec!["ldimm r8, 0"];
    lines.extend(prolog);
    let mut prolog = part(Stage::Vertex, &lines, |meta| {
        (meta.key.no_stop, meta.key.secondary, meta.push_count) = (true, true, 0)
    });
    main.meta.key.reserved_preamble = if compute { 18 } else { 11 };
    change(&mut prolog.meta, &mut main.meta);
    check_parts(&Parts { prolog: Some(&prolog), main: &main, epilog: None, samples: 0 }, &Limits::default())
}

#[test]
fn the_drivers_uniforms_have_room_for_all_attributes() {
    assert_eq!(with_attribute(false, &[], |_, _| ()), NONE);
    assert_eq!(with_attribute(true, &[], |_, _| ()), NONE);
    let short = |room: u32, draw: bool| {
        with_attribute(false, &[], move |_, main| {
            (main.key.reserved_preamble, main.uses_draw_id) = (room, draw);
        })
    };
    assert_eq!(short(10, false), ["agx-link-uniform"]);
    let unread = found_with_attribute(false, &[], |_, main| main.key.reserved_preamble = 10);
    assert_eq!(unread.iter().map(|d| d.severity).collect::<Vec<_>>(), [Severity::Note]);
    assert_eq!(short(10, true), ["agx-link-uniform"]);
    assert_eq!(short(9, false), ["agx-link-uniform"]);
    assert_eq!(with_attribute(true, &[], |_, main| main.key.reserved_preamble = 17), ["agx-link-uniform"]);
    // A prolog past the driver's uniforms, although more are reserved for something else.
    let past =
        |compute, line: &str| with_attribute(compute, &[line], |_, main| main.key.reserved_preamble = 32);
    assert_eq!(past(false, "mov r3l, u5l"), NONE);
    assert_eq!(past(false, "mov r3l, u5h"), ["agx-link-uniform"]);
    assert_eq!(past(true, "mov r3, u8"), NONE);
    assert_eq!(past(true, "mov r3, u9"), ["agx-link-uniform"]);
    // The first vertex.
    assert_eq!(with_attribute(false, &["mov r3, u3"], |_, _| ()), ["agx-abi-flag"]);
    assert_eq!(with_attribute(false, &["mov r3, u3"], |prolog, _| prolog.uses_base_param = true), NONE);
}

/// A linked program: an epilog reads all components of a colour of which the main part writes only some.
#[test]
fn undefined_components_are_notes_in_linked_programs_too() {
    let check = |lines: &[&str]| {
        let code = part(Stage::Fragment, lines, |_| ()).code;
        let meta =
            crate::part::LinkedMeta { size: code.len() as u32, fragment: true, nr_gprs: 64, ..linked() };
        let found = super::check_linked(&code, &meta, &Limits::default());
        found.iter().map(|d| (d.code, d.severity)).collect::<Vec<_>>()
    };
    use shisa_diag::Severity::{Error, Note};
    assert_eq!(check(&["ldimm r4, 0", "mov r0, r7"]), [("agx-link-component", Note)]);
    assert_eq!(check(&["ldimm r4, 0", "mov r0, r8"]), [("agx-abi-undefined", Error)]);
    assert_eq!(check(&["mov r0, r7"]), [("agx-abi-undefined", Error)]);
    // A shader that sets only the alpha 1.0 of the first colour passes nothing.
    assert_eq!(check(&["mov r0, r4"]), [("agx-link-component", Note)]);
    assert_eq!(check(&["mov r0, r4", "mov r1, r7"])[1..], [("agx-abi-undefined", Error)]);
    let store = "st_tile r4_r5_r6_r7, 0, 255, 0, i32, xyzw";
    assert!(check(&["pixwait 12, 0", store]).contains(&("agx-abi-undefined", Error)));
}

fn linked() -> crate::part::LinkedMeta {
    crate::part::LinkedMeta {
        id: String::new(),
        fragment: true,
        prolog: None,
        main: String::new(),
        epilog: None,
        nr_samples_shaded: 0,
        size: 0,
        nr_gprs: 0,
        scratch_size: 0,
        reads_tib: false,
        writes_sample_mask: false,
        disable_tri_merging: false,
        tag_write_disable: false,
        uses_base_param: false,
        uses_txf: false,
        nr_cf: 0,
        bindings: Vec::new(),
    }
}
