use super::*;
use crate::code::Graph;
use crate::code::tests::{graph, words};
use crate::flow::Targets;
use crate::{Ctx, Schedule};
use alloc::{format, string::String, vec, vec::Vec};

/// Codes of findings with the numbers of the instructions.
fn found(source: &str) -> Vec<(&'static str, usize)> {
    let mut all = Vec::new();
    check(&graph(source), |f| all.push((f.diagnostic.code, f.insn)));
    all
}

#[test]
fn counts_are_of_what_is_under_way() {
    let load = |n: usize| format!("LDG.E R{n}, [R8] {{--:-:5:-:2}}\n");
    let three: String = (0..3).map(load).collect();
    let of = |wait: &str| found(&format!("{three}{wait} {{--:-:-:-:d}}\nEXIT"));
    assert_eq!(of("DEPBAR.LE SB5, 0x2"), []);
    assert_eq!(of("DEPBAR.LE SB5, 0x3"), [("maxwell-depbar-idle", 3)]);
    assert_eq!(of("DEPBAR.LE SB4, 0x1"), [("maxwell-depbar-idle", 3)]);
    assert_eq!(of("DEPBAR {2}"), [("maxwell-depbar-idle", 3)]);
    assert_eq!(of("DEPBAR {5}"), []);
    let twice = of("DEPBAR.LE SB5, 0x1 {--:-:-:-:d}\nDEPBAR.LE SB5, 0x1");
    assert_eq!(twice, [("maxwell-depbar-idle", 4)]);
    // A loop may raise any number.
    let turns =
        format!("again:\n{three}@P0 BRA again {{--:-:-:-:f}}\nDEPBAR.LE SB5, 0x8 {{--:-:-:-:d}}\nEXIT");
    assert_eq!(found(&turns), []);
    // Results of all instructions except the last may be read after a wait for all but one; but not if later ones may
    // finish sooner.
    let last = |second: &str| {
        let code = format!("{}{second} {{--:-:5:-:2}}\nDEPBAR.LE SB5, 0x1 {{--:-:-:-:d}}\n", load(0));
        found(&format!("{code}MOV R20, R0 {{--:-:-:-:d}}\nEXIT"))
    };
    assert_eq!(last("LDG.E R1, [R8]"), []);
    assert_eq!(last("LDS.U.32 R1, [R9]"), [("maxwell-no-wait", 3)]);
}

/// The filled-in stall cycles, without the padding at the end.
fn stalls(source: &str) -> Vec<u32> {
    let mut code = words(source);
    fill(&mut code, &Targets::new(), Ctx::default());
    let count = source.lines().count();
    code.iter().take(count).map(|w| Schedule((w >> 64) as u32 & 0x1_ffff)).map(Schedule::stall).collect()
}

#[test]
fn what_runs_elsewhere_issues_together() {
    let load = |first: &str, second: &str| stalls(&format!("{first}\n{second}\nNOP\nEXIT"))[0];
    assert_eq!(load("FADD R0, R1, R2", "LDG.E R4, [R6]"), 0);
    // A source may be overwritten, a result may not.
    assert_eq!(load("FADD R0, R4, R2", "LDG.E R4, [R6]"), 0);
    assert_eq!(load("FADD R4, R1, R2", "LDG.E R4, [R6]"), 1);
    assert!(load("FADD R6, R1, R2", "LDG.E R4, [R6]") > 1);
    assert_eq!(load("FADD R0, R1, R2", "FADD R3, R1, R2"), 1);
    assert_eq!(load("FADD R0, R1, c[0x0][0x140]", "LDC R4, c[0x0][R6]"), 1);
    // Not from a bundle to the next, nor at a branch target.
    assert_eq!(stalls("NOP\nNOP\nFADD R0, R1, R2\nLDG.E R4, [R6]\nEXIT")[2], 1);
    assert_eq!(stalls("again:\nFADD R0, R1, R2\n@P0 BRA again\nEXIT")[0], 0);
    assert_eq!(stalls("@P0 BRA there\nFADD R0, R1, R2\nthere:\nLDG.E R4, [R6]\nEXIT")[1], 1);
    // A result that is used as soon as possible keeps its cycles.
    let used = stalls("FADD R0, R1, R2\nLDG.E R4, [R6]\nFADD R8, R0, R0\nEXIT");
    assert_eq!((used[0] + used[1], used[0] > 0), (6, true));
}

/// The filled-in write barrier of the first instruction and the waits of all.
fn waits(source: &str, targets: &Targets) -> (Option<u32>, Vec<u32>) {
    let mut code = words(source);
    fill(&mut code, targets, Ctx::default());
    let bits: Vec<Schedule> = code.iter().map(|w| Schedule((w >> 64) as u32 & 0x1_ffff)).collect();
    let count = source.lines().count();
    (bits[0].write_barrier(), bits.iter().take(count).map(|s| s.wait()).collect())
}

#[test]
fn branches_by_a_register_wait_where_nothing_tells_where_they_go() {
    let source = "LDG.E R4, [R6]\nBRX R0 0x0\nEXIT\nMOV R5, R4\nEXIT";
    assert_eq!(waits(source, &Targets::new()), (Some(0), vec![0, 1, 0, 0, 0]));
    // Where the targets are stated, their instructions wait; with the label of a bundle, too.
    for target in [0x28, 0x20] {
        let known = Targets::from([(0x10, vec![0x18, target])]);
        assert_eq!(waits(source, &known), (Some(0), vec![0, 0, 0, 1, 0]), "{target:#x}");
    }
    assert_eq!(waits(source, &Targets::from([(0x10, vec![0x18])])), (None, vec![0; 5]));
    // Functions that others call wait, and so do instructions that leave to marks of others; an end has nothing to
    // wait for.
    for (leaves, waited) in [("RET", 1), ("SYNC", 1), ("BRK", 1), ("JMX R0", 1), ("EXIT", 0)] {
        let (barrier, waits) = waits(&format!("LDG.E R4, [R6]\n{leaves}"), &Targets::new());
        assert_eq!((barrier.is_some(), waits), (waited == 1, vec![0, waited]), "{leaves}");
    }
    // The sources of what is written must have been read.
    let (_, stored) = waits("STG.E [R6], R4\nBRX R0 0x0", &Targets::new());
    assert_eq!(stored, [0, 1]);
}

#[test]
fn hazards_follow_branches_by_a_register() {
    let source = "LDG.E R4, [R6] {--:-:0:-:2}\nBRX R0 0x0 {--:-:-:-:5}\nEXIT\nMOV R5, R4 {--:-:-:-:2}\nEXIT";
    let codes = |targets: &Targets| {
        let (mut all, graph) = (Vec::new(), Graph::new(&words(source), targets, Ctx::default()));
        check(&graph, |f| all.push((f.diagnostic.code, f.insn)));
        all
    };
    assert_eq!(codes(&Targets::new()), []);
    assert_eq!(codes(&Targets::from([(0x10, vec![0x28])])), [("maxwell-no-wait", 3)]);
    assert_eq!(codes(&Targets::from([(0x10, vec![0x18])])), []);
}

/// The smallest number of cycles that compilers use between two instructions whose second reads a result of the
/// first. It comes from compiled code and not from the table of bounds, which the tests check.
fn compiled_distance(carrier: &str, first: &str, second: &str) -> u32 {
    let line = |line: &str| -> Option<u32> {
        let mut words = line.split(' ');
        let same = [carrier, first, second].iter().all(|name| words.next() == Some(*name));
        words.next().filter(|_| same)?.parse().ok()
    };
    let all = include_str!("distances.txt").lines().filter_map(line);
    all.min().unwrap_or_else(|| panic!("{carrier} {first} {second}"))
}

/// A result may be used as soon as compilers ever use it, and not a cycle sooner; filled-in control bits wait exactly
/// as long.
#[test]
fn results_are_used_no_sooner_than_in_compiled_code() {
    let cases = [
        ("Predicate", "ISETP.EQ.AND P0, PT, R0, R1, PT", "@P0 BRA end"),
        ("Predicate", "ISETP.EQ.AND P0, PT, R0, R1, PT", "SEL R2, R3, R4, !P0"),
        ("Predicate", "ISETP.EQ.AND P0, PT, R0, R1, PT", "ISETP.LT.AND P1, PT, R0, R1, P0"),
        ("Predicate", "ISETP.EQ.AND PT, P3, R0, R1, PT", "@!P3 STG.E [R2], R4"),
        ("Predicate", "FSETP.LE.AND P0, PT, R0, R1, PT", "FSETP.LE.AND P1, PT, R0, R1, P0"),
        ("Codes", "IADD R0.CC, R1, R2", "IADD.X R3, R4, R5"),
        ("Codes", "LEA R0.CC, R1, R2, 0x1", "LEA.HI.X R3, R1, R2, R4, 0x1"),
        ("General", "FFMA R0, R1, R2, R3", "FFMA R4, R0, R2, R3"),
        ("General", "XMAD R0, R1, R2, RZ", "XMAD R4, R1, R2, R0"),
        ("General", "LEA R2, R1, R4, 0x1", "LDG.E R5, [R2]"),
        ("General", "FADD R0, R1, R4", "STG.E [R2], R0"),
    ];
    for (carrier, first, second) in cases {
        let name = |text: &str| {
            let unguarded =
                text.split_once(' ').filter(|_| text.starts_with('@')).map_or(text, |(_, text)| text);
            String::from(unguarded.split([' ', '.']).next().unwrap())
        };
        let enough = compiled_distance(carrier, &name(first), &name(second));
        let code = |cycles: u32| {
            format!("{first} {{--:-:-:-:{cycles:x}}}\n{second} {{--:-:-:-:f}}\nend:\nEXIT {{--:-:-:-:f}}")
        };
        assert_eq!(found(&code(enough)), [], "{first} {second}");
        assert_eq!(found(&code(enough - 1)), [("maxwell-latency", 1)], "{first} {second}");
        assert_eq!(stalls(&code(0))[0], enough, "{first} {second}");
    }
}

/// Two instructions never both run where one has the opposite guard of the other, and only there.
#[test]
fn opposite_guards_exclude_each_other() {
    let guards = || (0..8u32).flat_map(|p| [(p, ""), (p, "!")]).filter(|guard| *guard != (7, "!"));
    let name = |(p, not): (u32, &str)| match p {
        7 => String::new(),
        p => format!("@{not}P{p} "),
    };
    for first in guards() {
        for second in guards() {
            let (a, b) = (name(first), name(second));
            let opposite = first.0 == second.0 && first.0 != 7 && first.1 != second.1;
            let source = format!(
                "{a}FADD R0, R1, R2 {{--:-:-:-:1}}\n{b}FADD R4, R0, R2 {{--:-:-:-:f}}\nEXIT {{--:-:-:-:f}}"
            );
            let want = if opposite { vec![] } else { vec![("maxwell-latency", 1)] };
            assert_eq!(found(&source), want, "{source}");
        }
    }
}
