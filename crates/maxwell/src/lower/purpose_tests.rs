//! What the bits of a value are used for, directly and after they were moved.

use super::purpose::Purpose;
use alloc::vec;
use alloc::vec::Vec;
use shisa_ir::{
    Binary, Block, BlockId, Builder, Convert, Edge, End, FileId, FloatRule, Func, Mask, Nodes, Op, Reg,
    Scalar, Swizzle, Ternary, Type, Unary, Value,
};

const RULE: FloatRule = FloatRule::IEEE;

/// The purpose of the first of two integers in a program of one block.
fn purpose(build: impl FnOnce(&mut Builder<'_>, [Value; 2])) -> Purpose {
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let values = [0, 1].map(|unit| b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, Type::I32));
    build(&mut b, values);
    let body = (0..nodes.list.len() as u32).map(Value).collect();
    let blocks = vec![Block { params: Vec::new(), body, end: End::Exit }];
    Purpose::of(&Func { files: &[], nodes, blocks }, values[0])
}

fn float(b: &mut Builder<'_>, a: Value) -> Value {
    b.convert(Convert::Bits, a, Scalar::F32)
}

fn write(b: &mut Builder<'_>, a: Value) {
    b.write(Reg::new(FileId(1), 0), Mask(1), a);
}

/// Uses an integer as one.
fn add(b: &mut Builder<'_>, a: Value) {
    let sum = Op::Binary { op: Binary::IAdd, rule: RULE, a, b: a };
    b.push(sum, Type::I32);
}

#[test]
fn operations_have_a_purpose() {
    assert_eq!(purpose(|_, _| ()), Purpose::Moved);
    assert_eq!(purpose(|b, [a, _]| write(b, a)), Purpose::Moved);
    assert_eq!(purpose(|b, [a, _]| add(b, a)), Purpose::Integer);
    assert_eq!(purpose(|b, [_, other]| add(b, other)), Purpose::Moved);
    let not = |b: &mut Builder<'_>, a| b.push(Op::Unary { op: Unary::Not, rule: RULE, a }, Type::I32);
    assert_eq!(purpose(|b, [a, _]| _ = not(b, a)), Purpose::Integer);
    for op in [Convert::SignedToFloat, Convert::UnsignedToFloat] {
        let convert = |b: &mut Builder<'_>, a| b.push(Op::Convert { op, rule: RULE, a }, Type::F32);
        assert_eq!(purpose(|b, [a, _]| _ = convert(b, a)), Purpose::Integer);
    }
    assert_eq!(
        purpose(|b, [a, _]| {
            let a = float(b, a);
            b.push(Op::Unary { op: Unary::FNeg, rule: RULE, a }, Type::F32);
        }),
        Purpose::Float
    );
    assert_eq!(
        purpose(|b, [a, other]| {
            let (a, other) = (float(b, a), float(b, other));
            b.push(Op::Binary { op: Binary::FAdd, rule: RULE, a: other, b: a }, Type::F32);
        }),
        Purpose::Float
    );
    // Anything else may be a number.
    assert_eq!(
        purpose(|b, [a, _]| {
            let a = float(b, a);
            b.push(Op::Convert { op: Convert::FloatToSigned, rule: RULE, a }, Type::I32);
        }),
        Purpose::Float
    );
}

/// A number is the purpose if one use is one, whatever the others are.
#[test]
fn a_number_counts_more_than_an_integer() {
    let both = |first: bool| {
        purpose(|b, [a, _]| {
            if first {
                add(b, a);
            }
            let number = float(b, a);
            b.push(Op::Unary { op: Unary::FAbs, rule: RULE, a: number }, Type::F32);
            if !first {
                add(b, a);
            }
        })
    };
    assert_eq!((both(true), both(false)), (Purpose::Float, Purpose::Float));
    assert_eq!(
        purpose(|b, [a, _]| {
            add(b, a);
            write(b, a);
        }),
        Purpose::Integer
    );
}

#[test]
fn bits_are_followed_where_they_are_moved() {
    let moves: [fn(&mut Builder<'_>, [Value; 2]) -> Value; 5] = [
        |b, [a, _]| {
            let a = float(b, a);
            b.convert(Convert::Bits, a, Scalar::I32)
        },
        |b, [a, other]| {
            let parts = [other, other, a, other];
            let joined = b.push(Op::Join { parts }, Scalar::I32.by(4));
            b.component(joined, 2)
        },
        |b, [a, other]| {
            let cond = b.push(Op::Const(1), Type::BOOL);
            b.push(Op::Ternary { op: Ternary::Select, rule: RULE, a: cond, b: other, c: a }, Type::I32)
        },
        |b, [a, other]| {
            let cond = b.push(Op::Const(1), Type::BOOL);
            b.push(Op::Ternary { op: Ternary::Select, rule: RULE, a: cond, b: a, c: other }, Type::I32)
        },
        |b, [a, _]| b.push(Op::Swizzle { a, swizzle: Swizzle::IDENTITY }, Type::I32),
    ];
    for (n, moved) in moves.iter().enumerate() {
        let integer = purpose(|b, values| {
            let value = moved(b, values);
            add(b, value);
        });
        assert_eq!(integer, Purpose::Integer, "{n}");
        let only = purpose(|b, values| {
            let value = moved(b, values);
            write(b, value);
        });
        assert_eq!(only, Purpose::Moved, "{n}");
    }
}

/// The parameter of a block that is earlier in the list gets its argument later.
#[test]
fn bits_are_followed_along_edges() {
    for passed in [true, false] {
        let mut nodes = Nodes::default();
        let mut b = Builder::new(&mut nodes, 0);
        let param = b.push(Op::Param, Type::I32);
        add(&mut b, param);
        let used = nodes.list.len() as u32;
        let mut b = Builder::new(&mut nodes, 0);
        let values = [0, 1].map(|unit| b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, Type::I32));
        let body = |range: core::ops::Range<u32>| range.map(Value).collect::<Vec<_>>();
        let edge = Edge { to: BlockId(1), args: vec![if passed { values[0] } else { values[1] }] };
        let blocks = vec![
            Block {
                params: Vec::new(),
                body: Vec::new(),
                end: End::Jump(Edge { to: BlockId(2), args: Vec::new() }),
            },
            Block { params: vec![param], body: body(1..used), end: End::Exit },
            Block { params: Vec::new(), body: body(used..nodes.list.len() as u32), end: End::Jump(edge) },
        ];
        let want = if passed { Purpose::Integer } else { Purpose::Moved };
        assert_eq!(Purpose::of(&Func { files: &[], nodes, blocks }, values[0]), want);
    }
}
