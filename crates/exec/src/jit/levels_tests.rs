//! The code of both levels for every kernel, whatever this processor has: it can be encoded, and is code that the check
//! accepts. Slabs of small programs are in registers.

use super::arrays::Arrays;
use super::assembler::Vector;
use super::check::check;
use super::flow;
use super::pieces;
use super::registers::Registers;
use super::vectors::Vectors;
use crate::floats::{Floats, Precision};
use crate::instruction::Instruction;
use crate::kernel::One;
use crate::memory::{CHUNKS, Operand};
use crate::plan::{Block, Edge, Next, Plan, tests::smallest};
use crate::program::Program;
use shisa_diag::Limits;
use shisa_ir::{
    Binary, BlockId, Builder, Convert, End, File, FileId, FileKind, FloatModel, FloatRule, Func, Mask,
    NanRule, Nodes, Op, Reg, Scalar, Stmt, Swizzle, Ternary, Tree, Type, Unary, Value,
};

const LEVELS: [Vectors; 2] = [Vectors::Ymm, Vectors::Zmm];

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 64, scalar: Scalar::I32 }
}

static FILES: &[File] =
    &[file("in", FileKind::Input), file("out", FileKind::Output), file("c", FileKind::Uniform)];

/// A program that computes one value of three words, `times` times, and kills a lane by it.
fn program(times: u16, floats: Floats, operation: impl Fn(&mut Builder<'_>, [Value; 3]) -> Value) -> Program {
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    for n in 0..times {
        let words =
            [0, 1, 2].map(|unit| b.read(Reg::new(FileId(0), 3 * n + unit), Swizzle::IDENTITY, Type::I32));
        let value = operation(&mut b, words);
        let word = match b.ty(value).scalar {
            Scalar::I32 => value,
            Scalar::I1 => b.convert(Convert::ZeroExtend, value, Scalar::I32),
            _ => b.convert(Convert::Bits, value, Scalar::I32),
        };
        let cond = b.convert(Convert::Truncate, word, Scalar::I1);
        b.push(Op::Kill { cond }, Type::NONE);
        b.write(Reg::new(FileId(1), n), Mask(1), word);
    }
    let body = (0..nodes.list.len() as u32).map(Value).collect();
    let blocks = vec![shisa_ir::Block { params: Vec::new(), body, end: End::Exit }];
    let tree = Tree { vars: Vec::new(), body: vec![Stmt::Block(BlockId(0)), Stmt::Exit] };
    Program::new(&Func { files: FILES, nodes, blocks }, &tree, floats, &Limits::default())
        .unwrap_or_else(|d| panic!("{d}"))
}

/// A program has code: as one function, if it can be one, and as pieces of every instruction that has code.
fn assert_code(name: &str, plan: &Plan) {
    let arrays = Arrays::new(plan).expect("arrays");
    for vectors in LEVELS {
        if super::is_one_function(plan) {
            let code =
                flow::code(plan, &arrays, vectors).unwrap_or_else(|d| panic!("{name} {vectors:?}: {d}"));
            check(&code, plan, vectors).unwrap_or_else(|d| panic!("{name} {vectors:?}: {d}"));
        }
        let (_, pieces) =
            pieces::code(plan, vectors, 1).unwrap_or_else(|d| panic!("{name} {vectors:?}: {d}"));
        let coded = pieces.iter().map(|piece| piece.list().len()).sum::<usize>();
        let has_code = |i: &&Instruction<Operand>| super::rounding(i).is_some();
        assert_eq!(coded, plan.of_lanes().iter().filter(has_code).count(), "{name} {vectors:?}");
    }
}

fn bits(b: &mut Builder<'_>, word: Value, kind: Scalar) -> Value {
    if kind == Scalar::I32 { word } else { b.convert(Convert::Bits, word, kind) }
}

#[test]
fn every_kernel_has_code_of_both_levels() {
    let ieee = FloatRule::IEEE;
    let model = FloatRule { model: true, ..ieee };
    let zero = FloatRule { zero_product: true, nan: NanRule::Second, ..ieee };
    let rules = [
        ieee,
        zero,
        FloatRule { flush: true, saturate: true, ..ieee },
        model,
        FloatRule { model: true, ..zero },
    ];
    // Few slabs, which are registers, and many, of which some are memory.
    let times = [1, 20].into_iter().flat_map(|times| rules.map(|rule| (times, rule)));
    let all = times.flat_map(|(times, rule)| Precision::ALL.map(|precision| (times, rule, precision)));
    for (times, rule, precision) in all {
        let floats = Floats { model: FloatModel::F24, precision };
        for kind in [Scalar::I32, Scalar::F32] {
            let of_kind = |is_float: bool| is_float == kind.is_float();
            for &op in Unary::ALL.iter().filter(|op| of_kind(op.is_float())) {
                let made = program(times, floats, |b, [a, ..]| {
                    let a = bits(b, a, kind);
                    b.push(Op::Unary { op, rule, a }, kind.by(1))
                });
                assert_code(&format!("{op:?} {rule:?}"), &made.plan);
            }
            for &op in Binary::ALL.iter().filter(|op| of_kind(op.is_float()) && **op != Binary::FDot) {
                let made = program(times, floats, |b, [x, y, _]| {
                    let (a, c) = (bits(b, x, kind), bits(b, y, kind));
                    b.push(Op::Binary { op, rule, a, b: c }, op.result(kind.by(1)))
                });
                assert_code(&format!("{op:?} {rule:?}"), &made.plan);
            }
            for &op in Ternary::ALL.iter().filter(|op| **op == Ternary::Select || kind.is_float()) {
                let made = program(times, floats, |b, [x, y, z]| {
                    let a = match op {
                        Ternary::Select => b.convert(Convert::Truncate, x, Scalar::I1),
                        Ternary::Fma => bits(b, x, kind),
                    };
                    let (y, c) = (bits(b, y, kind), bits(b, z, kind));
                    b.push(Op::Ternary { op, rule, a, b: y, c }, kind.by(1))
                });
                assert_code(&format!("{op:?} {rule:?}"), &made.plan);
            }
        }
        for (op, from, to) in [
            (Convert::FloatToSigned, Scalar::F32, Scalar::I32),
            (Convert::FloatToUnsigned, Scalar::F32, Scalar::I32),
            (Convert::SignedToFloat, Scalar::I32, Scalar::F32),
            (Convert::UnsignedToFloat, Scalar::I32, Scalar::F32),
        ] {
            let made = program(times, floats, |b, [a, ..]| {
                let a = bits(b, a, from);
                b.push(Op::Convert { op, rule, a }, to.by(1))
            });
            assert_code(&format!("{op:?} {rule:?}"), &made.plan);
        }
        let sums = program(times, floats, |b, [x, y, z]| {
            let [x, y, z] = [x, y, z].map(|word| bits(b, word, Scalar::F32));
            let (left, right) = (b.join(&[x, y, z, x]), b.join(&[y, z, x, y]));
            b.push(Op::Binary { op: Binary::FDot, rule, a: left, b: right }, Type::F32)
        });
        assert_code(&format!("sums {rule:?}"), &sums.plan);
        let joined = program(times, floats, |b, [x, y, z]| {
            let [x, y, z] = [x, y, z].map(|word| bits(b, word, Scalar::F32));
            let product = b.push(Op::Binary { op: Binary::FMul, rule, a: x, b: y }, Type::F32);
            b.push(Op::Binary { op: Binary::FAdd, rule, a: product, b: z }, Type::F32)
        });
        assert_code(&format!("joined {rule:?}"), &joined.plan);
    }
    let rows = program(20, FloatModel::F24.into(), |b, [index, ..]| {
        let (file, swizzle) = (FileId(2), Swizzle::from_slice(&[2]));
        b.push(Op::ReadAt { file, base: 4, stride: 4, index, swizzle }, Type::I32)
    });
    assert_code("rows", &rows.plan);
}

/// Slab n of a plan without uniforms.
fn slab(n: usize) -> Operand {
    Operand::slab((n * CHUNKS) as u32)
}

fn copy(from: usize, to: usize) -> Instruction<Operand> {
    Instruction::One { kernel: One::Copy, dst: slab(to), args: [slab(from)] }
}

/// A plan whose blocks run these instructions one after the other; the last of a loop leads back to its first.
fn plan(blocks: &[Vec<Instruction<Operand>>], slabs: usize, back: Option<(usize, usize)>) -> Plan {
    let mut instructions = Vec::new();
    let mut list = Vec::new();
    for (n, block) in blocks.iter().enumerate() {
        let first = instructions.len();
        instructions.extend(block.iter().copied());
        let edge = |to| Edge { to, moves: 0..0 };
        let next = match back {
            Some((from, to)) if from == n => Next::Branch { cond: slab(0), yes: edge(to), no: edge(n + 1) },
            _ if n + 1 < blocks.len() => Next::Jump(edge(n + 1)),
            _ => Next::Exit,
        };
        list.push(Block { body: first..instructions.len(), next });
    }
    Plan { instructions, blocks: list, chunks: slabs * CHUNKS, ..smallest() }
}

#[test]
fn slabs_of_all_blocks_are_in_registers() {
    for vectors in LEVELS {
        let (first, count) = vectors.slabs();
        let plan = plan(&[vec![copy(0, 1)], vec![copy(2, 3)], vec![copy(3, 4)]], 6, None);
        let registers = Registers::of_program(&plan, vectors);
        let found: Vec<Option<u8>> =
            (0..6).map(|n| registers.get(slab(n)).map(|Vector(number)| number)).collect();
        let used = (0..5).map(|n| Some(first + n));
        assert_eq!(found, used.chain([None]).collect::<Vec<_>>(), "{vectors:?}: a slab without a use");
        assert!(count >= 5 && registers.used() == 5 && registers.count() == 6);
        assert_eq!(registers.get(Operand::uniform(0)), None);
        assert_eq!((0..6).map(|n| registers.slab(slab(n))).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5].map(Some));
    }
}

/// A use in a loop counts more than several outside of it.
#[test]
fn slabs_of_loops_are_in_registers_first() {
    for vectors in LEVELS {
        let (_, count) = vectors.slabs();
        // As many slabs as there are registers are used three times outside of the loop, two once in it.
        let outside: Vec<_> = (0..3).flat_map(|_| (1..=count).map(|n| copy(n, n))).collect();
        let (x, y) = (count + 1, count + 2);
        let all =
            plan(&[outside.clone(), vec![copy(x, x)], vec![copy(y, y)], outside], count + 3, Some((2, 1)));
        let registers = Registers::of_program(&all, vectors);
        assert_eq!(registers.used(), count);
        assert!(registers.get(slab(x)).is_some() && registers.get(slab(y)).is_some(), "{vectors:?}");
        let without = Registers::of_program(&plan(&[vec![copy(x, x)]], count + 3, None), vectors);
        assert_eq!(without.used(), 1);
    }
}
