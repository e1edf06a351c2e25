//! What a loader puts into memory for a kernel of a cubin: code, constants, memory, and the references between them.

use super::elf_file::{Part, file, parts};
use shisa_diag::{Diagnostic, Limits};
use shisa_maxwell::container::Cubin;
use shisa_maxwell::launch::Kernel;

const PLAIN: u64 = 0x0100_0000_0007_f001;
/// Positions of sections in [`parts`].
const INFO: usize = 3;
const RELOCATIONS: usize = 5;
const SHARED: usize = 9;

/// A reference of the kernel's code: its offset, what is filled in, and the number of a symbol.
fn relocation(at: u64, kind: u32, symbol: u32) -> Vec<u8> {
    [at.to_le_bytes().as_slice(), &kind.to_le_bytes(), &symbol.to_le_bytes()].concat()
}

/// The low 20 bits of an address.
const ADDRESS: u32 = 43;
const FUNCTION: u32 = 2;
const TABLE: u32 = 3;
const OF_SHARED: u32 = 4;

/// A cubin whose kernel has only these references.
fn parts_with(relocations: &[Vec<u8>]) -> Vec<Part> {
    let mut parts = parts();
    parts[RELOCATIONS].data = relocations.concat();
    parts
}

fn load(parts: Vec<Part>, global: u64, limits: &Limits) -> Result<Kernel, Vec<Diagnostic>> {
    let bytes = file(parts);
    let cubin = Cubin::read(&bytes, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"));
    Kernel::load(&cubin, &cubin.functions[0], global, limits)
}

fn loaded(parts: Vec<Part>, global: u64) -> Kernel {
    load(parts, global, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

/// The code of a limit's refusal.
fn refusal(parts: Vec<Part>, limits: Limits) -> Option<&'static str> {
    load(parts, 0, &limits).err().map(|faults| faults[0].code)
}

fn section(name: &'static str, kind: u32, align: usize, data: Vec<u8>) -> Part {
    Part { name, kind, flags: 3, link: 0, info: 0, align, data }
}

#[test]
fn functions_follow_the_kernel_if_it_refers_to_them() {
    let alone = loaded(parts_with(&[]), 0);
    assert_eq!(alone.code.len(), 6);
    assert_eq!((alone.registers, alone.shared, alone.stack), (15, 64, Some(16)));
    let bank: Vec<u8> = [1u32, 2, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(alone.banks.into_iter().collect::<Vec<_>>(), [(3, bank)]);
    assert_eq!(alone.globals, []);
    // Twice, which is one function.
    let both = loaded(parts_with(&[relocation(8, ADDRESS, FUNCTION), relocation(16, ADDRESS, FUNCTION)]), 0);
    assert_eq!(both.code.len(), 9);
    assert_eq!(both.code[0] as u64, PLAIN | 64 << 20, "the function is after two bundles");
    assert_eq!(both.code[..6][2..], alone.code[2..]);
    let table = loaded(parts_with(&[relocation(8, ADDRESS, TABLE)]), 0);
    assert_eq!(table.code.len(), 6);
    assert_eq!(table.code[0] as u64, PLAIN | 8 << 20, "an offset in a bank");
}

/// Words of eight bytes, with those that schedule.
#[test]
fn instructions_are_bounded() {
    for (relocations, words) in [(vec![], 8), (vec![relocation(8, ADDRESS, FUNCTION)], 12)] {
        let limits = |instructions| Limits { instructions, ..Limits::default() };
        assert_eq!(refusal(parts_with(&relocations), limits(words)), None);
        assert_eq!(refusal(parts_with(&relocations), limits(words - 1)), Some("limit-exceeded"));
    }
}

#[test]
fn references_without_a_value_are_reported() {
    let faults = load(parts(), 0, &Limits::default()).unwrap_err();
    assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), ["cubin-relocation"]);
}

/// Shared memory is what every function has, and what the kernel has; global memory begins at multiples of 256.
#[test]
fn memory_has_addresses() {
    let with_memory = || {
        let mut parts = parts_with(&[relocation(8, ADDRESS, OF_SHARED)]);
        // The kernel's own shared memory stays section 9, to which a symbol refers.
        parts.extend([
            section(".nv.shared", 8, 16, vec![0; 5]),
            section(".nv.shared.help", 8, 4, vec![0; 100]),
            section(".nv.shared.mainly", 8, 4, vec![0; 100]),
            section(".nv.global.init", 1, 4, vec![1, 2, 3]),
            section(".nv.global", 8, 4, vec![0; 10]),
        ]);
        parts[SHARED].data = vec![0; 61];
        parts
    };
    let kernel = loaded(with_memory(), 0x1001);
    assert_eq!(kernel.shared, 64 + 5, "the second begins at a multiple of 16");
    assert_eq!(kernel.code[0] as u64, PLAIN | 4 << 20);
    assert_eq!(kernel.globals, [(0x1100, vec![1, 2, 3]), (0x1200, vec![0; 10])]);
    let bytes = 69 + 0x100 + 10;
    let limits = |memory| Limits { memory, ..Limits::default() };
    assert_eq!(refusal(with_memory(), limits(bytes)), None);
    assert_eq!(refusal(with_memory(), limits(bytes - 1)), Some("limit-exceeded"));
    let at = load(with_memory(), 0x1001, &limits(69 + 0x1ff + 10));
    assert!(at.is_ok(), "what is below the first address does not count");
    assert!(load(with_memory(), 0x1001, &limits(69 + 0x1ff + 9)).is_err());
}

#[test]
fn the_largest_stack_of_the_kernel_counts() {
    let with = |attributes: &[[u32; 3]]| {
        let mut parts = parts_with(&[]);
        let words = attributes.iter().flatten().flat_map(|word| word.to_le_bytes());
        parts[INFO].data.extend(words);
        loaded(parts, 0).stack
    };
    const FRAME: u32 = 0x0008_1104;
    const LEAST: u32 = 0x0008_1204;
    assert_eq!(with(&[[LEAST, 1, 0x20]]), Some(0x20));
    assert_eq!(with(&[[LEAST, 1, 8]]), Some(0x10));
    assert_eq!(with(&[[FRAME, 2, 0x99]]), Some(0x10), "another function's");
    assert_eq!(with(&[[LEAST, 1, u32::MAX]]), None, "not known");
}
