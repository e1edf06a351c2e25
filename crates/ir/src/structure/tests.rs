use super::*;
use crate::testing::FILES;
use crate::{Cond, Edge, Nodes, Op, Type};
use alloc::format;

/// A function of empty blocks with zero, one or two successors each.
fn graph(ends: &[&[u32]]) -> Func {
    let mut func = Func { files: &[], nodes: Nodes::default(), blocks: Vec::new() };
    for list in ends {
        let cond = func.nodes.push(Op::Const(1), Type::BOOL, 0);
        let edge = |i: usize| Edge::to(BlockId(list[i]));
        let end = match list.len() {
            0 => End::Exit,
            1 => End::Jump(edge(0)),
            _ => End::Branch { cond, yes: edge(0), no: edge(1) },
        };
        func.blocks.push(Block { params: vec![], body: vec![cond], end });
    }
    func
}

/// The tree in short form: `0 (1|2) 3`, loops in braces, `b` break, `c` continue, `.` exit.
fn short(list: &[Stmt]) -> alloc::string::String {
    let parts: Vec<_> = list
        .iter()
        .map(|s| match s {
            Stmt::Block(b) => format!("{}", b.0),
            Stmt::Set(v, x) => format!("v{}={x:?}", v.0),
            Stmt::SetConst(v, x) => format!("v{}={x}", v.0),
            Stmt::If { cond: Cond::Value(_), yes, no } => format!("({}|{})", short(yes), short(no)),
            Stmt::If { cond: Cond::Flag(f), yes, .. } => format!("v{}?({})", f.0, short(yes)),
            Stmt::Loop(body) => format!("{{{}}}", short(body)),
            Stmt::Switch(_, arms) => arms.iter().map(|a| format!("[{}]", short(a))).collect(),
            Stmt::Break => "b".into(),
            Stmt::Continue => "c".into(),
            Stmt::Exit => ".".into(),
        })
        .collect();
    parts.join(" ")
}

fn shape(ends: &[&[u32]]) -> alloc::string::String {
    short(&structurise(&mut graph(ends), &Limits::default()).unwrap().body)
}

#[test]
fn plain_shapes_come_out_plain() {
    assert_eq!(shape(&[&[]]), "0 .");
    assert_eq!(shape(&[&[1, 2], &[3], &[3], &[]]), "0 (1|2) 3 .", "if and else");
    assert_eq!(shape(&[&[1, 2], &[2], &[]]), "0 (1|) 2 .", "if");
    assert_eq!(shape(&[&[1, 2], &[], &[]]), "0 (1 .|) 2 .", "early exit needs no nesting");
    assert_eq!(shape(&[&[1, 2], &[3, 4], &[5], &[5], &[5], &[]]), "0 (1 (3|4)|2) 5 .", "nested");
    assert_eq!(shape(&[&[1], &[2, 3], &[1], &[]]), "0 {1 (|b) 2} 3 .", "while");
    assert_eq!(shape(&[&[1], &[1, 2], &[]]), "0 {1 (|b)} 2 .", "do while");
    assert_eq!(shape(&[&[1], &[2, 5], &[3, 4], &[1], &[1], &[]]), "0 {1 (|b) 2 (3|4)} 5 .", "if in a loop");
    assert_eq!(shape(&[&[0]]), "{0}", "endless");
    let twice = shape(&[&[1], &[1, 2], &[3], &[3, 4], &[]]);
    assert_eq!(twice, "0 {1 (|b)} 2 {3 (|b)} 4 .", "loops in sequence do not nest");
}

#[test]
fn cross_edges_leave_a_loop_that_runs_once() {
    // if (a && b) 3 else 4: two edges lead to 4.
    assert_eq!(shape(&[&[1, 3], &[2, 3], &[4], &[4], &[]]), "0 {(1 (2 b|)|) 3 b} 4 .");
}

#[test]
fn flags_carry_an_exit_out_of_two_loops() {
    // 1 and 2 are headers; 2 leaves both loops, 3 the inner one.
    let shape = shape(&[&[1], &[2, 4], &[3, 4], &[2, 1], &[]]);
    assert_eq!(shape, "0 {1 (|b) v0=0 {2 (|v0=1 b) 3 (|b)} v0?(b)} 4 .");
}

#[test]
fn irreducible_graphs_and_deep_nesting_become_a_dispatch_loop() {
    let loop_of_two_entries = shape(&[&[1, 2], &[2], &[1, 3], &[]]);
    assert!(loop_of_two_entries.starts_with("v0=0 {["), "{loop_of_two_entries}");
    let deep = |n: u32| {
        let mut ends: Vec<Vec<u32>> = (0..n).map(|i| vec![i + 1, 2 * n - i]).collect();
        ends.push(vec![n + 1]);
        ends.extend((n + 1..2 * n).map(|i| vec![i + 1]));
        ends.push(vec![]);
        let ends: Vec<&[u32]> = ends.iter().map(|e| &e[..]).collect();
        short(
            &structurise(&mut graph(&ends), &Limits { printed_nesting: 20, ..Limits::default() })
                .unwrap()
                .body,
        )
    };
    assert!(deep(20).starts_with("0 (1"), "{}", deep(20));
    assert!(deep(21).starts_with("v0=0 {["), "{}", deep(21));
    assert!(deep(100_000).starts_with("v0=0 {["));
}

#[test]
fn long_chains_of_conditions_do_not_nest() {
    // Each block can jump to the last one.
    let chain = |n: u32, limit| {
        let mut ends: Vec<Vec<u32>> = (0..n).map(|i| vec![n, i + 1]).collect();
        ends.push(vec![]);
        let ends: Vec<&[u32]> = ends.iter().map(|e| &e[..]).collect();
        short(
            &structurise(&mut graph(&ends), &Limits { printed_nesting: limit, ..Limits::default() })
                .unwrap()
                .body,
        )
    };
    assert_eq!(chain(4, 4), "0 (|1 (|2 (|3))) 4 .");
    assert_eq!(chain(4, 3), "0 {(b|) 1 (b|) 2 (b|) 3 b} 4 .");
    assert!(!chain(10_000, 96).contains('['));
}

#[test]
fn where_lanes_stay_together_a_dispatch_loop_takes_operations_across_lanes() {
    // An irreducible loop whose branches depend on a uniform, on an input, on a vote.
    let dispatched = |file: &str, cond: u32| {
        let text = format!(
            "b0:
               %0: f32 = read {file}:0 xxxx
               %1: i1 = feq %0 %0
               %2: i1 = any %1 %1
               branch %{cond} b1 b2
             b1:
               %3: f32 = ddx %0
               branch %{cond} b2 b3
             b2:
               jump b1
             b3:
               exit
            "
        );
        let mut func = crate::parse_func(&text, FILES, &Limits::default()).unwrap();
        structurise(&mut func, &Limits::default()).map(|t| short(&t.body).contains('[')).map_err(|d| d.code)
    };
    assert_eq!(dispatched("u", 1), Ok(true));
    assert_eq!(dispatched("i", 1), Err("structure-convergent"));
    assert_eq!(dispatched("i", 2), Ok(true));
}
