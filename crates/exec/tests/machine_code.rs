//! What machine code computes by itself: ordinary numbers leave no lane in doubt, numbers of float24 and binary32 in one
//! program are rounded by their own rules, and bits that are only moved may be those of any NaN.

use crate::common::{self, levels_of_code};
use shisa_diag::Limits;
use shisa_exec::{Attribute, Outputs, Program, Slot};
use shisa_ir::{
    Binary, Builder, Convert, File, FileId, FileKind, FloatModel, FloatRule, Mask, Op, Reg, Scalar, Swizzle,
    Ternary, Type, Unary, Value,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 4, scalar: Scalar::I32 }
}

static FILES: &[File] = &[file("in", FileKind::Input), file("out", FileKind::Output)];
const MODEL: FloatModel = FloatModel::F24;
const IEEE: FloatRule = FloatRule::IEEE;
const OF_MODEL: FloatRule = FloatRule { model: true, ..FloatRule::IEEE };

/// An operation with its definition.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Unary(Unary, FloatRule, Scalar),
    Binary(Binary, FloatRule, Scalar),
    Ternary(Ternary, FloatRule, Scalar),
    /// From integers, or to them.
    Convert(Convert, Scalar, Scalar),
    /// The sum of a product and a number, each rounded.
    ProductAndSum(FloatRule),
}

impl Operation {
    fn push(self, b: &mut Builder<'_>, words: [Value; 3]) -> Value {
        let mut typed = |n: usize, scalar: Scalar| {
            if scalar == Scalar::I32 { words[n] } else { b.convert(Convert::Bits, words[n], scalar) }
        };
        let result = match self {
            Operation::Unary(op, rule, scalar) => {
                let a = typed(0, scalar);
                b.push(Op::Unary { op, rule, a }, scalar.by(1))
            }
            Operation::Binary(op, rule, scalar) => {
                let (a, c) = (typed(0, scalar), typed(1, scalar));
                b.push(Op::Binary { op, rule, a, b: c }, op.result(scalar.by(1)))
            }
            Operation::Ternary(op, rule, scalar) => {
                let [a, y, c] = [0, 1, 2].map(|n| typed(n, scalar));
                let a = match op {
                    Ternary::Select => b.convert(Convert::Truncate, words[0], Scalar::I1),
                    Ternary::Fma => a,
                };
                b.push(Op::Ternary { op, rule, a, b: y, c }, scalar.by(1))
            }
            Operation::Convert(op, from, to) => {
                let a = typed(0, from);
                b.push(Op::Convert { op, rule: IEEE, a }, to.by(1))
            }
            Operation::ProductAndSum(rule) => {
                let [x, y, z] = [0, 1, 2].map(|n| typed(n, Scalar::F32));
                let product = b.push(Op::Binary { op: Binary::FMul, rule, a: x, b: y }, Type::F32);
                b.push(Op::Binary { op: Binary::FAdd, rule, a: product, b: z }, Type::F32)
            }
        };
        match b.ty(result).scalar {
            Scalar::I32 => result,
            Scalar::I1 => b.convert(Convert::ZeroExtend, result, Scalar::I32),
            _ => b.convert(Convert::Bits, result, Scalar::I32),
        }
    }

    fn value(self, words: [u32; 3]) -> u32 {
        let [x, y, z] = words.map(u64::from);
        let bits = match self {
            Operation::Unary(op, rule, scalar) => MODEL.unary(op, rule, scalar, x),
            Operation::Binary(op, rule, scalar) => MODEL.binary(op, rule, scalar, x, y),
            Operation::Ternary(Ternary::Select, rule, scalar) => {
                MODEL.ternary(Ternary::Select, rule, scalar, x & 1, y, z)
            }
            Operation::Ternary(op, rule, scalar) => MODEL.ternary(op, rule, scalar, x, y, z),
            Operation::Convert(op, from, to) => MODEL.convert(op, IEEE, from, to, x),
            Operation::ProductAndSum(rule) => {
                let product = MODEL.binary(Binary::FMul, rule, Scalar::F32, x, y);
                MODEL.binary(Binary::FAdd, rule, Scalar::F32, product, z)
            }
        };
        bits as u32
    }
}

/// Runs a program of these operations, whose results are units of the output, in machine code of every level, and
/// compares. Returns how many chunks of 16 lanes were left to the engine without machine code.
fn left(operations: &[Operation], words: &[[u32; 3]]) -> Vec<u64> {
    let (func, tree) = common::function(FILES, |b| {
        let inputs = [0, 1, 2].map(|unit| b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, Type::I32));
        for (unit, operation) in (0..).zip(operations) {
            let value = operation.push(b, inputs);
            b.write(Reg::new(FileId(1), unit), Mask(1), value);
        }
    });
    let mut program = Program::new(&func, &tree, MODEL, &Limits::default())
        .unwrap_or_else(|d| panic!("{operations:?}: {d}"));
    let slot = |file, units: u16| Slot {
        reg: Reg::new(FileId(file), 0),
        units,
        offset: 0,
        stride: units.into(),
        step: 1,
    };
    let units = operations.len();
    let mut left = Vec::new();
    for level in levels_of_code() {
        assert!(common::has_code(&mut program, level), "{operations:?}");
        let mut runner = program.runner();
        let mut got = vec![0; words.len() * units];
        let mut outputs = Outputs { slots: &[slot(1, units as u16)], data: &mut got };
        let attribute = Attribute { slot: slot(0, 3), data: words.as_flattened() };
        runner
            .run(words.len(), &[attribute], &mut outputs, &mut [])
            .unwrap_or_else(|d| panic!("{operations:?}: {d}"));
        for (got, words) in got.chunks(units).zip(words) {
            for (operation, got) in operations.iter().zip(got) {
                let want = operation.value(*words);
                assert_eq!(*got, want, "{operation:?} of {words:x?} with {level:?}: {got:x}, not {want:x}");
            }
        }
        left.push(runner.left_chunks());
    }
    left
}

/// Pseudo-random words.
fn random(count: usize) -> impl Iterator<Item = [u32; 3]> {
    let mut state = 0x1234_5678_9abc_def1u64;
    let mut next = move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 32) as u32
    };
    std::iter::repeat_with(move || [next(), next(), next()]).take(count)
}

/// Positive numbers from 1/8 to 8, in which all bits of a significand occur.
fn numbers() -> Vec<[u32; 3]> {
    let number = |word: u32| (124 + (word >> 23) % 6) << 23 | word & 0x7f_ffff;
    random(512).map(|words| words.map(number)).collect()
}

/// Operations that machine code has instructions for, on binary32, and of float24.
fn on_numbers() -> (Vec<Operation>, Vec<Operation>) {
    use Binary::{FAdd, FDiv, FEq, FLe, FLt, FMax, FMin, FMul, FNe, FSub};
    use Unary::{FAbs, FCeil, FExp2, FFloor, FLog2, FNeg, FRcp, FRound, FRsqrt, FSat, FSqrt, FTrunc};
    let unary = [FAbs, FCeil, FExp2, FFloor, FLog2, FNeg, FRcp, FRound, FRsqrt, FSat, FSqrt, FTrunc];
    let binary = [FAdd, FDiv, FEq, FLe, FLt, FMax, FMin, FMul, FNe, FSub];
    let mut narrow: Vec<Operation> = unary.map(|op| Operation::Unary(op, IEEE, Scalar::F32)).into();
    narrow.extend(binary.map(|op| Operation::Binary(op, IEEE, Scalar::F32)));
    narrow.push(Operation::Ternary(Ternary::Fma, IEEE, Scalar::F32));
    narrow.push(Operation::Convert(Convert::FloatToSigned, Scalar::F32, Scalar::I32));
    narrow.push(Operation::Convert(Convert::FloatToUnsigned, Scalar::F32, Scalar::I32));
    let unary = [FAbs, FExp2, FFloor, FLog2, FNeg, FRcp, FRsqrt, FSat];
    let mut of_model: Vec<Operation> = unary.map(|op| Operation::Unary(op, OF_MODEL, Scalar::F32)).into();
    let binary = [FAdd, FEq, FLe, FLt, FMax, FMin, FMul, FNe, FSub];
    of_model.extend(binary.map(|op| Operation::Binary(op, OF_MODEL, Scalar::F32)));
    let zero = |rule| FloatRule { zero_product: true, ..rule };
    narrow.extend([IEEE, zero(IEEE)].map(Operation::ProductAndSum));
    of_model.extend([OF_MODEL, zero(OF_MODEL)].map(Operation::ProductAndSum));
    (narrow, of_model)
}

/// Operations on integers and bits.
fn on_integers() -> Vec<Operation> {
    use Binary::{
        AShr, And, IAdd, IEq, IMul, INe, ISub, LShr, Or, SLe, SLt, SMax, SMin, Shl, ULe, ULt, UMax, UMin, Xor,
    };
    let binary = [
        AShr, And, IAdd, IEq, IMul, INe, ISub, LShr, Or, SLe, SLt, SMax, SMin, Shl, ULe, ULt, UMax, UMin, Xor,
    ];
    let mut all: Vec<Operation> = binary.map(|op| Operation::Binary(op, IEEE, Scalar::I32)).into();
    all.extend([Unary::INeg, Unary::Not].map(|op| Operation::Unary(op, IEEE, Scalar::I32)));
    all.extend([Unary::FNeg, Unary::FAbs].map(|op| Operation::Unary(op, IEEE, Scalar::F32)));
    all.extend([Scalar::I32, Scalar::F32].map(|of| Operation::Ternary(Ternary::Select, IEEE, of)));
    for op in [Convert::SignedToFloat, Convert::UnsignedToFloat] {
        all.push(Operation::Convert(op, Scalar::I32, Scalar::F32));
    }
    all
}

#[test]
fn ordinary_numbers_leave_no_lane_in_doubt() {
    let (narrow, of_model) = on_numbers();
    for operation in narrow.into_iter().chain(of_model) {
        let left = left(&[operation], &numbers());
        assert!(left.iter().all(|chunks| *chunks == 0), "{operation:?}: {left:?} chunks");
    }
}

/// The bits of integers may be those of a NaN.
#[test]
fn integers_leave_no_lane_in_doubt() {
    let nan = |[x, y, z]: [u32; 3]| [x | 0x7f80_0000, y | 0x7f80_0000, z];
    let words: Vec<[u32; 3]> = random(64).map(nan).chain(random(64)).collect();
    for operation in on_integers() {
        let left = left(&[operation], &words);
        assert!(left.iter().all(|chunks| *chunks == 0), "{operation:?}: {left:?} chunks");
    }
}

/// Results of float24 are truncated, others are rounded to nearest, before and after each other.
#[test]
fn numbers_of_both_kinds_are_rounded_by_their_own_rules() {
    let (narrow, of_model) = on_numbers();
    let words = numbers();
    // Integers whose numbers are rounded.
    let integers: Vec<[u32; 3]> = random(256).collect();
    let sum = Operation::Binary(Binary::FAdd, OF_MODEL, Scalar::F32);
    for operation in narrow.iter().chain(&of_model) {
        left(&[sum, *operation, Operation::Binary(Binary::FMul, OF_MODEL, Scalar::F32)], &words);
        left(&[*operation, Operation::Unary(Unary::FSin, IEEE, Scalar::F32), sum], &words);
    }
    for operation in on_integers() {
        left(&[sum, operation], &integers);
        left(&[operation, sum], &integers);
    }
}

/// A power that is a denormal is in doubt; its neighbours in other chunks are not.
#[test]
fn only_chunks_with_a_lane_in_doubt_are_left() {
    let power = Operation::Unary(Unary::FExp2, IEEE, Scalar::F32);
    let mut words = vec![[1.5f32.to_bits(); 3]; 8 * 16];
    for lane in [2 * 16 + 3, 5 * 16 + 9] {
        words[lane] = [(-130.3f32).to_bits(); 3];
    }
    for chunks in left(&[power], &words) {
        assert_eq!(chunks, 2);
    }
    // The lanes of the last chunk that do not exist count as little as those of others.
    for chunks in left(&[power], &words[..2 * 16 + 1]) {
        assert_eq!(chunks, 0);
    }
}
