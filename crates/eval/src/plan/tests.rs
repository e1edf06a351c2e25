use super::*;
use crate::testing::*;
use shisa_diag::Limits;
use shisa_ir::{Axis, Control, FileId, Mask, Reg, Swizzle};

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

/// Sums, logic, constant shifts and selections of 64 bits run as loops over halves.
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
    let slow = program.ops.iter().filter(|op| matches!(op, crate::micro::Micro::Slow { .. })).count();
    assert_eq!(slow, 1, "only the comparison");
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
            u64::from(m.register(at(n), lane)) | u64::from(m.register(at(n + 1), lane)) << 32
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
