//! Removal of unused operations, parameters and blocks.

use crate::graph::Graph;
use crate::scratch::Scratch;
use crate::{Block, End, Func, Op, Value};
use alloc::{vec, vec::Vec};

/// Limit on the rounds of the search for parameters that always receive the same value. Each round finds everything
/// that follows from the round before; programs need two or three.
const ROUNDS: usize = 16;

/// Removes operations, parameters and blocks that are not live, and parameters that receive the same value on every
/// edge. Renumbers the remaining values in block order.
///
/// Run it before [`crate::structurise`]: the structuriser adds parameters that carry values out of loops even where
/// only one value arrives, and this pass would remove them.
pub fn remove_dead(func: &mut Func) {
    remove_dead_in(func, &mut Scratch::new());
}

/// As [`remove_dead`], in the memory of programs before it.
pub fn remove_dead_in(func: &mut Func, scratch: &mut Scratch) {
    if func.blocks.len() > 1 {
        func.tidy_in(&mut scratch.graph.order);
        if func.blocks.iter().any(|b| !b.params.is_empty()) {
            remove_redundant(func);
        }
    }
    mark_live(func, scratch);
    if func.blocks.len() > 1 {
        drop_dead(func, &scratch.live);
        // Blocks may have become empty.
        func.tidy_in(&mut scratch.graph.order);
    }
    pack(func, scratch);
}

/// Removes operations and parameters that are not live from the blocks. Their nodes keep their numbers.
pub(crate) fn drop_unused(func: &mut Func, scratch: &mut Scratch) {
    mark_live(func, scratch);
    drop_dead(func, &scratch.live);
}

/// Removes operations that nothing uses from the blocks of a function with a tree, whose statements name what edges carry.
pub(crate) fn drop_operations(func: &mut Func) {
    let (mut live, mut todo) = (vec![false; func.nodes.list.len()], Vec::new());
    needed(func, &mut todo);
    todo.extend(func.blocks.iter().flat_map(|block| block.end.edges()).flat_map(|e| &e.args));
    while let Some(v) = todo.pop() {
        if !core::mem::replace(&mut live[v.index()], true) {
            func.nodes.operands(v, |o| todo.push(o));
        }
    }
    func.blocks.iter_mut().for_each(|block| block.body.retain(|v| live[v.index()]));
}

/// Removes writes of outputs that no vertex takes: those after the last [`Op::Emit`] or [`Op::EmitVertex`] of a block.
/// Outputs are written right before each of these.
pub fn drop_unemitted(func: &mut Func) {
    for block in &mut func.blocks {
        let op = |v: &Value| func.nodes.list[v.index()].op;
        let emits = |v: &Value| matches!(op(v), Op::Emit | Op::EmitVertex { .. });
        let behind = block.body.iter().rposition(emits).map_or(0, |i| i + 1);
        let last = block.body.split_off(behind);
        block.body.extend(last.into_iter().filter(|v| !matches!(op(v), Op::Write { .. })));
    }
    remove_dead(func);
}

/// Replaces each parameter whose arguments (other than the parameter itself) are all the same value by that value.
fn remove_redundant(func: &mut Func) {
    const UNKNOWN: Value = Value(u32::MAX);
    const SEVERAL: Value = Value(u32::MAX - 1);
    let mut same: Vec<Value> = (0..func.nodes.list.len() as u32).map(Value).collect();
    // The value that each parameter receives.
    let mut brought = vec![UNKNOWN; func.nodes.list.len()];
    let mut any = false;
    for _ in 0..ROUNDS {
        brought.fill(UNKNOWN);
        for edge in func.blocks.iter().flat_map(|b| b.end.edges()) {
            for (&param, &arg) in func.blocks[edge.to.index()].params.iter().zip(&edge.args) {
                let (arg, slot) = (root(&mut same, arg), &mut brought[param.index()]);
                if arg != root(&mut same, param) && arg != *slot {
                    *slot = if *slot == UNKNOWN { arg } else { SEVERAL };
                }
            }
        }
        let mut changed = false;
        for &param in func.blocks.iter().flat_map(|b| &b.params) {
            let value = brought[param.index()];
            if value != UNKNOWN && value != SEVERAL && root(&mut same, param) == param {
                // Two parameters that only pass each other are both left alone.
                let value = root(&mut same, value);
                if value != param {
                    same[param.index()] = value;
                    changed = true;
                }
            }
        }
        any |= changed;
        if !changed {
            break;
        }
    }
    if any {
        func.rename(|v| root(&mut same, v));
    }
}

fn root(same: &mut [Value], mut v: Value) -> Value {
    while same[v.index()] != v {
        same[v.index()] = same[same[v.index()].index()];
        v = same[v.index()];
    }
    v
}

/// Appends the operations with an effect and the conditions of branches.
fn needed(func: &Func, todo: &mut Vec<Value>) {
    for block in &func.blocks {
        todo.extend(block.body.iter().filter(|v| func.nodes.op(**v).has_effect()));
        if let End::Branch { cond, .. } = block.end {
            todo.push(cond);
        }
    }
}

/// Marks the values that an operation with an effect, a branch or a live parameter uses.
fn mark_live(func: &Func, scratch: &mut Scratch) {
    let Scratch { live, live_todo: todo, parameters: places, graph, .. } = scratch;
    live.clear();
    live.resize(func.nodes.list.len(), false);
    if let [Block { params, body, end: End::Exit }] = &func.blocks[..]
        && params.is_empty()
    {
        // The uses of a value come after it, so a backward walk sees them first.
        for &v in body.iter().rev() {
            if live[v.index()] || func.nodes.op(v).has_effect() {
                live[v.index()] = true;
                func.nodes.operands(v, |o| live[o.index()] = true);
            }
        }
        return;
    }
    needed(func, todo);
    // Index of the arguments of each parameter.
    let has_params = func.blocks.iter().any(|b| !b.params.is_empty());
    places.clear();
    if has_params {
        *graph = Graph::new_in(func, core::mem::take(graph));
        places.resize(func.nodes.list.len(), (0, 0));
        for (b, block) in func.blocks.iter().enumerate() {
            block.params.iter().enumerate().for_each(|(i, p)| places[p.index()] = (b, i));
        }
    }
    while let Some(v) = todo.pop() {
        if core::mem::replace(&mut live[v.index()], true) {
            continue;
        }
        func.nodes.operands(v, |o| todo.push(o));
        if has_params && matches!(func.nodes.op(v), Op::Param) {
            let (b, i) = places[v.index()];
            let id = crate::BlockId(b as u32);
            for source in graph.position(id).into_iter().flat_map(|p| graph.sources(p)) {
                let edges = func.blocks[graph.order[source].index()].end.edges().filter(|e| e.to == id);
                todo.extend(edges.filter_map(|e| e.args.get(i)));
            }
        }
    }
}

/// Removes dead operations from the blocks, and dead parameters together with their arguments.
fn drop_dead(func: &mut Func, live: &[bool]) {
    let params: Vec<Vec<Value>> = func.blocks.iter_mut().map(|b| core::mem::take(&mut b.params)).collect();
    for edge in func.blocks.iter_mut().flat_map(|b| b.end.edges_mut()) {
        let mut params = params[edge.to.index()].iter();
        edge.args.retain(|_| params.next().is_some_and(|p| live[p.index()]));
    }
    for (block, params) in func.blocks.iter_mut().zip(params) {
        block.params = params;
        block.params.retain(|v| live[v.index()]);
        block.body.retain(|v| live[v.index()]);
    }
}

/// Rebuilds the arena from the live values of the blocks, in block order: each block comes after those that dominate
/// it.
fn pack(func: &mut Func, scratch: &mut Scratch) {
    let live = &scratch.live;
    let count = live.iter().filter(|live| **live).count();
    let mut next = 0..count as u32;
    let mut follows = |v: &Value| next.next() == Some(v.0);
    let mut in_order = |b: &Block| b.params.iter().all(&mut follows) && b.body.iter().all(&mut follows);
    if count == live.len() && func.blocks.iter().all(&mut in_order) {
        return;
    }
    let spare = scratch.nodes();
    let old = core::mem::replace(&mut func.nodes, spare);
    func.nodes.list.reserve_exact(count);
    func.nodes.textures.reserve_exact(old.textures.len());
    let (live, new) = (&scratch.live, &mut scratch.replaced);
    new.clear();
    new.resize(old.list.len(), Value(0));
    let mut pack = |v: &mut Value| {
        let is_live = live[v.index()];
        if is_live {
            let packed = func.nodes.adopt(&old, *v, |o| new[o.index()]);
            new[v.index()] = packed;
            *v = packed;
        }
        is_live
    };
    for Block { params, body, .. } in &mut func.blocks {
        params.retain_mut(&mut pack);
        body.retain_mut(&mut pack);
    }
    // The argument of a back edge may be defined after the block that the edge enters.
    func.blocks.iter_mut().for_each(|block| block.end.map(|v| new[v.index()]));
    scratch.take_nodes(old);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockId, Edge, Nodes, Type};

    #[test]
    fn unused_operations_parameters_and_blocks_go() {
        let mut func = Func { files: &[], nodes: Nodes::default(), blocks: Vec::new() };
        let cond = func.nodes.push(Op::Const(1), Type::BOOL, 0);
        let unused = func.nodes.push(Op::Const(7), Type::I32, 0);
        let [used, invariant, idle] = [0; 3].map(|_| func.nodes.push(Op::Param, Type::BOOL, 1));
        let kill = func.nodes.push(Op::Kill { cond: used }, Type::NONE, 1);
        let kill_too = func.nodes.push(Op::Kill { cond: invariant }, Type::NONE, 1);
        let not = func.nodes.push(
            Op::Unary { op: crate::Unary::Not, rule: crate::FloatRule::IEEE, a: used },
            Type::BOOL,
            1,
        );
        let enter = Edge { to: BlockId(1), args: vec![cond, cond, cond] };
        let again = Edge { to: BlockId(1), args: vec![not, invariant, idle] };
        func.blocks = vec![
            Block { params: vec![], body: vec![cond, unused], end: End::Jump(enter) },
            Block {
                params: vec![used, invariant, idle],
                body: vec![kill, kill_too, not],
                end: End::Branch { cond: used, yes: again, no: Edge::to(BlockId(3)) },
            },
            Block { params: vec![], body: vec![], end: End::Jump(Edge::to(BlockId(3))) },
            Block { params: vec![], body: vec![], end: End::Exit },
        ];
        remove_dead(&mut func);
        assert_eq!(func.blocks.len(), 3);
        assert_eq!(func.blocks[0].body, [Value(0)]);
        assert_eq!(func.blocks[1].params, [Value(1)], "one is used, one is the constant, one is idle");
        assert_eq!(func.nodes.op(Value(3)), Op::Kill { cond: Value(0) });
        assert_eq!(func.nodes.list.len(), 5);
        let args: Vec<_> = func.blocks[1].end.edges().map(|e| e.args.clone()).collect();
        assert_eq!(args, [vec![Value(4)], vec![]]);
    }
}
