//! Each rule finds its faults, and nothing in correct code.

use super::{CODES, Expect, check};
use crate::tests::assemble;
use alloc::vec::Vec;
use shisa_diag::{Code, Limits, Severity};

const PROGRAM: Expect =
    Expect { ends: true, draws: true, joined: false, registers: Some(16), uniforms: Some(8) };
const PART: Expect = Expect { ends: false, draws: false, joined: false, registers: None, uniforms: None };

/// A whole program: these lines, a stop and traps.
fn program(lines: &[&str]) -> Vec<u8> {
    let mut all = lines.to_vec();
    all.push("stop");
    all.extend(["trap"; 8]);
    assemble(&all).code
}

fn found(code: &[u8], expect: &Expect) -> Vec<Code> {
    let found = check(code, 0..code.len(), expect, &Limits::default());
    for d in &found {
        assert!(CODES.iter().any(|(code, _)| *code == d.code), "{d}");
        assert!(!d.labels.is_empty(), "{d}");
    }
    found.iter().map(|d| d.code).collect()
}

fn of(lines: &[&str]) -> Vec<Code> {
    found(&program(lines), &PROGRAM)
}

/// The program with these bits of the instruction at a byte changed.
fn flipped(lines: &[&str], at: usize, bits: u64) -> Vec<Code> {
    let mut code = program(lines);
    code[at..].iter_mut().zip(bits.to_le_bytes()).for_each(|(byte, flip)| *byte ^= flip);
    found(&code, &PROGRAM)
}

/// Mesa 25.0 writes the upper two bits of a mask to bits that hardware does not read.
#[test]
fn bits_that_a_released_compiler_sets_are_noted() {
    let severities = |bits: u64| -> Vec<Severity> {
        let mut code = program(&["sample_mask 255, 63"]);
        code.iter_mut().zip(bits.to_le_bytes()).for_each(|(byte, flip)| *byte ^= flip);
        let found = check(&code, 0..code.len(), &PROGRAM, &Limits::default());
        found.iter().filter(|d| d.code == "agx-unknown-bits").map(|d| d.severity).collect()
    };
    assert_eq!(severities(0), []);
    assert_eq!(severities(0x3000_0000), [Severity::Note]);
    assert_eq!(severities(0x7000_0000), [Severity::Note, Severity::Error]);
}

#[test]
fn words_hold_what_has_a_meaning() {
    let sum = ["iadd r2, r3, r1"];
    assert_eq!(of(&sum), [""; 0]);
    assert_eq!(flipped(&sum, 0, 1 << 50), ["agx-unknown-bits"]);
    // The lowest bit of a register's number, its hint, and its type.
    assert_eq!(flipped(&sum, 0, 1 << 16), ["agx-register-odd"]);
    assert_eq!(flipped(&sum, 0, 1 << 22), ["agx-hint"]);
    assert_eq!(of(&["load r1, du0, r2, i32, x, a, unk16", "wait a"]), ["agx-unknown-bits"]);
    let logic = ["and r2, r3, r1"];
    assert_eq!(flipped(&logic, 0, 1 << 9), ["agx-register-odd"]);
    assert_eq!(flipped(&logic, 0, 1 << 24), ["agx-type"]);
    let select = ["csel r2, r3, r1, r1, r2, ult"];
    assert_eq!(of(&select), [""; 0]);
    assert_eq!(flipped(&select, 0, 1 << 46), ["agx-hint"]);
    assert_eq!(flipped(&select, 0, 1 << 48), ["agx-type"]);
    assert_eq!(flipped(&["f_to_s32 r2, r3, rte"], 0, 1 << 27), ["agx-value"]);
    let load = ["load r127, du0, 0, i32, x, a", "wait a"];
    assert_eq!(found(&program(&load), &Expect { registers: None, ..PROGRAM }), [""; 0]);
    let past = flipped(&load, 0, 1 << 53);
    assert_eq!(past, ["agx-register-past", "agx-register-count"]);
    assert_eq!(of(&["mov r7, u3"]), [""; 0]);
    assert_eq!(of(&["mov r8l, u3"]), ["agx-register-count"]);
    assert_eq!(of(&["mov r7, u4l"]), ["agx-uniform-count"]);
    assert_eq!(found(&program(&["mov r8, u4"]), &PART), [""; 0]);
}

#[test]
fn control_stays_within_the_code() {
    let jump = ["jmp_none {end}", "mov r2, 1", "end:", "pop_exec 1"];
    assert_eq!(of(&jump), [""; 0]);
    assert_eq!(flipped(&jump, 2, 2), ["agx-target"]);
    assert_eq!(flipped(&jump, 2, 0x1000), ["agx-target"]);
    assert_eq!(of(&["jmp_any -6"]), ["agx-target"]);
    // Unreachable code is not checked.
    assert_eq!(of(&["jmp_any -6", "stop", "mov r100, 0"]), ["agx-target"]);
    let lone = assemble(&["mov r2, 1"]).code;
    assert_eq!(found(&lone, &PROGRAM), ["agx-past-end"]);
    assert_eq!(found(&lone, &PART), [""; 0]);
    let trapped = assemble(&["mov r2, 1", "trap"]).code;
    assert_eq!(found(&trapped, &PART), ["agx-trap"]);
    let broken = [&lone[..], &[0xff, 0xff]].concat();
    assert_eq!(found(&broken, &PART), ["agx-code"]);
    let few = assemble(&["stop", "trap", "trap"]).code;
    assert_eq!(found(&few, &PROGRAM), ["agx-stop-traps"]);
    assert_eq!(found(&[], &PART), [""; 0]);
}

#[test]
fn accesses_are_waited_for() {
    let load = "load r2, du0, 0, i32, x, a";
    assert_eq!(of(&[load, "wait a", "iadd r3, r2, 1"]), [""; 0]);
    assert_eq!(of(&[load, "iadd r3, r1, 1"]), [""; 0]);
    // One mistake is one finding.
    assert_eq!(of(&[load, "iadd r3, r2, 1", "iadd r3, r2, 1"]), ["agx-wait-missing"]);
    assert_eq!(of(&[load, "mov r2h, 1"]), ["agx-wait-missing"]);
    assert_eq!(of(&[load, load]), ["agx-wait-missing"]);
    assert_eq!(of(&[load, "wait b", "iadd r3, r2, 1"]), ["agx-wait-missing"]);
    // On one path only.
    let around = ["if r3, 0, 1, ieq", load, "wait a", "pop_exec 1", "iadd r3, r2, 1"];
    assert_eq!(of(&around), [""; 0]);
    let skipped = ["if r3, 0, 1, ieq", load, "jmp_none {end}", "wait a", "end:", "iadd r3, r2, 1"];
    assert_eq!(of(&skipped), ["agx-wait-missing"]);
    let again = ["head:", "iadd r3, r2, 1", load, "while r3, 5, 1, ult", "jmp_any {head}"];
    assert_eq!(of(&again), ["agx-wait-missing", "agx-wait-full"]);
    let nine: Vec<_> = (0..9).map(|_| "store r0, du0, 0, i32, x, b").collect();
    assert_eq!(of(&nine), [""; 0], "stores do not count");
    let many = Expect { registers: None, ..PROGRAM };
    let of = |lines: &[&str]| found(&program(lines), &many);
    let nine: Vec<_> = (0..9).map(|n| alloc::format!("load r{n}, du0, 0, i32, x, b")).collect();
    let mut nine: Vec<_> = nine.iter().map(|line| line.as_str()).collect();
    assert_eq!(of(&nine), ["agx-wait-full"]);
    nine.insert(8, "wait b");
    assert_eq!(of(&nine), [""; 0]);
    let store = "store r2, du0, 0, i32, x, a";
    // Registers that a store reads may be overwritten immediately.
    assert_eq!(of(&[store, "mov r2, 1"]), [""; 0]);
    assert_eq!(of(&[store, "memory_barrier"]), ["agx-barrier-pending"]);
    assert_eq!(of(&[store, "wait a", "memory_barrier", "barrier"]), [""; 0]);
}

#[test]
fn pixels_are_waited_for_and_samples_tested_once() {
    let store = "st_tile r0, 0, 255, 0, i32, x";
    let whole = ["pixwait 13, 0", "sample_mask 255, 1", store];
    assert_eq!(of(&whole), [""; 0]);
    assert_eq!(of(&whole[1..]), ["agx-pixel-wait", "agx-pixel-wait"]);
    assert_eq!(of(&["pixwait 8, 0", store]), ["agx-pixel-wait"]);
    assert_eq!(of(&["ld_tile r0, 0, 255, 0, i32, x"]), ["agx-pixel-wait"]);
    assert_eq!(of(&["zs_emit 255, r0"]), ["agx-pixel-wait"]);
    // Only killed.
    assert_eq!(of(&["sample_mask 255, 0"]), [""; 0]);
    assert_eq!(found(&program(&whole[1..]), &PART), [""; 0]);
    assert_eq!(of(&["pixwait 13, 0", store, "sample_mask 255, 255"]), ["agx-sample-late"]);
    assert_eq!(of(&["pixwait 1, 0", "zs_emit 255, r0", "sample_mask 1, 1"]), ["agx-sample-twice"]);
    assert_eq!(of(&["pixwait 1, 0", "sample_mask 1, 1", "sample_mask 3, 2"]), [""; 0]);
    // Lanes of the other side of a condition.
    let sides = [
        "pixwait 1, 0",
        "if r0, 0, 1, ieq",
        "sample_mask 255, 255",
        "else r0, 0, 1, ieq",
        "sample_mask 255, 255",
        "pop_exec 1",
    ];
    assert_eq!(of(&sides), [""; 0]);
    let behind = [&sides[..3], &["pop_exec 1", "sample_mask 255, 255"]].concat();
    assert_eq!(of(&behind), ["agx-sample-twice"]);
}

/// `while` deactivates lanes, as `if` does: code after it in its loop may concern other samples.
#[test]
fn lanes_of_a_loop_are_not_those_before_it() {
    let test = "sample_mask 255, 255";
    let inside = ["pixwait 1, 0", test, "while r0, 0, 1, ieq", test, "pop_exec 1"];
    assert_eq!(of(&inside), [""; 0]);
    let after = [&inside[..], &[test]].concat();
    assert_eq!(of(&after), ["agx-sample-twice"]);
    let two = ["pixwait 1, 0", test, "while r0, 0, 2, ieq", "pop_exec 1", test, "pop_exec 1"];
    assert_eq!(of(&two), [""; 0]);
}

#[test]
fn anything_is_checked() {
    let mut random = shisa_rows::testing::Random(5);
    for _ in 0..200 {
        let code: Vec<u8> = (0..random.bits() % 64).map(|_| random.bits() as u8).collect();
        let start = random.bits() as usize % 80;
        check(&code, start..start + 40, &PROGRAM, &Limits::default());
    }
    let few = Limits { instructions: 2, ..Limits::default() };
    let code = program(&["mov r1, 1", "mov r2, 1"]);
    assert_eq!(check(&code, 0..code.len(), &PROGRAM, &few).len(), 1);
    let one = Limits { diagnostics: 1, ..Limits::default() };
    let many = program(&["mov r100, 1", "mov r101, 1"]);
    assert_eq!(check(&many, 0..many.len(), &PROGRAM, &one).len(), 2);
}

/// Samples whose mask is in a register: in the loop over samples it is r1l.
#[test]
fn samples_in_registers_are_followed() {
    let (wait, store) = ("pixwait 13, 0", "st_tile r2, 0, r1l, 0, i32, x");
    assert_eq!(of(&[wait, "sample_mask r1l, r0h", store]), [""; 0]);
    assert_eq!(of(&[wait, "sample_mask r1l, 0", "sample_mask r1l, 255"]), [""; 0], "killed, then tested");
    assert_eq!(of(&[wait, "zs_emit r1l, r2", "zs_emit r1l, r2"]), ["agx-sample-twice"]);
    assert_eq!(of(&[wait, "zs_emit r1l, r2", "iadd r1l, 0, r1l, lsl 1", "zs_emit r1l, r2"]), [""; 0]);
    assert_eq!(of(&[wait, store, "sample_mask r1l, 255"]), ["agx-sample-late"]);
    assert_eq!(of(&[wait, store, "mov r1l, 2", "sample_mask r1l, 255"]), [""; 0]);
    // Samples killed twice, and killed without waiting.
    assert_eq!(of(&[wait, "sample_mask 245, 10", "sample_mask 252, 3"]), ["agx-sample-twice"]);
    assert_eq!(of(&[wait, "sample_mask 5, 10", "sample_mask 255, 1"]), [""; 0]);
    assert_eq!(of(&["sample_mask 245, 10"]), ["agx-pixel-wait"]);
}
