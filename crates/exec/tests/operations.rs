//! Every operation with every rule on edge values, on every host level, against its definition in `shisa_ir::scalar`.

use crate::common::{self};
use shisa_diag::Limits;
use shisa_exec::{Attribute, HostLevel, Outputs, Program, Slot};
use shisa_ir::scalar::{DotOrder, Rounding};
use shisa_ir::{
    Binary, Builder, Convert, File, FileId, FileKind, FloatModel, FloatRule, Func, Mask, NanRule, Op, Reg,
    Round, Scalar, Swizzle, Ternary, Tree, Type, Unary, Value,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 12, scalar: Scalar::I32 }
}

static FILES: &[File] =
    &[file("in", FileKind::Input), file("out", FileKind::Output), file("c", FileKind::Uniform)];

/// Zeros, denormals, numbers at which rounding and range change, infinities, NaN with and without payload, and integers.
const EDGES: [u32; 32] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0001,
    0x7f80_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x4f00_0000,
    0x4b7f_ffff,
    0xcb00_0001,
    0x3eff_ffff,
    0xbf40_0000,
    0x2080_0000,
    0x207f_ff80,
    0x5f7f_ff80,
    0x5f80_0000,
    0x4049_0f80,
    0xc2f6_e980,
    0x0000_3c00,
    0x7bff_fbff,
    0xffff_ffff,
    33,
    0x1234_5678,
];

const NARROW: [Scalar; 6] = [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::F16, Scalar::F32];

/// Rules that differ in each property.
fn rules() -> Vec<FloatRule> {
    let ieee = FloatRule::IEEE;
    vec![
        ieee,
        FloatRule { flush: true, ..ieee },
        FloatRule { saturate: true, ..ieee },
        FloatRule { zero_product: true, nan: NanRule::Second, ..ieee },
        FloatRule { round: Round::Zero, ..ieee },
        FloatRule { model: true, zero_product: true, nan: NanRule::Second, ..ieee },
        FloatRule { model: true, ..ieee },
    ]
}

fn models() -> [FloatModel; 3] {
    let other = FloatModel { add: Rounding::Nearest, dot_order: DotOrder::Pairs, ..FloatModel::F24 };
    [FloatModel::F24, FloatModel::F32, other]
}

/// A function that computes one value of up to 32 bits from three words.
fn function(build: impl FnOnce(&mut Builder<'_>, [Value; 3]) -> Value) -> (Func, Tree) {
    common::function(FILES, |b| {
        let words = [0, 1, 2].map(|unit| b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, Type::I32));
        let value = build(b, words);
        let wide = widened(b, value);
        b.write(Reg::new(FileId(1), 0), Mask(1), wide);
    })
}

/// The low bits of a word, as a component of a kind.
fn narrowed(b: &mut Builder<'_>, word: Value, kind: Scalar) -> Value {
    let int = kind.as_int();
    let a = if int == Scalar::I32 { word } else { b.convert(Convert::Truncate, word, int) };
    if int == kind { a } else { b.convert(Convert::Bits, a, kind) }
}

/// The bits of a component as a word.
fn widened(b: &mut Builder<'_>, a: Value) -> Value {
    let kind = b.ty(a).scalar;
    let int = kind.as_int();
    let a = if int == kind { a } else { b.convert(Convert::Bits, a, int) };
    if int == Scalar::I32 { a } else { b.convert(Convert::ZeroExtend, a, Scalar::I32) }
}

/// The models and rules with which an operation is judged: all where they may change the result.
fn settings(is_float: bool) -> Vec<(FloatModel, FloatRule)> {
    if !is_float {
        return vec![(FloatModel::F32, FloatRule::IEEE)];
    }
    models().into_iter().flat_map(|model| rules().into_iter().map(move |rule| (model, rule))).collect()
}

/// Words of every edge, or of every pair of edges with a third one.
fn words(operands: usize) -> Vec<[u32; 3]> {
    let n = EDGES.len();
    let count = if operands == 1 { n } else { n * n };
    (0..count).map(|i| [EDGES[(i * n / count) % n], EDGES[i % n], EDGES[(i + i / n) % n]]).collect()
}

/// Runs the function of so many operands on all words on every level, and compares.
fn judge(
    name: &str,
    operands: usize,
    (func, tree): &(Func, Tree),
    model: FloatModel,
    want: impl Fn([u32; 3]) -> u64,
) {
    let mut program =
        Program::new(func, tree, model, &Limits::default()).unwrap_or_else(|d| panic!("{name}: {d}"));
    let words = words(operands);
    let slot = |units, stride| Slot { reg: Reg::new(FileId(0), 0), units, offset: 0, stride, step: 1 };
    let slots = [Slot { reg: Reg::new(FileId(1), 0), ..slot(1, 1) }];
    let wanted: Vec<u32> = words.iter().map(|w| want(*w) as u32).collect();
    // Chunks of one word, of which all lanes take the same steps, then chunks of different words.
    let each = |n: &usize| [*n; CHUNK];
    let lanes: Vec<usize> = (0..words.len()).collect();
    let lanes: Vec<usize> = lanes.iter().flat_map(each).chain(lanes.iter().copied()).collect();
    let given: Vec<[u32; 3]> = lanes.iter().map(|n| words[*n]).collect();
    let attribute = Attribute { slot: slot(3, 3), data: given.as_flattened() };
    for level in HostLevel::ALL {
        let mut runner = program.runner();
        if !runner.set_level(level) {
            continue;
        }
        let mut got = vec![0; lanes.len()];
        let mut outputs = Outputs { slots: &slots, data: &mut got };
        runner
            .run(lanes.len(), &[attribute], &mut outputs, &mut [])
            .unwrap_or_else(|d| panic!("{name}: {d}"));
        for (got, n) in got.iter().zip(&lanes) {
            let (want, words) = (&wanted[*n], &words[*n]);
            assert_eq!(got, want, "{name} {model:?} {level:?} of {words:x?}: got {got:x}, want {want:x}");
        }
    }
    let mut left = None;
    for level in [HostLevel::Avx512, HostLevel::Avx2].into_iter().filter(|level| level.is_available()) {
        if !common::has_code(&mut program, level) {
            continue;
        }
        assert_eq!(program.machine_code_level(), Some(level));
        let chunks = judge_code(name, &program, &words, &wanted);
        judge_halves(name, &program, &words, &wanted);
        // AVX-512 changes some NaN in a minimum or maximum; AVX2 leaves some edges of a power of two.
        let more = if operands == 1 { words.len() as u64 / 4 } else { 0 };
        let most = *left.get_or_insert(chunks + more);
        assert!(
            chunks <= most,
            "{name} {model:?}: {chunks} chunks left with {level:?}, at most {most} expected"
        );
    }
}

/// Lanes of which machine code leaves all if one is in doubt.
const CHUNK: usize = 16;

/// Runs machine code on all words and compares. Each chunk has one word, so that only lanes whose own result is in doubt
/// are left to the engine without machine code. Returns how many chunks were left.
fn judge_code(name: &str, program: &Program, words: &[[u32; 3]], wanted: &[u32]) -> u64 {
    let lanes: Vec<([u32; 3], u32)> =
        words.iter().zip(wanted).flat_map(|(w, want)| [(*w, *want); CHUNK]).collect();
    judge_lanes(name, program, &lanes)
}

/// As [`judge_code`], with two words in each chunk, which differ in every element if the edges do.
fn judge_halves(name: &str, program: &Program, words: &[[u32; 3]], wanted: &[u32]) {
    let (n, rows) = (EDGES.len(), words.len() / EDGES.len());
    let columns = (0..words.len()).map(|i| i % n * rows + i / n);
    let lanes: Vec<([u32; 3], u32)> = columns.flat_map(|i| [(words[i], wanted[i]); CHUNK / 2]).collect();
    judge_lanes(name, program, &lanes);
}

/// Runs machine code on a word for each lane, and compares. Returns how many chunks were left.
fn judge_lanes(name: &str, program: &Program, lanes: &[([u32; 3], u32)]) -> u64 {
    let repeated: Vec<[u32; 3]> = lanes.iter().map(|(w, _)| *w).collect();
    let slot = |units, stride| Slot { reg: Reg::new(FileId(0), 0), units, offset: 0, stride, step: 1 };
    let attribute = Attribute { slot: slot(3, 3), data: repeated.as_flattened() };
    let slots = [Slot { reg: Reg::new(FileId(1), 0), ..slot(1, 1) }];
    let mut got = vec![0; repeated.len()];
    let mut runner = program.runner();
    let mut outputs = Outputs { slots: &slots, data: &mut got };
    runner.run(repeated.len(), &[attribute], &mut outputs, &mut []).unwrap_or_else(|d| panic!("{name}: {d}"));
    for ((got, want), words) in got.iter().zip(lanes.iter().map(|(_, want)| *want)).zip(&repeated) {
        let level = program.machine_code_level();
        assert_eq!(
            *got, want,
            "{name}, machine code for {level:?}, of {words:x?}: got {got:x}, want {want:x}"
        );
    }
    runner.left_chunks()
}

fn low(kind: Scalar, word: u32) -> u64 {
    u64::from(word) & (u64::MAX >> (64 - kind.bits()))
}

/// Saturation is an operation of its own: the definition of a float24 operation does not have it.
fn has_definition(rule: FloatRule) -> bool {
    !(rule.model && rule.saturate)
}

#[test]
fn unary_operations() {
    for (&op, kind) in Unary::ALL.iter().flat_map(|op| NARROW.map(|kind| (op, kind))) {
        if op.is_float() != kind.is_float() {
            continue;
        }
        for (model, rule) in settings(op.is_float()).into_iter().filter(|(_, r)| has_definition(*r)) {
            let f = function(|b, [a, ..]| {
                let a = narrowed(b, a, kind);
                b.push(Op::Unary { op, rule, a }, kind.by(1))
            });
            judge(&format!("{op:?} {kind:?} {rule:?}"), 1, &f, model, |[a, ..]| {
                model.unary(op, rule, kind, low(kind, a))
            });
        }
    }
}

#[test]
fn binary_operations() {
    for (&op, kind) in Binary::ALL.iter().flat_map(|op| NARROW.map(|kind| (op, kind))) {
        if op.is_float() != kind.is_float() || op == Binary::FDot {
            continue;
        }
        for (model, rule) in settings(op.is_float()) {
            let f = function(|b, [x, y, _]| {
                let (a, c) = (narrowed(b, x, kind), narrowed(b, y, kind));
                b.push(Op::Binary { op, rule, a, b: c }, op.result(kind.by(1)))
            });
            judge(&format!("{op:?} {kind:?} {rule:?}"), 2, &f, model, |[x, y, _]| {
                model.binary(op, rule, kind, low(kind, x), low(kind, y))
            });
        }
    }
}

#[test]
fn operations_of_three_operands() {
    for kind in NARROW {
        for (model, rule) in settings(kind.is_float()) {
            for &op in Ternary::ALL.iter().filter(|op| **op == Ternary::Select || kind.is_float()) {
                let f = function(|b, [x, y, z]| {
                    let cond = if op == Ternary::Select { Scalar::I1 } else { kind };
                    let (a, y, c) = (narrowed(b, x, cond), narrowed(b, y, kind), narrowed(b, z, kind));
                    b.push(Op::Ternary { op, rule, a, b: y, c }, kind.by(1))
                });
                judge(&format!("{op:?} {kind:?} {rule:?}"), 3, &f, model, |[x, y, z]| {
                    model.ternary(op, rule, kind, x.into(), low(kind, y), low(kind, z))
                });
            }
        }
    }
}

#[test]
fn conversions() {
    let pairs = NARROW.iter().flat_map(|from| NARROW.map(|to| (*from, to)));
    for (&op, (from, to)) in Convert::ALL.iter().flat_map(|op| pairs.clone().map(move |p| (op, p))) {
        if !op.converts(from.by(1), to.by(1)) {
            continue;
        }
        for (model, rule) in settings(from.is_float() || to.is_float()) {
            let f = function(|b, [a, ..]| {
                let a = narrowed(b, a, from);
                b.push(Op::Convert { op, rule, a }, to.by(1))
            });
            judge(&format!("{op:?} {from:?} {to:?} {rule:?}"), 1, &f, model, |[a, ..]| {
                model.convert(op, rule, from, to, low(from, a))
            });
        }
    }
}

/// Sums of products of two to four components, in each order of the model.
#[test]
fn dot_products() {
    for model in models() {
        for rule in rules().into_iter().filter(|r| has_definition(*r)) {
            for count in 2..=4u8 {
                let f = function(|b, words| {
                    let [x, y, z] = words.map(|w| narrowed(b, w, Scalar::F32));
                    let (left, right) = ([x, y, z, x], [y, z, x, x]);
                    let (a, c) = (b.join(&left[..count.into()]), b.join(&right[..count.into()]));
                    b.push(Op::Binary { op: Binary::FDot, rule, a, b: c }, Type::F32)
                });
                judge(&format!("dot of {count} {rule:?}"), 3, &f, model, |[x, y, z]| {
                    let [x, y, z] = [x, y, z].map(u64::from);
                    let count = usize::from(count);
                    model.dot(rule, Scalar::F32, &[x, y, z, x][..count], &[y, z, x, x][..count])
                });
            }
        }
    }
}

/// The reciprocal and its square root of every float24 significand are those of the model: binary64 is precise enough.
#[test]
fn reciprocals_of_all_significands() {
    let rule = FloatRule { model: true, ..FloatRule::IEEE };
    let model = FloatModel::F24;
    for op in [Unary::FRcp, Unary::FRsqrt] {
        let (func, tree) = function(|b, [a, ..]| {
            let a = narrowed(b, a, Scalar::F32);
            b.push(Op::Unary { op, rule, a }, Type::F32)
        });
        let program = Program::new(&func, &tree, model, &Limits::default()).unwrap();
        // Two binades: the root depends on whether the exponent is even.
        let words: Vec<u32> = (0x3f80_0000..0x4080_0000u32).step_by(128).collect();
        let slot = Slot { reg: Reg::new(FileId(0), 0), units: 1, offset: 0, stride: 1, step: 1 };
        let mut got = vec![0; words.len()];
        let slots = [Slot { reg: Reg::new(FileId(1), 0), ..slot }];
        let mut outputs = Outputs { slots: &slots, data: &mut got };
        let attribute = Attribute { slot, data: &words };
        program.runner().run(words.len(), &[attribute], &mut outputs, &mut []).unwrap();
        for (word, got) in words.iter().zip(got) {
            assert_eq!(
                u64::from(got),
                model.unary(op, rule, Scalar::F32, (*word).into()),
                "{op:?} of {word:x}"
            );
        }
    }
}

/// Sines and cosines of numbers of all magnitudes, and near multiples of pi / 2, are those of the definition, and machine
/// code computes most of them.
#[test]
fn sines_of_many_numbers() {
    const MOST: u32 = 0x4980_0000;
    let signs =
        |words: Vec<u32>| words.iter().flat_map(|word| [*word, *word | 0x8000_0000]).collect::<Vec<_>>();
    let mut words: Vec<u32> = (0..=MOST).step_by(30_011).chain([MOST]).collect();
    let quarters = (1..4000u32).map(|n| (f64::from(n) * std::f64::consts::FRAC_PI_2) as f32);
    words.extend(quarters.flat_map(|x| [x.to_bits() - 1, x.to_bits(), x.to_bits() + 1]));
    let near = signs(words);
    let large = signs((MOST + 1..0x7f80_0000).step_by(300_011).collect());
    let slot = Slot { reg: Reg::new(FileId(0), 0), units: 1, offset: 0, stride: 1, step: 1 };
    let slots = [Slot { reg: Reg::new(FileId(1), 0), ..slot }];
    for (op, words) in [Unary::FSin, Unary::FCos].into_iter().flat_map(|op| [(op, &near), (op, &large)]) {
        let (func, tree) = function(|b, [a, ..]| {
            let a = narrowed(b, a, Scalar::F32);
            b.push(Op::Unary { op, rule: FloatRule::IEEE, a }, Type::F32)
        });
        let definition =
            |word: &u32| FloatModel::F32.unary(op, FloatRule::IEEE, Scalar::F32, (*word).into()) as u32;
        let wanted: Vec<u32> = words.iter().map(definition).collect();
        let program = Program::new(&func, &tree, FloatModel::F32, &Limits::default()).unwrap();
        for (engine, mut runner) in common::runners(program) {
            let mut got = vec![0; words.len()];
            let mut outputs = Outputs { slots: &slots, data: &mut got };
            runner.run(words.len(), &[Attribute { slot, data: words }], &mut outputs, &mut []).unwrap();
            for ((word, got), want) in words.iter().zip(&got).zip(&wanted) {
                assert_eq!(got, want, "{engine}: {op:?} of {:e}", f32::from_bits(*word));
            }
            let (left, all) = (runner.left_chunks(), words.len() as u64 / 16);
            println!("{engine}: {op:?}: {left} of {all} chunks are left");
            assert!(words[0] > MOST || left * 10 < all, "{engine}: {op:?}: {left} of {all} chunks are left");
        }
    }
}
