//! Addresses of outputs of a patch, and of its vertices.

use super::*;
use crate::testing::FILES;
use crate::{Op, parse_func};
use alloc::format;
use shisa_diag::Limits;

/// The position of the address that some lines compute as their last value; `%0` is a number that only the run knows.
fn place(lines: &str) -> Option<PatchPlace> {
    let text = format!("b0:\n  %0: i32 = read i:0 xxxx\n{lines}\n  exit\n");
    let func = parse_func(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{text}: {d:?}"));
    patch_place(&func.nodes, Value(func.nodes.list.len() as u32 - 1))
}

#[test]
fn constants_are_outputs_of_the_patch_or_of_a_vertex() {
    use PatchPlace::{Patch, Vertex};
    let at = |address: u32| place(&format!("  %1: i32 = const {address:#x}"));
    assert_eq!([at(0), at(12), at(0x3fc)], [0, 3, 0xff].map(|unit| Some(Patch(unit))));
    assert_eq!(at(0x400), Some(Vertex(PatchVertex::Fixed(0), 0)));
    assert_eq!(at(0x400 + 0x1018), Some(Vertex(PatchVertex::Fixed(4), 6)));
    assert_eq!(place("  %1: i64 = const 0x100000000"), None, "it is no address of 32 bits");
}

#[test]
fn sums_move_the_offset() {
    let vertex = |unit| Some(PatchPlace::Vertex(PatchVertex::Computed(Value(0)), unit));
    let sum = |scale: &str, sum: &str, by: u32| {
        place(&format!(
            "  %1: i32 = const {by:#x}\n  %2: i32 = {scale}\n  %3: i32 = const 0x408\n  %4: i32 = {sum}"
        ))
    };
    assert_eq!(sum("shl %0 %1", "iadd %2 %3", 10), vertex(2));
    assert_eq!(sum("shl %0 %1", "iadd %3 %2", 10), vertex(2));
    assert_eq!(sum("imul %0 %1", "iadd %2 %3", 0x400), vertex(2));
    assert_eq!(sum("shl %0 %1", "iadd %2 %3", 9), None, "vertices are 0x400 bytes apart");
    assert_eq!(sum("imul %0 %1", "iadd %2 %3", 10), None);
    assert_eq!(sum("shl %0 %1", "isub %2 %3", 10), None);
    assert_eq!(sum("shl %0 %1", "iadd %2 %0", 10), None, "two computed parts");
    assert_eq!(
        place("  %1: i32 = const 0xa\n  %2: i32 = shl %0 %1"),
        None,
        "the patch comes before its vertices"
    );
    assert_eq!(place("  %1: i32 = const 0x400\n  %2: i32 = imul %0 %1"), None);
    let sums =
        place("  %1: i32 = const 0x4\n  %2: i32 = const 0x8\n  %3: i32 = iadd %2 %1\n  %4: i32 = iadd %1 %3");
    assert_eq!(sums, Some(PatchPlace::Patch(4)));
}

#[test]
fn an_offset_stays_within_its_vertex() {
    let last = "  %1: i32 = const 0xa\n  %2: i32 = shl %0 %1\n  %3: i32 = const ";
    let at = |offset: u32| place(&format!("{last}{offset:#x}\n  %4: i32 = iadd %2 %3"));
    assert_eq!(at(0x7fc), Some(PatchPlace::Vertex(PatchVertex::Computed(Value(0)), 0xff)));
    assert_eq!(at(0x800), None);
}

/// An address that is the sum of itself and 0, which no valid function has, and sums of many parts.
#[test]
fn a_sum_without_end_is_given_up() {
    let mut nodes = Nodes::default();
    let mut b = crate::Builder::new(&mut nodes, 0);
    let zero = b.i32(0);
    let mut sum = zero;
    for _ in 0..14 {
        sum = b.iadd(sum, zero);
    }
    assert_eq!(patch_place(&nodes, sum), Some(PatchPlace::Patch(0)));
    if let Some(node) = nodes.list.get_mut(sum.index()) {
        node.op = match node.op {
            Op::Binary { op, rule, b, .. } => Op::Binary { op, rule, a: sum, b },
            other => other,
        };
    }
    assert_eq!(patch_place(&nodes, sum), None);
}
