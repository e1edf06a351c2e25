//! What is narrowed to words means the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::Limits;
use shisa_ir::testing::{FILES, Machine, Random, random_func};
use shisa_ir::*;

#[test]
fn random_functions_mean_the_same_in_words() {
    let mut random = Random::new(83);
    let (mut before_kinds, mut after_kinds) = (0, 0);
    let kinds = |func: &Func| {
        let live = func.blocks.iter().flat_map(|b| b.body.iter().chain(&b.params));
        let wide = |v: &&Value| {
            let ty = func.nodes.ty(**v).scalar;
            matches!(ty, Scalar::I64 | Scalar::F16) || matches!(ty.bits(), 8)
        };
        live.filter(wide).count()
    };
    for round in 0..3000 {
        let size = 1 + random.below(8);
        let mut before = random_func(&mut random, size);
        registers_to_values(&mut before, &Limits::default()).unwrap();
        // The interpreter's memory is indexed by address; parts of a value are at other addresses.
        let types: Vec<Type> = before.nodes.list.iter().map(|n| n.ty).collect();
        for node in &mut before.nodes.list {
            let wide = |ty: Type| ty.scalar.bits() != 32;
            match node.op {
                Op::Load { .. } if wide(node.ty) => node.op = Op::Const(1),
                Op::Store { value, .. } if wide(types[value.index()]) => node.op = Op::Emit,
                _ => {}
            }
        }
        let natives =
            [(false, false), (true, false), (false, true)].map(|(int64, float16)| Natives { int64, float16 });
        let afters = natives.map(|natives| {
            let mut after = before.clone();
            narrow(&mut after, FILES, Addresses::Full, natives).unwrap();
            assert_eq!(
                verify(&after),
                Ok(()),
                "round {round}\n{}\n{}",
                print_func(&before),
                print_func(&after)
            );
            after
        });
        remove_dead(&mut before);
        before_kinds += kinds(&before);
        after_kinds += kinds(&afters[0]);
        for (seed, after) in (0..4).flat_map(|seed| afters.iter().map(move |after| (seed, after))) {
            let a = Machine::new(&before, seed, 80).run();
            let b = Machine::new(after, seed, 80).run();
            assert!(
                a.agrees(&b),
                "round {round}\n{a:?}\n{b:?}\n{}\n{}",
                print_func(&before),
                print_func(after)
            );
        }
    }
    assert!(3 * after_kinds < before_kinds, "{after_kinds} of {before_kinds} remain");
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
    narrow(&mut after, WORDS, Addresses::Full, Natives::default()).unwrap();
    verify(&after).unwrap();
    let halves: Vec<u64> = (0..8).map(|i| (0x1111 * (i + 1)) ^ 0x8000).collect();
    let words = halves.chunks(2).map(|h| h[0] | h[1] << 16).collect();
    let a = Machine::new(&before, 0, 80).with_file(0, halves).run();
    let b = Machine::new(&after, 0, 80).with_file(0, words).run();
    assert!(a.agrees(&b) && a.events[0] == 0x4444 ^ 0x8000, "{a:?}\n{b:?}");
    let indirect = "b0:
      %0: i32 = const 1
      %1: i32 = read_at u:0 + %0 * 2 xxxx
      %2 = write o:0 x %1
      exit
    ";
    let mut indirect = parse_func(indirect, HALVES, &Limits::default()).unwrap();
    assert_eq!(
        narrow(&mut indirect, WORDS, Addresses::Full, Natives::default()).unwrap_err().code,
        "narrow-register"
    );
}

static LANES: &[File] = &[file("i", FileKind::Input, 32, 3), file("o", FileKind::Output, 32, 8)];

/// Values around the rounding boundaries of 16-bit floats: ties, the smallest numbers, the largest, infinity, NaN.
#[test]
fn floats_of_16_bits_round_once() {
    let text = "b0:
      %0: f32 = read i:0 xxxx
      %1: f32 = read i:1 xxxx
      %2: f32 = read i:2 xxxx
      %3: f16 = float_to_float %0
      %4: f16 = float_to_float %1
      %5: f16 = float_to_float %2
      %6: f16 = fma %3 %4 %5
      %7: f16 = fmul %3 %4
      %8: f16 = float_to_float.rz %0
      %9: i16 = bits %6
      %10: i16 = bits %7
      %11: i16 = bits %8
      %12: i16 = bits %3
      %13: i32 = zero_extend %9
      %14: i32 = zero_extend %10
      %15: i32 = zero_extend %11
      %16: i32 = zero_extend %12
      %17: f32 = float_to_float %3
      %18 = write o:0 x %13
      %19 = write o:1 x %14
      %20 = write o:2 x %15
      %21 = write o:3 x %16
      %22 = write o:4 x %17
      %23: i32 = read i:0 xxxx
      %24: f16 = signed_to_float.ftz %23
      %25: f16 = unsigned_to_float.rz.ftz.sat %23
      %26: i16 = bits %24
      %27: i16 = bits %25
      %28: i32 = zero_extend %26
      %29: i32 = zero_extend %27
      %30 = write o:5 x %28
      %31 = write o:6 x %29
      %32: f16 = float_to_float.rp %0
      %33: f16 = float_to_float.rm %0
      %34: i16 = bits %32
      %35: i16 = bits %33
      %36: i16x2 = join %34 %35
      %37: i32x2 = zero_extend %36
      %38: i32 = swizzle %37 xxxx
      %39: i32 = swizzle %37 yyyy
      %40: i32 = const 16
      %41: i32 = shl %39 %40
      %42: i32 = or %38 %41
      %43 = write o:7 x %42
      exit
    ";
    let before = parse_func(text, LANES, &Limits::default()).unwrap();
    let [after, native] = [false, true].map(|float16| {
        let mut after = before.clone();
        narrow(&mut after, LANES, Addresses::Full, Natives { float16, ..Natives::default() }).unwrap();
        verify(&after).unwrap();
        after
    });
    assert!(["i16", "f16"].iter().all(|kind| !print_func(&after).contains(kind)), "{}", print_func(&after));
    let text = print_func(&native);
    assert!(NATIVE.iter().all(|op| text.contains(op)) && !text.contains("f16 = fma"), "{text}");
    let mut floats: Vec<u64> = Vec::new();
    for exponent in [100, 101, 102, 103, 110, 112, 113, 114, 126, 127, 128, 141, 142, 143, 150, 255] {
        for digits in
            [0, 1, 0xfff, 0x1000, 0x1001, 0x2000, 0x3000, 0x40_0000, 0x7f_e000, 0x7f_f000, 0x7f_ffff]
        {
            floats.extend([exponent << 23 | digits, 1 << 31 | exponent << 23 | digits]);
        }
    }
    floats.extend([0, 1, 1 << 31, 0x7f80_2000]);
    // Integers that are rounded or out of range.
    floats.extend([2049, 2051, 65504, 65519, 65520, u64::from(u32::MAX), 0xffff_0010]);
    let mut random = Random::new(5);
    for round in 0..40_000 {
        let given: Vec<u64> = (0..3).map(|_| random.pick(&floats)).collect();
        let [a, b, c] =
            [&before, &after, &native].map(|f| Machine::new(f, 0, 8).with_file(0, given.clone()).run());
        assert!(a.agrees(&b) && a.agrees(&c), "round {round}: {given:x?}\n{a:x?}\n{b:x?}\n{c:x?}");
    }
}

/// What stays where the target has 16-bit floats.
const NATIVE: [&str; 2] = ["f16 = fmul", "f16 = float_to_float"];

/// Each of these operations with a flush of denormal operands and results, by values around the smallest normal number.
#[test]
fn floats_of_16_bits_are_flushed() {
    let text = "b0:
      %0: f32 = read i:0 xxxx
      %1: f32 = read i:1 xxxx
      %2: f32 = read i:2 xxxx
      %3: f16 = float_to_float %0
      %4: f16 = float_to_float %1
      %5: f16 = float_to_float %2
      %6: f16 = fma.ftz %3 %4 %5
      %7: f16 = fmul.ftz %3 %4
      %8: f16 = fadd.ftz.sat %3 %4
      %9: f16 = fmul.ftz.fmz %3 %3
      %10: i1 = flt.ftz %3 %4
      %11: f16 = float_to_float.ftz %0
      %12: i16 = bits %6
      %13: i16 = bits %7
      %14: i16 = bits %8
      %15: i16 = bits %9
      %16: i16 = bits %11
      %17: i32 = zero_extend %12
      %18: i32 = zero_extend %13
      %19: i32 = zero_extend %14
      %20: i32 = zero_extend %15
      %21: i32 = zero_extend %16
      %22: i32 = zero_extend %10
      %23 = write o:0 x %17
      %24 = write o:1 x %18
      %25 = write o:2 x %19
      %26 = write o:3 x %20
      %27 = write o:4 x %21
      %28 = write o:5 x %22
      exit
    ";
    let before = parse_func(text, LANES, &Limits::default()).unwrap();
    let [after, native] = [false, true].map(|float16| {
        let mut after = before.clone();
        narrow(&mut after, LANES, Addresses::Full, Natives { float16, ..Natives::default() }).unwrap();
        verify(&after).unwrap();
        after
    });
    assert!(["i16", "f16"].iter().all(|kind| !print_func(&after).contains(kind)), "{}", print_func(&after));
    let text = print_func(&native);
    assert!(NATIVE.iter().all(|op| text.contains(op)) && !text.contains("f16 = fma"), "{text}");
    let mut floats: Vec<u64> = Vec::new();
    for exponent in [0, 100, 103, 105, 111, 112, 113, 114, 119, 120, 126, 127, 142, 255] {
        for digits in [0, 1, 0x1000, 0x2000, 0x40_0000, 0x7f_e000, 0x7f_f000] {
            floats.extend([exponent << 23 | digits, 1 << 31 | exponent << 23 | digits]);
        }
    }
    let mut random = Random::new(6);
    let mut results = std::collections::BTreeSet::new();
    for round in 0..20_000 {
        let given: Vec<u64> = (0..3).map(|_| random.pick(&floats)).collect();
        let [a, b, c] =
            [&before, &after, &native].map(|f| Machine::new(f, 0, 8).with_file(0, given.clone()).run());
        assert!(a.agrees(&b) && a.agrees(&c), "round {round}: {given:x?}\n{a:x?}\n{b:x?}\n{c:x?}");
        results.extend(a.events.iter().take(5).copied());
    }
    assert!(results.iter().all(|bits| bits & 0x7c00 != 0 || bits & 0x3ff == 0), "a result is denormal");
}

/// Conversions between 64-bit integers and floats in each direction of rounding, by values around powers of two.
#[test]
fn integers_of_64_bits_become_floats_and_back() {
    let mut text = String::from(
        "b0:
      %0: i32x2 = read i:0 xyxx
      %1: i64 = pair %0
      %2: f32 = read i:0 xxxx
      %3: i64 = float_to_signed %2
      %4: i64 = float_to_unsigned %2
      %5: i32x2 = pair %3
      %6: i32x2 = pair %4
      %7 = write o:0 xy %5
      %8 = write o:2 xy %6
",
    );
    let mut next = 9;
    for (i, name) in ["signed_to_float", "unsigned_to_float"].iter().enumerate() {
        for (j, round) in ["", ".rz", ".rp", ".rm"].iter().enumerate() {
            let at = 4 + 4 * i + j;
            text += &format!(
                "      %{next}: f32 = {name}{round} %1\n      %{} = write o:{at} x %{next}\n",
                next + 1
            );
            next += 2;
        }
    }
    text += "      exit\n    ";
    static WIDE: &[File] = &[file("i", FileKind::Input, 32, 2), file("o", FileKind::Output, 32, 12)];
    let before = parse_func(&text, WIDE, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    let mut after = before.clone();
    narrow(&mut after, WIDE, Addresses::Full, Natives::default()).unwrap();
    verify(&after).unwrap();
    assert!(!print_func(&after).contains("i64"), "{}", print_func(&after));
    let mut words: Vec<u64> =
        (0..=255).flat_map(|e| [e << 23, e << 23 | 0x7f_ffff, e << 23 | 0x2a_aaab]).collect();
    words.extend(words.clone().iter().map(|w| w | 1 << 31));
    words.extend(
        (0..32).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) + 1, 3 << bit & 0xffff_ffff]),
    );
    words.extend([0x80, 0x100, 0x180, 0xff, 0xffff_ff80, 0xffff_ff00, 0xffff_ffff, 0x7fff_ffff]);
    let mut random = Random::new(7);
    for round in 0..20_000 {
        let given: Vec<u64> = (0..2).map(|_| random.pick(&words)).collect();
        let [a, b] = [&before, &after].map(|f| Machine::new(f, 0, 8).with_file(0, given.clone()).run());
        assert!(a.agrees(&b), "round {round}: {given:x?}\n{a:x?}\n{b:x?}");
    }
}

#[test]
fn parts_of_words_are_loaded_and_stored() {
    let text = "b0:
      %0: i32 = read i:0 xxxx
      %1: i16x2 = load shared %0
      %2 = store shared %0 %1
      %3: i8 = load local %0
      %4 = store local %0 %3
      %5: f16 = load global %0
      %6 = store global %0 %5
      exit
    ";
    let mut func = parse_func(text, LANES, &Limits::default()).unwrap();
    narrow(&mut func, LANES, Addresses::Window, Natives::default()).unwrap();
    verify(&func).unwrap();
    let text = print_func(&func);
    let count = |what: &str| text.matches(what).count();
    assert_eq!(
        ["i32 = load", "= atomic_and", "= atomic_or", "= store local"].map(count),
        [5, 3, 3, 1],
        "{text}"
    );
    assert_eq!(["i16", "i8", "f16"].map(count), [0; 3], "{text}");
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
        narrow(&mut func, FILES, addresses, Natives::default()).unwrap();
        verify(&func).unwrap();
        let text = print_func(&func);
        ["i32x2 = load", "= store", "iadd", "i64"].map(|what| text.matches(what).count())
    };
    assert_eq!(short(Addresses::Window), [2, 2, 2, 0]);
    let [loads, stores, _, wide] = short(Addresses::Full);
    assert!((loads, stores) == (2, 2) && wide > 0);
}

/// What stays of operations on 64-bit integers where the target has them.
#[test]
fn long_operations_stay_where_all_of_their_result_is_used() {
    let native = |addresses, body: &str| {
        let text = format!(
            "b0:
      %0: i32x2 = read i:0 xyxx
      %1: i64 = pair %0
      %2: i64 = const 0x123456789
      %3: i64 = const 32
      %4: i64 = const 5
      %5: i32 = read i:2 xxxx
      %6: i64 = zero_extend %5
      {body}
      exit
    "
        );
        let mut func =
            parse_func(&text, LANES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
        narrow(&mut func, LANES, addresses, Natives { int64: true, float16: false }).unwrap();
        verify(&func).unwrap();
        let text = print_func(&func);
        text.lines()
            .filter(|line| line.contains("i64") && !line.contains("pair") && !line.contains("const"))
            .count()
    };
    let stored = |op: &str| {
        let ty = if op.contains("lt ") || op.contains("eq ") { "i32 = zero_extend" } else { "i32x2 = pair" };
        let kind = if ty.contains("zero") { "i1" } else { "i64" };
        format!("%7: {kind} = {op}\n %8: {ty} %7\n %9 = store shared %5 %8")
    };
    let full = |op: &str| native(Addresses::Full, &stored(op));
    for op in [
        "iadd %1 %2",
        "isub %2 %1",
        "imul %1 %6",
        "ineg %1",
        "umin %1 %2",
        "smax %1 %6",
        "shl %1 %4",
        "lshr %1 %6",
    ] {
        assert_eq!(full(op), 1, "{op}");
    }
    for op in ["shl %1 %3", "ashr %1 %3", "and %1 %2", "imul %6 %6", "not %1"] {
        assert_eq!(full(op), 0, "{op}");
    }
    // The low word of a sum, of an address and of a shift to the right.
    let low = |op: &str, last: &str| {
        native(Addresses::Window, &format!("%7: i64 = {op}\n %8: i32 = truncate %7\n %9 = {last}"))
    };
    assert_eq!(low("iadd %1 %2", "store shared %5 %8"), 0);
    assert_eq!(low("iadd %1 %2", "store global %7 %8"), 0);
    assert_eq!(low("lshr %1 %6", "store shared %5 %8"), 1);
    // The amount of a shift is needed as a whole.
    assert_eq!(low("shl %1 %6", "store shared %5 %8"), 0);
    let words = |swizzle: &str| {
        let body = "%7: i64 = iadd %1 %2\n %8: i32x2 = pair %7\n %9: i32 = swizzle %8";
        native(Addresses::Window, &format!("{body} {swizzle}\n %10 = store shared %5 %9"))
    };
    assert_eq!((words("xxxx"), words("yyyy")), (0, 1));
}
