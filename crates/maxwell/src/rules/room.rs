//! Barriers and local memory, of which programs say how much they use.

use super::code::{Code, Found};
use crate::Maxwell;
use crate::operand::{AT, RZ};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Insn, ones};

/// The register that an address of local memory begins at, and the bytes behind it.
const BASE: Field = Field::at(8, 8);
const OFFSET: Field = Field::at(20, 24);
/// Addresses of local memory have so many bits.
const LOCAL: u32 = 24;
/// How much is accessed.
const SIZE: Field = Field::at(48, 3);
/// Bytes of each size; those that there are not have none.
const BYTES: [u64; 8] = [1, 1, 2, 2, 4, 8, 16, 0];

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for (i, insn) in code.insns() {
        match insn.form().name {
            "BAR" => barrier(code, i, insn, found),
            "LDL" | "STL" => local(code, i, insn, found),
            _ => {}
        }
    }
}

/// A barrier whose number the instruction holds.
fn barrier(code: &Code<'_>, i: usize, insn: &Insn<Maxwell>, found: &mut Found<'_>) {
    let Some(told) = code.program.barriers else { return };
    let bits = insn.field(AT);
    let number = bits & 0xff;
    if bits >> 8 != 0 && number >= u64::from(told) {
        let text = format!("barrier {number} is used, but the program asks for {told} barriers");
        found.at(i, Diagnostic::error("maxwell-barrier-count", text));
    }
}

/// An address of local memory that no register takes part in.
fn local(code: &Code<'_>, i: usize, insn: &Insn<Maxwell>, found: &mut Found<'_>) {
    let Some(header) = code.header.filter(|_| BASE.get(&insn.word) == RZ) else { return };
    let size = |field| u64::from(header.get(field).unwrap_or(0));
    let (low, high) = (size("ShaderLocalMemoryLowSize"), size("ShaderLocalMemoryHighSize"));
    let (begin, bytes) = (OFFSET.get(&insn.word), BYTES[SIZE.get(&insn.word) as usize & 7]);
    let end = begin + bytes;
    if end > low && begin < ones(LOCAL) + 1 - high.min(ones(LOCAL)) {
        let text = format!(
            "{bytes} bytes of local memory at {begin:#x}, of which the header asks for {low:#x} low and {high:#x} high"
        );
        let d = Diagnostic::error("maxwell-local-memory", text);
        found.against(i, "ShaderLocalMemoryLowSize", d);
    }
}
