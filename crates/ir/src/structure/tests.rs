use super::*;
use crate::testing::{FILES, Machine, Random, random_func};
use crate::{Cond, Edge, LaneOp, Nodes, Op, Type, Value, registers_to_values};
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

/// Checks that every operand of a statement is defined before it, in its list or in an enclosing one.
fn check_scope(func: &Func, list: &[Stmt], made: &mut Vec<Value>) {
    let start = made.len();
    for s in list {
        let used = |v: Value| assert!(made.contains(&v), "{v:?} is out of scope\n{}", short(list));
        match s {
            Stmt::Block(b) => {
                let block = &func.blocks[b.index()];
                made.extend(&block.params);
                for &v in &block.body {
                    func.nodes.operands(v, |o| assert!(made.contains(&o), "{o:?} of {v:?} is out of scope"));
                    made.push(v);
                }
            }
            Stmt::Set(_, v) => used(*v),
            Stmt::If { cond, yes, no } => {
                if let Cond::Value(v) = cond {
                    used(*v);
                }
                check_scope(func, yes, made);
                check_scope(func, no, made);
            }
            Stmt::Loop(body) => check_scope(func, body, made),
            Stmt::Switch(_, arms) => arms.iter().for_each(|a| check_scope(func, a, made)),
            Stmt::SetConst(..) | Stmt::Break | Stmt::Continue | Stmt::Exit => {}
        }
    }
    made.truncate(start);
}

fn depth(list: &[Stmt]) -> usize {
    let inner = list.iter().map(|s| match s {
        Stmt::If { yes, no, .. } => depth(yes).max(depth(no)),
        Stmt::Loop(body) => depth(body),
        Stmt::Switch(_, arms) => arms.iter().map(|a| depth(a)).max().unwrap_or(0),
        _ => 0,
    });
    1 + inner.max().unwrap_or(0)
}

#[test]
fn random_functions_run_alike_as_trees() {
    let mut random = Random::new(23);
    let (mut nested, mut dispatched, mut loops, mut flags) = (0, 0, 0, 0);
    for round in 0..4000 {
        let size = 2 + random.below(14);
        let mut before = random_func(&mut random, size);
        // Mostly short forward edges: such graphs are often reducible.
        let tame = round % 4 != 0;
        for (i, b) in before.blocks.iter_mut().enumerate() {
            for e in b.end.edges_mut().filter(|_| tame) {
                let back = random.below(6) == 0;
                let to = if back {
                    i.saturating_sub(random.below(4))
                } else {
                    (i + 1 + random.below(4)).min(size - 1)
                };
                e.to = BlockId(to as u32);
            }
            // Without cross-lane operations, so that a dispatch loop is allowed.
            b.body.iter().for_each(|&v| lane_only(&mut before.nodes, v));
        }
        registers_to_values(&mut before, &Limits::default()).unwrap();
        let mut after = before.clone();
        let limits = Limits { printed_nesting: if round % 5 == 0 { 4 } else { 40 }, ..Limits::default() };
        let tree = structurise(&mut after, &limits).unwrap();
        let text = short(&tree.body);
        let dispatch = text.contains('[');
        dispatched += usize::from(dispatch);
        nested += usize::from(!dispatch);
        loops += usize::from(!dispatch && text.contains('{'));
        flags += usize::from(text.contains("?("));
        assert!(dispatch || depth(&tree.body) <= limits.printed_nesting + 2, "{text}");
        check_scope(&after, &tree.body, &mut Vec::new());
        for seed in 0..3 {
            let a = Machine::new(&before, seed, 80).run();
            let b = Machine::new(&after, seed, 160).run_tree(&tree);
            let c = Machine::new(&after, seed, 80).run();
            assert!(a.agrees(&b), "round {round}: {text}\n{a:?}\n{b:?}\n{before:?}");
            assert!(!a.finished || b.finished || dispatch, "round {round}: {text}");
            assert!(a.agrees(&c), "round {round}: the parameters changed the meaning");
        }
    }
    assert!(
        nested > 1500 && dispatched > 300 && loops > 300 && flags > 50,
        "{nested} {dispatched} {loops} {flags}"
    );
}

/// Replaces a cross-lane operation by one that concerns a single lane.
fn lane_only(nodes: &mut Nodes, v: Value) {
    let node = &mut nodes.list[v.index()];
    match node.op {
        Op::Texture(t) => {
            let t = &mut nodes.textures[t as usize];
            if t.is_convergent() {
                t.lod = crate::Lod::Zero;
                t.kind = crate::TexKind::Sample;
            }
        }
        Op::Derivative { a, .. }
        | Op::Combine { a, .. }
        | Op::Lane { a, op: LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch | LaneOp::QuadOr, .. } => {
            node.op = Op::Swizzle { a, swizzle: crate::Swizzle::IDENTITY };
        }
        Op::Lane { .. } => node.op = Op::Const(1),
        Op::Barrier => node.op = Op::Emit,
        _ => {}
    }
}
