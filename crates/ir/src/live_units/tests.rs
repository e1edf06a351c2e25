//! Sets of units on functions that are written out.

use super::*;
use crate::parse_func;
use crate::testing::FILES;
use shisa_diag::Limits;

/// The live units of a file among its first 64, after each of four instructions.
fn live(file: u8, left: &[usize], text: &str) -> [Option<u64>; 4] {
    let func = parse_func(text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"));
    let sets = live_units(&func, FileId(file), Units::of(left.iter().copied()), 4);
    assert_eq!(sets.len(), 4);
    let bits = |set: &Units| (0..64).fold(0, |all, n| all | u64::from(set.has(n)) << n);
    core::array::from_fn(|i| sets[i].as_ref().map(bits))
}

#[test]
fn sets_have_the_units_of_their_list() {
    let units = Units::of([0, 63, 64, 130, 255].into_iter());
    let has: Vec<u32> = (0..300).filter(|n| units.has(*n)).collect();
    assert_eq!(has, [0, 63, 64, 130, 255]);
    assert!((0..256).all(|n| Units::ALL.has(n)));
}

#[test]
fn units_are_live_from_their_write_to_their_last_read() {
    let text = "b0:\n  %0: f32x2 = const 0x0\n  %1 = write t:4 xz %0\n  %2: f32x2 = read t:4 zxzx @1\n  \
                %3: f32 = const 0x0 @2\n  %4 = write t:8 x %3\n  %5: f32 = read t:8 xxxx @3\n  exit\n";
    assert_eq!(live(0, &[], text), [Some(1 << 4 | 1 << 6), Some(0), Some(1 << 8), Some(0)]);
    // Units that are read after the end are live from their last write, or from the start.
    let (first, second, third) = (1 << 4 | 1 << 6 | 1 << 9, 1 << 9, 1 << 8 | 1 << 9);
    assert_eq!(live(0, &[8, 9], text), [Some(first), Some(second), Some(third), Some(third)]);
    assert_eq!(live(3, &[1], text), [Some(2); 4], "accesses to other files do not count");
}

#[test]
fn wide_values_take_several_units() {
    // 32 bits in a file of halves.
    let text = "b0:\n  %0: i32 = const 0x0\n  %1 = write h:2 x %0\n  %2: i32 = read h:2 xxxx @1\n  exit\n";
    assert_eq!(live(1, &[], text), [Some(0b1100), Some(0), None, None]);
}

#[test]
fn paths_and_loops_join_their_sets() {
    let text = "b0:\n  %0: i1 = const 0x1\n  branch %0 b1 b2\nb1:\n  %1: f32 = read t:1 xxxx @1\n  jump b0\n\
                b2:\n  %2: f32 = read t:2 xxxx @2\n  %3 = write t:3 x %2 @2\n  exit\n";
    assert_eq!(live(0, &[], text), [Some(0b110), Some(0b110), Some(0), None]);
}

#[test]
fn a_computed_index_may_read_every_unit() {
    let text = "b0:\n  %0: i32 = const 0x0\n  %1: f32 = read_at a:0 + %0 * 4 xxxx @1\n  exit\n";
    assert_eq!(live(6, &[], text), [Some(u64::MAX), Some(0), None, None]);
    assert_eq!(live(0, &[], text), [Some(0), Some(0), None, None]);
}
