use crate::{
    BufferEnvironment, Environment, LaneView, Machine, NoEnvironment, NoObserver, Plane, Program, Progress,
    TextureSet, Trace, first_lanes, testing::*,
};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{
    At, Axis, Binary, ControlOp, Convert, Emission, FloatRule, LaneOp, Mask, Op, Reg, Scalar, Space, Swizzle,
    Type, Value, WAVE, scalar,
};

const X: Mask = Mask(1);
const F4: Type = Scalar::F32.by(4);

fn run(machine: &mut Machine<'_, Structured>) -> Result<(), Diagnostic> {
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default())
}

/// A machine whose `id` register holds the lane's index.
fn numbered<'a>(program: &'a Program<'a>) -> Machine<'a, Structured> {
    let mut m = machine(program);
    (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
    m
}

fn id(b: &mut shisa_ir::Builder<'_>) -> Value {
    b.read(ID, Swizzle::IDENTITY, Type::I32)
}

fn int(b: &mut shisa_ir::Builder<'_>, reg: Reg) -> Value {
    b.read(reg, Swizzle::IDENTITY, Type::I32)
}

/// Runs one instruction with lane indices in `id` and returns registers `r0` to `r(count - 1)`.
fn one(count: u16, ops: impl FnOnce(&mut shisa_ir::Builder<'_>)) -> Vec<Plane> {
    let mut code = Code::new();
    code.op(ops).plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    run(&mut m).unwrap();
    (0..count).map(|u| *m.plane(r(u)).unwrap()).collect()
}

#[test]
fn branches_diverge_and_join() {
    let mut code = Code::new();
    code.control(IF, 0, |b| {
        let (id, ten) = (id(b), b.i32(10));
        Some(b.ult(id, ten))
    });
    code.op(|b| {
        let one = b.i32(1);
        b.write(r(0), X, one);
    });
    code.plain(ELSE);
    code.op(|b| {
        let two = b.i32(2);
        b.write(r(0), X, two);
    });
    code.plain(END);
    code.op(|b| {
        let (v, id) = (int(b, r(0)), id(b));
        let sum = b.iadd(v, id);
        b.write(r(1), X, sum);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    run(&mut m).unwrap();
    assert_eq!(m.at(), At::Done);
    for lane in 0..WAVE {
        let want = if lane < 10 { 1 } else { 2 };
        assert_eq!(register(&m, r(0), lane), want);
        assert_eq!(register(&m, r(1), lane), want + lane as u32);
    }
}

#[test]
fn each_lane_leaves_the_loop_by_itself() {
    let mut code = Code::new();
    code.plain(ControlOp::Loop);
    let body = code.here();
    code.op(|b| {
        let (v, one) = (int(b, r(0)), b.i32(1));
        let next = b.iadd(v, one);
        b.write(r(0), X, next);
    });
    code.control(ControlOp::Again, body, |b| {
        let (v, id) = (int(b, r(0)), id(b));
        Some(b.ule(v, id))
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    run(&mut m).unwrap();
    for lane in 0..WAVE {
        assert_eq!(register(&m, r(0), lane), lane as u32 + 1);
    }
    // Loop and exit for 32 lanes, body and test for 1 + 2 + … + 32 lanes.
    assert_eq!(m.executed(), 64 + 2 * (32 * 33 / 2));
}

#[test]
fn endless_loops_meet_their_limit() {
    let mut code = Code::new();
    code.plain(ControlOp::Loop);
    code.control(ControlOp::Again, 1, |_| None);
    let program = code.program();
    for (lanes, limits) in [
        (1, Limits { lane_steps: 100, ..Limits::default() }),
        (8, Limits { run_steps: 800, ..Limits::default() }),
        (0x10, Limits { run_steps: 100, ..Limits::default() }),
        (1, Limits { run_work: 100, ..Limits::default() }),
        (32, Limits { run_work: 100, ..Limits::default() }),
        // The default ends a loop that hardly does anything.
        (1, Limits::default()),
    ] {
        let mut m = Machine::new(&program, &Structured, 0, first_lanes(lanes as usize));
        let d = m.run(&mut NoEnvironment, &mut NoObserver, &limits).unwrap_err();
        assert_eq!(d.code, "limit-exceeded");
        assert!(d.notes.iter().any(|n| n.contains("program counter")), "{d:?}");
    }
}

/// The limit applies to each lane, not to the sum of the lanes that run one after the other.
#[test]
fn limits_count_each_lane() {
    let mut code = Code::new();
    code.control(IF, 0, |b| {
        let (id, one) = (id(b), b.i32(1));
        Some(b.ult(id, one))
    });
    for _ in 0..10 {
        code.op(|_| {});
    }
    code.plain(ELSE);
    for _ in 0..10 {
        code.op(|_| {});
    }
    code.plain(END).plain(ControlOp::Exit);
    let program = code.program();
    // Lane 0 runs if, ten, else, exit; the others if, ten, end, exit.
    for (limit, fits) in [(13, true), (12, false)] {
        let limits = Limits { lane_steps: limit, ..Limits::default() };
        let result = numbered(&program).run(&mut NoEnvironment, &mut NoObserver, &limits);
        assert_eq!(result.is_ok(), fits, "limit {limit}: {result:?}");
    }
}

#[test]
fn guarded_effects_happen_where_the_guard_holds() {
    let mut code = Code::new();
    let mut guard = None;
    code.op(|b| {
        let (id, four) = (id(b), b.i32(4));
        b.write(r(0), X, four);
        guard = Some(b.ult(id, four));
        b.write(r(1), X, four);
        let all = b.constant(Type::BOOL, 1);
        let ballot = b.push(Op::Lane { op: LaneOp::Ballot, a: all, b: all }, Type::I32);
        b.write(r(2), X, ballot);
        b.kill(all);
    });
    code.0.steps[0].guard = guard;
    // The next step runs for all lanes again.
    code.op(|b| {
        let one = b.i32(1);
        b.write(r(3), X, one);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    run(&mut m).unwrap();
    assert_eq!(m.killed(), 0xf);
    for lane in 0..WAVE {
        let inside = u32::from(lane < 4);
        let want = [4, 4 * inside, 0xf * inside, 1];
        assert_eq!([0, 1, 2, 3].map(|u| register(&m, r(u), lane)), want, "lane {lane}");
    }
}

#[test]
fn whole_wave_steps_run_for_inactive_lanes() {
    let mut code = Code::new();
    code.control(IF, 0, |b| Some(b.constant(Type::BOOL, 0)));
    code.op(|b| {
        let one = b.i32(1);
        b.write(r(0), X, one);
    });
    code.op(|b| {
        let one = b.i32(1);
        b.write(r(1), X, one);
    });
    code.0.steps[2].whole_wave = true;
    code.plain(END).plain(ControlOp::Exit);
    let program = code.program();
    let mut m = Machine::new(&program, &Structured, 0, 0xff);
    run(&mut m).unwrap();
    assert!(m.plane(r(0)).unwrap().0.iter().all(|v| *v == 0));
    // Lanes that the wave does not have are not combined.
    assert_eq!((register(&m, r(1), 0), register(&m, r(1), 7), register(&m, r(1), 8)), (1, 1, 0));
}

#[test]
fn leaving_the_program_is_an_error() {
    let mut code = Code::new();
    code.op(|_| {});
    let program = code.program();
    assert_eq!(run(&mut machine(&program)).unwrap_err().code, "eval-off-program");
    let d = run(&mut Machine::new(&program, &Structured, 77, 1)).unwrap_err();
    assert_eq!(d.code, "eval-off-program");
    // No lanes: nothing runs.
    run(&mut Machine::new(&program, &Structured, 77, 0)).unwrap();
}

#[test]
fn errors_of_the_sequencer_have_a_location() {
    let mut code = Code::new();
    code.op(|_| {}).plain(END);
    let program = code.program();
    let d = run(&mut machine(&program)).unwrap_err();
    assert_eq!((d.code, d.notes), ("test-stack", vec!["at program counter 0x1".to_string()]));
}

#[test]
fn reads_see_registers_as_they_were() {
    let planes = one(8, |b| {
        let x = id(b);
        let seven = b.i32(7);
        let v = b.join(&[x, seven]);
        b.write(r(0), Mask(3), v);
        // Two components are swapped, and a read value is used after its register is written.
        let swapped = b.read(r(0), Swizzle::from_slice(&[1, 0]), Scalar::I32.by(2));
        let early = int(b, r(1));
        b.write(r(0), Mask(3), swapped);
        b.write(r(2), X, early);
        let late = int(b, r(1));
        b.write(r(3), X, late);
        // Masks scatter the components in order.
        let yw = b.read(r(0), Swizzle::IDENTITY, Scalar::I32.by(2));
        b.write(r(4), Mask(0b1010), yw);
    });
    for lane in 0..WAVE as u32 {
        let at = |u: usize| planes[u].0[lane as usize];
        assert_eq!([at(0), at(1), at(2), at(3)], [7, lane, 7, lane]);
        assert_eq!([at(4), at(5), at(6), at(7)], [0, 7, 0, lane]);
    }
}

#[test]
fn registers_overlap_by_units() {
    let planes = one(8, |b| {
        // 32 bits over two 16-bit units, and their halves; a narrow write preserves the other unit.
        let wide = b.i32(0x1234_5678);
        b.write(h(2), X, wide);
        let high = b.read(h(3), Swizzle::IDENTITY, Scalar::I16.by(1));
        let high = b.convert(Convert::ZeroExtend, high, Scalar::I32);
        b.write(r(0), X, high);
        let beef = b.constant(Scalar::I16.by(1), 0xbeef);
        b.write(h(3), X, beef);
        let again = int(b, h(2));
        b.write(r(1), X, again);
        // 64 bits over four 16-bit units and over two 32-bit units.
        let long = b.constant(Scalar::I64.by(1), 0x0123_4567_89ab_cdef);
        b.write(h(8), X, long);
        let back = b.read(h(8), Swizzle::IDENTITY, Scalar::I64.by(1));
        b.write(r(2), X, back);
        // A byte in a 16-bit unit and in a 32-bit unit, from wider contents.
        let byte = b.read(h(8), Swizzle::IDENTITY, Scalar::I8.by(1));
        let byte = b.convert(Convert::ZeroExtend, byte, Scalar::I32);
        b.write(r(4), X, byte);
        let half = b.read(r(3), Swizzle::IDENTITY, Scalar::I16.by(1));
        let half = b.convert(Convert::ZeroExtend, half, Scalar::I32);
        b.write(r(5), X, half);
        // 32 predicates at once.
        let bits = b.i32(0x8000_0005_u32 as i32);
        b.write(p(1), X, bits);
        let third = b.read(p(3), Swizzle::IDENTITY, Type::BOOL);
        let third = b.convert(Convert::ZeroExtend, third, Scalar::I32);
        b.write(r(6), X, third);
        let all = int(b, p(1));
        b.write(r(7), X, all);
    });
    let got: Vec<u32> = planes.iter().map(|p| p.0[5]).collect();
    assert_eq!(got, [0x1234, 0xbeef_5678, 0x89ab_cdef, 0x0123_4567, 0xef, 0x4567, 1, 0x8000_0005]);
}

#[test]
fn indexed_reads_stay_in_their_file() {
    let mut code = Code::new();
    code.op(|b| {
        let (id, three) = (id(b), b.i32(3));
        let index = b.isub(id, three);
        let at = Op::ReadAt { file: uniform(0).file, base: 4, stride: 4, index, swizzle: Swizzle::IDENTITY };
        let v = b.push(at, Scalar::F32.by(2));
        b.write(r(0), Mask(3), v);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    (0..32).for_each(|u| m.set_uniform(uniform(u), 100 + u32::from(u)).unwrap());
    run(&mut m).unwrap();
    for lane in 0..WAVE as i64 {
        for component in 0..2 {
            let unit = 4 + (lane - 3) * 4 + component;
            let want = if (0..32).contains(&unit) { 100 + unit as u32 } else { 0 };
            assert_eq!(register(&m, r(component as u16), lane as usize), want);
        }
    }
}

#[test]
fn wide_values_have_two_halves() {
    let planes = one(6, |b| {
        let x = id(b);
        let long = b.convert(Convert::SignExtend, x, Scalar::I64);
        let big = b.constant(Scalar::I64.by(1), 0xffff_ffff_0000_0001);
        let sum = b.iadd(long, big);
        b.write(r(0), X, sum);
        let f = b.convert(Convert::UnsignedToFloat, x, Scalar::F64);
        let third = b.constant(Scalar::F64.by(1), (1.0f64 / 3.0).to_bits());
        let product = b.fmul(f, third);
        b.write(r(2), X, product);
        let low_is_odd = b.convert(Convert::Truncate, sum, Scalar::I1);
        let product = b.convert(Convert::Bits, product, Scalar::I64);
        let chosen = b.select(low_is_odd, sum, product);
        let split = Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: chosen };
        let halves = b.push(split, Scalar::I32.by(2));
        let again = b.pair(halves, Scalar::I64);
        b.write(r(4), X, again);
    });
    for lane in 0..WAVE {
        let at = |u: usize| u64::from(planes[u].0[lane]) | u64::from(planes[u + 1].0[lane]) << 32;
        let sum = 0xffff_ffff_0000_0001u64.wrapping_add(lane as u64);
        let product = (lane as f64 * (1.0 / 3.0)).to_bits();
        assert_eq!([at(0), at(2)], [sum, product]);
        assert_eq!(at(4), if sum & 1 != 0 { sum } else { product });
    }
}

/// Operations without a loop run through the scalar semantics, for each kind.
#[test]
fn the_rest_goes_lane_by_lane() {
    let flush = FloatRule { flush: true, ..FloatRule::IEEE };
    let values = edges();
    let mut code = Code::new();
    code.op(|b| {
        b.rule = flush;
        let [x, y] = [0, 4].map(|u| b.read(input(u), Swizzle::IDENTITY, F4));
        let sum = b.fmul(x, y);
        b.write(r(0), Mask::ALL, sum);
        let fused = b.fma(x, y, x);
        b.write(r(4), Mask::ALL, fused);
        let half = b.convert(Convert::Float, x, Scalar::F16);
        let product = b.fadd(half, half);
        b.write(h(0), Mask::ALL, product);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = machine(&program);
    let value = |unit: u16, lane: usize| values[(lane * 5 + usize::from(unit) * 31) % values.len()];
    for unit in 0..8 {
        (0..WAVE).for_each(|lane| m.set_input(input(unit), lane, value(unit, lane)).unwrap());
    }
    run(&mut m).unwrap();
    for lane in 0..WAVE {
        for i in 0..4 {
            let (x, y) = (u64::from(value(i, lane)), u64::from(value(i + 4, lane)));
            let f32 = Scalar::F32;
            let product = scalar::binary(Binary::FMul, flush, f32, x, y);
            assert_eq!(u64::from(register(&m, r(i), lane)), product);
            let fused = scalar::ternary(shisa_ir::Ternary::Fma, flush, f32, x, y, x);
            assert_eq!(u64::from(register(&m, r(4 + i), lane)), fused);
            let half = scalar::convert(Convert::Float, flush, f32, Scalar::F16, x);
            let twice = scalar::binary(Binary::FAdd, flush, Scalar::F16, half, half);
            assert_eq!(u64::from(register(&m, h(i), lane)), twice);
        }
    }
}

#[test]
fn derivatives_within_quads() {
    let mut code = Code::new();
    code.op(|b| {
        let v = b.read(input(0), Swizzle::IDENTITY, Type::F32);
        let (x, y) = (b.derivative(Axis::X, v), b.derivative(Axis::Y, v));
        b.write(r(0), X, x);
        b.write(r(1), X, y);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let quad = [1.0f32, 4.0, 9.0, 20.0];
    // Inactive neighbours count: the last quad has only lanes 1 and 2.
    let lanes = 0x0fff_ffff | 6 << 28;
    for quads in [true, false] {
        let mut m = Machine::new(&program, &Structured, 0, lanes);
        m.set_quads(quads);
        for lane in 0..WAVE {
            m.set_input(input(0), lane, bits(quad[lane % 4] * (1 + lane / 4) as f32)).unwrap();
        }
        run(&mut m).unwrap();
        for lane in (0..WAVE).filter(|lane| lanes >> lane & 1 != 0) {
            let scale = if quads { (1 + lane / 4) as f32 } else { 0.0 };
            let (dx, dy) = ([3.0, 3.0, 11.0, 11.0][lane % 4], [8.0, 16.0, 8.0, 16.0][lane % 4]);
            assert_eq!(register(&m, r(0), lane), bits(dx * scale));
            assert_eq!(register(&m, r(1), lane), bits(dy * scale));
        }
    }
}

#[test]
fn killed_lanes_go_on_as_helpers() {
    let mut code = Code::new();
    code.op(|b| {
        let (id, one) = (id(b), b.i32(1));
        let odd = b.and(id, one);
        let odd = b.convert(Convert::Truncate, odd, Scalar::I1);
        b.kill(odd);
        let address = b.i32(64);
        let address = b.iadd(address, id);
        let byte = b.constant(Scalar::I8.by(1), 0xff);
        b.store(Space::Global, address, byte);
    });
    code.op(|b| {
        let id = id(b);
        let f = b.convert(Convert::UnsignedToFloat, id, Scalar::F32);
        let d = b.derivative(Axis::X, f);
        b.write(output(0), X, d);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    let mut memory = BufferEnvironment::new(TextureSet::new());
    memory.add(Space::Global, 64, &[0; 32], &Limits::default()).unwrap();
    m.run(&mut memory, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!(m.killed(), 0xaaaa_aaaa);
    let stored = memory.buffer(Space::Global, 0, 64).unwrap();
    for (lane, byte) in stored.iter().enumerate() {
        assert_eq!(*byte, if lane % 2 == 0 { 0xff } else { 0 });
        assert_eq!(register(&m, output(0), lane), bits(1.0));
    }
}

#[test]
fn lanes_exchange_what_active_lanes_have() {
    fn lane_op(op: LaneOp, ty: Type, f: impl Fn(&mut shisa_ir::Builder<'_>) -> (Value, Value)) -> Vec<u32> {
        let mut code = Code::new();
        code.control(IF, 0, |b| {
            let (id, eight) = (id(b), b.i32(8));
            Some(b.ult(id, eight))
        });
        code.op(|b| {
            let (a, other) = f(b);
            let v = b.push(Op::Lane { op, a, b: other }, ty);
            let v = if ty == Type::BOOL { b.convert(Convert::ZeroExtend, v, Scalar::I32) } else { v };
            b.write(r(0), X, v);
        });
        code.plain(END).plain(ControlOp::Exit);
        let program = code.program();
        let mut m = numbered(&program);
        run(&mut m).unwrap();
        assert!((8..WAVE).all(|lane| register(&m, r(0), lane) == 0), "inactive lanes are not written");
        (0..8).map(|lane| register(&m, r(0), lane)).collect()
    }
    let below = |b: &mut shisa_ir::Builder<'_>, limit| {
        let (id, limit) = (id(b), b.i32(limit));
        let v = b.ult(id, limit);
        (v, v)
    };
    let above = |b: &mut shisa_ir::Builder<'_>, limit| {
        let (id, limit) = (id(b), b.i32(limit));
        let v = b.ult(limit, id);
        (v, v)
    };
    assert_eq!(lane_op(LaneOp::Any, Type::BOOL, |b| below(b, 3)), [1; 8]);
    assert_eq!(lane_op(LaneOp::Any, Type::BOOL, |b| above(b, 7)), [0; 8]);
    assert_eq!(lane_op(LaneOp::All, Type::BOOL, |b| below(b, 3)), [0; 8]);
    assert_eq!(lane_op(LaneOp::All, Type::BOOL, |b| below(b, 8)), [1; 8]);
    assert_eq!(lane_op(LaneOp::Ballot, Type::I32, |b| above(b, 5)), [0xc0; 8]);
    let shifted = |b: &mut shisa_ir::Builder<'_>| {
        let (id, three) = (id(b), b.i32(3));
        (id, b.iadd(id, three))
    };
    assert_eq!(lane_op(LaneOp::Shuffle, Type::I32, shifted), [3, 4, 5, 6, 7, 5, 6, 7]);
    let flipped = |b: &mut shisa_ir::Builder<'_>| (id(b), b.i32(5));
    assert_eq!(lane_op(LaneOp::ShuffleXor, Type::I32, flipped), [5, 4, 7, 6, 1, 0, 3, 2]);
    let far = |b: &mut shisa_ir::Builder<'_>| (id(b), b.i32(-1));
    assert_eq!(lane_op(LaneOp::ShuffleXor, Type::I32, far), [0, 1, 2, 3, 4, 5, 6, 7]);
    let all = |b: &mut shisa_ir::Builder<'_>| {
        let (id, seven) = (id(b), b.i32(7));
        (id, b.imul(id, seven))
    };
    assert_eq!(lane_op(LaneOp::Fetch, Type::I32, all), [0, 7, 14, 21, 28, 5, 6, 7]);
    let some = |b: &mut shisa_ir::Builder<'_>| {
        let (id, two) = (id(b), b.i32(2));
        let v = b.lshr(id, two);
        (v, v)
    };
    assert_eq!(lane_op(LaneOp::QuadOr, Type::I32, some), [0, 0, 0, 0, 1, 1, 1, 1]);
}

#[test]
fn memory_is_read_and_written_by_component() {
    let mut code = Code::new();
    code.op(|b| {
        let (id, eight) = (id(b), b.i32(8));
        let address = b.imul(id, eight);
        let v = b.load(Space::Constant(3), address, Scalar::I16.by(4));
        let all = b.swizzle(v, Swizzle::from_slice(&[3, 2, 1, 0]), 4);
        b.store(Space::Shared, address, all);
        let wide = b.load(Space::Shared, address, Scalar::I64.by(1));
        b.write(r(0), X, wide);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    let mut memory = BufferEnvironment::default();
    let bank: Vec<u8> = (0..=255).collect();
    memory.add(Space::Constant(3), 0, &bank, &Limits::default()).unwrap();
    memory.add(Space::Shared, 0, &[0; 256], &Limits::default()).unwrap();
    m.run(&mut memory, &mut NoObserver, &Limits::default()).unwrap();
    for lane in 0..WAVE {
        let c = |i: usize| u32::from(bank[lane * 8 + i]);
        assert_eq!(register(&m, r(0), lane), c(6) | c(7) << 8 | c(4) << 16 | c(5) << 24);
        assert_eq!(register(&m, r(1), lane), c(2) | c(3) << 8 | c(0) << 16 | c(1) << 24);
    }
}

/// Vectors of every kind at every address around 4 GiB: each component is where the one before ends, in loads and in
/// stores, with and without an observer.
#[test]
fn vectors_cross_four_gibibytes() {
    const START: u64 = (1 << 32) - 32;
    let limits = Limits::default();
    let pattern: Vec<u8> = (0..64u8).map(|n| n.wrapping_mul(37) + 1).collect();
    for kind in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
        let size = usize::from(kind.bits() / 8);
        for at in 0..=64 - 4 * size {
            let mut code = Code::new();
            code.op(|b| {
                let bank = b.constant(Scalar::I64.by(1), START + at as u64);
                let v = b.load(Space::Constant(0), bank, kind.by(4));
                b.store(Space::Global, bank, v);
            });
            code.plain(ControlOp::Exit);
            let program = code.program();
            for observed in [false, true] {
                let mut m = machine(&program);
                let mut memory = BufferEnvironment::default();
                memory.add(Space::Constant(0), START, &pattern, &limits).unwrap();
                memory.add(Space::Global, START, &[0; 64], &limits).unwrap();
                match observed {
                    false => m.run(&mut memory, &mut NoObserver, &limits).unwrap(),
                    true => m.run(&mut memory, &mut Trace::new(4), &limits).unwrap(),
                }
                let mut want = vec![0; 64];
                want[at..at + 4 * size].copy_from_slice(&pattern[at..at + 4 * size]);
                let got = memory.buffer(Space::Global, 0, START).unwrap();
                assert_eq!(got, want, "{kind:?} at {at}, observed: {observed}");
            }
        }
    }
}

#[test]
fn without_an_environment_nothing_is_there() {
    let mut code = Code::new();
    code.op(|b| {
        let a = b.i32(0);
        b.load(Space::Global, a, Type::I32);
    });
    let program = code.program();
    assert_eq!(run(&mut machine(&program)).unwrap_err().code, "eval-no-environment");
}

#[test]
fn vertices_go_to_the_environment() {
    #[derive(Default)]
    struct Taken(Vec<(usize, Emission, u32)>);
    impl Environment for Taken {
        fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
            self.0.push((outputs.lane(), emission, outputs.register(output(0)).unwrap()));
            Ok(())
        }
    }
    let mut code = Code::new();
    for vertex in [2, 0] {
        code.op(|b| {
            b.push(Op::SetEmit { vertex, primitive: vertex == 0, flip: false }, Type::NONE);
            let v = b.i32(40 + i32::from(vertex));
            b.write(output(0), X, v);
            b.push(Op::Emit, Type::NONE);
        });
    }
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut taken = Taken::default();
    let mut m = Machine::new(&program, &Structured, 0, 0b101);
    m.run(&mut taken, &mut NoObserver, &Limits::default()).unwrap();
    let slot = |vertex| Emission { vertex, primitive: vertex == 0, flip: false };
    assert_eq!(taken.0, [(0, slot(2), 42), (2, slot(2), 42), (0, slot(0), 40), (2, slot(0), 40)]);
}

#[test]
fn barriers_are_reported_and_passed() {
    let mut code = Code::new();
    code.op(|b| {
        b.push(Op::Barrier, Type::NONE);
    })
    .plain(ControlOp::Exit);
    let program = code.program();
    let mut m = machine(&program);
    let mut step = || m.step(&mut NoEnvironment, &mut NoObserver).unwrap();
    let Progress::Barrier(arrived) = step() else { panic!("the wave does not arrive") };
    assert_eq!((arrived.number(), arrived.waits()), (None, true));
    assert_eq!([step(), step()], [Progress::Done, Progress::Done]);
}

#[test]
fn restarting_clears_what_a_wave_leaves() {
    let mut code = Code::new();
    code.op(|b| {
        let (v, id) = (int(b, r(0)), id(b));
        let sum = b.iadd(v, id);
        b.write(r(0), X, sum);
        b.write(output(0), X, sum);
        let yes = b.constant(Type::BOOL, 1);
        b.kill(yes);
    });
    code.plain(ControlOp::Exit);
    let program = code.program();
    let mut m = numbered(&program);
    for round in 1..=2u64 {
        run(&mut m).unwrap();
        // Set by the host, not by the program.
        m.set_uniform(r(50), 3).unwrap();
        assert_eq!((register(&m, output(0), 9), m.killed()), (9, u32::MAX));
        assert_eq!(m.executed(), round * 64);
        m.restart(0, first_lanes(32)).unwrap();
        assert_eq!((register(&m, r(0), 9), register(&m, r(50), 9)), (0, 0));
        assert_eq!((register(&m, output(0), 9), register(&m, ID, 9), m.killed()), (0, 9, 0));
    }
}

#[test]
fn registers_that_are_not_there_are_refused() {
    let code = Code::new();
    let program = code.program();
    let mut m = machine(&program);
    assert_eq!(m.set_input(input(16), 0, 1).unwrap_err().code, "eval-register");
    assert_eq!(m.set_input(input(15), WAVE, 1).unwrap_err().code, "eval-register");
    assert_eq!(m.set_uniform(Reg::new(shisa_ir::FileId(9), 0), 1).unwrap_err().code, "eval-register");
    let code = |reg, lane| m.register(reg, lane).map_err(|d| d.code);
    assert_eq!([code(input(16), 0), code(input(15), 99)], [Err("eval-register"); 2]);
    assert_eq!((code(input(15), 31), m.plane(input(16)).is_none()), (Ok(0), true));
}
