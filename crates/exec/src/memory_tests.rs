//! Sets of first lanes, and which rows a table has.

use crate::memory::{Lanes, SLAB, first_lanes, rows_end};
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
use crate::plan::Table;

#[test]
fn the_first_lanes_are_the_lowest_bits() {
    for (count, want) in
        [(0, 0), (1, 1), (2, 3), (16, 0xffff), (SLAB - 1, Lanes::MAX >> 1), (SLAB, Lanes::MAX)]
    {
        assert_eq!(first_lanes(count), want, "{count}");
    }
    assert_eq!(first_lanes(SLAB + 1), Lanes::MAX);
}

/// The end is the number of rows that begin in the table.
#[test]
fn rows_that_begin_in_a_table_are_before_the_end() {
    for (units, offset, stride) in [12, 13].iter().flat_map(|units| {
        (0..16).flat_map(move |offset| [1, 3, 4, 5, 12, 255].map(|stride| (*units, offset, stride)))
    }) {
        let rows = (0..20).take_while(|index| offset + index * stride < units).count() as u32;
        assert_eq!(rows_end(units, offset, stride), rows, "{units} {offset} {stride}");
    }
    // Without a stride all rows are the same.
    for (offset, end) in [(0, u32::MAX), (11, u32::MAX), (12, 0), (13, 0)] {
        assert_eq!(rows_end(12, offset, 0), end, "{offset}");
    }
}

/// Machine code limits an index to the end, and reads four elements there.
#[test]
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
fn tables_have_elements_for_all_rows_up_to_their_end() {
    for units in [0, 1, 4, 12, 255, 4096] {
        let table = Table { file: shisa_ir::FileId(0), units, outside: 0 };
        for stride in 0..=255u32 {
            let end = table.end(stride);
            let first = u64::from(end) * u64::from(stride);
            assert!(stride == 0 || first >= units.into(), "{units} {stride}: a row at {end} is in the table");
            // The offset of a row is at most the number of units.
            let last = first + u64::from(units) + 4;
            assert!(last <= table.length() as u64, "{units} {stride}: {last} of {}", table.length());
            let below = u64::from(end.saturating_sub(1)) * u64::from(stride);
            assert!(end == 0 || below < u64::from(units), "{units} {stride}: {end} is not the first");
        }
    }
}
