//! The hardware remembers 4 calls, 8 conditions and 4 loops; one more drops the oldest. Programs nest one block in
//! the other, as deep as the hardware remembers and one deeper.

use super::{assemble, run};
use crate::{Options, lift};
use alloc::{format, string::String, vec, vec::Vec};

/// The x of `o0` after a program.
fn result(lines: &[String], iterations: u32) -> f32 {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let lifted = lift(&assemble(&lines), &Options::default()).unwrap();
    f32::from_bits(run(&lifted, 0.0, [iterations - 1, 0], None)[0])
}

/// What is left of calls that nest: 1 where all return, 0 where the outermost does not and what follows it runs.
fn calls(depth: usize) -> f32 {
    let mut lines: Vec<String> = vec!["call 4, 2".into(), "mov o0, c4".into(), "end".into(), "nop".into()];
    for n in 1..=depth {
        let call = if n < depth { format!("call {}, 2", 4 * n + 4) } else { "nop".into() };
        lines.extend([call, "nop".into(), "mov o0, c3".into(), "end".into()]);
    }
    result(&lines, 1)
}

#[test]
fn four_calls_are_remembered() {
    assert_eq!([1, 2, 3, 4, 5, 6].map(calls), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
}

/// How many parts for the other outcome run, of conditions that nest and all hold.
fn conditions(depth: usize) -> f32 {
    let mut lines: Vec<String> = vec!["mov r1, c3".into(), "cmp c3.xx, eq, eq, r1.xx".into()];
    let body = 2 + depth;
    // The outermost condition ends last.
    lines.extend((0..depth).rev().map(|n| format!("ifc cmp.x, {}, 1", body + 1 + 2 * n)));
    for _ in 0..depth {
        lines.extend(["nop".into(), "add r1, c4, r1".into()]);
    }
    lines.extend(["nop".into(), "mov o0, r1".into(), "end".into()]);
    result(&lines, 1)
}

#[test]
fn eight_conditions_are_remembered() {
    assert_eq!([1, 2, 7, 8, 9, 10].map(conditions), [0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
}

/// How often the innermost of loops that nest runs, two iterations each.
fn loops(depth: usize) -> f32 {
    let mut lines: Vec<String> = vec!["mov r1, c3".into()];
    let body = 1 + depth;
    lines.extend((0..depth).rev().map(|n| format!("for i0, {}", body + n)));
    lines.push("add r1.x, c4.x, r1.x".into());
    lines.extend((1..depth).map(|_| "nop".into()));
    lines.extend(["mov o0, r1".into(), "end".into()]);
    result(&lines, 2)
}

#[test]
fn four_loops_are_remembered() {
    assert_eq!([1, 2, 3, 4, 5].map(loops), [2.0, 4.0, 8.0, 16.0, 16.0]);
}
