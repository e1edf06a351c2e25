//! What programs of other stages have: only compute programs have workgroups, and only graphics programs have attributes,
//! pixels and vertices to emit.

use crate::role::{Memory, Role};
use crate::{ATTRIBUTES, Drawing, Maxwell, OUTPUTS, PATCH, PIXEL, bundle};
use alloc::{format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{Func, Node, Op};
use shisa_rows::Insn;

/// Refuses instructions that use what a program of another stage has; `drawing` is the context of a graphics program.
///
/// # Errors
/// `translate-stage` for each of them; `internal-maxwell-origin` if an operation belongs to no instruction.
pub(super) fn refuse(func: &Func, code: &[u128], drawing: Option<&Drawing>) -> Result<(), Vec<Diagnostic>> {
    let mut found: Vec<(u32, &str, &str)> = Vec::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        let Node { op, origin, .. } = &func.nodes.list[v.index()];
        let what = match drawing {
            Some(_) => match op {
                Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. }
                    if is_of_workgroup(&insn(code, *origin)?) =>
                {
                    Some("accesses the memory of the workgroup")
                }
                _ => of_workgroup(op),
            },
            None => of_drawing(op),
        };
        let Some(what) = what else { continue };
        let one = (*origin, insn(code, *origin)?.form().name, what);
        if !found.contains(&one) {
            found.push(one);
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let (stage, help) = match drawing {
        Some(drawing) => (drawing.stage.name(), "only compute programs have workgroups"),
        None => ("compute", "state the stage that the program runs in, or give it its header"),
    };
    let mut faults = Sink::new(found.len());
    for (origin, name, what) in found {
        let text = format!("`{name}` {what}, and a {stage} program has none");
        let at = bundle::address(origin) as usize;
        faults.push(Diagnostic::error("translate-stage", text).at_bytes(at..at + 8, "").help(help));
    }
    Err(faults.finish())
}

/// What an operation uses of the workgroup, besides its memory.
fn of_workgroup(op: &Op) -> Option<&'static str> {
    match op {
        Op::Barrier | Op::Arrive { .. } => Some("waits at a barrier of the workgroup"),
        Op::Reduced => Some("reads the result of a barrier of the workgroup"),
        _ => None,
    }
}

/// What an operation uses of a draw call.
fn of_drawing(op: &Op) -> Option<&'static str> {
    match op {
        Op::Read { reg, .. } if [ATTRIBUTES, PATCH].contains(&reg.file) => Some("reads attributes"),
        Op::ReadAt { file, .. } if [ATTRIBUTES, PATCH].contains(file) => Some("reads attributes"),
        Op::Read { reg, .. } if reg.file == PIXEL => Some("reads samples of the pixel"),
        Op::ReadAt { file, .. } if *file == PIXEL => Some("reads samples of the pixel"),
        Op::Write { reg, .. } if reg.file == OUTPUTS => Some("writes attributes"),
        Op::Emit | Op::SetEmit { .. } | Op::EmitVertex { .. } | Op::EndStrip { .. } => Some("emits vertices"),
        _ => None,
    }
}

fn insn(code: &[u128], origin: u32) -> Result<Insn<Maxwell>, Vec<Diagnostic>> {
    code.get(origin as usize).and_then(|word| Insn::decode(*word)).ok_or_else(|| {
        let text = format!("an operation is one of instruction {origin}, which the program does not have");
        vec![Diagnostic::internal("internal-maxwell-origin", text)]
    })
}

/// Whether the row of an instruction accesses memory of the workgroup. Attributes of a patch are in such memory, too.
fn is_of_workgroup(insn: &Insn<Maxwell>) -> bool {
    matches!(insn.form().attr.role, Role::Memory(access) if matches!(access.memory, Memory::Shared))
}
