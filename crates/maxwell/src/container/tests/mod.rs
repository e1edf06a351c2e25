//! Containers against files that the tests build.

mod cubin;
mod elf_file;
mod mutation;

use alloc::{format, string::String, vec::Vec};
use shisa_diag::Diagnostic;

/// Codes and first places of faults.
fn told(found: &[Diagnostic]) -> Vec<String> {
    let place = |d: &Diagnostic| d.labels.first().map_or(String::new(), |l| format!(" {:?}", l.span.range()));
    found.iter().map(|d| format!("{}{}", d.code, place(d))).collect()
}

/// Bundles of NOP, each told apart by the operand of its first instruction.
fn bundles(count: u64) -> Vec<u8> {
    const NOP: u64 = 0x50b0_0000_0007_0f00;
    let bundle = |n: u64| [0x001f_8000_fc00_07e0, NOP | n << 20, NOP, NOP];
    (0..count).flat_map(bundle).flat_map(u64::to_le_bytes).collect()
}
