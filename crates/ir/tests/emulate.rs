//! What targets lack is emulated bit for bit.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::Limits;
use shisa_ir::testing::{Machine, Random};
use shisa_ir::*;

const fn file(name: &'static str, kind: FileKind, units: u16) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 1, units, scalar: Scalar::I32 }
}

static FILES: &[File] = &[file("i", FileKind::Input, 6), file("o", FileKind::Output, 80)];

const ALL: Lacks = Lacks { doubles: true, arithmetic: true, int64: true, rounding: true };
/// What a target lacks that has arithmetic of doubles as pairs of words.
const PAIRS: Lacks = Lacks { arithmetic: false, ..ALL };
const DIRECTIONS: [&str; 4] = ["", ".rz", ".rp", ".rm"];

/// A function that writes the results of operations.
#[derive(Default)]
struct Text {
    text: String,
    values: usize,
    units: usize,
}

impl Text {
    fn value(&mut self, line: &str) -> usize {
        self.values += 1;
        self.text += &format!("      %{}: {line}\n", self.values - 1);
        self.values - 1
    }

    /// Reads three operands of a kind.
    fn operands(&mut self, kind: &str) -> [usize; 3] {
        [0, 2, 4].map(|unit| match kind {
            "f64" | "i64" => {
                let pair = self.value(&format!("i32x2 = read i:{unit} xyxx"));
                self.value(&format!("{kind} = pair %{pair}"))
            }
            _ => self.value(&format!("{kind} = read i:{unit} xxxx")),
        })
    }

    /// Computes and writes a value of a kind.
    fn result(&mut self, kind: &str, operation: &str) {
        let value = self.value(&format!("{kind} = {operation}"));
        let (value, units) = match kind {
            "f64" | "i64" => (self.value(&format!("i32x2 = pair %{value}")), 2),
            "i1" => (self.value(&format!("i32 = zero_extend %{value}")), 1),
            _ => (value, 1),
        };
        let mask = if units == 2 { "xy" } else { "x" };
        self.text += &format!("      %{} = write o:{} {mask} %{value}\n", self.values, self.units);
        self.values += 1;
        self.units += units;
    }

    fn finished(self) -> Func {
        let text = format!("b0:\n{}      exit\n", self.text);
        parse_func(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
    }
}

/// Compares a function with its replacement, which has none of these words, on words of a list.
fn compare(before: &Func, absent: &[&str], words: &[u64], rounds: usize) {
    compare_lacking(ALL, before, absent, words, rounds);
}

fn compare_lacking(lacks: Lacks, before: &Func, absent: &[&str], words: &[u64], rounds: usize) {
    let (after, _) = emulate(before, &Tree::default(), lacks).unwrap();
    assert_eq!(verify(&after), Ok(()), "{}", print_func(&after));
    let text = print_func(&after);
    assert!(absent.iter().all(|kind| !text.contains(kind)), "{text}");
    let mut random = Random::new(11);
    for round in 0..rounds {
        let given: Vec<u64> = (0..6).map(|_| random.pick(words)).collect();
        let [a, b] = [before, &after].map(|f| Machine::new(f, 0, 8).with_file(0, given.clone()).run());
        assert!(a.agrees(&b), "round {round}: {given:x?}\n{a:x?}\n{b:x?}");
    }
}

/// Words that are parts of doubles around the ends of the format, of one another, and of floats and integers.
fn words() -> Vec<u64> {
    let exponents =
        [0, 1, 2, 53, 54, 970, 971, 1021, 1022, 1023, 1024, 1025, 1054, 1075, 1076, 1087, 2045, 2046, 2047];
    let mut words: Vec<u64> = exponents
        .iter()
        .flat_map(|e| [e << 20, e << 20 | 1, e << 20 | 0xf_ffff, e << 20 | 0x8_0000])
        .collect();
    words.extend([0, 1, 2, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0xffff_fffe, 0x5555_5555, 0xaaaa_aaab]);
    words.extend((0..31).map(|bit| 1 << bit));
    words.extend(words.clone().iter().map(|w| w | 1 << 31));
    words
}

/// Words that are floats around the ends of the format and of one another.
fn floats() -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    for exponent in [0, 1, 2, 24, 25, 100, 102, 103, 125, 126, 127, 128, 129, 149, 150, 151, 253, 254, 255] {
        words.extend([0, 1, 0x8_0000, 0x7f_ffff, 0x2a_aaab].map(|digits| exponent << 23 | digits));
    }
    words.extend(words.clone().iter().map(|w| w | 1 << 31));
    words.extend([1, 2, 3, 0xffff_ffff, 0x7fff_ffff, 0xff_ffff, 0x1ff_ffff]);
    words
}

#[test]
fn sums_and_products_of_doubles() {
    let mut text = Text::default();
    let [a, b, c] = text.operands("f64");
    for round in DIRECTIONS {
        text.result("f64", &format!("fadd{round} %{a} %{b}"));
        text.result("f64", &format!("fsub{round} %{a} %{c}"));
        text.result("f64", &format!("fmul{round} %{a} %{b}"));
        text.result("f64", &format!("fma{round} %{a} %{b} %{c}"));
        text.result("f64", &format!("fma{round}.fmz %{a} %{b} %{c}"));
    }
    let func = text.finished();
    compare(&func, &["f64", "i64", ".rz", ".rp", ".rm"], &words(), 12_000);
}

#[test]
fn functions_and_comparisons_of_doubles() {
    let mut text = Text::default();
    let [a, b, c] = text.operands("f64");
    for op in ["fneg", "fabs", "ffloor", "fceil", "ftrunc", "fround", "fsqrt", "frcp", "frsqrt"] {
        text.result("f64", &format!("{op} %{a}"));
    }
    for op in ["fmin", "fmax"] {
        text.result("f64", &format!("{op} %{a} %{b}"));
        text.result("f64", &format!("{op}.second %{a} %{b}"));
    }
    for op in ["feq", "fne", "flt", "fle"] {
        text.result("i1", &format!("{op} %{a} %{b}"));
    }
    text.result("f64", "const 4609434218613702656");
    let less = text.value(&format!("i1 = flt %{a} %{b}"));
    text.result("f64", &format!("select %{less} %{b} %{c}"));
    let func = text.finished();
    compare(&func, &["f64", "i64"], &words(), 6_000);
}

#[test]
fn conversions_of_doubles() {
    let mut text = Text::default();
    let [double, ..] = text.operands("f64");
    let [float, ..] = text.operands("f32");
    let [word, ..] = text.operands("i32");
    let [long, ..] = text.operands("i64");
    for round in DIRECTIONS {
        text.result("f32", &format!("float_to_float{round} %{double}"));
        for to in ["f32", "f64"] {
            for op in ["signed_to_float", "unsigned_to_float"] {
                text.result(to, &format!("{op}{round} %{long}"));
                text.result(to, &format!("{op}{round} %{word}"));
            }
        }
    }
    text.result("f32", &format!("float_to_float.ftz.sat %{double}"));
    text.result("f64", &format!("float_to_float.ftz %{float}"));
    for op in ["float_to_signed", "float_to_unsigned"] {
        text.result("i32", &format!("{op} %{double}"));
        text.result("i64", &format!("{op} %{double}"));
    }
    let bits = text.value(&format!("i64 = bits %{double}"));
    text.result("i64", &format!("bits %{double}"));
    text.result("f64", &format!("bits %{bits}"));
    let func = text.finished();
    let all: Vec<u64> = words().into_iter().chain(floats()).collect();
    compare(&func, &["f64", "i64", ".rz"], &all, 8_000);
}

#[test]
fn directions_of_floats() {
    let mut text = Text::default();
    let [a, b, c] = text.operands("f32");
    for round in DIRECTIONS {
        for rule in ["", ".ftz", ".ftz.sat", ".fmz", ".ftz.fmz"] {
            text.result("f32", &format!("fadd{round}{rule} %{a} %{b}"));
            text.result("f32", &format!("fmul{round}{rule} %{a} %{b}"));
            text.result("f32", &format!("fma{round}{rule} %{a} %{b} %{c}"));
        }
    }
    let func = text.finished();
    compare(&func, &["f64", ".rz", ".rp", ".rm"], &floats(), 12_000);
}

/// A target with arithmetic of doubles has no other use for values of 64 bits.
#[test]
fn arithmetic_of_doubles_is_between_pairs_of_words() {
    let mut text = Text::default();
    let [a, b, c] = text.operands("f64");
    let [word, ..] = text.operands("i32");
    let native = ["fadd %{a} %{b}", "fsub %{a} %{c}", "fmul %{a} %{b}", "fma %{a} %{b} %{c}"];
    let native = native.map(|op| {
        op.replace("{a}", &format!("{a}")).replace("{b}", &format!("{b}")).replace("{c}", &format!("{c}"))
    });
    native.iter().for_each(|op| text.result("f64", op));
    for op in ["feq", "fne", "flt", "fle"] {
        text.result("i1", &format!("{op} %{a} %{b}"));
    }
    for op in ["signed_to_float", "unsigned_to_float"] {
        text.result("f64", &format!("{op} %{word}"));
    }
    for op in ["float_to_signed", "float_to_unsigned"] {
        text.result("i32", &format!("{op} %{a}"));
    }
    // These are computed in integers.
    for op in [
        "fadd.rz %{a} %{b}",
        "fma.fmz %{a} %{b} %{c}",
        "fmin %{a} %{b}",
        "fmax %{a} %{b}",
        "fneg %{a}",
        "fsqrt %{a}",
    ] {
        let op = op.replace("{a}", &format!("{a}")).replace("{b}", &format!("{b}"));
        text.result("f64", &op.replace("{c}", &format!("{c}")));
    }
    text.result("f32", &format!("float_to_float %{a}"));
    let func = text.finished();
    compare_lacking(PAIRS, &func, &["i64", ".rz", ".fmz", "fmin", "fneg", "fsqrt"], &words(), 6_000);
    let (after, _) = emulate(&func, &Tree::default(), PAIRS).unwrap();
    let nodes = &after.nodes;
    let doubles = after.blocks[0].body.iter().copied().filter(|v| nodes.ty(*v).scalar == Scalar::F64);
    let (pairs, others): (Vec<Value>, Vec<Value>) =
        doubles.partition(|v| matches!(nodes.op(*v), Op::Convert { op: Convert::Pair, .. }));
    assert!(others.iter().all(|v| is_double_arithmetic(nodes, nodes.op(*v), nodes.ty(*v))));
    // Two operands of three sums and products and four comparisons, three of one, one of two conversions.
    assert_eq!((pairs.len(), others.len()), (2 * 7 + 3 + 2, 4 + 2));
}

/// A target with 64-bit integers that are pairs of words everywhere else.
#[test]
fn integers_of_64_bits_between_pairs_of_words() {
    let mut text = Text::default();
    let [a, b, _] = text.operands("i64");
    let float = text.value("f32 = read i:0 xxxx");
    let sums = ["iadd", "isub", "imul", "shl", "lshr", "ashr", "umin", "umax", "smin", "smax"];
    for op in sums {
        text.result("i64", &format!("{op} %{a} %{b}"));
    }
    for op in ["ieq", "ine", "ult", "ule", "slt", "sle"] {
        text.result("i1", &format!("{op} %{a} %{b}"));
    }
    for op in ["signed_to_float", "unsigned_to_float"] {
        text.result("f32", &format!("{op} %{a}"));
    }
    for op in ["float_to_signed", "float_to_unsigned"] {
        text.result("i64", &format!("{op} %{float}"));
    }
    let func = text.finished();
    let lacks = Lacks { int64: false, ..ALL };
    compare_lacking(lacks, &func, &[], &words(), 6_000);
    assert!(emulate(&func, &Tree::default(), ALL).is_none());
    let (after, _) = emulate(&func, &Tree::default(), lacks).unwrap();
    let nodes = &after.nodes;
    let is_pair = |v: Value| matches!(nodes.op(v), Op::Convert { op: Convert::Pair, .. });
    let wide = after.blocks[0].body.iter().filter(|v| nodes.ty(**v).scalar == Scalar::I64);
    let others: Vec<Value> = wide.copied().filter(|v| !is_pair(*v)).collect();
    assert!(others.iter().all(|v| is_int64_arithmetic(nodes, nodes.op(*v), nodes.ty(*v))));
    assert_eq!(others.len(), sums.len() + 2);
}

/// A target with doubles that rounds to nearest only.
#[test]
fn directions_of_doubles() {
    let mut text = Text::default();
    let [a, b, c] = text.operands("f64");
    for round in DIRECTIONS {
        text.result("f64", &format!("fadd{round} %{a} %{b}"));
        text.result("f64", &format!("fma{round} %{a} %{b} %{c}"));
        text.result("f32", &format!("float_to_float{round} %{a}"));
    }
    let func = text.finished();
    let lacks = Lacks { doubles: false, ..ALL };
    compare_lacking(lacks, &func, &[".rz", ".rp", ".rm"], &words(), 4_000);
}

/// Vectors are replaced component by component.
#[test]
fn directions_of_vectors() {
    let text = "b0:
      %0: f32x3 = read i:0 xyzx
      %1: f32x3 = read i:2 xyzx
      %2: f32x3 = fadd.rp %0 %1
      %3 = write o:0 xyz %2
      exit
    ";
    let func = parse_func(text, FILES, &Limits::default()).unwrap();
    compare(&func, &[".rp"], &floats(), 2_000);
}

/// Doubles are parameters of blocks and variables of a tree, and are in memory.
#[test]
fn doubles_pass_through_blocks_and_memory() {
    let text = "b0:
      %0: i32 = const 64
      %1: f64 = load global %0
      %2: i32 = const 3
      jump b1(%1, %2)
    b1(%3: f64, %4: i32):
      %5: f64 = fadd %3 %3
      %6: i32 = const 1
      %7: i32 = isub %4 %6
      %8: i32 = const 0
      %9: i1 = ine %7 %8
      branch %9 b1(%5, %7) b2
    b2:
      %10 = store global %0 %5
      exit
    ";
    let mut func = parse_func(text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"));
    let tree = structurise(&mut func, &Limits::default()).unwrap();
    assert!(tree.vars.iter().any(|(ty, _)| ty.scalar == Scalar::F64));
    assert!(emulate(&func, &tree, Lacks { doubles: false, ..ALL }).is_none());
    let (func, tree) = emulate(&func, &tree, ALL).unwrap();
    assert_eq!(verify(&func), Ok(()));
    assert!(tree.vars.iter().all(|(ty, _)| ty.scalar != Scalar::F64));
    assert!(!print_func(&func).contains("f64"));
}

/// A function with an operation that has no replacement stays as it is.
#[test]
fn other_operations_stay() {
    for line in ["f64 = fexp2 %1", "f64 = fdiv %1 %1", "i64 = iadd %2 %2", "f16 = float_to_float %1"] {
        let text = format!(
            "b0:
      %0: i32x2 = read i:0 xyxx
      %1: f64 = pair %0
      %2: i64 = pair %0
      %3: {line}
      exit
    "
        );
        let func = parse_func(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"));
        assert!(emulate(&func, &Tree::default(), ALL).is_none(), "{line}");
    }
}
