//! Targets of jumps that earlier operations of the block determine.

use super::*;
use crate::parse_func;
use crate::testing::FILES;
use alloc::format;
use shisa_diag::Limits;

/// What the last value of some lines holds, before any pass.
fn known(lines: &str) -> Option<u64> {
    let text = format!("b0:\n{lines}\n  exit\n");
    let func = parse_func(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{text}: {d:?}"));
    let (last, before) = func.blocks[0].body.split_last()?;
    constant(FILES, *last, &func.nodes, before)
}

#[test]
fn constants_and_registers_that_hold_them_are_known() {
    assert_eq!(known("  %0: i32 = const 0x40"), Some(0x40));
    assert_eq!(known("  %0: i16 = const 0x40\n  %1: i32 = zero_extend %0"), Some(0x40));
    assert_eq!(
        known("  %0: i16 = const 0x40\n  %1: i32 = sign_extend %0"),
        None,
        "only the form that lifts have"
    );
    let copied =
        "  %0: i32 = const 0x40\n  %1 = write t:4 x %0\n  %2: i32 = read t:4 xxxx\n  %3 = write t:5 x %2\n";
    assert_eq!(known(&format!("{copied}  %4: i32 = read t:5 xxxx")), Some(0x40));
    assert_eq!(known("  %0: i32 = read t:5 xxxx"), None, "nothing has written it");
}

#[test]
fn the_last_write_decides() {
    let later = |write: &str| {
        let first = "  %0: i32 = const 0x40\n  %1 = write t:4 x %0\n";
        known(&format!("{first}  {write}\n  %4: i32 = read t:4 xxxx"))
    };
    let write = |reg: &str, ty: &str| later(&format!("%2: {ty} = const 0x7\n  %3 = write {reg} %2"));
    assert_eq!(write("t:4 x", "i32"), Some(7));
    assert_eq!(write("t:5 x", "i32"), Some(0x40), "the register after it");
    assert_eq!(write("t:3 x", "i32"), Some(0x40), "the register before it");
    assert_eq!(write("t:3 xy", "i32x2"), None, "a wider one that covers it");
    assert_eq!(write("t:4 xy", "i32x2"), None);
    assert_eq!(write("t:4 y", "i32"), Some(0x40), "another component");
    assert_eq!(write("t:3 y", "i32"), None);
    assert_eq!(write("t:4 x", "f32"), None, "of another type");
    assert_eq!(write("h:4 x", "i16"), Some(0x40), "of another file");
}

/// A register of 32 bits takes two units of a file of halves.
#[test]
fn units_are_those_of_the_file() {
    let halves = |write: &str| {
        let first = "  %0: i32 = const 0x40\n  %1 = write h:4 x %0\n  %2: i16 = const 0x7\n";
        known(&format!("{first}  %3 = write {write} %2\n  %4: i32 = read h:4 xxxx"))
    };
    assert_eq!([halves("h:3 x"), halves("h:6 x")], [Some(0x40); 2]);
    assert_eq!([halves("h:4 x"), halves("h:5 x")], [None; 2]);
}
