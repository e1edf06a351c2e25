use super::*;
use crate::container::Sph;
use crate::flow::Targets;
use crate::text::{AsmOptions, assemble};
use crate::{Ctx, Schedule, ShaderStage, bundle};
use alloc::{format, string::String, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::Limits;

fn graph(source: &str) -> Graph {
    Graph::new(&words(source), &Targets::new(), Ctx::default())
}

fn words(source: &str) -> Vec<u128> {
    let done = assemble(&format!("// maxwell\n{source}"), &AsmOptions::default(), &Limits::default());
    let bytes = done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    bytes.chunks_exact(32).map(bundle::words).flat_map(bundle::fuse).collect()
}

/// A block's instructions and ways.
type Told = (Range<usize>, Vec<(usize, Option<bool>)>);

fn blocks(graph: &Graph) -> Vec<Told> {
    let way = |w: Way| (w.to, w.when);
    graph.blocks().into_iter().map(|b| (b.insns, b.ways.into_iter().map(way).collect())).collect()
}

const DIVERGENT: &str = "
    SSY join
    @P0 BRA other
    MOV R1, R2
    SYNC
other:
    MOV R1, R3
    @P1 SYNC
    MOV R1, RZ
    SYNC
join:
    @!P2 EXIT
    STG.E [R4], R1
    EXIT
";

#[test]
fn blocks_follow_the_marks() {
    let expected = [
        (0..2, [(1, Some(false)), (2, Some(true))].to_vec()),
        (2..4, [(4, None)].to_vec()),
        (4..6, [(3, Some(false)), (4, Some(true))].to_vec()),
        (6..8, [(4, None)].to_vec()),
        (8..9, [(5, Some(false))].to_vec()),
        (9..11, [].to_vec()),
    ];
    assert_eq!(blocks(&graph(DIVERGENT)), expected);
    // What nothing leads to stands in none, unless the ways are not known.
    assert_eq!(blocks(&graph("EXIT\nNOP\nEXIT")), [(0..1, Vec::new())]);
    let by_register = words("BRX R0 0x0\nNOP\nEXIT");
    let unknown = Graph::new(&by_register, &Targets::new(), Ctx::default());
    assert!(!unknown.complete);
    assert_eq!(blocks(&unknown), [(0..1, Vec::new()), (1..3, Vec::new())]);
    let known = Graph::new(&by_register, &Targets::from([(8, vec![0x18, 0x10, 0x18])]), Ctx::default());
    assert!(known.complete);
    let expected =
        [(0..1, [(1, None), (2, None)].to_vec()), (1..2, [(2, None)].to_vec()), (2..3, Vec::new())];
    assert_eq!(blocks(&known), expected);
}

fn names(graph: &Graph, end: &Set) -> Vec<String> {
    live(graph, &graph.blocks(), end).iter().map(|set| set.runs().join(" ")).collect()
}

#[test]
fn registers_live_until_they_are_last_read() {
    let none = Set::default();
    let expected = [
        "R2-R5 P0 P1 P2",
        "R2-R5 P1 P2",
        "R1 R4-R5 P2",
        "R1 R4-R5 P2",
        "R1 R4-R5 P1 P2",
        "R1 R4-R5 P2",
        "R1 R4-R5 P2",
        "R1 R4-R5 P2",
        "R1 R4-R5",
        "",
        "",
        "",
    ];
    assert_eq!(names(&graph(DIVERGENT), &none), expected);
    // A guarded write leaves what was there.
    assert_eq!(names(&graph("@P0 MOV R0, R1\nMOV R2, R0\nEXIT"), &none)[0], "R0");
    // Of what a jump to an unknown place reads nothing is known.
    assert_eq!(names(&graph("MOV R0, R1\nBRX R2 0x0\nMOV R7, R6\nEXIT"), &none)[0], "R0-R2 R6-R7");
}

#[test]
fn colours_and_the_state_of_emission_are_read_at_the_end() {
    let mut pixel = Sph::new(ShaderStage::Fragment).unwrap();
    for (name, element, value) in [("OmapTarget", 0, 15), ("OmapTarget", 1, 1), ("OmapDepth", 0, 1)] {
        pixel.fields().find(|f| f.name == name).unwrap().set(&mut pixel, element, value);
    }
    assert_eq!(outputs(&pixel).runs(), ["R0-R4", "R6"]);
    assert_eq!(names(&graph("MOV R9, R8\nEXIT"), &outputs(&pixel))[0], "R0-R4 R6");
    assert_eq!(outputs(&Sph::new(ShaderStage::Geometry).unwrap()).runs(), ["R0"]);
    assert_eq!(outputs(&Sph::new(ShaderStage::Vertex).unwrap()), Set::default());
}

/// Codes of what is found with the numbers of the instructions.
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
    // Of what waits for all but one, all but the last may be read; but not behind what may finish sooner.
    let last = |second: &str| {
        let code = format!("{}{second} {{--:-:5:-:2}}\nDEPBAR.LE SB5, 0x1 {{--:-:-:-:d}}\n", load(0));
        found(&format!("{code}MOV R20, R0 {{--:-:-:-:d}}\nEXIT"))
    };
    assert_eq!(last("LDG.E R1, [R8]"), []);
    assert_eq!(last("LDS.U.32 R1, [R9]"), [("maxwell-no-wait", 3)]);
}

/// Stall cycles as they are filled in, but for the filler at the end.
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
    // A source may be overwritten, what was written may not.
    assert_eq!(load("FADD R0, R4, R2", "LDG.E R4, [R6]"), 0);
    assert_eq!(load("FADD R4, R1, R2", "LDG.E R4, [R6]"), 1);
    assert!(load("FADD R6, R1, R2", "LDG.E R4, [R6]") > 1);
    assert_eq!(load("FADD R0, R1, R2", "FADD R3, R1, R2"), 1);
    assert_eq!(load("FADD R0, R1, c[0x0][0x140]", "LDC R4, c[0x0][R6]"), 1);
    // Not from a bundle to the next, nor where others lead to.
    assert_eq!(stalls("NOP\nNOP\nFADD R0, R1, R2\nLDG.E R4, [R6]\nEXIT")[2], 1);
    assert_eq!(stalls("again:\nFADD R0, R1, R2\n@P0 BRA again\nEXIT")[0], 0);
    assert_eq!(stalls("@P0 BRA there\nFADD R0, R1, R2\nthere:\nLDG.E R4, [R6]\nEXIT")[1], 1);
    // A result that is used as soon as it may be keeps its cycles.
    let used = stalls("FADD R0, R1, R2\nLDG.E R4, [R6]\nFADD R8, R0, R0\nEXIT");
    assert_eq!((used[0] + used[1], used[0] > 0), (6, true));
}

/// The write barrier of the first instruction and the waits of all, as they are filled in.
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
    // Where it is told, what is there waits; with the label of a bundle, too.
    for target in [0x28, 0x20] {
        let known = Targets::from([(0x10, vec![0x18, target])]);
        assert_eq!(waits(source, &known), (Some(0), vec![0, 0, 0, 1, 0]), "{target:#x}");
    }
    assert_eq!(waits(source, &Targets::from([(0x10, vec![0x18])])), (None, vec![0; 5]));
    // So do functions that others call, and what leaves for marks that others made; what ends has nothing to wait for.
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
