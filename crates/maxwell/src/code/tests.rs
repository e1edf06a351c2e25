use super::*;
use crate::container::Sph;
use crate::flow::Turn;
use crate::text::{AsmOptions, assemble};
use crate::{Options, ShaderStage, hazards};
use alloc::{format, string::String, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::Limits;
use shisa_rows::testing::Random;

pub(crate) fn graph(source: &str) -> Graph {
    Graph::new(&words(source), &Targets::new(), Ctx::default())
}

pub(crate) fn words(source: &str) -> Vec<u128> {
    let done = assemble(&format!("// maxwell\n{source}"), &AsmOptions::default(), &Limits::default());
    let bytes = done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    bytes.chunks_exact(32).map(bundle::words).flat_map(bundle::fuse).collect()
}

/// A block's instructions and edges.
type Listed = (Range<usize>, Vec<(usize, Option<bool>)>);

fn blocks(graph: &Graph) -> Vec<Listed> {
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
    // Unreachable code is in no block, unless some paths are unknown.
    assert_eq!(blocks(&graph("EXIT\nNOP\nEXIT")), [(0..1, Vec::new())]);
    let by_register = words("BRX R0 0x0\nNOP\nEXIT");
    let unknown = Graph::new(&by_register, &Targets::new(), Ctx::default());
    assert!(!unknown.is_complete());
    assert_eq!(blocks(&unknown), [(0..1, Vec::new()), (1..3, Vec::new())]);
    let known = Graph::new(&by_register, &Targets::from([(8, vec![0x18, 0x10, 0x18])]), Ctx::default());
    assert!(known.is_complete());
    let expected =
        [(0..1, [(1, None), (2, None)].to_vec()), (1..2, [(2, None)].to_vec()), (2..3, Vec::new())];
    assert_eq!(blocks(&known), expected);
}

fn names(graph: &Graph, end: &Set) -> Vec<String> {
    live(graph, &graph.blocks(), end).iter().map(|set| set.runs().join(" ")).collect()
}

/// A branch to an unknown address returns to the mark of a PRET, with the marks below it.
#[test]
fn calls_by_registers_return_to_their_marks() {
    let graph = graph("SSY 0x48\nPRET 0x28\nJMX R0\nSYNC\nEXIT\nNOP\nEXIT");
    let next = |i: usize| graph.next(i).collect::<Vec<_>>();
    assert_eq!((next(2), next(3)), (vec![3], vec![6]));
    assert!(!graph.is_complete() && graph.missing.is_empty());
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
    // A guarded write preserves the old value.
    assert_eq!(names(&graph("@P0 MOV R0, R1\nMOV R2, R0\nEXIT"), &none)[0], "R0");
    // A jump to an unknown address may read any register.
    assert_eq!(names(&graph("MOV R0, R1\nBRX R2 0x0\nMOV R7, R6\nEXIT"), &none)[0], "R0-R2 R6-R7");
}

#[test]
fn outputs_are_read_at_the_end() {
    let mut pixel = Sph::new(ShaderStage::Fragment).unwrap();
    for (name, element, value) in [("OmapTarget", 0, 15), ("OmapTarget", 1, 1), ("OmapDepth", 0, 1)] {
        pixel.fields().find(|f| f.name == name).unwrap().set(&mut pixel, element, value);
    }
    assert_eq!(outputs(&pixel).runs(), ["R0-R4", "R6"]);
    assert_eq!(names(&graph("MOV R9, R8\nEXIT"), &outputs(&pixel))[0], "R0-R4 R6");
    assert_eq!(outputs(&Sph::new(ShaderStage::Geometry).unwrap()).runs(), ["R0"]);
    assert_eq!(outputs(&Sph::new(ShaderStage::Vertex).unwrap()), Set::default());
}

/// Every instruction was followed: control continues after those that leave to nowhere else.
fn assert_followed(graph: &Graph) {
    for (i, insn) in graph.insns() {
        let next: Vec<usize> = graph.next(i).collect();
        if matches!(insn.form().attr.turn, Turn::Next | Turn::Push(_)) {
            assert_eq!(next, [i + 1]);
        }
        assert!(next.iter().all(|n| *n <= graph.len()));
    }
}

/// Fills in control bits, after which nothing may be found.
fn assert_schedules(mut code: Vec<u128>) {
    hazards::fill(&mut code, &Targets::new(), Ctx::default(), &Limits::default()).unwrap();
    hazards::check(
        &Graph::new(&code, &Targets::new(), Ctx::default()),
        Options::DEFAULT,
        &Limits::default(),
        |found| {
            assert!(found.diagnostic.code.starts_with("maxwell-depbar"), "{}", found.diagnostic);
        },
    );
}

/// This program once made the walk endless: a long function with many calls.
#[test]
fn long_functions_that_are_called_often_end() {
    let calls = "CAL f\n".repeat(8);
    let source = format!("@P0 BRA far\n{calls}EXIT\nfar:\nEXIT\nf:\n{}RET", "NOP\n".repeat(400));
    let graph = graph(&source);
    assert!(graph.is_complete());
    assert_followed(&graph);
    let ret = 11 + 400;
    assert_eq!(graph.next(ret).collect::<Vec<_>>(), (2..10).collect::<Vec<_>>());
    assert_schedules(words(&source));
}

/// Functions that each call the next one twice have one stack for each path: more than the budget.
#[test]
fn nested_calls_join_stacks() {
    let function = |n: usize| format!("f{n}:\nCAL f{}\nCAL f{}\nRET\n", n + 1, n + 1);
    let all: String = (0..40).map(function).collect();
    let source = format!("CAL f0\nEXIT\n{all}f40:\nRET");
    let graph = graph(&source);
    assert!(!graph.is_complete());
    assert_followed(&graph);
    assert_schedules(words(&source));
}

/// Code of nothing but calls, marks and branches.
#[test]
fn any_flow_of_control_is_followed() {
    let mut random = Random(5);
    for _ in 0..150 {
        let count = 20 + random.bits() as usize % 60;
        let mut source = String::new();
        for i in 0..count {
            let to = random.bits() as usize % count;
            let guard = ["", "@P0 ", "@!P1 "][random.bits() as usize % 3];
            let text = match random.bits() % 14 {
                0 | 1 => format!("CAL l{to}"),
                2 => format!("SSY l{to}"),
                3 => format!("PBK l{to}"),
                4 => format!("PCNT l{to}"),
                5 => format!("PRET l{to}"),
                6 => format!("{guard}SYNC"),
                7 => format!("{guard}BRK"),
                8 => format!("{guard}CONT"),
                9 | 10 => format!("{guard}RET"),
                11 => format!("{guard}BRA l{to}"),
                12 => format!("LDG.E R{}, [R4]", to % 3),
                _ => format!("{guard}IADD R{}, R1, R2", to % 3),
            };
            source += &format!("l{i}:\n{text}\n");
        }
        let graph = graph(&source);
        assert_followed(&graph);
        live(&graph, &graph.blocks(), &Set::default());
        assert_schedules(words(&source));
    }
}

/// A function that many calls reach is followed in the state of each call, within the budget of the graph.
#[test]
fn many_calls_of_a_long_function_end() {
    for calls in [1, 8, 200] {
        let source = format!(
            "@P0 BRA far\n{}EXIT\nfar:\nEXIT\nf:\n{}RET",
            "CAL f\n".repeat(calls),
            "@P1 BRA next\nnext:\nNOP\n".lines().cycle().take(3).collect::<Vec<_>>().join("\n") + "\n"
        );
        let source = source.replace("NOP\n", &"NOP\n".repeat(5_000));
        let mut code = words(&source);
        let graph = Graph::new(&code, &Targets::new(), Ctx::default());
        assert!((0..graph.len() - 3).all(|i| graph.may_run(i)));
        assert_eq!(hazards::fill(&mut code, &Targets::new(), Ctx::default(), &Limits::default()), Ok(()));
    }
}
