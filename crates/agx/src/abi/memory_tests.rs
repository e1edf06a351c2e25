//! Uses that a part's metadata permits.

use super::check_part;
use crate::part::{Meta, Part};
use crate::tests::assemble;
use alloc::{string::String, vec::Vec};
use shisa_diag::Limits;

/// The findings about a compute part of these lines with the given sizes, in bytes, of the stack and of threadgroup
/// memory.
fn found(lines: &[&str], scratch_size: u32, local_size: u32) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.extend(["stop", "trap", "trap", "trap", "trap", "trap", "trap", "trap", "trap"]);
    let code = assemble(&lines).code;
    let size = code.len() as u32;
    let meta = Meta {
        binary_size: size,
        main_size: size,
        nr_gprs: 32,
        push_count: 16,
        scratch_size,
        local_size,
        workgroup_size: [32, 1, 1],
        ..Meta::default()
    };
    let found = check_part(&Part { code, meta }, &Limits::default());
    found.iter().map(|d| String::from(d.code)).collect()
}

#[test]
fn a_part_has_the_memory_that_it_uses() {
    for line in ["stack_load r1l_r1h, 16, i16, xy, a", "stack_store r4, 20, i32, x, a", "stack_adjust 8"] {
        let lines = ["mov r4, 0", line, "wait a"];
        let of = |stack| found(&lines, stack, 0).into_iter().filter(|c| c == "agx-abi-memory").count();
        assert_eq!((of(0), of(64)), (1, 0), "{line}");
    }
    for line in ["lload r1, r2l, 0, i32, x", "lstore r4, r2l, 0, i32, x"] {
        let lines = ["mov r2, 0", "mov r4, 0", line, "wait a"];
        let of = |local| found(&lines, 0, local).into_iter().filter(|c| c == "agx-abi-memory").count();
        assert_eq!((of(0), of(64)), (1, 0), "{line}");
    }
}
