//! Facts about the outputs of tessellation control programs that all writers need.

use crate::{Program, unsupported};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Node, Op, PatchPlace, PatchVertex, Space, Stage, Stmt, patch_place};

/// Whether a vertex of the output patch is that of the run.
pub(crate) fn is_own(program: &Program, vertex: PatchVertex) -> bool {
    let PatchVertex::Computed(v) = vertex else { return false };
    let own = program.interface.inputs.iter().find(|io| io.binding == Binding::InvocationIndex);
    let op = program.func.nodes.list.get(v.index()).map(|node| node.op);
    own.is_some_and(|io| matches!(op, Some(Op::Read { reg, .. }) if reg == io.reg))
}

/// Refuses loads and stores of outputs that the stage does not have: components with computed numbers, and stores for
/// another vertex than the own one.
pub(crate) fn check(program: &Program, node: &Node) -> Result<(), Diagnostic> {
    if program.interface.stage != Stage::TessellationControl {
        return Ok(());
    }
    let (address, stored) = match node.op {
        Op::Load { space: Space::Shared, address } => (address, false),
        Op::Store { space: Space::Shared, address, .. } => (address, true),
        Op::Atomic { space: Space::Shared, .. } => {
            return Err(unsupported("an atomic operation on outputs of a patch"));
        }
        _ => return Ok(()),
    };
    match patch_place(&program.func.nodes, address) {
        None => Err(unsupported("an output of a patch with a computed number")),
        Some(PatchPlace::Vertex(vertex, _)) if stored && !is_own(program, vertex) => {
            Err(unsupported("a store of an output of another vertex"))
        }
        Some(_) => Ok(()),
    }
}

/// Whether a barrier is in control flow, or after a point where some runs may have ended: a tessellation control stage
/// allows none there.
pub(crate) fn has_nested_barrier(program: &Program) -> bool {
    let mut ended = false;
    program.tree.body.iter().any(|stmt| {
        let found = Found::of(program, std::slice::from_ref(stmt));
        let nested = !matches!(stmt, Stmt::Block(_)) || ended;
        ended |= found.ends;
        found.waits && nested
    })
}

/// What a list of statements contains.
#[derive(Default)]
struct Found {
    waits: bool,
    ends: bool,
}

impl Found {
    fn of(program: &Program, list: &[Stmt]) -> Found {
        let mut found = Found::default();
        // Lists are pushed instead of entered, so that nesting takes no stack.
        let mut open = vec![list];
        while let Some(list) = open.pop() {
            for stmt in list {
                match stmt {
                    Stmt::Block(b) => {
                        let body = program.func.blocks.get(b.index()).map_or(&[][..], |block| &block.body);
                        let op = |v: &shisa_ir::Value| program.func.nodes.list.get(v.index()).map(|n| n.op);
                        found.waits |=
                            body.iter().any(|v| matches!(op(v), Some(Op::Barrier | Op::Arrive { .. })));
                    }
                    Stmt::If { yes, no, .. } => open.extend([yes.as_slice(), no.as_slice()]),
                    Stmt::Loop(body) => open.push(body),
                    Stmt::Switch(_, lists) => open.extend(lists.iter().map(Vec::as_slice)),
                    Stmt::Exit => found.ends = true,
                    _ => {}
                }
            }
        }
        found
    }
}
