//! Random functions do the same after passes as before them.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::Limits;
use shisa_ir::testing::{Machine, Random, random_func};
use shisa_ir::{
    BlockId, Cond, Func, LaneOp, Lod, Nodes, Op, Stmt, Swizzle, TexKind, Value, fold, fold_and_share,
    registers_to_values, remove_dead, structurise,
};

#[test]
fn random_functions_do_the_same_folded() {
    let mut random = Random::new(31);
    let (mut before_count, mut after_count, mut shorter) = (0, 0, 0);
    for round in 0..2000 {
        let size = 1 + random.below(8);
        let mut func = random_func(&mut random, size);
        registers_to_values(&mut func, &Limits::default()).unwrap();
        let mut after = func.clone();
        fold(&mut after);
        let folded = after.clone();
        remove_dead(&mut after);
        let mut shared = func.clone();
        fold_and_share(&mut shared);
        remove_dead(&mut shared);
        shorter += usize::from(shared.nodes.list.len() < after.nodes.list.len());
        before_count += func.blocks.iter().map(|b| b.body.len()).sum::<usize>();
        after_count += after.nodes.list.len();
        for seed in 0..3 {
            let a = Machine::new(&func, seed, 60).run();
            let b = Machine::new(&folded, seed, 60).run();
            let c = Machine::new(&after, seed, 60).run();
            let d = Machine::new(&shared, seed, 60).run();
            assert!(a.agrees(&b), "round {round}, folded\n{func:?}");
            assert!(a.agrees(&c), "round {round}, dead code removed\n{func:?}");
            assert!(a.agrees(&d), "round {round}, shared\n{func:?}");
        }
    }
    assert!(after_count * 4 < before_count * 3, "{before_count} -> {after_count}");
    assert!(shorter > 100, "{shorter}");
}

/// Checks that every operand of a statement is defined before it, in its list or in an enclosing one.
fn check_scope(func: &Func, list: &[Stmt], made: &mut Vec<Value>) {
    let start = made.len();
    for s in list {
        let used = |v: Value| assert!(made.contains(&v), "{v:?} is out of scope\n{list:?}");
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

/// The lists inside of a statement.
fn lists(s: &Stmt) -> Vec<&[Stmt]> {
    match s {
        Stmt::If { yes, no, .. } => vec![yes, no],
        Stmt::Loop(body) => vec![body],
        Stmt::Switch(_, arms) => arms.iter().map(Vec::as_slice).collect(),
        _ => vec![],
    }
}

/// Whether a list has such a statement, at any depth.
fn has(list: &[Stmt], is: fn(&Stmt) -> bool) -> bool {
    list.iter().any(|s| is(s) || lists(s).into_iter().any(|inner| has(inner, is)))
}

fn depth(list: &[Stmt]) -> usize {
    1 + list.iter().flat_map(lists).map(depth).max().unwrap_or(0)
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
        let has = |is: fn(&Stmt) -> bool| has(&tree.body, is);
        let dispatch = has(|s| matches!(s, Stmt::Switch(..)));
        dispatched += usize::from(dispatch);
        nested += usize::from(!dispatch);
        loops += usize::from(!dispatch && has(|s| matches!(s, Stmt::Loop(_))));
        flags += usize::from(has(|s| matches!(s, Stmt::If { cond: Cond::Flag(_), .. })));
        assert!(dispatch || depth(&tree.body) <= limits.printed_nesting + 2, "{tree:?}");
        check_scope(&after, &tree.body, &mut Vec::new());
        for seed in 0..3 {
            let a = Machine::new(&before, seed, 80).run();
            let b = Machine::new(&after, seed, 160).run_tree(&tree);
            let c = Machine::new(&after, seed, 80).run();
            assert!(a.agrees(&b), "round {round}: {tree:?}\n{a:?}\n{b:?}\n{before:?}");
            assert!(!a.finished || b.finished || dispatch, "round {round}: {tree:?}");
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
                t.lod = Lod::Zero;
                t.kind = TexKind::Sample;
            }
        }
        Op::Derivative { a, .. }
        | Op::Combine { a, .. }
        | Op::Lane { a, op: LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch | LaneOp::QuadOr, .. } => {
            node.op = Op::Swizzle { a, swizzle: Swizzle::IDENTITY };
        }
        Op::Lane { .. } => node.op = Op::Const(1),
        Op::Barrier => node.op = Op::Emit,
        _ => {}
    }
}
