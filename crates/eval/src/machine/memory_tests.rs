//! Atomic operations, computed banks of constants, clocks, and errors of memory.

use crate::{BufferEnvironment, Clock, Machine, NoEnvironment, NoObserver, Trace, testing::*};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{
    Atomic, Binary, Builder, ControlOp, FloatRule, Mask, Op, Scalar, Space, Swizzle, Type, Value, WAVE,
};

const X: Mask = Mask(1);

fn id(b: &mut Builder<'_>) -> Value {
    b.read(ID, Swizzle::IDENTITY, Type::I32)
}

fn run(machine: &mut Machine<'_, Structured>, memory: &mut BufferEnvironment) -> Result<(), Diagnostic> {
    (0..WAVE).for_each(|lane| machine.set_input(ID, lane, lane as u32).unwrap());
    machine.run(memory, &mut NoObserver, &Limits::default())
}

fn with(space: Space, bytes: &[u8]) -> BufferEnvironment {
    let mut memory = BufferEnvironment::default();
    memory.add(space, 0, bytes, &Limits::default()).unwrap();
    memory
}

/// The value that all lanes leave, one after the other, with operand `5 * lane`, and the values that they found.
fn atomic(op: Atomic, first: u64, scalar: Scalar) -> (u64, Vec<u64>) {
    let mut code = Code::new();
    code.op(|b| {
        let (id, five, zero) = (id(b), b.i32(5), b.i32(0));
        let value = b.imul(id, five);
        let value = if scalar.is_float() {
            b.convert(shisa_ir::Convert::UnsignedToFloat, value, scalar)
        } else if scalar == Scalar::I64 {
            b.convert(shisa_ir::Convert::ZeroExtend, value, scalar)
        } else {
            value
        };
        let old = b.atomic(op, (Space::Shared, zero), value, None);
        b.write(r(0), X, old);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut memory = with(Space::Shared, &first.to_le_bytes());
    let mut m = machine(&program);
    run(&mut m, &mut memory).unwrap();
    let left = u64::from_le_bytes(memory.buffer(Space::Shared, 0, 0).unwrap().try_into().unwrap());
    let half = |unit: u16, lane| u64::from(register(&m, r(unit), lane));
    let wide = scalar.bits() == 64;
    let old = (0..WAVE).map(|lane| half(0, lane) | if wide { half(1, lane) << 32 } else { 0 });
    (left, old.collect())
}

/// Operands are 0, 5, 10, …, 155.
fn expected(first: u64, change: impl Fn(u64, u64) -> u64) -> (u64, Vec<u64>) {
    let mut there = first;
    let next = |lane: u64| {
        let new = change(there, 5 * lane);
        std::mem::replace(&mut there, new)
    };
    let old = (0..WAVE as u64).map(next).collect();
    (there, old)
}

#[test]
fn counters_wrap_at_their_operands() {
    for scalar in [Scalar::I32, Scalar::I64] {
        for first in [0, 1, 4, 5, 7, 154, 200] {
            let increment = |old: u64, value: u64| if old >= value { 0 } else { old + 1 };
            let decrement = |old: u64, value: u64| if old == 0 || old > value { value } else { old - 1 };
            assert_eq!(atomic(Atomic::Increment, first, scalar), expected(first, increment), "{first}");
            assert_eq!(atomic(Atomic::Decrement, first, scalar), expected(first, decrement), "{first}");
        }
    }
}

#[test]
fn floats_are_combined_in_memory() {
    let sum = Atomic::CombineFloats(Binary::FAdd, FloatRule::IEEE);
    let single = |f: fn(f32, f32) -> f32| {
        move |old: u64, value: u64| u64::from(f(f32::from_bits(old as u32), value as f32).to_bits())
    };
    let first = u64::from(0.75f32.to_bits());
    assert_eq!(atomic(sum, first, Scalar::F32), expected(first, single(|a, b| a + b)));
    let most = Atomic::CombineFloats(Binary::FMax, FloatRule::IEEE);
    assert_eq!(atomic(most, first, Scalar::F32), expected(first, single(f32::max)));
    let double = |old: u64, value: u64| (f64::from_bits(old) + value as f64).to_bits();
    let first = 0.1f64.to_bits();
    assert_eq!(atomic(sum, first, Scalar::F64), expected(first, double));
}

#[test]
fn atomics_of_other_types_are_refused() {
    for (op, ty) in [
        (Atomic::Increment, Scalar::F32.by(1)),
        (Atomic::Combine(Binary::IAdd), Scalar::I16.by(1)),
        (Atomic::CombineFloats(Binary::FAdd, FloatRule::IEEE), Type::I32),
        (Atomic::CombineFloats(Binary::FLt, FloatRule::IEEE), Scalar::F32.by(1)),
        (Atomic::Exchange, Scalar::I32.by(2)),
    ] {
        let mut code = Code::new();
        code.op(|b| {
            let (zero, value) = (b.i32(0), b.constant(ty, 0));
            b.push(Op::Atomic { op, space: Space::Shared, address: zero, value, expected: value }, ty);
        });
        let refused = crate::Program::new(&code.0, &Limits::default()).unwrap_err();
        assert_eq!(refused.code, "eval-malformed", "{op:?} of {ty}");
    }
}

/// Each lane selects its bank, and with an observer, too.
#[test]
fn lanes_select_banks_of_constants() {
    let mut code = Code::new();
    code.op(|b| {
        let (id, three, sixteen, four) = (id(b), b.i32(3), b.i32(16), b.i32(4));
        let bank = b.and(id, three);
        let bank = b.shl(bank, sixteen);
        let offset = b.imul(id, four);
        let address = b.or(bank, offset);
        let v = b.load(Space::Constants, address, Scalar::I32.by(2));
        b.write(r(0), Mask::first(2), v);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let byte = |bank: usize, at: usize| (at * 7 + bank * 50) as u8;
    for observed in [false, true] {
        let mut memory = BufferEnvironment::default();
        for bank in 0..4 {
            let bytes: Vec<u8> = (0..256).map(|at| byte(bank, at)).collect();
            memory.add(Space::Constant(bank as u8), 0, &bytes, &Limits::default()).unwrap();
        }
        let mut m = machine(&program);
        (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
        match observed {
            false => m.run(&mut memory, &mut NoObserver, &Limits::default()).unwrap(),
            true => m.run(&mut memory, &mut Trace::new(4), &Limits::default()).unwrap(),
        }
        for lane in 0..WAVE {
            let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| byte(lane % 4, at + i)));
            assert_eq!(register(&m, r(0), lane), word(4 * lane));
            assert_eq!(register(&m, r(1), lane), word(4 * lane + 4));
        }
    }
}

/// The error of an access names the first lane that fails, and the instruction.
#[test]
fn errors_name_lanes() {
    type Make = fn(&mut Builder<'_>, Value);
    let accesses: [(&str, Make); 4] = [
        ("a load of 8", |b, at| {
            let v = b.load(Space::Shared, at, Scalar::I32.by(2));
            b.write(r(0), Mask::first(2), v);
        }),
        ("a store of 4", |b, at| b.store(Space::Shared, at, at)),
        ("a store of 8", |b, at| {
            let pair = b.join(&[at, at]);
            b.store(Space::Shared, at, pair);
        }),
        ("a load of 4", |b, at| {
            b.atomic(Atomic::Exchange, (Space::Shared, at), at, None);
        }),
    ];
    for (what, access) in accesses {
        let mut code = Code::new();
        code.op(|b| {
            let (id, four) = (id(b), b.i32(4));
            let at = b.imul(id, four);
            access(b, at);
        });
        code.plain(ControlOp::Exit);
        let program = code.program();
        let mut traced = machine(&program);
        (0..WAVE).for_each(|lane| traced.set_input(ID, lane, lane as u32).unwrap());
        let mut memory = with(Space::Shared, &[0; 40]);
        for refused in [
            run(&mut machine(&program), &mut with(Space::Shared, &[0; 40])).unwrap_err(),
            traced.run(&mut memory, &mut Trace::new(4), &Limits::default()).unwrap_err(),
        ] {
            let lane = if what.ends_with('8') { 9 } else { 10 };
            let begin = format!("{what} bytes at {:#x}", 4 * lane);
            assert!(refused.message.starts_with(&begin), "{}", refused.message);
            assert_eq!(refused.notes, [format!("in lane {lane}"), "at program counter 0x0".into()]);
        }
    }
}

/// Vectors of neighbouring lanes overlap: a lane replaces what the lanes before it stored, with and without an observer.
#[test]
fn overlapping_vectors_are_stored_lane_by_lane() {
    for lanes in [u32::MAX, 0x7fff_ff7f] {
        let mut code = Code::new();
        code.op(|b| {
            let (id, two, hundred) = (id(b), b.i32(2), b.i32(100));
            let at = b.imul(id, two);
            let (at, above) = (b.imul(at, two), b.iadd(id, hundred));
            let pair = b.join(&[id, above]);
            b.store(Space::Shared, at, pair);
        });
        code.plain(ControlOp::Exit);
        let program = code.program();
        let stored = |observed: bool| {
            let mut memory = with(Space::Shared, &[0xff; 132]);
            let mut m = Machine::new(&program, &Structured, 0, lanes);
            (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
            match observed {
                false => m.run(&mut memory, &mut NoObserver, &Limits::default()).unwrap(),
                true => m.run(&mut memory, &mut Trace::new(4), &Limits::default()).unwrap(),
            }
            let bytes = memory.buffer(Space::Shared, 0, 0).unwrap().to_vec();
            bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect::<Vec<_>>()
        };
        let runs = |lane: u32| lane < 32 && lanes >> lane & 1 != 0;
        let word = |n: u32| match n.checked_sub(1).filter(|before| runs(*before)) {
            _ if runs(n) => n,
            Some(before) => before + 100,
            None => u32::MAX,
        };
        let expected: Vec<u32> = (0..33).map(word).collect();
        assert_eq!(stored(false), expected);
        assert_eq!(stored(true), expected);
    }
}

/// The registers of a clock never go back, advance from step to step, and continue in the next wave.
#[test]
fn clocks_advance() {
    let mut code = Code::new();
    let (low, high) = (input(3), input(4));
    for n in 0..4 {
        code.op(|b| {
            let v = b.read(low, Swizzle::IDENTITY, Type::I32);
            b.write(r(n), X, v);
            let v = b.read(high, Swizzle::IDENTITY, Type::I32);
            b.write(r(10 + n), X, v);
        });
    }
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = machine(&program);
    let mut times = Vec::new();
    for unit in [0, 4] {
        m.set_clocks(&[Clock { low, high: Some(high), unit }]);
        m.restart(0, u32::MAX).unwrap();
        m.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
        for n in 0..4 {
            let time = register(&m, r(n), 7);
            assert_eq!((register(&m, r(n), 0), register(&m, r(10 + n), 0)), (time, 0));
            assert!(unit == 0 || time.is_multiple_of(unit), "{time}");
            times.push(time);
        }
    }
    assert!(times.is_sorted() && times[0] < times[3] && times[3] < times[4], "{times:?}");
    // Without a clock the input keeps its value.
    m.set_clocks(&[]);
    m.restart(0, u32::MAX).unwrap();
    m.set_input(low, 7, 99).unwrap();
    m.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!(register(&m, r(3), 7), 99);
}
