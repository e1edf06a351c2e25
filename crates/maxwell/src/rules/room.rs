//! Rules about barriers and local memory: programs state how much they use.

use super::code::{Code, Found};
use crate::Maxwell;
use crate::container::sph::LOCAL_SIZES;
use crate::operand::fixed_address;
use crate::role::{Memory, Role};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::{Insn, ones};

/// The number of address bits of local memory.
const LOCAL: u32 = 24;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for (i, insn) in code.insns() {
        match insn.form().attr.role {
            Role::Barrier(of) => barrier(code, i, (of.number)(&insn.word), found),
            Role::Memory(access) => match access.memory {
                Memory::Local { bytes } => local(code, i, insn, bytes(&insn.word), found),
                Memory::Generic | Memory::Global | Memory::Shared | Memory::Constant { .. } => {}
            },
            Role::Compute
            | Role::Drain(_)
            | Role::ReadSpecial { .. }
            | Role::Attribute(_)
            | Role::Emit(_)
            | Role::Kill => {}
        }
    }
}

/// A barrier whose number the instruction holds.
fn barrier(code: &Code<'_>, i: usize, number: Option<u64>, found: &mut Found<'_>) {
    let (Some(count), Some(number)) = (code.program.barriers, number) else { return };
    if number >= u64::from(count) {
        let text = format!("barrier {number} is used, but the program asks for {count} barriers");
        found.at(i, Diagnostic::error("maxwell-barrier-count", text));
    }
}

/// An address of local memory without a register.
fn local(code: &Code<'_>, i: usize, insn: &Insn<Maxwell>, bytes: u64, found: &mut Found<'_>) {
    let (Some(header), Some(begin)) = (code.header, fixed_address(insn)) else { return };
    let begin = begin as u64;
    let [low, high] = LOCAL_SIZES.map(|field| u64::from(header.value(field)));
    let end = begin + bytes;
    if end > low && begin < ones(LOCAL) + 1 - high.min(ones(LOCAL)) {
        let text = format!(
            "{bytes} bytes of local memory at {begin:#x}, of which the header asks for {low:#x} low and {high:#x} high"
        );
        let d = Diagnostic::error("maxwell-local-memory", text);
        found.against(i, LOCAL_SIZES[0], d);
    }
}
