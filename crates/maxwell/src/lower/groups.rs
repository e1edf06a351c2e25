//! What only threads of a workgroup do together, in programs that have no workgroups.

use crate::role::{Memory, Role};
use crate::{Drawing, Maxwell, bundle};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{Func, Op};
use shisa_rows::Insn;

/// Refuses instructions of a graphics program that use a barrier or memory of the workgroup.
///
/// # Errors
/// `translate-stage` for each of them.
pub(super) fn refuse(func: &Func, code: &[u128], drawing: &Drawing) -> Result<(), Vec<Diagnostic>> {
    let mut found: Vec<(u32, &str)> = Vec::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        let origin = func.nodes.list[v.index()].origin;
        let what = match func.nodes.op(*v) {
            Op::Barrier | Op::Arrive { .. } => "waits at a barrier of the workgroup",
            Op::Reduced => "reads the result of a barrier of the workgroup",
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } if of_workgroup(code, origin) => {
                "accesses the memory of the workgroup"
            }
            _ => continue,
        };
        if !found.contains(&(origin, what)) {
            found.push((origin, what));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let mut faults = Sink::new(found.len());
    for (origin, what) in found {
        let name = insn(code, origin).map_or("", |insn| insn.form().name);
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

/// Whether the row of an instruction accesses memory of the workgroup. Attributes of a patch are in such memory, too.
fn of_workgroup(code: &[u128], origin: u32) -> bool {
    let role = insn(code, origin).map(|insn| insn.form().attr.role);
    matches!(role, Some(Role::Memory(access)) if matches!(access.memory, Memory::Shared))
}
