use super::micro::Micro;
use crate::program::Program;
use crate::testing::*;
use shisa_diag::Limits;
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{
    Axis, Binary, Control, Convert, FileId, FloatRule, Lifted, Mask, Op, Reg, Scalar, Swizzle, Type, Unary,
    Value,
};

fn refusal(change: impl FnOnce(&mut Lifted)) -> &'static str {
    let mut code = Code::new();
    code.op(|b| {
        let x = b.read(r(0), Swizzle::IDENTITY, Scalar::F32.by(2));
        let y = b.fadd(x, x);
        b.write(r(2), Mask(3), y);
    });
    change(&mut code.0);
    match Program::new(&code.0, &Limits::default()) {
        Ok(_) => "taken",
        Err(d) => d.code,
    }
}

/// A plan that grows would take up to twice its memory, and thrice while it grows.
#[test]
fn a_plan_has_room_for_its_operations_at_once() {
    let mut code = Code::new();
    for _ in 0..700 {
        code.op(|b| {
            let x = b.read(r(0), Swizzle::IDENTITY, Type::F32);
            let y = b.fadd(x, x);
            b.write(r(1), Mask(1), y);
        });
    }
    let program = Program::new(&code.0, &Limits::default()).unwrap();
    assert!(program.ops.len() > 1_024);
    assert!(program.ops.capacity() <= code.0.nodes.list.len());
}

#[test]
fn malformed_programs_are_refused() {
    assert_eq!(refusal(|_| {}), "taken");
    let reg = |file, unit| Reg::new(FileId(file), unit);
    let swizzle = Swizzle::IDENTITY;
    let read = |file, unit| Op::Read { reg: reg(file, unit), swizzle };
    let sum = |a, b| Op::Binary { op: Binary::FAdd, rule: FloatRule::IEEE, a: Value(a), b: Value(b) };
    let faults: &[(usize, Op, Type)] = &[
        (0, read(9, 0), Type::F32),
        (0, read(0, 63), Scalar::F32.by(2)),
        (0, read(0, u16::MAX), Type::F32),
        (0, read(0, 0), Scalar::F32.by(5)),
        (0, read(0, 0), Type::NONE),
        (0, Op::Param, Type::F32),
        (1, sum(1, 0), Scalar::F32.by(2)),
        (1, sum(0, 2), Scalar::F32.by(2)),
        (1, sum(0, u32::MAX), Scalar::F32.by(2)),
        (1, sum(0, 0), Type::F32),
        (1, Op::Texture(0), Scalar::F32.by(4)),
        (1, Op::Swizzle { a: Value(0), swizzle }, Scalar::F32.by(3)),
        (1, Op::Derivative { axis: Axis::X, a: Value(0) }, Scalar::I32.by(2)),
        (1, Op::Convert { op: Convert::Bits, rule: FloatRule::IEEE, a: Value(0) }, Type::F32),
        (1, Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: Value(0) }, Type::F32),
        (2, Op::Write { reg: reg(0, 0), mask: Mask(7), value: Value(1) }, Type::NONE),
        (2, Op::Write { reg: reg(1, 0), mask: Mask(3), value: Value(1) }, Type::NONE),
        (2, Op::Write { reg: reg(2, 0), mask: Mask(3), value: Value(1) }, Type::NONE),
        (2, Op::Write { reg: reg(0, 63), mask: Mask(3), value: Value(1) }, Type::NONE),
        (2, Op::Kill { cond: Value(1) }, Type::NONE),
        (2, Op::Load { space: shisa_ir::Space::Global, address: Value(0) }, Type::F32),
    ];
    for &(at, op, ty) in faults {
        let code = refusal(|l| {
            l.nodes.list[at].op = op;
            l.nodes.list[at].ty = ty;
        });
        assert_eq!(code, "eval-malformed", "{op:?} as {ty}");
    }
    assert_eq!(refusal(|l| l.steps[0].nodes.end = 99), "eval-malformed");
    assert_eq!(refusal(|l| l.steps[0].nodes.start = 4), "eval-malformed");
    let cond = |v| Control { cond: Some(Value(v)), ..Control::default() };
    assert_eq!(refusal(|l| l.steps[0].control = cond(1)), "eval-malformed");
    assert_eq!(refusal(|l| l.steps[0].control = cond(77)), "eval-malformed");
    assert_eq!(refusal(|l| l.steps[0].guard = Some(Value(1))), "eval-malformed");
    assert_eq!(refusal(|l| l.steps[0].guard = Some(Value(77))), "eval-malformed");
}

#[test]
fn too_many_instructions_meet_the_limit() {
    let mut code = Code::new();
    code.op(|_| {}).op(|_| {});
    for (instructions, fits) in [(2, true), (1, false)] {
        let limits = Limits { instructions, ..Limits::default() };
        let result = Program::new(&code.0, &limits);
        assert_eq!(result.err().map(|d| d.code), (!fits).then_some("limit-exceeded"));
    }
}

/// Reads, swizzles and constants cost no operation unless the register changes in between.
#[test]
fn values_that_lie_somewhere_are_not_copied() {
    let mut code = Code::new();
    code.op(|b| {
        let x = b.read(r(0), Swizzle::IDENTITY, Scalar::F32.by(4));
        let half = b.f32(0.5, 4);
        let x = b.swizzle(x, Swizzle::splat(2), 4);
        let y = b.fmul(x, half);
        b.write(r(0), Mask::ALL, y);
    });
    code.op(|b| {
        let x = b.read(r(0), Swizzle::from_slice(&[1, 2, 3, 0]), Scalar::F32.by(4));
        b.write(r(0), Mask::ALL, x);
    });
    code.op(|b| {
        let x = b.read(r(0), Swizzle::IDENTITY, Scalar::F32.by(4));
        b.write(r(4), Mask::ALL, x);
    });
    let program = code.program();
    let counts: Vec<usize> = program.steps.iter().map(|s| s.ops.len()).collect();
    assert_eq!(counts, [8, 8, 4]);
}

/// Unused parts of values are not computed.
#[test]
fn halves_that_are_cut_off_are_left_out() {
    let mut code = Code::new();
    code.op(|b| {
        let x = b.read(input(0), Swizzle::IDENTITY, Type::I32);
        let wide = b.convert(Convert::SignExtend, x, Scalar::I64);
        let sum = b.iadd(wide, wide);
        let low = b.convert(Convert::Truncate, sum, Scalar::I32);
        b.write(r(0), Mask::first(1), low);
    });
    let program = code.program();
    assert_eq!(program.ops.len(), 2, "{:?}", program.ops);
    assert!(program.reads(input(0)) && !program.reads(input(1)) && !program.reads(r(0)));
}

/// Operations that lower to several loops yield the bits of the scalar semantics.
#[test]
fn loops_of_several_operations_equal_the_scalar_semantics() {
    use Binary::*;
    use shisa_ir::{NanRule, scalar};
    let integers = [
        And, Or, Xor, IAdd, ISub, IMul, Shl, LShr, AShr, IEq, INe, ULt, ULe, SLt, SLe, UMin, UMax, SMin, SMax,
    ];
    let floats = [FAdd, FSub, FMul, FDiv, FMin, FMax, FEq, FNe, FLt, FLe];
    let rule = FloatRule { nan: NanRule::Number, ..FloatRule::IEEE };
    let mut ops: Vec<Arithmetic> = Vec::new();
    for kind in [Scalar::I8, Scalar::I16, Scalar::I64] {
        ops.extend(integers.map(|op| Arithmetic::Binary(op, rule, kind)));
    }
    for kind in [Scalar::I8, Scalar::I16] {
        ops.extend([Unary::INeg, Unary::Not].map(|op| Arithmetic::Unary(op, rule, kind)));
        ops.push(Arithmetic::Convert(Convert::SignedToFloat, rule, kind, Scalar::F32));
        ops.push(Arithmetic::Convert(Convert::SignExtend, rule, kind, Scalar::I64));
        for op in [Convert::FloatToSigned, Convert::FloatToUnsigned] {
            ops.extend([Scalar::F16, Scalar::F32].map(|from| Arithmetic::Convert(op, rule, from, kind)));
        }
    }
    ops.push(Arithmetic::Convert(Convert::SignExtend, rule, Scalar::I8, Scalar::I16));
    ops.extend(floats.map(|op| Arithmetic::Binary(op, rule, Scalar::F16)));
    let unary = [
        Unary::FSat,
        Unary::FFloor,
        Unary::FCeil,
        Unary::FTrunc,
        Unary::FRound,
        Unary::FSqrt,
        Unary::FRcp,
        Unary::FNeg,
        Unary::FAbs,
    ];
    ops.extend(unary.map(|op| Arithmetic::Unary(op, rule, Scalar::F16)));
    let values: Vec<u64> = edges()
        .into_iter()
        .flat_map(|v| {
            [u64::from(v) | u64::from(v.rotate_left(9)) << 32, u64::from(v >> 16), u64::from(v) << 32 | 7]
        })
        .collect();
    for op in ops {
        let (from, to) = match op {
            Arithmetic::Unary(_, _, kind) | Arithmetic::Ternary(_, _, kind) => (kind, kind),
            Arithmetic::Binary(op, _, kind) => (kind, op.result(kind.by(1)).scalar),
            Arithmetic::Convert(_, _, from, to) => (from, to),
        };
        let bits = |b: &mut shisa_ir::Builder<'_>, v: Value, to: Scalar| {
            let v = b.convert(Convert::Truncate, v, to.as_int());
            b.convert(Convert::Bits, v, to)
        };
        let mut code = Code::new();
        code.op(|b| {
            let operand = |b: &mut shisa_ir::Builder<'_>, unit| {
                let v = b.read(input(unit), Swizzle::IDENTITY, Scalar::I64.by(1));
                if from == Scalar::I64 { v } else { bits(b, v, from) }
            };
            let (x, y) = (operand(b, 0), operand(b, 2));
            b.rule = rule;
            let v = match op {
                Arithmetic::Unary(op, rule, _) => b.push(Op::Unary { op, rule, a: x }, to.by(1)),
                Arithmetic::Binary(op, rule, _) => b.push(Op::Binary { op, rule, a: x, b: y }, to.by(1)),
                Arithmetic::Convert(op, rule, ..) => b.push(Op::Convert { op, rule, a: x }, to.by(1)),
                Arithmetic::Ternary(..) => return,
            };
            let v = if to.is_float() { b.convert(Convert::Bits, v, to.as_int()) } else { v };
            let v = if to.bits() < 64 { b.convert(Convert::ZeroExtend, v, Scalar::I64) } else { v };
            b.write(r(0), Mask::first(1), v);
        });
        let program = code.program();
        let slow = program.ops.iter().any(|m| matches!(m, Micro::ByLane { .. }));
        let shifts_wide = matches!(op, Arithmetic::Binary(Shl | LShr | AShr, _, Scalar::I64));
        assert_eq!(slow, shifts_wide, "{op:?}");
        let mut m = machine(&program);
        for round in 0..values.len() {
            let value = |lane: usize, by: usize| values[(lane * by + round) % values.len()];
            for lane in 0..32 {
                for (unit, v) in [(0, value(lane, 5)), (2, value(lane, 7))] {
                    m.set_input(input(unit), lane, v as u32).unwrap();
                    m.set_input(input(unit + 1), lane, (v >> 32) as u32).unwrap();
                }
            }
            m.run_again(0);
            m.step(&mut crate::NoEnvironment, &mut crate::NoObserver).unwrap();
            for lane in 0..32 {
                let (x, y) = (value(lane, 5), value(lane, 7));
                let want = match op {
                    Arithmetic::Unary(op, rule, kind) => scalar::unary(op, rule, kind, x),
                    Arithmetic::Binary(op, rule, kind) => scalar::binary(op, rule, kind, x, y),
                    Arithmetic::Convert(op, rule, from, to) => scalar::convert(op, rule, from, to, x),
                    Arithmetic::Ternary(..) => 0,
                };
                let got = [0, 1].map(|unit| u64::from(register(&m, r(unit), lane)));
                assert_eq!(got[0] | got[1] << 32, want, "{op:?} of {x:#x}, {y:#x}");
            }
        }
    }
}

/// 64-bit sums, logic, constant shifts and selections run as loops over 32-bit halves.
#[test]
fn halves_of_64_bits_equal_the_scalar_semantics() {
    use crate::testing::{Code, edges, input, machine, r};
    use shisa_ir::{Binary, Convert, FloatRule, Mask, Op, Scalar, Swizzle, Type, scalar};
    let wide = Scalar::I64.by(1);
    let ops = [Binary::And, Binary::Or, Binary::Xor, Binary::IAdd, Binary::ISub, Binary::Shl];
    let mut code = Code::new();
    code.op(|b| {
        let (x, y) = (b.read(input(0), Swizzle::IDENTITY, wide), b.read(input(2), Swizzle::IDENTITY, wide));
        let five = b.constant(wide, 5);
        for (i, op) in (0..).zip(ops) {
            let second = if op == Binary::Shl { five } else { y };
            let v = b.push(Op::Binary { op, rule: FloatRule::IEEE, a: x, b: second }, wide);
            b.write(r(2 * i), Mask::first(1), v);
        }
        let word = b.read(input(2), Swizzle::IDENTITY, Type::I32);
        let v = b.convert(Convert::SignExtend, word, Scalar::I64);
        b.write(r(12), Mask::first(1), v);
        let less = b.ult(x, y);
        let v = b.select(less, x, y);
        b.write(r(14), Mask::first(1), v);
    });
    let program = code.program();
    let slow = program.ops.iter().filter(|op| matches!(op, Micro::ByLane { .. })).count();
    assert_eq!(slow, 0);
    let mut m = machine(&program);
    let values = edges();
    for unit in 0..4u16 {
        for lane in 0..32 {
            let bits = values[(lane * 5 + usize::from(unit) * 11) % values.len()];
            m.set_input(input(unit), lane, bits).unwrap();
        }
    }
    m.step(&mut crate::NoEnvironment, &mut crate::NoObserver).unwrap();
    for lane in 0..32 {
        let pair = |at: fn(u16) -> shisa_ir::Reg, n: u16| {
            u64::from(register(&m, at(n), lane)) | u64::from(register(&m, at(n + 1), lane)) << 32
        };
        let (x, y) = (pair(input, 0), pair(input, 2));
        for (i, op) in (0..).zip(ops) {
            let second = if op == Binary::Shl { 5 } else { y };
            let want = scalar::binary(op, FloatRule::IEEE, Scalar::I64, x, second);
            assert_eq!(pair(r, 2 * i), want, "{op:?} of {x:#x}, {second:#x}");
        }
        assert_eq!(pair(r, 12), i64::from(y as u32 as i32) as u64);
        assert_eq!(pair(r, 14), x.min(y));
    }
}
