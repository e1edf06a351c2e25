//! Reads of textures: their operands, lanes and results, on every level.

use crate::common::{block, compiled, edge, function, in_order, program, runners};
use shisa_diag::Diagnostic;
use shisa_exec::{Attribute, Environment, Outputs, Runner, Sample, Slot};
use shisa_ir::{
    Binary, Builder, Dim, End, File, FileId, FileKind, FloatRule, Func, Lanes, Lod, Mask, Nodes, Op, Reg,
    SamplerRef, Scalar, Shape, Swizzle, TexKind, TexOp, TextureRef, Tree, Type, Value, WAVE,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 64, scalar: Scalar::I32 }
}

static FILES: [File; 3] =
    [file("in", FileKind::Input), file("out", FileKind::Output), file("c", FileKind::Uniform)];

const INPUTS: u16 = 32;

const fn reg(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

const fn slot(reg: Reg, units: u16) -> Slot {
    Slot { reg, units, offset: 0, stride: units as usize, step: 1 }
}

/// A unit of an input. The first is small, so that it counts iterations. The others are no NaN, as floats.
fn given(lane: usize, unit: u16) -> u32 {
    match unit {
        0 => lane as u32 * 5 % 7,
        unit => {
            let bits = (lane as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(unit.into());
            (bits ^ u32::from(unit)) & !0x4000_0000
        }
    }
}

/// A component of the texel for these components of operands: all of them count, and their order.
fn texel(component: usize, operands: impl IntoIterator<Item = u32>) -> u32 {
    operands.into_iter().fold(component as u32, |sum, bits| sum.wrapping_mul(31).wrapping_add(bits))
}

/// Textures whose texels depend on every operand. Lanes that do not read get other bits.
#[derive(Default)]
struct Mixing {
    calls: Vec<(Lanes, bool)>,
}

impl Environment for Mixing {
    fn sample(&mut self, read: &Sample<'_>, texels: &mut [[u32; WAVE]; 4]) -> Result<(), Diagnostic> {
        self.calls.push((read.lanes, read.quads));
        for lane in 0..WAVE {
            let mut operands = Vec::new();
            read.op.map(|waves| operands.extend(waves.map(|wave| wave[lane / 16][lane % 16])));
            for (c, to) in texels.iter_mut().enumerate() {
                let is_read = read.lanes >> lane & 1 != 0;
                to[lane] = if is_read { texel(c, operands.iter().copied()) } else { 0xdead_beef };
            }
        }
        Ok(())
    }
}

/// Runs lanes and returns their outputs, `units` each.
fn run(
    runner: &mut Runner,
    (lanes, units): (usize, u16),
    textures: &mut dyn Environment,
) -> Result<Vec<Vec<u32>>, Diagnostic> {
    let data: Vec<u32> = (0..lanes).flat_map(|lane| (0..INPUTS).map(move |unit| given(lane, unit))).collect();
    let mut got = vec![0; lanes * usize::from(units)];
    let mut outputs = Outputs { slots: &[slot(reg(1, 0), units)], data: &mut got };
    let attribute = Attribute { slot: slot(reg(0, 0), INPUTS), data: &data };
    runner.run_with(lanes, &[attribute], &mut outputs, &mut [], textures)?;
    Ok(got.chunks(units.into()).map(<[u32]>::to_vec).collect())
}

fn read(b: &mut Builder<'_>, file: u8, unit: u16, count: u8) -> Value {
    b.read(reg(file, unit), Swizzle::IDENTITY, Scalar::I32.by(count))
}

/// A read at two units of the input.
fn plain(b: &mut Builder<'_>, lod: Lod) -> Value {
    let coord = read(b, 0, 4, 2);
    b.texture(TexOp::sample(0, Dim::D2, coord, lod), Scalar::F32)
}

/// The texel of [`plain`] without a level.
fn plain_texel(lane: usize, c: usize) -> u32 {
    texel(c, [given(lane, 4), given(lane, 5), 0, 0])
}

/// The calls for lanes 0 to `lanes`: one for each wave.
fn calls(lanes: usize) -> Vec<(Lanes, bool)> {
    let set = |first: usize| {
        let count = (lanes - first).min(WAVE);
        (Lanes::MAX >> (WAVE - count) << (first % WAVE), false)
    };
    (0..lanes).step_by(WAVE).map(set).collect()
}

#[test]
fn every_operand_of_every_lane_is_passed() {
    let operands = function(&FILES, |b| {
        let shape = Shape { dim: Dim::D2, arrayed: true, multisampled: true };
        let op = TexOp {
            kind: TexKind::Gather(2),
            texture: TextureRef::Numbered(read(b, 0, 1, 1)),
            shape,
            coord: read(b, 0, 4, 2),
            layer: Some(read(b, 2, 3, 1)),
            sample: Some(b.i32(77)),
            lod: Lod::Gradient(read(b, 0, 8, 2), read(b, 2, 8, 2)),
            least: Some(read(b, 0, 12, 1)),
            compare: Some(read(b, 0, 13, 1)),
            offset: Some(read(b, 0, 16, 2)),
            sampler: SamplerRef::Handle(read(b, 0, 20, 1)),
            towards_zero: false,
            traps: false,
        };
        let texel = b.texture(op, Scalar::F32);
        b.write(reg(1, 0), Mask::ALL, texel);
        // A second read, of uniforms alone, of which only one component is used.
        let coord = read(b, 2, 8, 3);
        let op = TexOp::sample(1, Dim::D3, coord, Lod::Bias(read(b, 2, 3, 1)));
        let texel = b.texture(op, Scalar::F32);
        let third = b.component(texel, 2);
        b.write(reg(1, 6), Mask(1), third);
    });
    let program = program(&operands);
    assert!(program.uses_environment() && program.uses_quads());
    let uniform = |unit: u16| 1000 + u32::from(unit) * 3;
    for (level, mut runner) in runners(program.clone()) {
        runner.set_uniforms(reg(2, 0), &(0..64).map(uniform).collect::<Vec<_>>());
        for lanes in [1, 16, 17, 33, 130, 300] {
            let mut textures = Mixing::default();
            let got = run(&mut runner, (lanes, 8), &mut textures).unwrap();
            for (lane, got) in got.iter().enumerate() {
                let one = |bits| [bits, 0, 0, 0];
                let of = |unit| given(lane, unit);
                let first = [
                    [of(4), of(5), 0, 0],
                    one(uniform(3)),
                    one(77),
                    [of(8), of(9), 0, 0],
                    [uniform(8), uniform(9), 0, 0],
                    one(of(12)),
                    one(of(13)),
                    [of(16), of(17), 0, 0],
                    one(of(1)),
                    one(of(20)),
                ];
                let second = [[uniform(8), uniform(9), uniform(10), 0], one(uniform(3))];
                let mut want: Vec<u32> = (0..4).map(|c| texel(c, first.iter().flatten().copied())).collect();
                want.extend([0, 0, texel(2, second.iter().flatten().copied()), 0]);
                assert_eq!(*got, want, "{level}, lane {lane} of {lanes}");
            }
            // The waves of a slab read once, and then again.
            let all = calls(lanes);
            let both = all.chunks(128 / WAVE).flat_map(|part| [part, part].concat());
            assert_eq!(textures.calls, both.collect::<Vec<_>>(), "{level}, {lanes} lanes");
        }
    }
}

#[test]
fn a_read_that_nothing_uses_does_not_run() {
    let unused = program(&function(&FILES, |b| {
        plain(b, Lod::Implicit);
        let value = read(b, 0, 4, 4);
        b.write(reg(1, 0), Mask::ALL, value);
    }));
    assert!(!unused.uses_environment() && !unused.uses_quads());
    let mut textures = Mixing::default();
    run(&mut unused.runner(), (20, 4), &mut textures).unwrap();
    assert_eq!(textures.calls, []);
}

/// Lanes whose `bit` of input 24 is set run `inside`, and all run `after` with what it returns or four units of the input.
fn branch(
    bit: u32,
    inside: impl FnOnce(&mut Builder<'_>) -> Value,
    after: impl FnOnce(&mut Builder<'_>, Value) -> Value,
) -> (Func, Tree) {
    let rule = FloatRule::IEEE;
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let number = read(&mut b, 0, 24, 1);
    let (mask, zero) = (b.i32(1 << bit), b.i32(0));
    let bit = b.push(Op::Binary { op: Binary::And, rule, a: number, b: mask }, Type::I32);
    let cond = b.push(Op::Binary { op: Binary::INe, rule, a: bit, b: zero }, Type::BOOL);
    let other = read(&mut b, 0, 8, 4);
    let first = nodes.list.len() as u32;
    let value = inside(&mut Builder::new(&mut nodes, 0));
    let second = nodes.list.len() as u32;
    let mut b = Builder::new(&mut nodes, 0);
    let param = b.push(Op::Param, Scalar::I32.by(4));
    let result = after(&mut b, param);
    b.write(reg(1, 0), Mask::ALL, result);
    let end = nodes.list.len() as u32;
    let blocks = vec![
        block(Vec::new(), 0..first, End::Branch { cond, yes: edge(1, vec![]), no: edge(2, vec![other]) }),
        block(Vec::new(), first..second, End::Jump(edge(2, vec![value]))),
        block(vec![param], second + 1..end, End::Exit),
    ];
    in_order(Func { files: &FILES, nodes, blocks })
}

/// Input 24 of [`branch`]: its lowest bit changes from lane to lane, the second one from quad to quad.
fn with_numbers(
    runner: &mut Runner,
    lanes: usize,
    textures: &mut dyn Environment,
) -> Result<Vec<Vec<u32>>, Diagnostic> {
    let number = |lane: usize| (lane % 2 + lane / 4 % 2 * 2) as u32;
    let unit = move |lane, unit| if unit == 24 { number(lane) } else { given(lane, unit) };
    let data: Vec<u32> = (0..lanes).flat_map(|lane| (0..INPUTS).map(move |n| unit(lane, n))).collect();
    let mut got = vec![0; lanes * 4];
    let mut outputs = Outputs { slots: &[slot(reg(1, 0), 4)], data: &mut got };
    let attribute = Attribute { slot: slot(reg(0, 0), INPUTS), data: &data };
    runner.run_with(lanes, &[attribute], &mut outputs, &mut [], textures)?;
    Ok(got.chunks(4).map(<[u32]>::to_vec).collect())
}

#[test]
fn only_lanes_that_run_read() {
    let program = program(&branch(0, |b| plain(b, Lod::Zero), |_, value| value));
    assert!(!program.uses_quads());
    for (level, mut runner) in runners(program.clone()) {
        // A read without differences between lanes does not need quads.
        for quads in [false, true] {
            runner.set_quads(quads);
            for lanes in [1, 2, 70, 131] {
                let mut textures = Mixing::default();
                let got = with_numbers(&mut runner, lanes, &mut textures).unwrap();
                for (lane, got) in got.iter().enumerate() {
                    let want: [u32; 4] = match lane % 2 {
                        0 => std::array::from_fn(|c| given(lane, 8 + c as u16)),
                        _ => std::array::from_fn(|c| plain_texel(lane, c)),
                    };
                    assert_eq!(*got, want, "{level}, lane {lane} of {lanes}");
                }
                let odd = calls(lanes).into_iter().map(|(set, _)| (set & 0xaaaa_aaaa, quads));
                let odd: Vec<_> = odd.filter(|(set, _)| *set != 0).collect();
                assert_eq!(textures.calls, odd, "{level}, {lanes} lanes");
            }
        }
    }
}

/// A loop that counts down the first unit of the input and reads a texture at the counter. The texel is written past the
/// loop, when other lanes have read again.
#[test]
fn lanes_that_left_a_loop_keep_their_texels() {
    let rule = FloatRule::IEEE;
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let start = read(&mut b, 0, 0, 1);
    let counter = b.push(Op::Param, Type::I32);
    let one = b.i32(1);
    let next = b.push(Op::Binary { op: Binary::ISub, rule, a: counter, b: one }, Type::I32);
    let coord = b.join(&[counter, next]);
    let texel_value = b.texture(TexOp::sample(0, Dim::D2, coord, Lod::Zero), Scalar::F32);
    let zero = b.i32(0);
    let cond = b.push(Op::Binary { op: Binary::INe, rule, a: counter, b: zero }, Type::BOOL);
    let written = nodes.list.len() as u32;
    Builder::new(&mut nodes, 0).write(reg(1, 0), Mask::ALL, texel_value);
    let blocks = vec![
        block(Vec::new(), 0..1, End::Jump(edge(1, vec![start]))),
        block(vec![counter], 2..written, End::Branch { cond, yes: edge(1, vec![next]), no: edge(2, vec![]) }),
        block(Vec::new(), written..written + 1, End::Exit),
    ];
    let program = program(&in_order(Func { files: &FILES, nodes, blocks }));
    for (level, mut runner) in runners(program.clone()) {
        for lanes in [1, 7, 40, 200] {
            for (lane, got) in
                run(&mut runner, (lanes, 4), &mut Mixing::default()).unwrap().iter().enumerate()
            {
                // The counter is zero in the last iteration.
                let want: [u32; 4] = std::array::from_fn(|c| texel(c, [0, u32::MAX, 0, 0]));
                assert_eq!(*got, want, "{level}, lane {lane} of {lanes}");
            }
        }
    }
}

/// The derivatives of two units, and the first component of a read that computes its level.
fn differences(b: &mut Builder<'_>) -> Value {
    let value = b.read(reg(0, 4), Swizzle::IDENTITY, Type::F32);
    let [x, y] = [shisa_ir::Axis::X, shisa_ir::Axis::Y].map(|axis| b.derivative(axis, value));
    let texel = plain(b, Lod::Implicit);
    let texel = b.component(texel, 0);
    b.join(&[x, y, texel, value])
}

#[test]
fn derivatives_are_taken_within_quads() {
    let program = program(&function(&FILES, |b| {
        let value = differences(b);
        b.write(reg(1, 0), Mask::ALL, value);
    }));
    assert!(program.uses_quads());
    for (level, mut runner) in runners(program.clone()) {
        for quads in [false, true] {
            runner.set_quads(quads);
            for lanes in [4, 20, 132, 256] {
                let mut textures = Mixing::default();
                let got = run(&mut runner, (lanes, 4), &mut textures).unwrap();
                let float = |lane: usize| f32::from_bits(given(lane, 4));
                for (lane, got) in got.iter().enumerate() {
                    let change =
                        |bit: usize| if quads { float(lane | bit) - float(lane & !bit) } else { 0.0 };
                    let want =
                        [change(1).to_bits(), change(2).to_bits(), plain_texel(lane, 0), given(lane, 4)];
                    assert_eq!(*got, want, "{level}, lane {lane} of {lanes}");
                }
                let want: Vec<_> = calls(lanes).into_iter().map(|(set, _)| (set, quads)).collect();
                assert_eq!(textures.calls, want, "{level}");
            }
        }
    }
}

/// A quad needs all of its lanes: where only some run, where they may have come at different times, and where it is not
/// complete. Lanes without neighbours need no others.
#[test]
fn divided_quads_end_a_run() {
    let inside = |bit| branch(bit, differences, |_, value| value);
    let after = |bit| branch(bit, |b| plain(b, Lod::Zero), |b, _| differences(b));
    for (what, function, lanes, is_divided) in [
        ("every second lane", inside(0), 128, true),
        ("every second quad", inside(1), 128, false),
        ("lanes that took different branches", after(0), 128, true),
        ("quads that took different branches", after(1), 128, false),
        ("a part of the last quad", after(1), 130, true),
        ("a lane", inside(1), 5, true),
        ("no lane of a part of a quad", inside(1), 4, false),
    ] {
        for (level, mut runner) in runners(program(&function)) {
            runner.set_quads(true);
            let found = with_numbers(&mut runner, lanes, &mut Mixing::default()).err().map(|d| d.code);
            assert_eq!(found, is_divided.then_some("exec-divergent"), "{what}, {level}");
            runner.set_quads(false);
            assert!(with_numbers(&mut runner, lanes, &mut Mixing::default()).is_ok(), "{what}, {level}");
        }
    }
}

/// Textures that refuse a lane's coordinates, and count calls.
struct Refusing {
    lane: usize,
    calls: usize,
}

impl Environment for Refusing {
    fn sample(&mut self, read: &Sample<'_>, _: &mut [[u32; WAVE]; 4]) -> Result<(), Diagnostic> {
        self.calls += 1;
        let coordinates = |lane: usize| read.op.coord[0][lane / 16][lane % 16];
        let reads = |lane: usize| read.lanes >> lane & 1 != 0;
        match (0..WAVE).any(|lane| reads(lane) && coordinates(lane) == given(self.lane, 4)) {
            true => Err(Diagnostic::error("test-texture", "refused")),
            false => Ok(()),
        }
    }
}

#[test]
fn an_error_of_a_texture_ends_the_run() {
    let function = function(&FILES, |b| {
        let texel = plain(b, Lod::Zero);
        b.write(reg(1, 0), Mask::ALL, texel);
    });
    let program = program(&function);
    for (level, mut runner) in runners(program.clone()) {
        let mut textures = Refusing { lane: 40, calls: 0 };
        assert_eq!(run(&mut runner, (128, 4), &mut textures).unwrap_err().code, "test-texture", "{level}");
        assert_eq!(textures.calls, 40 / WAVE + 1, "{level}: nothing runs after the error");
        assert!(run(&mut runner, (32, 4), &mut Refusing { lane: 40, calls: 0 }).is_ok(), "{level}");
        let mut data = vec![0; 4];
        let mut outputs = Outputs { slots: &[slot(reg(1, 0), 4)], data: &mut data };
        assert_eq!(runner.run(1, &[], &mut outputs, &mut []).unwrap_err().code, "exec-environment");
    }
}

#[test]
fn what_no_engine_takes_is_refused() {
    let refusal = |build: &dyn Fn(&mut Builder<'_>)| {
        let d = compiled(&function(&FILES, |b| build(b))).map(|_| ()).unwrap_err();
        assert_eq!(d.code, "exec-unsupported");
        d.message
    };
    let write = |b: &mut Builder<'_>, texel| b.write(reg(1, 0), Mask::ALL, texel);
    let halves = refusal(&|b| {
        let coord = b.push(Op::Const(0), Scalar::F16.by(2));
        let texel = b.texture(TexOp::sample(0, Dim::D2, coord, Lod::Zero), Scalar::F32);
        write(b, texel);
    });
    assert!(halves.contains("16 bits"), "{halves}");
    let half = refusal(&|b| {
        let coord = read(b, 0, 4, 2);
        let texel = b.texture(TexOp::sample(0, Dim::D2, coord, Lod::Zero), Scalar::F16);
        write(b, texel);
    });
    assert!(half.contains("32 bits"), "{half}");
    let changed = refusal(&|b| {
        let (coord, value) = (read(b, 0, 4, 2), read(b, 0, 8, 1));
        let op = TexOp::sample(0, Dim::D2, coord, Lod::Zero);
        let kind = TexKind::Atomic { op: shisa_ir::Atomic::Exchange, value, expected: value };
        b.texture_atomic(TexOp { kind, ..op }, Type::I32);
    });
    assert!(changed.contains("atomically"), "{changed}");
}

/// Textures that receive texels.
#[derive(Default)]
struct Receiving(Vec<(Lanes, u32, [u32; 4])>);

impl Environment for Receiving {
    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        let TexKind::Store(value) = store.op.kind else { panic!("{store:?}") };
        self.0.push((store.lanes, store.op.coord[0][1][3], value.map(|wave| wave[0][7])));
        Ok(())
    }
}

#[test]
fn texels_are_written_for_the_lanes_that_are_not_killed() {
    let function = function(&FILES, |b| {
        let (coord, value) = (read(b, 0, 4, 2), read(b, 0, 8, 4));
        let zero = b.i32(0);
        let first = read(b, 0, 0, 1);
        let dead = b.binary(Binary::IEq, first, zero);
        b.kill(dead);
        let op = TexOp::sample(0, Dim::D2, coord, Lod::Zero);
        b.texture_store(TexOp { kind: TexKind::Store(value), ..op });
        b.write(reg(1, 0), Mask::ALL, value);
    });
    for (_, mut runner) in runners(program(&function)) {
        let mut textures = Receiving::default();
        run(&mut runner, (64, 4), &mut textures).unwrap();
        let want = [0, 1].map(|wave| {
            let lanes = (0..32).filter(|lane| given(32 * wave + lane, 0) != 0);
            let value = [8, 9, 10, 11].map(|unit| given(32 * wave + 7, unit));
            (lanes.fold(0, |set, lane| set | 1 << lane), given(32 * wave + 19, 4), value)
        });
        assert_eq!(textures.0, want);
    }
}
