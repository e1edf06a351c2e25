use super::{Loop, Occupancy, Report, Unit, Wait, occupancy};
use crate::tests::assemble;
use alloc::string::ToString;
use shisa_diag::Limits;

fn report(lines: &[&str]) -> Report {
    let code = assemble(lines).code;
    Report::new(&code, 0..code.len(), &Limits::default()).unwrap()
}

#[test]
fn units_keep_their_cycles() {
    let r = report(&[
        "fadd r0, r1, r2",
        "imul r3, r1, u9",
        "rcp r4, r3",
        "csel r5, r1, r2, r3, r4, ult",
        "stop",
        "trap",
    ]);
    let cycles = |unit: Unit| (r.units[unit as usize].instructions, r.units[unit as usize].cycles);
    assert_eq!(cycles(Unit::Float32), (1, 1));
    assert_eq!(cycles(Unit::Simple), (1, 1));
    assert_eq!(cycles(Unit::Complex), (2, 10));
    assert_eq!((r.simple_cycles(), r.complex_cycles()), (4, 10));
    assert_eq!((r.cycles(), r.instructions, r.bytes), (10, 5, 28));
    assert_eq!((r.registers, r.uniforms), (12, 20));
}

/// The times are those of Mesa's model; arithmetic that it leaves out has none.
#[test]
fn every_row_has_its_unit() {
    let of = |line: &str| {
        let r = report(&[line]);
        let used = Unit::ALL.iter().zip(&r.units).find(|(_, u)| u.instructions > 0).unwrap();
        (used.0.name(), used.1.cycles)
    };
    for (line, unit, cycles) in [
        ("ffma r0, r1, r2, r3", "float32", 1),
        ("hmul r0l, r1l, r2l", "float16", 1),
        ("ldimm r0, 3", "simple", 1),
        ("mov r0, thread_in_grid_x", "simple", 2),
        ("mov r0, r1", "simple", 1),
        ("iadd r0, r1, r2", "simple", 1),
        ("simd r1, r3, smin", "simple", 24),
        ("simd r1, r3, prefix, smin", "simple", 18),
        ("quad r1, r3, prefix, smin", "simple", 18),
        ("ballot r1", "simple", 2),
        ("ballot r1, r2, 0, ieq", "simple", 2),
        ("shuffle r1, r2, 1", "simple", 2),
        ("shl r0, r1, 3", "complex", 4),
        ("imadd r0, r1, r2, r3", "complex", 4),
        ("rcp r0, r1", "complex", 6),
        ("rsqrts r0, r1", "complex", 8),
        ("log2 r0, r1", "complex", 4),
        ("popcnt r0, r1", "unmeasured", 0),
        ("ceil r0, r1", "unmeasured", 0),
        ("dfdx r0, r1", "unmeasured", 0),
        ("u32_to_f r0, r1, rte", "unmeasured", 0),
        ("mov du10, dr0", "memory", 0),
        ("iter r0, cf1", "memory", 0),
        ("st_var r0, 1", "memory", 0),
        ("lload r0, 0, i32, x", "memory", 0),
        ("ld_tile r0, 0, 255, 0, i32, x", "memory", 0),
        ("wait a", "control", 0),
        ("pixwait 1, 0", "control", 0),
        ("memory_barrier", "control", 0),
        ("if r0, 0, 1, ieq", "control", 0),
    ] {
        assert_eq!(of(line), (unit, cycles), "{line}");
    }
}

#[test]
fn calls_are_no_loops() {
    let r = report(&["f:", "mov r2, 1", "call {f}", "stop"]);
    assert_eq!((r.loops.len(), r.registers), (0, 6));
    assert_eq!(report(&["call 6", "stop"]).registers, 4, "r1 takes the offset to return to");
}

#[test]
fn waits_tell_what_hides_them() {
    let r = report(&[
        "load r0, du0, 0, i32, x, a",
        "mov r2, 1",
        "load r1, du0, 1, i32, x, a",
        "mov r2, 1",
        "mov r3, 1",
        "wait b",
        "wait a",
        "stop",
    ]);
    let wait = |at, group, accesses, hidden| Wait { at, group, accesses, hidden };
    assert_eq!(r.waits, [wait(34, 1, 0, 0), wait(36, 0, 2, 2)]);
}

#[test]
fn loops_have_turns() {
    let r = report(&[
        "mov r2, 1",
        "head:",
        "fadd r0, r0, r1",
        "fadd r0, r0, r1",
        "while r0, 5, 1, ult",
        "jmp_any {head}",
        "stop",
    ]);
    assert_eq!(r.loops, [Loop { start: 6, end: 30, cycles: 2 }]);
}

#[test]
fn registers_decide_how_many_threads_run() {
    assert_eq!(occupancy(104), Occupancy { threads: 1024, better: None });
    assert_eq!(occupancy(105), Occupancy { threads: 896, better: Some(104) });
    assert_eq!(occupancy(256), Occupancy { threads: 384, better: Some(232) });
    assert_eq!(occupancy(1000).threads, 384);
}

#[test]
fn reports_are_text() {
    let r = report(&[
        "head:",
        "load r60, du0, 0, i32, x, b",
        "wait b",
        "fmul r1, r60, r60",
        "jmp_any {head}",
        "stop",
    ]);
    let text = r.to_string();
    for line in [
        "5 instructions, 24 bytes",
        "registers  122 halves: 832 threads at a time, more with 112 halves or fewer",
        "cycles     1 (1 simple and float, 0 complex in parallel)",
        "loop       0x0000 to 0x0016: 1 cycles an iteration",
        "wait b     0x0008: 1 access, 0 cycles after it",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
}
