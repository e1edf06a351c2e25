use super::*;
use crate::code::Graph;
use crate::code::tests::{graph, words};
use crate::flow::Targets;
use crate::{Ctx, Options, Schedule};
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::{Limits, Severity};

/// Codes of findings with the numbers of the instructions.
fn found(source: &str) -> Vec<(&'static str, usize)> {
    let mut all = Vec::new();
    check(&graph(source), Options::DEFAULT, &Limits::default(), |f| all.push((f.diagnostic.code, f.insn)));
    all
}

#[test]
fn counts_are_of_what_is_under_way() {
    let load = |n: usize| format!("LDG.E R{n}, [R8] {{--:-:5:-:2}}\n");
    let three: String = (0..3).map(load).collect();
    let of = |wait: &str| found(&format!("{three}{wait} {{--:-:-:-:d}}\nEXIT"));
    assert_eq!(of("DEPBAR.LE SB5, 0x2"), []);
    // Compilers count for the path with most in progress.
    assert_eq!(of("DEPBAR.LE SB5, 0x3"), []);
    assert_eq!(of("DEPBAR.LE SB4, 0x1"), [("maxwell-depbar-idle", 3)]);
    assert_eq!(of("DEPBAR {2}"), [("maxwell-depbar-idle", 3)]);
    assert_eq!(of("DEPBAR {5}"), []);
    let twice = of("DEPBAR.LE SB5, 0x0 {--:-:-:-:d}\nDEPBAR.LE SB5, 0x1");
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
    let count = source.lines().count();
    filled(source, &Targets::new()).into_iter().take(count).map(Schedule::stall).collect()
}

/// What the check finds in code whose control bits were filled in.
fn found_in_filled(source: &str) -> Vec<(&'static str, usize)> {
    let (mut code, mut all) = (words(source), Vec::new());
    fill(&mut code, &Targets::new(), Ctx::default(), &Limits::default()).unwrap();
    let graph = Graph::new(&code, &Targets::new(), Ctx::default());
    check(&graph, Options::DEFAULT, &Limits::default(), |f| all.push((f.diagnostic.code, f.insn)));
    all
}

/// The edge after the branch is passed twice, with the result pending and with the source.
#[test]
fn loops_around_an_instruction_lose_no_path() {
    let code = "again:\nLDG.E R3, [R8] {--:-:-:-:2}\n@P2 BRA again {--:-:-:-:f}\n\
                IADD R0, R2, R3 {--:-:-:-:f}\nIADD R8, R1, R1 {--:-:-:-:f}\nEXIT";
    let mut users = Vec::new();
    check(&graph(code), Options::DEFAULT, &Limits::default(), |f| users.push((f.insn, f.other)));
    assert_eq!(users, [(0, Some(2))]);
    assert_eq!(found_in_filled(code), []);
}

/// Both sides of the branch overwrite the load's source before its result is used: both need a barrier.
#[test]
fn uses_of_sources_do_not_hide_those_of_results() {
    let code = "ISETP.EQ.AND P0, PT, R1, R2, PT\nLDG.E R3, [R8]\n@P0 BRA one\nMOV R8, R1\nBRA both\n\
                one:\nMOV R8, R2\nboth:\nFADD R0, R3, R3\nEXIT";
    assert_eq!(found_in_filled(code), []);
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
    // A result that is used as soon as possible keeps its cycles, after both.
    let used = stalls("FADD R0, R1, R2\nLDG.E R4, [R6]\nFADD R8, R0, R0\nEXIT");
    assert_eq!(used[0] + used[1], 6);
}

/// The filled-in write barrier of the first instruction and the waits of all.
fn waits(source: &str, targets: &Targets) -> (Option<u32>, Vec<u32>) {
    let bits = filled(source, targets);
    let count = source.lines().count();
    (bits[0].write_barrier(), bits.iter().take(count).map(|s| s.wait()).collect())
}

/// The control bits of a program's schedule.
fn filled(source: &str, targets: &Targets) -> Vec<Schedule> {
    let mut code = words(source);
    fill(&mut code, targets, Ctx::default(), &Limits::default()).unwrap();
    code.iter().map(|w| Schedule((w >> 64) as u32 & 0x1_ffff)).collect()
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
        check(&graph, Options::DEFAULT, &Limits::default(), |f| all.push((f.diagnostic.code, f.insn)));
        all
    };
    assert_eq!(codes(&Targets::new()), []);
    assert_eq!(codes(&Targets::from([(0x10, vec![0x28])])), [("maxwell-no-wait", 3)]);
    assert_eq!(codes(&Targets::from([(0x10, vec![0x18])])), []);
}

/// The smallest number of cycles after which compilers let an instruction read a result. It comes from compiled code
/// and not from the rows, which the tests check.
fn compiled_distance(carrier: &str, reader: &str) -> u32 {
    let line = |line: &str| -> Option<u32> {
        let mut words = line.split(' ');
        let same = [carrier, reader].iter().all(|name| words.next() == Some(*name));
        words.next().filter(|_| same)?.parse().ok()
    };
    include_str!("distances.txt").lines().find_map(line).unwrap_or_else(|| panic!("{carrier} {reader}"))
}

/// What writes the result, for each carrier, and readers.
const READERS: &[(&str, &str, &[&str])] = &[
    (
        "predicate",
        "ISETP.EQ.AND P0, PT, R8, R9, PT",
        &[
            "@P0 BRA end",
            "@!P0 STG.E [R2], R4",
            "SEL R2, R3, R4, !P0",
            "@P0 LDS.U.32 R1, [R2]",
            "ISETP.LT.AND P1, PT, R2, R3, P0",
            "FSETP.LE.AND P1, PT, R2, R3, P0",
            "@P0 SYNC",
            "@P0 DADD R4, R2, R6",
        ],
    ),
    ("codes", "IADD R0.CC, R1, R2", &["IADD.X R3, R4, R5", "LEA.HI.X R3, R1, R2, R4, 0x1", "BRA CC.NE, end"]),
    (
        "general",
        "IADD R0, R8, R9",
        &[
            "FFMA R4, R0, R2, R3",
            "XMAD R4, R1, R2, R0",
            "LEA R4, R0, R2, 0x1",
            "IADD3 R4, R2, R0, R3",
            "LDG.E R4, [R0]",
            "STG.E [R2], R0",
            "LDL R4, [R0]",
            "STL [R2], R0",
            "RED.E.ADD [R2], R0",
            "ATOM.E.ADD R4, [R2], R0",
            "ST.E [R2], R0, P0",
            "LDS.U.32 R4, [R0]",
            "STS [R2], R0",
            "SHFL.IDX PT, R4, R0, R2, R3",
            "ATOMS.ADD R4, [R2], R0",
            "LDC R4, c[0x0][R0]",
            "MUFU.RCP R4, R0",
            "F2F.F32.F32 R4, R0",
            "F2I.S32.F32 R4, R0",
            "I2F.F32.S32 R4, R0",
            "I2I.S32.S16 R4, R0",
            "POPC R4, R0",
            "FLO.U32 R4, R0",
            "DADD R4, R0, R2",
            "DMUL R4, R0, R2",
            "DFMA R4, R0, R2, R6",
            "DSETP.LT.AND P0, PT, R0, R2, PT",
            "DMNMX R4, R0, R2, PT",
            "HADD2 R4, R0, R2",
            "HSETP2.LT.AND P0, PT, R0, R2, PT",
            "FCHK.DIVIDE P0, R0, R2",
            "RRO.SINCOS R4, R0",
            "BAR.SYNC R0, R8",
            "BAR.ARV 0x0, R0",
        ],
    ),
];

/// A result may be used as soon as compilers ever use it, and not a cycle sooner; filled-in control bits wait exactly
/// as long.
#[test]
fn results_are_used_no_sooner_than_in_compiled_code() {
    for (carrier, first, readers) in READERS {
        for second in *readers {
            let text =
                second.split_once(' ').filter(|_| second.starts_with('@')).map_or(*second, |(_, text)| text);
            let enough = compiled_distance(carrier, text.split([' ', '.']).next().unwrap());
            let code = |cycles: u32| {
                format!("{first} {{--:-:-:-:{cycles:x}}}\n{second} {{--:-:-:-:f}}\nend:\nEXIT {{--:-:-:-:f}}")
            };
            let too_soon = |cycles: u32| {
                let found = found(&code(cycles));
                found.iter().any(|(code, i)| code.starts_with("maxwell-latency") && *i == 1)
            };
            assert!(!too_soon(enough), "{first}; {second}: {enough}");
            assert!(too_soon(enough - 1), "{first}; {second}: {enough}");
            assert_eq!(stalls(&code(0))[0], enough, "{first}; {second}");
        }
    }
}

/// Every line of the measured distances is the bound of a row with that name. All predicates have one bound.
#[test]
fn rows_state_the_measured_distances() {
    let forms = <crate::Maxwell as shisa_rows::Isa>::table().forms();
    for line in include_str!("distances.txt").lines().filter(|line| !line.starts_with('#')) {
        let [carrier, reader, cycles, seen] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let cycles: u32 = cycles.parse().unwrap();
        assert!(seen.parse::<u32>().unwrap() >= 100, "{line}");
        let rows = forms.iter().filter(|form| form.name == reader);
        // Something else may protect the pairs of doubted readers.
        let doubted = |form: &shisa_rows::Form<crate::Maxwell>| form.attr.reads.is_some_and(|d| d.doubted);
        if carrier == "general" && rows.clone().any(doubted) {
            continue;
        }
        let bound = rows.map(|form| match carrier {
            "general" => form.attr.reads.and_then(crate::Distance::trusted).map_or(6, |d| d.cycles),
            "codes" => form.attr.reads_codes.and_then(crate::Distance::trusted).map_or(13, |d| d.cycles),
            _ => cycles.min(13),
        });
        let bound = bound.min();
        match carrier {
            "predicate" => assert!(bound.is_some_and(|b| b == 13), "{line}"),
            _ => assert_eq!(bound, Some(cycles), "{line}"),
        }
    }
}

/// Where too few pairs were seen, a schedule leaves the cycles after which every result is available; the check has no
/// doubt at the distances that were seen, and from 6 cycles on.
#[test]
fn rare_readers_are_left_the_most_cycles() {
    for (second, least) in [
        ("TLDS.LZ.MS RZ, R2, R0, R4, 0x0, 2D, R", 2),
        ("LD.E R4, [R0], P0", 6),
        ("IMUL.S32.U32.HI R4, R0, R2", 4),
        ("IMUL32I R4, R0, 0x7", 6),
        ("SUST.P.2D.IGN [R2], R0, 0x48", 2),
    ] {
        let code = format!("IADD R0, R8, R9\n{second}\nEXIT");
        assert_eq!(stalls(&code)[0], SURE, "{second}");
        let doubts = |cycles: u32| {
            let first = format!("IADD R0, R8, R9 {{--:-:-:-:{cycles:x}}}\n{second} {{--:-:-:-:2}}\nEXIT");
            found(&first).contains(&("maxwell-latency-unknown", 1))
        };
        assert!(!doubts(least) && doubts(least - 1), "{second}");
    }
}

/// Control bits `{--:-:-:Y:0}` in every instruction wait by themselves, unless a choice says otherwise.
#[test]
fn plain_control_bits_wait_by_themselves() {
    let source = "LDG.E R0, [R2]\nFADD R1, R0, R4\nFADD R5, R1, R4\nEXIT";
    let graph = graph(source);
    let codes = |plain_control| {
        let mut all = Vec::new();
        check(&graph, Options { plain_control, ..Options::DEFAULT }, &Limits::default(), |f| {
            all.push(f.diagnostic.code)
        });
        all
    };
    assert_eq!(codes(PlainControl::Waits), Vec::<&str>::new());
    assert_eq!(codes(PlainControl::Nothing), ["maxwell-no-barrier", "maxwell-latency"]);
}

/// Past the fuel the check says so, and a schedule lets every instruction wait by itself.
#[test]
fn analyses_end_at_their_fuel() {
    let source: String = (0..100).map(|i| format!("@P{} LDG.E R{i}, [R200]\n", i % 7)).collect();
    let source = format!("{source}EXIT");
    let limits = |fuel| Limits { fuel, ..Limits::default() };
    let codes = |fuel| {
        let mut all = Vec::new();
        check(
            &graph(&source),
            Options { plain_control: PlainControl::Nothing, ..Options::DEFAULT },
            &limits(fuel),
            |f| all.push(f),
        );
        all.iter().any(|f| f.diagnostic.code == "limit-exceeded" && f.diagnostic.message.contains("fuel"))
    };
    let (mut short, mut least) = (0, 100_000);
    while least - short > 1 {
        let middle = (short + least) / 2;
        *(if codes(middle) { &mut short } else { &mut least }) = middle;
    }
    assert!((100..50_000).contains(&least) && codes(least - 1) && !codes(least), "{least}");
    let mut code = words(&source);
    let filled = fill(&mut code, &Targets::new(), Ctx::default(), &limits(100));
    assert_eq!(filled.unwrap_err().code, "maxwell-schedule-plain");
    assert!(code.iter().all(|word| Schedule((word >> 64) as u32 & 0x1_ffff) == Schedule::PLAIN));
}

/// What order and barriers of the workgroup protect.
#[test]
fn units_that_work_in_order_and_workgroup_barriers_protect() {
    let source = |text: &str| found(&format!("{text}\nEXIT {{3f:-:-:-:f}}"));
    // The same unit reads its sources and writes its results in order.
    assert_eq!(source("LDS.U.32 R0, [R2] {--:-:0:-:2}\nLDS.U.32 R0, [R4] {--:-:0:-:2}"), []);
    assert_eq!(source("STS [R2], R0 {--:-:-:-:2}\nLDS.U.32 R0, [R4] {--:-:0:-:2}"), []);
    assert_eq!(source("STS [R2], R0 {--:-:-:-:2}\nLDG.E R0, [R4] {--:-:0:-:2}"), [("maxwell-source", 0)]);
    // Textures and memory share a unit. A barrier of a later access to memory signals an earlier one to a texture.
    let texture = "TLDS.LZ.T RZ, R4, R8, 0x104, 1D, RG {--:-:-:-:2}";
    let memory = "LDL R10, [R1] {--:-:0:-:2}";
    let used = "MOV R0, R4 {01:-:-:-:2}";
    assert_eq!(source(&format!("{texture}\n{memory}\n{used}")), []);
    assert_eq!(
        source(&format!("{texture}\nLDS.U.32 R10, [R1] {{--:-:0:-:2}}\n{used}")),
        [("maxwell-no-barrier", 0)]
    );
    assert_eq!(
        source(&format!(
            "LDL R4, [R1] {{--:-:-:-:2}}\n{}\n{used}",
            texture.replace("R4, R8", "R10, R8").replace("-:-:2", "0:-:2")
        )),
        []
    );
    let overwritten =
        |barrier: &str| source(&format!("STL [R1], R4 {{--:-:-:-:2}}\n{texture}\nNOP {barrier}"));
    assert_eq!(overwritten("{--:-:-:-:2}"), []);
    assert_eq!(source("STL [R1], R4 {--:-:-:-:2}\nLDS.U.32 R4, [R8] {--:-:0:-:2}"), [("maxwell-source", 0)]);
    // No number of cycles does.
    let late = "NOP {--:-:-:-:f}\n".repeat(20);
    assert_eq!(source(&format!("STS [R2], R0 {{--:-:-:-:2}}\n{late}MOV R0, RZ")), [("maxwell-source", 0)]);
    assert_eq!(source("STS [R2], R0 {--:-:-:-:2}\nBAR.SYNC 0x0 {--:-:-:-:f}\nMOV R0, RZ"), []);
    assert_eq!(
        source("STS [R2], R0 {--:-:-:-:2}\nBAR.ARV 0x0, 0x20 {--:-:-:-:f}\nMOV R0, RZ"),
        [("maxwell-source", 0)]
    );
    let global = "STG.E [R2], R0 {--:-:-:-:2}\nBAR.SYNC 0x0 {--:-:-:-:f}\nMOV R0, RZ";
    assert_eq!(source(global), [("maxwell-source", 0)]);
}

/// What compilers rely on in too few pairs is neither a finding nor relied upon.
#[test]
fn doubtful_orders_are_left_alone() {
    let source = |barrier: &str| {
        format!(
            "F2I.U32.F32.TRUNC R15, R17 {{--:-:{barrier}:-:2}}\n@!P0 F2I.U32.F32.TRUNC R15, R24 {{--:-:0:-:2}}\n\
             MOV R0, R15 {{01:-:-:-:f}}\nEXIT {{--:-:-:-:f}}"
        )
    };
    assert_eq!(found(&source("-")), []);
    let (barrier, waits) = waits(&source("-"), &Targets::new());
    assert!(barrier.is_some_and(|b| waits[1] >> b & 1 != 0), "{barrier:?} {waits:?}");
    // A use is a finding.
    let used = "F2I.U32.F32.TRUNC R15, R17 {--:-:-:-:2}\nMOV R0, R15 {--:-:-:-:f}\nEXIT {--:-:-:-:f}";
    assert_eq!(found(used), [("maxwell-no-barrier", 0)]);
}

/// A fetch of texels overwrites what was loaded from memory: cuDNN does not wait between them. The opposite order was not seen.
#[test]
fn texels_overwrite_loads_in_too_few_pairs() {
    let (load, texels) = ("LDL R60, [R1+0xbc]", "@!P0 TLDS.LZ.T RZ, R60, R20, 0x84, 1D, R");
    let source = |first: &str, second: &str| {
        format!(
            "{first} {{--:-:-:-:3}}\n{second} {{--:-:5:-:1}}\nSTS [R19], R60 {{20:-:-:-:f}}\nEXIT {{--:-:-:-:f}}"
        )
    };
    let count = |first, second| {
        found(&source(first, second)).iter().filter(|(code, _)| *code == "maxwell-no-barrier").count()
    };
    assert_eq!([count(load, texels), count(texels, load)], [0, 1]);
    assert!(waits(&source(load, texels), &Targets::new()).1[1] != 0);
}

/// What waits at a barrier of the workgroup has read its own registers; what only arrives may not have.
#[test]
fn waiting_at_a_barrier_reads_its_registers() {
    let source =
        |name: &str| found(&format!("{name} R8, R8 {{--:-:-:-:f}}\nMOV R8, RZ {{--:-:-:-:f}}\nEXIT"));
    assert_eq!(source("BAR.SYNC"), []);
    assert_eq!(source("BAR.ARV"), [("maxwell-source", 0)]);
    // Too few pairs were seen for a schedule to rely on it.
    assert_ne!(waits("BAR.SYNC R8, R8\nMOV R8, RZ\nEXIT", &Targets::new()).1[1], 0);
}

/// An instruction may write the value that the predicate of its guard has.
#[test]
fn writing_the_own_guard_too_soon_is_doubted() {
    let severity = |mask: &str| {
        let source = format!(
            "@!P2 R2P PR, RZ, {mask} {{--:-:-:-:2}}\n@P2 MOV R0, R1 {{--:-:-:-:f}}\n@P3 MOV R1, R2 {{--:-:-:-:f}}\nEXIT {{--:-:-:-:f}}"
        );
        let mut all = Vec::new();
        check(&graph(&source), Options::DEFAULT, &Limits::default(), |f| {
            all.push((f.diagnostic.severity, f.diagnostic.code, f.insn));
        });
        all
    };
    assert_eq!(severity("0x5c"), [(Severity::Warning, "maxwell-latency", 1)]);
    assert_eq!(severity("0x58"), []);
    let other = "@!P1 R2P PR, RZ, 0x5c {--:-:-:-:2}\n@P2 MOV R0, R1 {--:-:-:-:f}\nEXIT {--:-:-:-:f}";
    let mut all = Vec::new();
    check(&graph(other), Options::DEFAULT, &Limits::default(), |f| all.push(f.diagnostic.severity));
    // Guards of different predicates may exclude each other.
    assert_eq!(all, [Severity::Warning]);
    let always = "R2P PR, RZ, 0x5c {--:-:-:-:2}\n@P2 MOV R0, R1 {--:-:-:-:f}\nEXIT {--:-:-:-:f}";
    let mut all = Vec::new();
    check(&graph(always), Options::DEFAULT, &Limits::default(), |f| all.push(f.diagnostic.severity));
    assert_eq!(all, [Severity::Error]);
}

/// The barrier of a later access to a texture signals an earlier one to memory for the check, but not for a schedule.
#[test]
fn textures_signal_memory_where_few_rely_on_it() {
    let source = "LDG.E R28, [R4] {--:-:-:-:2}\nTLDS.LZ.P RZ, R30, R29, 0x6d, 1D, R {--:-:5:-:2}\n\
                  MOV R0, R28 {20:-:-:-:f}\nEXIT {--:-:-:-:f}";
    assert_eq!(found(source), []);
    let (barrier, waits) = waits(source, &Targets::new());
    assert!(barrier.is_some_and(|b| waits[2] >> b & 1 != 0), "{barrier:?} {waits:?}");
}

/// A schedule waits for the result itself where no compiler relies on the barrier of a later instruction of the unit. The
/// load's barrier is free again before the later instruction, so the wait for that one is known first.
#[test]
fn only_units_that_end_in_order_signal_earlier_results() {
    for (first, later, user, signals) in [
        ("OUT.EMIT R19, RZ, RZ", "ALD R8, a[0x70], R20", "AST a[0x70], R12, R19", false),
        ("ALD R19, a[0x70], R20", "ISBERD R8, [R0]", "AST a[0x70], R19, R12", false),
        ("TEXS RZ, R6, R4, 0x8, 2D, RG", "TLDS.LZ.T RZ, R8, R9, 0x104, 1D, R", "FFMA R1, R6, R6, R1", false),
        ("LDS R19, [R12]", "LDS R8, [R13]", "FADD R1, R19, R12", true),
        ("MUFU.RCP R19, R12", "MUFU.RCP R8, R13", "FADD R1, R19, R12", true),
    ] {
        let source =
            format!("LDG.E R40, [R42]\n{first}\nIADD R41, R40, R40\n{later}\nIADD R30, R8, R8\n{user}\nEXIT");
        let bits = filled(&source, &Targets::new());
        let [own, other] = [1, 3].map(|i| bits[i].write_barrier().unwrap());
        assert!(other < own && bits[4].wait() >> other & 1 != 0, "{source}: {bits:?}");
        assert_eq!(bits[5].wait() >> own & 1 == 0, signals, "{source}: {bits:?}");
    }
}

/// All of many instructions are reported that one does not wait for.
#[test]
fn one_write_before_many_reads_end_is_found_for_each() {
    let stores = "STG.E [R2], R3 {--:-:-:-:2}\n".repeat(40);
    let source = format!("{stores}MOV R3, RZ {{--:-:-:-:f}}\nEXIT {{--:-:-:-:f}}");
    assert_eq!(found(&source), (0..40).map(|i| ("maxwell-source", i)).collect::<Vec<_>>());
}

/// After a branch its condition is known, as long as the predicate is unchanged.
#[test]
fn branches_tell_what_ran_before() {
    let use_after = |guard: &str, between: &str| {
        let source = format!(
            "@P2 LDG.E R85, [R2] {{--:-:0:-:2}}\n{between}{guard}BRA done {{--:-:-:-:5}}\nMOV R0, R85 {{--:-:-:-:f}}\ndone:\nEXIT {{01:-:-:-:f}}"
        );
        found(&source).into_iter().filter(|(code, _)| *code == "maxwell-no-wait").count()
    };
    assert_eq!(use_after("@P2 ", ""), 0);
    assert_eq!(use_after("@!P2 ", ""), 1);
    assert_eq!(use_after("@P1 ", ""), 1);
    assert_eq!(use_after("@P2 ", "ISETP.EQ.AND P2, PT, R8, R9, PT {--:-:-:-:d}\n"), 1);
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

/// A transfer to predicates writes those that its mask names, and none between them.
#[test]
fn masks_name_the_predicates_that_are_written() {
    let reads = |mask: u32, guard: &str| {
        found(&format!(
            "R2P PR, R0, {mask:#x} {{--:-:-:-:2}}\n@{guard} MOV R1, R2 {{--:-:-:-:f}}\nEXIT {{--:-:-:-:f}}"
        ))
    };
    for p in 0..7 {
        let want = if 0x49 >> p & 1 != 0 { vec![("maxwell-latency", 1)] } else { vec![] };
        assert_eq!(reads(0x49, &format!("P{p}")), want, "P{p}");
    }
    assert_eq!(reads(0x80, "P0"), []);
    let codes = found("R2P CC, R0, 0x49 {--:-:-:-:2}\n@P0 MOV R1, R2 {--:-:-:-:f}\nEXIT {--:-:-:-:f}");
    assert_eq!(codes, []);
}
