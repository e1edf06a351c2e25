use super::*;
use crate::testing::{FILES, Machine, Random, random_func};
use shisa_diag::Limits;

#[test]
fn random_functions_mean_the_same_in_words() {
    let mut random = Random::new(83);
    let (mut before_kinds, mut after_kinds) = (0, 0);
    let kinds = |func: &Func| {
        let live = func.blocks.iter().flat_map(|b| b.body.iter().chain(&b.params));
        let wide = |v: &&Value| {
            let ty = func.nodes.ty(**v).scalar;
            ty == Scalar::I64 || is_small(ty)
        };
        live.filter(wide).count()
    };
    for round in 0..3000 {
        let size = 1 + random.below(8);
        let mut before = random_func(&mut random, size);
        registers_to_values(&mut before, &Limits::default()).unwrap();
        // The interpreter's memory holds addresses; halves lie elsewhere.
        let types: Vec<Type> = before.nodes.list.iter().map(|n| n.ty).collect();
        for node in &mut before.nodes.list {
            let wide = |ty: Type| ty.scalar.bits() != 32;
            match node.op {
                Op::Load { .. } if wide(node.ty) => node.op = Op::Const(1),
                Op::Store { value, .. } if wide(types[value.index()]) => node.op = Op::Emit,
                _ => {}
            }
        }
        let mut after = before.clone();
        narrow(&mut after, FILES, Addresses::Full).unwrap();
        assert_eq!(verify(&after), Ok(()), "round {round}\n{}\n{}", print_func(&before), print_func(&after));
        remove_dead(&mut before);
        before_kinds += kinds(&before);
        after_kinds += kinds(&after);
        for seed in 0..4 {
            let a = Machine::new(&before, seed, 80).run();
            let b = Machine::new(&after, seed, 80).run();
            assert!(
                a.agrees(&b),
                "round {round}\n{a:?}\n{b:?}\n{}\n{}",
                print_func(&before),
                print_func(&after)
            );
        }
    }
    assert!(3 * after_kinds < before_kinds, "{after_kinds} of {before_kinds} stay");
}

const fn file(name: &'static str, kind: FileKind, unit_bits: u8, units: u16) -> File {
    File { name, kind, unit_bits, units_per_register: 1, units, scalar: Scalar::I32 }
}

static HALVES: &[File] = &[file("u", FileKind::Uniform, 16, 8), file("o", FileKind::Output, 32, 8)];
static WORDS: &[File] = &[file("u", FileKind::Uniform, 32, 4), file("o", FileKind::Output, 32, 8)];

#[test]
fn units_of_16_bits_are_read_from_words() {
    let text = "b0:
      %0: i16 = read u:3 xxxx
      %1: i32 = zero_extend %0
      %2 = write o:0 x %1
      %3: i32 = read u:1 xxxx
      %4 = write o:1 x %3
      %5: i32x2 = read u:2 yxxx
      %6 = write o:2 xy %5
      %7: i64 = read u:3 xxxx
      %8: i32x2 = pair %7
      %9 = write o:4 xy %8
      %10: f32 = read u:5 xxxx
      %11 = write o:6 x %10
      exit
    ";
    let before = parse_func(text, HALVES, &Limits::default()).unwrap();
    verify(&before).unwrap();
    let mut after = before.clone();
    narrow(&mut after, WORDS, Addresses::Full).unwrap();
    verify(&after).unwrap();
    let halves: Vec<u64> = (0..8).map(|i| (0x1111 * (i + 1)) ^ 0x8000).collect();
    let words = halves.chunks(2).map(|h| h[0] | h[1] << 16).collect();
    let a = Machine::new(&before, 0, 80).with_file(0, halves).run();
    let b = Machine::new(&after, 0, 80).with_file(0, words).run();
    assert!(a.agrees(&b) && a.events[0] == 0x4444 ^ 0x8000, "{a:?}\n{b:?}");
    let indirect = "b0:
      %0: i32 = const 1
      %1: i32 = read_at u:0 + %0 * 2 xxxx
      exit
    ";
    let mut indirect = parse_func(indirect, HALVES, &Limits::default()).unwrap();
    assert_eq!(narrow(&mut indirect, WORDS, Addresses::Full).unwrap_err().code, "narrow-register");
}

#[test]
fn memory_is_words_and_a_window_needs_the_low_half() {
    let text = "b0:
      %0: i64 = read i:0 xxxx
      %1: i64x2 = load global %0
      %2 = store global %0 %1
      exit
    ";
    let short = |addresses| {
        let mut func = parse_func(text, FILES, &Limits::default()).unwrap();
        narrow(&mut func, FILES, addresses).unwrap();
        verify(&func).unwrap();
        let text = print_func(&func);
        ["i32x2 = load", "= store", "iadd", "i64"].map(|what| text.matches(what).count())
    };
    assert_eq!(short(Addresses::Window), [2, 2, 2, 0]);
    let [loads, stores, _, wide] = short(Addresses::Full);
    assert!((loads, stores) == (2, 2) && wide > 0);
}
