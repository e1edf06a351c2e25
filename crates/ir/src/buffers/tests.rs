use super::*;
use crate::testing::FILES;
use alloc::{format, string::String};
use shisa_diag::Limits;

/// What the pass makes of a program, without what is no longer used.
fn traced(text: &str) -> (Func, Traced) {
    let mut func = parse_func(text, FILES, &Limits::default()).unwrap();
    verify(&func).unwrap();
    let traced = trace_buffers(&mut func);
    fold(&mut func);
    remove_dead(&mut func);
    verify(&func).unwrap();
    (func, traced)
}

/// The accesses of memory in the text of a function.
fn accesses(func: &Func) -> String {
    let text = print_func(func);
    let lines =
        text.lines().filter(|l| l.contains("store") || l.contains("load buffer") || l.contains("global"));
    lines.map(|l| format!("{}\n", l.trim())).collect()
}

fn pointer(bank: u8, offset: u32) -> Pointer {
    Pointer { bank, offset }
}

/// The words of a pointer at 320 of bank 0, a sum with an index in a register, and its carry.
const SPLIT: &str = "b0:
   %0: i32 = const 320
   %1: i32 = load constant 0 %0
   %2: i32 = const 324
   %3: i32 = load constant 0 %2
   %4: i32 = read i:0 xxxx
   %5: i32 = iadd %4 %1
   %6: i1 = ult %5 %4
   %7: i32 = zero_extend %6
   %8: i32 = iadd %3 %7
   %9: i32x2 = join %5 %8
   %10: i64 = pair %9
";

#[test]
fn split_sums_are_followed() {
    let text = format!(
        "{SPLIT}
   %11: i64 = const 16
   %12: i64 = iadd %10 %11
   %13: i32 = load global %12
   %14 = store global %12 %13
   exit
"
    );
    let (func, traced) = traced(&text);
    assert_eq!(traced, Traced { pointers: alloc::vec![pointer(0, 320)], others: Vec::new() });
    let text = print_func(&func);
    assert!(text.contains("load buffer 0") && text.contains("store buffer 0"), "{text}");
    assert!(!text.contains("constant 0"), "the address is relative: {text}");
}

/// A pointer that a loop advances: its difference to the one in the bank remains.
#[test]
fn pointers_of_loops_are_followed() {
    let text = format!(
        "{SPLIT}
   jump b1(%10)
b1(%11: i64):
   %12 = store global %11 %1
   %13: i64 = const 4
   %14: i64 = iadd %11 %13
   %15: i1 = ine %11 %14
   branch %15 b1(%14) b2
b2:
   exit
"
    );
    let (func, traced) = traced(&text);
    assert_eq!(traced.pointers, [pointer(0, 320)]);
    let text = print_func(&func);
    assert!(text.contains("store buffer 0") && text.contains("isub"), "{text}");
}

#[test]
fn a_choice_of_pointers_is_no_pointer() {
    let other = "
   %11: i32 = const 336
   %12: i64 = load constant 0 %11
   %13: i1 = ieq %4 %1
";
    for (line, followed) in [
        ("%14: i64 = select %13 %10 %12", None),
        ("%14: i64 = select %13 %10 %10", Some(pointer(0, 320))),
        ("%14: i64 = iadd %12 %12", None),
        ("%14: i64 = isub %10 %12", None),
        ("%14: i64 = load global %12", Some(pointer(0, 336))),
    ] {
        let text = format!("{SPLIT}{other}\n{line}\n%15: i32 = load global %14\nexit\n");
        let (func, traced) = traced(&text);
        let own = traced.pointers.iter().find(|p| Some(**p) == followed);
        assert_eq!(own.copied(), followed, "{line}: {}", accesses(&func));
        let lost = usize::from(followed.is_none() || line.contains("load global"));
        assert_eq!(traced.others.len(), lost, "{line}");
    }
}

/// The upper word must be that of the same pointer.
#[test]
fn halves_of_different_pointers_are_no_pointer() {
    let text = SPLIT.replace("const 324", "const 328");
    let (_, traced) = traced(&format!("{text}%11: i32 = load global %10\nexit\n"));
    assert_eq!((traced.pointers.len(), traced.others.len()), (0, 1));
}
