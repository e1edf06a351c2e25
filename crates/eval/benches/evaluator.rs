//! Speed of the evaluator on one thread. An item is a component operation: one component of one lane of one arithmetic
//! instruction; in the texture benches, an item is a sample.

use divan::{Bencher, black_box, counter::ItemsCount};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Format, Machine, NoEnvironment, NoObserver, Program, Texture, TextureSet, Trace};
use shisa_ir::{
    At, Builder, Control, ControlOp, Dim, File, FileId, FileKind, Filter, Lanes, Lifted, Lod, Mask, Reg,
    Sampler, SamplerRef, Scalar, Sequencer, Step, Swizzle, TexOp, Type, Value, Wrap,
};

fn main() {
    divan::main();
}

const fn file(name: &'static str, kind: FileKind, units: u16) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units, scalar: Scalar::F32 }
}

const FILES: &[File] = &[
    file("vt", FileKind::Temp, 104),
    file("va", FileKind::Input, 32),
    file("vc", FileKind::Uniform, 512),
    file("op", FileKind::Output, 4),
];

const F4: Type = Scalar::F32.by(4);

/// Runs from the first instruction to the last.
struct Straight(u32);

impl Sequencer for Straight {
    type State = (u32, Lanes);
    fn start(&self, entry: u32, lanes: Lanes) -> (u32, Lanes) {
        (entry, lanes)
    }
    fn at(&self, state: &(u32, Lanes)) -> At {
        if state.0 == self.0 { At::Done } else { At::Step(state.0) }
    }
    fn active(&self, state: &(u32, Lanes)) -> Lanes {
        state.1
    }
    fn step(&self, s: &mut (u32, Lanes), _: &Control, next: u32, _: Lanes) -> Result<(), Diagnostic> {
        s.0 = next;
        Ok(())
    }
}

fn instruction(l: &mut Lifted, ops: impl FnOnce(&mut Builder<'_>)) {
    let (pc, start) = (l.steps.len() as u32, l.nodes.list.len() as u32);
    ops(&mut Builder::new(&mut l.nodes, pc));
    let nodes = start..l.nodes.list.len() as u32;
    let control = Control { op: ControlOp::Next, ..Control::default() };
    l.steps.push(Step { pc, next: pc + 1, nodes, guard: None, whole_wave: false, control });
}

fn reg(file: u8, number: u16) -> Reg {
    Reg::new(FileId(file), number * 4)
}

fn read(b: &mut Builder<'_>, file: u8, number: u16) -> Value {
    b.read(reg(file, number), Swizzle::IDENTITY, F4)
}

/// A matrix product: four dot products.
fn m44(l: &mut Lifted, to: Reg, from: (u8, u16), matrix: u16) {
    instruction(l, |b| {
        let v = read(b, from.0, from.1);
        let rows = [0, 1, 2, 3].map(|row| {
            let row = read(b, 2, matrix + row);
            b.fdot(v, row)
        });
        let all = b.join(&rows);
        b.write(to, Mask::ALL, all);
    });
}

/// One arithmetic instruction of four components on registers.
fn simple(
    l: &mut Lifted,
    to: u16,
    a: (u8, u16),
    c: (u8, u16),
    op: fn(&mut Builder<'_>, Value, Value) -> Value,
) {
    instruction(l, |b| {
        let (a, c) = (read(b, a.0, a.1), read(b, c.0, c.1));
        let v = op(b, a, c);
        b.write(reg(0, to), Mask::ALL, v);
    });
}

/// A lit vertex shader: two matrix products and the multiplications, sums and maxima around them. Each of its
/// instructions yields four components.
fn vertex() -> Lifted {
    let mut l = Lifted::new(FILES);
    m44(&mut l, reg(0, 0), (1, 0), 0);
    m44(&mut l, reg(3, 0), (0, 0), 4);
    for _ in 0..3 {
        simple(&mut l, 1, (1, 1), (2, 8), |b, x, y| b.fmul(x, y));
        simple(&mut l, 2, (0, 1), (2, 9), |b, x, y| b.fadd(x, y));
        simple(&mut l, 3, (0, 2), (0, 1), |b, x, y| b.fsub(x, y));
        simple(&mut l, 4, (0, 3), (2, 10), |b, x, y| b.fmax(x, y));
        simple(&mut l, 5, (0, 4), (0, 3), |b, x, y| b.fmul(x, y));
        instruction(&mut l, |b| {
            let v = read(b, 0, 5);
            let whole = b.ffloor(v);
            let v = b.fsub(v, whole);
            b.write(reg(0, 5), Mask::ALL, v);
        });
    }
    l
}

/// Runs a program repeatedly with one observer for all waves.
fn run<O: shisa_eval::Observer<(u32, Lanes)>>(bencher: Bencher<'_, '_>, lifted: &Lifted, mut observer: O) {
    let program = Program::new(lifted, &Limits::default()).expect("a well-formed program");
    let sequencer = Straight(lifted.steps.len() as u32);
    let mut machine = Machine::new(&program, &sequencer, 0, Lanes::MAX);
    for unit in 0..32 {
        for lane in 0..32 {
            let value = 0.25 + unit as f32 * 0.5 + lane as f32 * 0.125;
            machine.set_input(Reg::new(FileId(1), unit), lane, value.to_bits()).expect("an input");
        }
        machine.set_uniform(Reg::new(FileId(2), unit), (unit as f32).to_bits()).expect("a uniform");
    }
    let limits = Limits { run_steps: u64::MAX, run_work: u64::MAX, ..Limits::default() };
    bencher.counter(ItemsCount::new(lifted.steps.len() * 4 * 32)).bench_local(|| {
        machine.restart(0, Lanes::MAX).expect("a sound plan");
        machine.run(&mut NoEnvironment, &mut observer, &limits).expect("it runs");
        black_box(machine.register(reg(3, 0), 0))
    });
}

#[divan::bench]
fn vertex_program(bencher: Bencher<'_, '_>) {
    run(bencher, &vertex(), NoObserver);
}

#[divan::bench]
fn vertex_program_traced(bencher: Bencher<'_, '_>) {
    run(bencher, &vertex(), Trace::new(100));
}

#[divan::bench(args = ["add", "div", "sqt", "min", "frc", "slt", "dp4", "exp", "log", "pow", "sin"])]
fn instructions(bencher: Bencher<'_, '_>, name: &str) {
    let op: fn(&mut Builder<'_>, Value, Value) -> Value = match name {
        "add" => |b, x, y| b.fadd(x, y),
        "div" => |b, x, y| b.fdiv(x, y),
        "sqt" => |b, x, _| b.fsqrt(x),
        "min" => |b, x, y| b.fmin(x, y),
        "frc" => |b, x, _| {
            let whole = b.ffloor(x);
            b.fsub(x, whole)
        },
        "slt" => |b, x, y| {
            let less = b.flt(x, y);
            let (one, zero) = (b.f32(1.0, 4), b.f32(0.0, 4));
            b.select(less, one, zero)
        },
        "dp4" => |b, x, y| {
            let dot = b.fdot(x, y);
            b.splat(dot, 4)
        },
        "exp" => |b, x, _| b.fexp2(x),
        "log" => |b, x, _| b.flog2(x),
        "pow" => |b, x, y| b.fpow(x, y),
        _ => |b, x, _| b.fsin(x),
    };
    let mut l = Lifted::new(FILES);
    (0..16).for_each(|i| simple(&mut l, i, (1, i % 8), (2, i % 8), op));
    run(bencher, &l, NoObserver);
}

#[divan::bench(args = [Filter::Nearest, Filter::Linear])]
fn texture_samples(bencher: Bencher<'_, '_>, filter: Filter) {
    let mut l = Lifted::new(FILES);
    instruction(&mut l, |b| {
        let coord = b.read(reg(1, 0), Swizzle::IDENTITY, Scalar::F32.by(2));
        let wrap = [Wrap::Repeat; 3];
        let sampler = Sampler { filter, mip: Some(filter), wrap, anisotropy: 1, bias_eighths: 0 };
        let op = TexOp::sample(0, Dim::D2, coord, Lod::Implicit);
        let v = b.texture(TexOp { sampler: SamplerRef::State(sampler), ..op }, Scalar::F32);
        b.write(reg(0, 0), Mask::ALL, v);
    });
    let limits = Limits { run_steps: u64::MAX, run_work: u64::MAX, ..Limits::default() };
    let levels: Vec<[Vec<u8>; 1]> = (0..9).map(|level| [vec![0x5a; 4 << (2 * (8 - level))]]).collect();
    let texture = Texture::new(Format::Rgba8, Dim::D2, 256, 256, &levels, &limits).expect("a texture");
    let mut set = TextureSet::new();
    set.bind(0, texture, Sampler::default(), &limits).expect("room for a texture");
    let program = Program::new(&l, &limits).expect("a well-formed program");
    let sequencer = Straight(1);
    let mut machine = Machine::new(&program, &sequencer, 0, Lanes::MAX);
    for lane in 0..32u8 {
        let (x, y) = (f32::from(lane / 4 * 2 + lane % 2), f32::from(lane / 2 % 2));
        machine.set_input(reg(1, 0), lane.into(), (x * 0.011).to_bits()).expect("an input");
        let t = Reg::new(FileId(1), 1);
        machine.set_input(t, lane.into(), (y * 0.007).to_bits()).expect("an input");
    }
    bencher.counter(ItemsCount::new(32usize)).bench_local(|| {
        machine.restart(0, Lanes::MAX).expect("a sound plan");
        machine.run(&mut set, &mut NoObserver, &limits).expect("it runs");
    });
}

#[divan::bench]
fn planning(bencher: Bencher<'_, '_>) {
    let l = vertex();
    let instructions = ItemsCount::new(l.steps.len());
    bencher.counter(instructions).bench(|| Program::new(black_box(&l), &Limits::default()).is_ok());
}
