//! The fallback for graphs without a nested form: a loop around a switch over all blocks.

use crate::graph::Graph;
use crate::{Class, Cond, Edge, End, Func, Op, Stmt, Tree, Type, Uniformity, Value, Var, VarKind};
use alloc::{format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

pub(super) fn dispatch(func: &mut Func, graph: &Graph, limits: &Limits) -> Result<Tree, Diagnostic> {
    let reachable = || graph.order.iter().map(|id| &func.blocks[id.index()]);
    let convergent = |v: &Value| func.nodes.class(*v) != Class::Lane;
    let together = |func: &Func| {
        let lanes = Uniformity::of(func);
        reachable().all(|b| match b.end {
            End::Branch { cond, .. } => lanes.value(cond),
            _ => true,
        })
    };
    if reachable().flat_map(|b| &b.body).any(convergent) && !together(func) {
        let text =
            "the control flow has no nested form and diverges, and the program has cross-lane operations";
        return Err(Diagnostic::error("structure-convergent", text)
            .note("a dispatch loop does not keep lanes together: derivatives, implicit levels of detail, votes and shuffles would see the wrong lanes")
            .help("nest the program less deeply, or give the level of detail"));
    }
    carry_all(func, graph, limits)?;
    let mut vars = vec![(Type::I32, VarKind::Next)];
    let next = Var(0);
    let mut variables = vec![next; func.nodes.list.len()];
    for id in graph.order.iter() {
        for &p in &func.blocks[id.index()].params {
            variables[p.index()] = Var(vars.len() as u32);
            vars.push((func.nodes.ty(p), VarKind::Param(p)));
        }
    }
    let go = |edge: &Edge| {
        let params = &func.blocks[edge.to.index()].params;
        let sets = params.iter().zip(&edge.args).map(|(p, &a)| Stmt::Set(variables[p.index()], a));
        let to = position(graph, edge)? as u32;
        Ok::<_, Diagnostic>(sets.chain([Stmt::SetConst(next, to)]).collect::<Vec<_>>())
    };
    let mut arms = Vec::with_capacity(graph.order.len());
    for &id in graph.order.iter() {
        let mut arm = vec![Stmt::Block(id)];
        match &func.blocks[id.index()].end {
            End::Exit => arm.push(Stmt::Exit),
            End::Jump(edge) => arm.append(&mut go(edge)?),
            End::Branch { cond, yes, no } => {
                arm.push(Stmt::If { cond: Cond::Value(*cond), yes: go(yes)?, no: go(no)? });
            }
        }
        arms.push(arm);
    }
    let body = vec![Stmt::SetConst(next, 0), Stmt::Loop(vec![Stmt::Switch(next, arms)])];
    Ok(Tree { vars, body })
}

/// The number of the block that an edge leads to: every block that one leads to is in the order.
fn position(graph: &Graph, edge: &Edge) -> Result<usize, Diagnostic> {
    graph.position(edge.to).ok_or_else(|| {
        let text = format!("an edge leads to block {}, which the order of blocks lacks", edge.to.index());
        Diagnostic::internal("internal-structure", text)
    })
}

/// Makes every value that a block uses and does not define a parameter of the block.
fn carry_all(func: &mut Func, graph: &Graph, limits: &Limits) -> Result<(), Diagnostic> {
    let mut home = vec![u32::MAX; func.nodes.list.len()];
    for (p, id) in graph.order.iter().enumerate() {
        let block = &func.blocks[id.index()];
        block.params.iter().chain(&block.body).for_each(|v| home[v.index()] = p as u32);
    }
    // The values that are live at the beginning of each block: its own uses, and what its successors need.
    let mut needs: Vec<Vec<Value>> = vec![Vec::new(); graph.len()];
    let mut todo: Vec<(u32, Value)> = Vec::new();
    for (p, id) in graph.order.iter().enumerate() {
        let block = &func.blocks[id.index()];
        let mut ask = |v: Value| {
            if home[v.index()] != p as u32 && home[v.index()] != u32::MAX {
                todo.push((p as u32, v));
            }
        };
        block.body.iter().for_each(|&v| func.nodes.operands(v, &mut ask));
        if let End::Branch { cond, .. } = block.end {
            ask(cond);
        }
        block.end.edges().flat_map(|e| &e.args).for_each(|&v| ask(v));
    }
    todo.sort_unstable();
    todo.dedup();
    let mut known: alloc::collections::BTreeSet<(u32, Value)> = todo.iter().copied().collect();
    while let Some((p, v)) = todo.pop() {
        needs[p as usize].push(v);
        limits.check(Limit::Fuel, "values carried between blocks", known.len())?;
        for source in graph.sources(p as usize) {
            if home[v.index()] != source as u32 && known.insert((source as u32, v)) {
                todo.push((source as u32, v));
            }
        }
    }
    // All parameters are created first, so that arguments can name them.
    let mut versions: Vec<Vec<(Value, Value)>> = vec![Vec::new(); graph.len()];
    for (p, values) in needs.iter_mut().enumerate() {
        values.sort_unstable();
        for &v in values.iter() {
            let node = func.nodes.list[v.index()];
            let param = func.nodes.push(Op::Param, node.ty, node.origin);
            func.blocks[graph.order[p].index()].params.push(param);
            versions[p].push((v, param));
        }
    }
    for (p, id) in graph.order.iter().enumerate() {
        let version = |v: Value| match versions[p].binary_search_by_key(&v, |&(v, _)| v) {
            Ok(i) => versions[p][i].1,
            Err(_) => v,
        };
        let block = &mut func.blocks[id.index()];
        for &v in &block.body {
            func.nodes.map(v, version);
        }
        if let End::Branch { cond, .. } = &mut block.end {
            *cond = version(*cond);
        }
        for edge in block.end.edges_mut() {
            edge.args.iter_mut().for_each(|a| *a = version(*a));
            let to = position(graph, edge)?;
            edge.args.extend(needs[to].iter().map(|&v| version(v)));
        }
    }
    Ok(())
}
