//! Compares random programs with a simple interpreter: one lane, one node, one component at a time, with a copy of
//! every value. It shares only the scalar semantics with the planner.

use crate::{NoEnvironment, NoObserver, testing::*};
use shisa_diag::Limits;
use shisa_ir::{
    Binary, Builder, ControlOp, Convert, FileId, FileKind, FloatRule, Lifted, Mask, Op, Reg, Scalar, Swizzle,
    Type, Unary, Value, WAVE, scalar,
};

/// The units of every file for one lane, one bit pattern each.
type Registers = Vec<Vec<u32>>;

/// The units of a component, as (unit, first bit of the component, bits).
fn parts(reg: Reg, component: u8, kind: Scalar) -> Vec<(usize, u32, u32)> {
    let unit_bits = u32::from(FILES[usize::from(reg.file.0)].unit_bits);
    let bits = u32::from(kind.bits());
    let n = bits.div_ceil(unit_bits);
    (0..n)
        .map(|k| {
            let unit = usize::from(reg.unit) + (u32::from(component) * n + k) as usize;
            (unit, k * unit_bits, (bits - k * unit_bits).min(unit_bits))
        })
        .collect()
}

fn read(registers: &Registers, reg: Reg, component: u8, kind: Scalar) -> u64 {
    let file = &registers[usize::from(reg.file.0)];
    let part = |(unit, bit, bits): (usize, u32, u32)| (u64::from(file[unit]) & ((1 << bits) - 1)) << bit;
    parts(reg, component, kind).into_iter().map(part).sum()
}

fn write(registers: &mut Registers, reg: Reg, component: u8, kind: Scalar, value: u64) {
    for (unit, bit, bits) in parts(reg, component, kind) {
        registers[usize::from(reg.file.0)][unit] = ((value >> bit) & ((1 << bits) - 1)) as u32;
    }
}

/// Runs all steps for one lane.
fn interpret(lifted: &Lifted, registers: &mut Registers) {
    let mut values: Vec<Vec<u64>> = vec![Vec::new(); lifted.nodes.list.len()];
    let mask = |kind: Scalar| u64::MAX >> (64 - kind.bits());
    for step in &lifted.steps {
        for n in step.nodes.clone() {
            let node = lifted.nodes.list[n as usize];
            let (kind, count) = (node.ty.scalar, usize::from(node.ty.count));
            let ty = |v: Value| lifted.nodes.ty(v);
            let get = |v: Value, i: usize| values[v.index()][i.min(usize::from(ty(v).count) - 1)];
            let result: Vec<u64> = match node.op {
                Op::Const(bits) => vec![bits & mask(kind); count],
                Op::Read { reg, swizzle } => {
                    (0..count as u8).map(|i| read(registers, reg, swizzle.get(i), kind)).collect()
                }
                Op::Write { reg, mask, value } => {
                    for (i, component) in mask.iter().enumerate() {
                        write(registers, reg, component, ty(value).scalar, get(value, i));
                    }
                    Vec::new()
                }
                Op::Unary { op, rule, a } => {
                    (0..count).map(|i| scalar::unary(op, rule, kind, get(a, i))).collect()
                }
                Op::Binary { op: Binary::FDot, rule, a, b } => {
                    vec![scalar::dot(rule, kind, &values[a.index()], &values[b.index()])]
                }
                Op::Binary { op, rule, a, b } => {
                    let kind = ty(a).scalar;
                    (0..count).map(|i| scalar::binary(op, rule, kind, get(a, i), get(b, i))).collect()
                }
                Op::Ternary { op, rule, a, b, c } => (0..count)
                    .map(|i| scalar::ternary(op, rule, kind, get(a, i), get(b, i), get(c, i)))
                    .collect(),
                Op::Convert { op: Convert::Pair, a, .. } => match kind.bits() {
                    64 => vec![scalar::pair([get(a, 0), get(a, 1)])],
                    _ => scalar::halves(get(a, 0)).to_vec(),
                },
                Op::Convert { op, rule, a } => {
                    (0..count).map(|i| scalar::convert(op, rule, ty(a).scalar, kind, get(a, i))).collect()
                }
                Op::Swizzle { a, swizzle } => {
                    (0..count as u8).map(|i| values[a.index()][usize::from(swizzle.get(i))]).collect()
                }
                Op::Join { parts } => parts[..count].iter().map(|&p| get(p, 0)).collect(),
                other => panic!("{other:?} is not generated"),
            };
            values[n as usize] = result;
        }
    }
}

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const KINDS: [Scalar; 8] = Scalar::ALL;

/// A register with room for four components of 64 bits.
fn register(random: &mut Random, written: bool) -> Reg {
    let files: &[u8] = if written { &[0, 0, 4] } else { &[0, 0, 0, 1, 4] };
    let file = random.of(files);
    let room = FILES[usize::from(file)].units - if FILES[usize::from(file)].unit_bits == 32 { 8 } else { 15 };
    // Few registers, so that reads and writes overlap.
    Reg::new(FileId(file), random.below(usize::from(room.min(6))) as u16)
}

/// One operation on values defined before; `None` if the random choice does not fit.
fn operation(b: &mut Builder<'_>, random: &mut Random, values: &[Value]) -> Option<Value> {
    let pick = |random: &mut Random, fits: &dyn Fn(Type) -> bool, b: &Builder<'_>| {
        let all: Vec<Value> = values.iter().copied().filter(|v| fits(b.ty(*v))).collect();
        (!all.is_empty()).then(|| all[random.below(all.len())])
    };
    let any = |t: Type| t.count > 0;
    b.rule = FloatRule { saturate: random.below(4) == 0, flush: random.below(5) == 0, ..FloatRule::IEEE };
    match random.below(12) {
        0..=3 => {
            let count = 1 + random.below(4) as u8;
            let reg = register(random, false);
            let wide = FILES[usize::from(reg.file.0)].unit_bits == 16;
            let kind =
                if wide { random.of(&[Scalar::I16, Scalar::F16, Scalar::I32]) } else { random.of(&KINDS) };
            let swizzle = Swizzle(random.below(256) as u8);
            let swizzle = if wide { Swizzle(swizzle.0 & 0x55) } else { swizzle };
            Some(b.read(reg, swizzle, kind.by(count)))
        }
        4 => {
            let a = pick(random, &any, b)?;
            let ty = b.ty(a);
            let b2 = pick(random, &|t| t == ty, b)?;
            if ty.scalar.is_float() {
                use Binary::*;
                let op = random.of(&[FAdd, FSub, FMul, FDiv, FMin, FMax, FLt, FEq, FDot]);
                Some(b.binary(op, a, b2))
            } else {
                use Binary::*;
                let op =
                    random.of(&[IAdd, ISub, IMul, UMin, SMax, And, Xor, Shl, LShr, AShr, SLt, IEq, UMulHi]);
                Some(b.binary(op, a, b2))
            }
        }
        5 => {
            let a = pick(random, &any, b)?;
            use Unary::*;
            let floats = [FNeg, FAbs, FSat, FFloor, FSqrt, FRcp, FRound];
            let ints = [INeg, Not, PopCount, ReverseBits, LeadingZeros];
            let op = if b.ty(a).scalar.is_float() { random.of(&floats) } else { random.of(&ints) };
            Some(b.unary(op, a))
        }
        6 => {
            let a = pick(random, &any, b)?;
            let count = b.ty(a).count as usize;
            let parts: Vec<u8> = (0..4).map(|_| random.below(count) as u8).collect();
            Some(b.swizzle(a, Swizzle::from_slice(&parts), 1 + random.below(4) as u8))
        }
        7 => {
            let first = pick(random, &|t| t.count == 1, b)?;
            let ty = b.ty(first);
            let second = pick(random, &|t| t == ty, b)?;
            Some(b.join(&[first, second, first]))
        }
        8 => {
            let a = pick(random, &any, b)?;
            let (ty, to) = (b.ty(a), random.of(&KINDS));
            let from = ty.scalar;
            use Convert::*;
            let op = match (from.is_float(), to.is_float()) {
                (true, true) => Float,
                (true, false) => random.of(&[FloatToSigned, FloatToUnsigned]),
                (false, true) => random.of(&[SignedToFloat, UnsignedToFloat]),
                (false, false) if from.bits() > to.bits() => Truncate,
                (false, false) if from.bits() < to.bits() => random.of(&[ZeroExtend, SignExtend]),
                (false, false) => Bits,
            };
            Some(b.convert(op, a, to))
        }
        9 => {
            let cond = pick(random, &|t| t == Type::BOOL, b)?;
            let a = pick(random, &any, b)?;
            let ty = b.ty(a);
            let other = pick(random, &|t| t == ty, b)?;
            Some(b.select(cond, a, other))
        }
        10 => {
            let a = pick(random, &|t| t == Scalar::I32.by(2) || t == Scalar::F32.by(2), b)?;
            Some(b.pair(a, Scalar::I64))
        }
        _ => {
            let ty = random.of(&KINDS).by(1 + random.below(2) as u8);
            let bits = random.below(usize::MAX) as u64;
            Some(b.constant(ty, bits.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        }
    }
}

fn random_program(random: &mut Random) -> Code {
    let mut code = Code::new();
    for _ in 0..1 + random.below(4) {
        code.op(|b| {
            let mut values = Vec::new();
            for _ in 0..4 + random.below(12) {
                values.extend(operation(b, random, &values));
                if random.below(3) == 0
                    && let Some(&value) = values.get(random.below(values.len().max(1)))
                {
                    let count = b.ty(value).count;
                    let reg = register(random, true);
                    let narrow = FILES[usize::from(reg.file.0)].unit_bits == 16;
                    let mask = match (count, narrow) {
                        (4, _) => Mask::ALL,
                        (_, true) => Mask::first(count),
                        (_, false) => Mask(Mask::first(count).0 << random.below(usize::from(5 - count))),
                    };
                    let fits = !narrow || count * b.ty(value).scalar.bits().div_ceil(16) <= 8;
                    if fits {
                        b.write(reg, mask, value);
                    }
                }
            }
        });
    }
    code.plain(ControlOp::Exit);
    code
}

#[test]
fn random_programs_equal_a_plain_interpreter() {
    let edges = edges();
    let mut random = Random(20);
    let mut written = 0;
    for _ in 0..1500 {
        let code = random_program(&mut random);
        let program = code.program();
        let mut m = machine(&program);
        let mut lanes: Vec<Registers> =
            vec![FILES.iter().map(|f| vec![0; usize::from(f.units)]).collect(); WAVE];
        for (f, file) in FILES.iter().enumerate() {
            for unit in 0..file.units {
                for (lane, registers) in lanes.iter_mut().enumerate() {
                    let bits = random.of(&edges) & (u32::MAX >> (32 - file.unit_bits));
                    // Registers that are not used stay zero.
                    let reg = Reg::new(FileId(f as u8), unit);
                    if m.plane_mut(reg).is_some() {
                        registers[f][usize::from(unit)] = bits;
                    }
                    m.set_input(reg, lane, bits).unwrap();
                }
            }
        }
        m.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
        for (lane, registers) in lanes.iter_mut().enumerate().step_by(5) {
            let before = registers.clone();
            interpret(&code.0, registers);
            written += usize::from(before != *registers);
            for (f, file) in FILES.iter().enumerate() {
                assert!(file.kind != FileKind::Input || before[f] == registers[f]);
                for unit in 0..file.units {
                    let got = m.register(Reg::new(FileId(f as u8), unit), lane).unwrap();
                    let want = registers[f][usize::from(unit)];
                    assert_eq!(
                        got, want,
                        "{}[{unit}] of lane {lane} after {:#?}",
                        file.name, code.0.nodes.list
                    );
                }
            }
        }
    }
    assert!(written > 5000, "only {written} lanes wrote anything");
}

/// Randomly damaged programs are refused or run; they never panic.
#[test]
fn damaged_programs_are_harmless() {
    let mut random = Random(7);
    let (mut refused, mut ran) = (0, 0);
    for _ in 0..4000 {
        let mut code = random_program(&mut random);
        for _ in 0..1 + random.below(3) {
            damage(&mut code.0, &mut random);
        }
        match crate::Program::new(&code.0, &Limits::default()) {
            Err(d) => {
                assert!(d.code.starts_with("eval-"), "{d}");
                refused += 1;
            }
            Ok(program) => {
                let limits = Limits { run_steps: 10_000, ..Limits::default() };
                let _ = machine(&program).run(&mut NoEnvironment, &mut NoObserver, &limits);
                ran += 1;
            }
        }
    }
    assert!(refused > 1000 && ran > 200, "{refused} refused, {ran} ran");
}

fn damage(lifted: &mut Lifted, random: &mut Random) {
    let steps = lifted.steps.len();
    let step = random.below(steps);
    let nodes = lifted.nodes.list.len();
    if nodes == 0 {
        return;
    }
    let any = Value(random.below(nodes + 2) as u32);
    match random.below(6) {
        0 => lifted.steps[step].nodes.end = any.0,
        1 => lifted.steps[step].guard = Some(any),
        2 => lifted.steps[step].control.cond = Some(any),
        3 => lifted.nodes.list[random.below(nodes)].ty = random.of(&KINDS).by(random.below(7) as u8),
        4 => lifted.nodes.list.swap(random.below(nodes), random.below(nodes)),
        _ => {
            let node = &mut lifted.nodes.list[random.below(nodes)];
            let reg = Reg::new(FileId(random.below(9) as u8), random.below(70) as u16);
            let op = [
                Op::Read { reg, swizzle: Swizzle(random.below(256) as u8) },
                Op::Write { reg, mask: Mask(random.below(256) as u8), value: any },
                Op::Swizzle { a: any, swizzle: Swizzle(random.below(256) as u8) },
                Op::Kill { cond: any },
                Op::ReadAt {
                    file: reg.file,
                    base: u16::MAX,
                    stride: 255,
                    index: any,
                    swizzle: Swizzle::IDENTITY,
                },
                Op::Texture(any.0),
                Op::Derivative { axis: shisa_ir::Axis::Y, a: any },
                Op::Lane { op: shisa_ir::LaneOp::Shuffle, a: any, b: any },
            ];
            node.op = random.of(&op);
        }
    }
}
