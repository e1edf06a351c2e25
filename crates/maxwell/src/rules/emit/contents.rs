//! What registers hold after an instruction, as far as its lift shows.

use crate::{Ctx, FILES, Maxwell};
use alloc::vec::Vec;
use shisa_ir::{Binary, Convert, Lifted, Node, Nodes, Op, Reg, Ternary, Value, scalar};
use shisa_rows::{Insn, lift};

/// The content of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A number.
    Number(u64),
    /// What a register held before.
    Register(Reg),
    /// What one of two registers held before.
    Either(Reg, Reg),
    /// Anything.
    Unknown,
}

/// The registers that an instruction writes if it runs, with their contents, as far as each is one component. `known`
/// are numbers that registers hold before. Empty if the meaning of the instruction is not defined.
pub(super) fn contents(
    insn: &Insn<Maxwell>,
    ctx: Ctx<'_>,
    known: impl Fn(Reg) -> Option<u64>,
) -> Vec<(Reg, Content)> {
    let mut lifted = Lifted::new(FILES);
    if lift(&mut lifted, *insn, ctx, ctx.pc, ctx.pc).is_err() {
        return Vec::new();
    }
    let nodes = &lifted.nodes;
    let (mut values, mut written) = (Vec::with_capacity(nodes.list.len()), Vec::new());
    for node in &nodes.list {
        if let Op::Write { reg, value, .. } = node.op
            && nodes.ty(value).count == 1
        {
            written.push((reg, of(&values, value)));
        }
        values.push(if node.ty.count == 1 {
            evaluate(nodes, node, &values, &known)
        } else {
            Content::Unknown
        });
    }
    written
}

fn of(values: &[Content], v: Value) -> Content {
    values.get(v.index()).copied().unwrap_or(Content::Unknown)
}

/// The value of an operation on scalars.
fn evaluate(nodes: &Nodes, node: &Node, values: &[Content], known: impl Fn(Reg) -> Option<u64>) -> Content {
    use Content::{Either, Number, Register, Unknown};
    let of = |v: Value| of(values, v);
    let kind = |v: Value| nodes.ty(v).scalar;
    match node.op {
        Op::Const(bits) => Number(bits),
        Op::Read { reg, .. } => known(reg).map_or(Register(reg), Number),
        Op::Convert { op: Convert::Bits, a, .. } => of(a),
        Op::Unary { op, rule, a } => match of(a) {
            Number(x) => Number(scalar::unary(op, rule, kind(a), x)),
            _ => Unknown,
        },
        Op::Binary { op, rule, a, b } => match (of(a), of(b)) {
            (Number(x), Number(y)) => Number(scalar::binary(op, rule, kind(a), x, y)),
            (x, y) => unchanged(op, x, y),
        },
        Op::Ternary { op: Ternary::Select, a, b, c, .. } => match (of(a), of(b), of(c)) {
            (Number(held), x, y) => {
                if held & 1 != 0 {
                    x
                } else {
                    y
                }
            }
            (_, x, y) if x == y => x,
            (_, Register(x), Register(y)) => Either(x, y),
            _ => Unknown,
        },
        _ => Unknown,
    }
}

/// The result of integer operations that copy an operand or clear all bits.
fn unchanged(op: Binary, a: Content, b: Content) -> Content {
    use Content::{Number, Register, Unknown};
    match (op, a, b) {
        (Binary::Xor | Binary::ISub, Register(x), Register(y)) if x == y => Number(0),
        (Binary::And | Binary::Or, Register(x), Register(y)) if x == y => a,
        (Binary::IMul | Binary::And, Number(0), _) | (Binary::IMul | Binary::And, _, Number(0)) => Number(0),
        (Binary::IAdd | Binary::Or | Binary::Xor, Number(0), copied) => copied,
        (
            Binary::IAdd
            | Binary::ISub
            | Binary::Or
            | Binary::Xor
            | Binary::Shl
            | Binary::LShr
            | Binary::AShr,
            copied,
            Number(0),
        ) => copied,
        _ => Unknown,
    }
}
