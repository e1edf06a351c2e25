//! What only threads of a workgroup do together, in programs that have no workgroups.

use crate::role::{Memory, Role};
use crate::{Drawing, Maxwell, bundle};
use alloc::{format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{Func, Op};
use shisa_rows::Insn;

/// Refuses instructions of a graphics program that use a barrier or memory of the workgroup.
///
/// # Errors
/// `translate-stage` for each of them; `internal-maxwell-origin` if an operation belongs to no instruction.
pub(super) fn refuse(func: &Func, code: &[u128], drawing: &Drawing) -> Result<(), Vec<Diagnostic>> {
    let mut found: Vec<(u32, &str, &str)> = Vec::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        let origin = func.nodes.list[v.index()].origin;
        let accesses = match func.nodes.op(*v) {
            Op::Barrier | Op::Arrive { .. } => Some("waits at a barrier of the workgroup"),
            Op::Reduced => Some("reads the result of a barrier of the workgroup"),
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => None,
            _ => continue,
        };
        let insn = insn(code, origin).ok_or_else(|| vec![lost(origin)])?;
        let what = match accesses {
            Some(what) => what,
            None if is_of_workgroup(&insn) => "accesses the memory of the workgroup",
            None => continue,
        };
        let one = (origin, insn.form().name, what);
        if !found.contains(&one) {
            found.push(one);
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let mut faults = Sink::new(found.len());
    for (origin, name, what) in found {
        let text = format!("`{name}` {what}, and a {} program has none", drawing.stage.name());
        let at = bundle::address(origin) as usize;
        let d = Diagnostic::error("translate-stage", text).at_bytes(at..at + 8, "");
        faults.push(d.help("only compute programs have workgroups"));
    }
    Err(faults.finish())
}

fn insn(code: &[u128], origin: u32) -> Option<Insn<Maxwell>> {
    Insn::decode(*code.get(origin as usize)?)
}

#[cold]
fn lost(origin: u32) -> Diagnostic {
    let text = format!("an operation is one of instruction {origin}, which the program does not have");
    Diagnostic::internal("internal-maxwell-origin", text)
}

/// Whether the row of an instruction accesses memory of the workgroup. Attributes of a patch are in such memory, too.
fn is_of_workgroup(insn: &Insn<Maxwell>) -> bool {
    matches!(insn.form().attr.role, Role::Memory(access) if matches!(access.memory, Memory::Shared))
}
