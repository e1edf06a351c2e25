//! Which operations have a kernel. The others are computed lane by lane: as exact, and many times slower.

use crate::Program;
use crate::instruction::Instruction;
use shisa_diag::Limits;
use shisa_ir::{
    Binary, Block, BlockId, Builder, Convert, End, File, FileId, FileKind, FloatModel, FloatRule, Func, Mask,
    NanRule, Nodes, Op, Reg, Round, Scalar, Stmt, Swizzle, Tree, Type, Unary, Value,
};
use std::fmt::Write;

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 4, scalar: Scalar::I32 }
}

static FILES: &[File] = &[file("in", FileKind::Input), file("out", FileKind::Output)];
const KINDS: [Scalar; 6] = [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::F16, Scalar::F32];

/// The letter of a program that computes one value of two words: `k` for kernels alone, `l` where lane by lane.
fn letter(model: FloatModel, build: impl FnOnce(&mut Builder<'_>, [Value; 2]) -> Value) -> char {
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let words = [0, 1].map(|unit| b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, Type::I32));
    let value = build(&mut b, words);
    let int = b.ty(value).scalar.as_int();
    let bits = if b.ty(value).scalar == int { value } else { b.convert(Convert::Bits, value, int) };
    let word = if int == Scalar::I32 { bits } else { b.convert(Convert::ZeroExtend, bits, Scalar::I32) };
    b.write(Reg::new(FileId(1), 0), Mask(1), word);
    let body = (0..nodes.list.len() as u32).map(Value).collect();
    let func = Func { files: FILES, nodes, blocks: vec![Block { params: Vec::new(), body, end: End::Exit }] };
    let tree = Tree { vars: Vec::new(), body: vec![Stmt::Block(BlockId(0)), Stmt::Exit] };
    let program = Program::new(&func, &tree, model, &Limits::default()).expect("a program");
    let by_lane = program.plan.instructions.iter().any(|i| matches!(i, Instruction::ByLane { .. }));
    if by_lane { 'l' } else { 'k' }
}

fn narrowed(b: &mut Builder<'_>, word: Value, kind: Scalar) -> Value {
    let int = kind.as_int();
    let a = if int == Scalar::I32 { word } else { b.convert(Convert::Truncate, word, int) };
    if int == kind { a } else { b.convert(Convert::Bits, a, kind) }
}

/// Plain, flushed, saturated, with the zero rule, towards zero, of the model, and of the model with the zero rule.
fn rules() -> [FloatRule; 7] {
    let ieee = FloatRule::IEEE;
    let zero = FloatRule { zero_product: true, nan: NanRule::Second, ..ieee };
    [
        ieee,
        FloatRule { flush: true, ..ieee },
        FloatRule { saturate: true, ..ieee },
        zero,
        FloatRule { round: Round::Zero, ..ieee },
        FloatRule { model: true, ..ieee },
        FloatRule { model: true, ..zero },
    ]
}

/// The letters of an operation with each rule, in float24 and in binary32.
fn letters(operation: impl Fn(&mut Builder<'_>, [Value; 2], FloatRule) -> Value) -> String {
    let of = |model| rules().map(|rule| letter(model, |b, words| operation(b, words, rule)));
    [FloatModel::F24, FloatModel::F32].map(of).map(String::from_iter).join(" ")
}

#[test]
fn operations_with_a_kernel_are_those_of_the_list() {
    let mut list = String::new();
    for kind in KINDS {
        for &op in Unary::ALL.iter().filter(|op| op.is_float() == kind.is_float()) {
            let letters = letters(|b, [x, _], rule| {
                let a = narrowed(b, x, kind);
                b.push(Op::Unary { op, rule, a }, kind.by(1))
            });
            let _ = writeln!(list, "{letters} {op:?} {kind:?}");
        }
        for &op in Binary::ALL.iter().filter(|op| op.is_float() == kind.is_float() && **op != Binary::FDot) {
            let letters = letters(|b, [x, y], rule| {
                let (a, c) = (narrowed(b, x, kind), narrowed(b, y, kind));
                b.push(Op::Binary { op, rule, a, b: c }, op.result(kind.by(1)))
            });
            let _ = writeln!(list, "{letters} {op:?} {kind:?}");
        }
        for (&op, to) in Convert::ALL.iter().flat_map(|op| KINDS.map(|to| (op, to))) {
            if op.converts(kind.by(1), to.by(1)) {
                let letters = letters(|b, [x, _], rule| {
                    let a = narrowed(b, x, kind);
                    b.push(Op::Convert { op, rule, a }, to.by(1))
                });
                let _ = writeln!(list, "{letters} {op:?} {kind:?} to {to:?}");
            }
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/compile/kernels.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &list).expect("a writable file");
    }
    assert_eq!(list, include_str!("kernels.txt"), "BLESS=1 writes the list");
}
