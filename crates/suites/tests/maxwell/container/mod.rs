//! Containers against files that the tests build.

mod cubin;
mod division;
mod elf_file;
mod fatbin;
mod image;
mod kernel;
mod mutation;
mod sph;
mod switch;

use shisa_diag::Diagnostic;

/// Codes and first offsets of faults.
fn told(found: &[Diagnostic]) -> Vec<String> {
    let place = |d: &Diagnostic| d.labels.first().map_or(String::new(), |l| format!(" {:?}", l.span.range()));
    found.iter().map(|d| format!("{}{}", d.code, place(d))).collect()
}

/// Bundles of MOV32I, of which the first ones take different numbers, and EXIT at the end.
fn bundles(count: u64) -> Vec<u8> {
    const MOV32I: u64 = 0x0100_0000_0007_f001;
    const EXIT: u64 = 0xe300_0000_0007_000f;
    let last = |n: u64| if n + 1 == count { EXIT } else { MOV32I };
    let bundle = |n: u64| [0x001f_8000_fc00_07e0, MOV32I | n << 20, MOV32I, last(n)];
    (0..count).flat_map(bundle).flat_map(u64::to_le_bytes).collect()
}
