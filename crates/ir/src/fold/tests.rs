use super::{fold, is_simple, never_kills, simplify};
use crate::testing::{FILES, Machine, Random, random_func};
use crate::{
    Binary, Builder, Convert, End, FileId, FloatModel, Func, Mask, Nodes, Op, Reg, Scalar, Swizzle, Type,
    Value, parse_func,
};
use alloc::vec::Vec;
use shisa_diag::Limits;

/// A folded block that stores the value that `make` returns.
fn folded(make: impl FnOnce(&mut Builder<'_>) -> Value) -> Func {
    let mut func = stored(make);
    fold(&mut func);
    crate::remove_dead(&mut func);
    func
}

/// A block that stores the value that `make` returns.
fn stored(make: impl FnOnce(&mut Builder<'_>) -> Value) -> Func {
    let mut func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
    let mut builder = Builder::new(&mut func.nodes, 0);
    let v = make(&mut builder);
    builder.write(Reg::new(FileId(3), 0), Mask::first(builder.ty(v).count), v);
    let body = (0..func.nodes.list.len() as u32).map(Value).collect();
    func.blocks.push(crate::Block { params: Vec::new(), body, end: End::Exit });
    func
}

#[test]
fn shifting_up_and_down_is_a_mask() {
    for by in [0, 1, 24, 31, 32] {
        let func = stored(|b| {
            let (x, by) = (input(b, Type::I32), b.i32(by));
            let up = b.shl(x, by);
            b.lshr(up, by)
        });
        let mut after = func.clone();
        fold(&mut after);
        for input in [0, 1, 0x1234_5678, u32::MAX] {
            let run = |func| Machine::given(func, FloatModel::F32, 2, |_, _| input.into()).run();
            assert_eq!(run(&func), run(&after), "{by} {input:x}");
        }
        let is_mask = matches!(result(&after), Op::Binary { op: Binary::And, .. });
        assert_eq!(is_mask, (1..32).contains(&by), "{by}");
    }
}

#[test]
fn what_is_simple_stays_as_it_is() {
    let (mut random, mut found) = (Random::new(11), 0);
    for _ in 0..200 {
        let func = random_func(&mut random, 3);
        for v in (0..func.nodes.list.len() as u32).map(Value).filter(|v| is_simple(&func.nodes, *v)) {
            let (mut nodes, mut body, node) = (func.nodes.clone(), Vec::new(), func.nodes.list[v.index()]);
            assert!(simplify(&mut nodes, &node, &mut body).is_none(), "{node:?}");
            assert!(!never_kills(&nodes, &node) && body.is_empty() && nodes == func.nodes);
            found += 1;
        }
    }
    assert!(found > 1000, "{found}");
}

fn result(func: &Func) -> Op {
    match func.blocks[0].body.last().map(|&v| func.nodes.op(v)) {
        Some(Op::Write { value, .. }) => func.nodes.op(value),
        other => panic!("{other:?}"),
    }
}

fn input(b: &mut Builder<'_>, ty: Type) -> Value {
    b.read(Reg::new(FileId(4), 0), Swizzle::IDENTITY, ty)
}

#[test]
fn constants_are_computed() {
    let sum = folded(|b| {
        let (x, y) = (b.f32(1.5, 3), b.f32(2.0, 3));
        b.fadd(x, y)
    });
    assert_eq!(result(&sum), Op::Const(3.5f32.to_bits().into()));
    let vector = folded(|b| {
        let (x, y) = (b.i32(1), b.i32(2));
        let both = b.join(&[x, y]);
        b.iadd(both, both)
    });
    let Op::Join { parts } = result(&vector) else { panic!() };
    assert_eq!(parts.map(|p| vector.nodes.op(p)), [2, 4, 4, 4].map(Op::Const));
    let model = folded(|b| {
        b.rule.model = true;
        let x = b.f32(1.5, 1);
        b.fadd(x, x)
    });
    assert!(matches!(result(&model), Op::Binary { .. }), "a model's arithmetic is not known yet");
}

/// Comparisons of two inputs, what they select, and its comparison with a constant, before and after.
#[test]
fn truth_values_stay_as_they_are() {
    use Binary::*;
    let (mut random, mut fewer) = (Random::new(3), 0);
    for _ in 0..2000 {
        let mut func = stored(|b| {
            let (x, y) = (input(b, Type::I32), b.i32(random.pick(&[0, 1, -1])));
            let op = random.pick(&[IEq, INe, ULt, ULe, SLt, SLe, FEq, FNe, FLt, FLe]);
            let [x, y] = match op.is_float() {
                true => [x, y].map(|v| b.convert(Convert::Bits, v, Scalar::F32)),
                false => [x, y],
            };
            let mut truth = if random.below(2) == 0 { b.binary(op, x, y) } else { b.binary(op, y, x) };
            for _ in 0..3 {
                truth = match random.below(3) {
                    0 => b.not(truth),
                    1 => {
                        let [yes, no] = [0, 1].map(|_| b.constant(Type::BOOL, random.below(2) as u64));
                        b.select(truth, yes, no)
                    }
                    _ => {
                        let [yes, no, c] = [0, 1, 2].map(|_| b.i32(random.pick(&[0, 1, -1])));
                        let chosen = match random.below(2) {
                            0 => b.select(truth, yes, no),
                            _ => b.convert(Convert::ZeroExtend, truth, Scalar::I32),
                        };
                        b.binary(random.pick(&[IEq, INe]), chosen, c)
                    }
                };
            }
            b.convert(Convert::ZeroExtend, truth, Scalar::I32)
        });
        let before = func.clone();
        fold(&mut func);
        crate::remove_dead(&mut func);
        fewer += before.nodes.list.len() - func.nodes.list.len();
        for input in [0, 1, 2, 0x7fc0_0000, 0x8000_0000, u32::MAX] {
            let run = |func| Machine::given(func, FloatModel::F32, 2, |_, _| input.into()).run();
            assert_eq!(run(&before), run(&func), "{}", crate::print_func(&before));
        }
    }
    assert!(fewer > 8000, "{fewer}");
}

/// Each operation that the size of an operand can decide, on a masked input and a constant, before and after.
#[test]
fn sizes_decide_operations_with_constants() {
    use Binary::*;
    let numbers = [0, 1, 3, 4, 7, 8, 31, 32, 64, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX];
    let mut decided = 0;
    for op in [And, UMin, UMax, SMin, SMax, LShr, Shl, AShr, IEq, INe, ULt, ULe, SLt, SLe] {
        for (mask, c) in numbers.iter().flat_map(|mask| numbers.map(|c| (*mask, c))) {
            for is_first in [false, true] {
                let mut func = stored(|b| {
                    let (x, mask, c) = (input(b, Type::I32), b.i32(mask as i32), b.i32(c as i32));
                    let x = b.and(x, mask);
                    let v = if is_first { b.binary(op, c, x) } else { b.binary(op, x, c) };
                    if op.compares() { b.convert(Convert::ZeroExtend, v, Scalar::I32) } else { v }
                });
                let before = func.clone();
                fold(&mut func);
                decided += usize::from(!matches!(result(&func), Op::Binary { .. } | Op::Convert { .. }));
                for input in numbers {
                    let run = |func| Machine::given(func, FloatModel::F32, 2, |_, _| input.into()).run();
                    assert_eq!(run(&before), run(&func), "{op:?} {mask:x} {c:x} {is_first}");
                }
            }
        }
    }
    assert!(decided > 1000, "{decided}");
}

#[test]
fn bounds_decide_unsigned_comparisons() {
    let compared = |op: Binary, left: bool, bound: i32| {
        result(&folded(|b| {
            let (x, bound) = (input(b, Type::I32), b.i32(bound));
            if left { b.binary(op, bound, x) } else { b.binary(op, x, bound) }
        }))
    };
    for (op, left, bound, holds) in [
        (Binary::ULt, false, 0, 0),
        (Binary::ULt, true, -1, 0),
        (Binary::ULe, true, 0, 1),
        (Binary::ULe, false, -1, 1),
    ] {
        assert_eq!(compared(op, left, bound), Op::Const(holds), "{op:?}");
        assert!(
            matches!(compared(op, !left, bound), Op::Binary { .. }),
            "{op:?}: the other side decides nothing"
        );
    }
    assert!(
        matches!(compared(Binary::SLt, false, 0), Op::Binary { .. }),
        "a signed number may be below zero"
    );
}

#[test]
fn kills_of_no_lane_are_removed() {
    let kills =
        |func: &Func| func.blocks[0].body.iter().any(|v| matches!(func.nodes.op(*v), Op::Kill { .. }));
    for (ends, stays) in [(0, false), (1, true)] {
        let func = folded(|b| {
            let cond = b.constant(Type::BOOL, ends);
            b.kill(cond);
            b.i32(0)
        });
        assert_eq!(kills(&func), stays);
    }
}

#[test]
fn float_identities_that_are_not_exact_stay() {
    let plus_zero = folded(|b| {
        let (x, zero) = (input(b, Type::F32), b.f32(0.0, 1));
        b.fadd(x, zero)
    });
    assert!(matches!(result(&plus_zero), Op::Binary { .. }), "-0 + 0 is +0");
    let negated = folded(|b| {
        let x = input(b, Type::F32);
        let y = b.fneg(x);
        b.fneg(y)
    });
    assert!(matches!(result(&negated), Op::Read { .. }));
}

#[test]
fn swizzles_and_joins_cancel_out() {
    let whole = folded(|b| {
        let v = input(b, Scalar::F32.by(3));
        let parts: Vec<Value> = (0..3).map(|i| b.component(v, i)).collect();
        b.join(&parts)
    });
    assert!(matches!(result(&whole), Op::Read { .. }));
    let turned = folded(|b| {
        let v = input(b, Scalar::F32.by(4));
        let w = b.swizzle(v, Swizzle::from_slice(&[3, 2, 1, 0]), 4);
        b.swizzle(w, Swizzle::from_slice(&[3, 2, 1, 0]), 4)
    });
    assert!(matches!(result(&turned), Op::Read { .. }));
    let part = folded(|b| {
        let (x, y) = (input(b, Type::F32), b.f32(1.0, 1));
        let j = b.join(&[y, x, y]);
        b.component(j, 1)
    });
    assert!(matches!(result(&part), Op::Read { .. }));
}

#[test]
fn integers_selects_and_conversions() {
    for (op, c, stays) in [
        (Binary::IAdd, 0, true),
        (Binary::IMul, 1, true),
        (Binary::And, 0xffff_ffff, true),
        (Binary::AShr, 0, true),
        (Binary::IMul, 0, false),
        (Binary::Or, 0xffff_ffff, false),
        (Binary::UMin, 0xffff_ffff, true),
        (Binary::UMin, 0, false),
        (Binary::UMax, 0, true),
        (Binary::UMax, 0xffff_ffff, false),
        (Binary::SMin, 0x7fff_ffff, true),
        (Binary::SMin, 0x8000_0000, false),
        (Binary::SMax, 0x8000_0000, true),
        (Binary::SMax, 0x7fff_ffff, false),
    ] {
        let func = folded(|b| {
            let (x, c) = (input(b, Type::I32), b.constant(Type::I32, c));
            b.binary(op, x, c)
        });
        assert_eq!(matches!(result(&func), Op::Read { .. }), stays, "{op:?} {c}");
        assert_eq!(matches!(result(&func), Op::Const(_)), !stays, "{op:?} {c}");
    }
    let byte = folded(|b| {
        let (x, high, low) = (input(b, Type::I32), b.i32(0xff00), b.i32(0xff));
        let (upper, by) = (b.and(x, high), b.i32(24));
        let other = b.lshr(x, by);
        let both = b.or(upper, other);
        b.and(low, both)
    });
    let Op::Binary { op: Binary::And, b: left, .. } = result(&byte) else { panic!() };
    assert!(matches!(byte.nodes.op(left), Op::Binary { op: Binary::LShr, .. }));
    let select = folded(|b| {
        let (x, y, c) = (input(b, Type::I32), b.i32(3), b.constant(Type::BOOL, 1));
        b.select(c, x, y)
    });
    assert!(matches!(result(&select), Op::Read { .. }));
    let bits = folded(|b| {
        let x = input(b, Type::F32);
        let y = b.convert(Convert::Bits, x, Scalar::I32);
        b.convert(Convert::Bits, y, Scalar::F32)
    });
    assert!(matches!(result(&bits), Op::Read { .. }));
}

/// An operation with a constant is not simplified at any position of the constant's missing bit: that bit makes the
/// result depend on the operand.
#[test]
fn masks_count_all_bits() {
    for kind in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
        let ones = u64::MAX >> (64 - kind.bits());
        for bit in 0..kind.bits() {
            let almost = ones ^ 1 << bit;
            for (op, c) in [(Binary::And, almost), (Binary::Or, almost), (Binary::UMax, almost)] {
                let func = folded(|b| {
                    let (x, c) = (input(b, kind.by(1)), b.constant(kind.by(1), c));
                    b.binary(op, x, c)
                });
                assert!(matches!(result(&func), Op::Binary { .. }), "{op:?} of {c:#x} in {kind:?}");
            }
            for (op, c) in [(Binary::And, 1 << bit), (Binary::UMin, 1 << bit), (Binary::Xor, 1 << bit)] {
                let func = folded(|b| {
                    let (x, c) = (input(b, kind.by(1)), b.constant(kind.by(1), c));
                    b.binary(op, c, x)
                });
                assert!(matches!(result(&func), Op::Binary { .. }), "{op:?} of {c:#x} in {kind:?}");
            }
        }
    }
}

/// `(x & m | y) & w` drops the part with `x` only where no bit is in both masks.
#[test]
fn parts_are_dropped_only_where_no_bit_is_left() {
    for kind in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
        let ones = u64::MAX >> (64 - kind.bits());
        for bit in 0..kind.bits() {
            for (part, drops) in [(ones ^ 1 << bit, true), (ones, false), (1 << bit, false)] {
                for part_first in [true, false] {
                    let func = folded(|b| {
                        let x = input(b, kind.by(1));
                        let y = b.read(Reg::new(FileId(4), 4), Swizzle::IDENTITY, kind.by(1));
                        let (m, w) = (b.constant(kind.by(1), part), b.constant(kind.by(1), 1 << bit));
                        let masked = b.and(x, m);
                        let both = if part_first { b.or(masked, y) } else { b.or(y, masked) };
                        b.and(both, w)
                    });
                    let Op::Binary { op: Binary::And, a, .. } = result(&func) else { panic!() };
                    let dropped = !matches!(func.nodes.op(a), Op::Binary { op: Binary::Or, .. });
                    assert_eq!(dropped, drops, "bit {bit} of {kind:?}, mask {part:#x}");
                }
            }
        }
    }
}

/// Selections and branches on constants, on each side.
#[test]
fn conditions_that_are_constants_decide() {
    for (holds, want) in [(0, 7), (1, 3)] {
        let select = folded(|b| {
            let (yes, no, c) = (b.i32(3), b.i32(7), b.constant(Type::BOOL, holds));
            b.select(c, yes, no)
        });
        assert_eq!(result(&select), Op::Const(want));
    }
}

/// An argument that selects by the condition of its own branch is known on each edge, whichever side it selects.
#[test]
fn edges_know_what_their_condition_selects() {
    let text = "b0:
           %0: i32 = read i:0 xxxx
           %1: i32 = const 0
           %2: i1 = ine %0 %1
           %3: i32 = read i:1 xxxx
           %4: i32 = read i:2 xxxx
           %5: i32 = select %2 %3 %4
           %6: i32 = select %2 %4 %3
           branch %2 b1(%5, %6) b2(%5, %6)
         b1(%7: i32, %8: i32):
           %9 = write o:0 x %7
           %10 = write o:1 x %8
           exit
         b2(%11: i32, %12: i32):
           %13 = write o:2 x %11
           %14 = write o:3 x %12
           exit
        ";
    let before = parse_func(text, FILES, &Limits::default()).unwrap();
    let mut after = before.clone();
    fold(&mut after);
    crate::remove_dead(&mut after);
    assert!(after.nodes.list.iter().all(|n| !matches!(n.op, Op::Ternary { .. })), "{after:?}");
    for condition in [0, 1] {
        let run = |func| {
            let inputs = (0..16).map(|unit| if unit == 0 { condition } else { 100 + unit }).collect();
            Machine::new(func, 1, 60).with_file(4, inputs).run()
        };
        assert_eq!(run(&before), run(&after));
    }
}

#[test]
fn dot_products_of_constants_are_computed() {
    let dot = folded(|b| {
        let [x, y, z] = [1.0, 2.0, 3.0].map(|n| b.f32(n, 1));
        let a = b.join(&[x, y, z]);
        let c = b.join(&[z, z, y]);
        b.binary(Binary::FDot, a, c)
    });
    assert_eq!(result(&dot), Op::Const(15f32.to_bits().into()));
}
