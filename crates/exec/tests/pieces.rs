//! Pieces of programs as machine code, between accesses that have none: effects happen once and in the same order, also
//! where results are in doubt and the engine runs a piece again for some lanes.

use crate::common::{block, edge, function, in_order, levels_of_code, runners_of};
use shisa_diag::{Diagnostic, Limits};
use shisa_exec::{Attribute, Coding, Environment, MemoryAccess, Outputs, Program, Runner, Slot};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{
    Axis, Binary, Builder, Convert, End, File, FileId, FileKind, FloatModel, FloatRule, Func, LaneOp, Mask,
    Nodes, Op, Reg, Scalar, Space, Swizzle, Ternary, Tree, Type, Unary, Value,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 128, scalar: Scalar::I32 }
}

static FILES: [File; 2] = [file("in", FileKind::Input), file("out", FileKind::Output)];

const fn reg(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

const fn slot(reg: Reg, units: u16) -> Slot {
    Slot { reg, units, offset: 0, stride: units as usize, step: 1 }
}

/// Units of an input, and of an output.
const INPUTS: u16 = 8;
const OUTPUTS: u16 = 64;

/// Words that depend on the address, and what was accessed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Log(Vec<Accessed>);

/// An access: the lanes, and of each its address and what it stored.
#[derive(Clone, Debug, PartialEq)]
enum Accessed {
    Load(u32, Vec<u32>),
    Store(u32, Vec<[u32; 2]>),
}

impl Log {
    fn lanes(access: &MemoryAccess<'_>) -> impl Iterator<Item = usize> + use<> {
        let lanes = access.lanes;
        (0..32).filter(move |lane| lanes >> lane & 1 != 0)
    }
}

impl Environment for Log {
    fn load(&mut self, access: &MemoryAccess<'_>, values: &mut [Words]) -> Result<(), Diagnostic> {
        let at = access.address[0];
        self.0.push(Accessed::Load(access.lanes, Log::lanes(access).map(|lane| at[lane]).collect()));
        for value in values {
            *value = at.map(|address| address.wrapping_mul(0x9e37_79b9));
        }
        Ok(())
    }

    fn store(&mut self, access: &MemoryAccess<'_>, values: &[Words]) -> Result<(), Diagnostic> {
        let at = access.address[0];
        let stored = Log::lanes(access).map(|lane| [at[lane], values[0][lane]]);
        self.0.push(Accessed::Store(access.lanes, stored.collect()));
        Ok(())
    }
}

/// A run: results of all lanes, killed lanes, and accesses; or the code of an error.
type Ran = Result<(Vec<u32>, Vec<bool>, Log), &'static str>;

fn run(runner: &mut Runner, lanes: usize, given: &dyn Fn(usize, u16) -> u32) -> Ran {
    let data: Vec<u32> = (0..lanes).flat_map(|lane| (0..INPUTS).map(move |unit| given(lane, unit))).collect();
    let mut got = vec![0; lanes * usize::from(OUTPUTS)];
    let (mut killed, mut log) = (vec![false; lanes], Log::default());
    let mut outputs = Outputs { slots: &[slot(reg(1, 0), OUTPUTS)], data: &mut got };
    let attribute = Attribute { slot: slot(reg(0, 0), INPUTS), data: &data };
    match runner.run_with(lanes, &[attribute], &mut outputs, &mut killed, &mut log) {
        Ok(()) => Ok((got, killed, log)),
        Err(d) => Err(d.code),
    }
}

/// Whether a word of a lane is a NaN.
type IsNan = fn(usize) -> bool;

/// Which lanes have NaN: none, one, groups of AVX2 that share a chunk with others, chunks, all.
const NANS: [(&str, IsNan); 6] = [
    ("none", |_| false),
    ("one", |lane| lane == 21),
    ("first halves of chunks", |lane| lane % 16 < 8),
    ("second halves of chunks", |lane| lane % 16 >= 8),
    ("every third chunk", |lane| lane / 16 % 3 == 0),
    ("all", |_| true),
];

/// Units: the lane, a float that may be a NaN with bits of its own, other floats, words, a float that may be infinite.
fn given(is_nan: IsNan, lane: usize, unit: u16) -> u32 {
    let mixed = (lane as u32 * 64 + u32::from(unit) + 1).wrapping_mul(0x9e37_79b9);
    match unit {
        0 => lane as u32,
        1 if is_nan(lane) => 0x7f80_0001 | mixed >> 10,
        7 if is_nan(lane) => 0x7f80_0000,
        1..4 | 7 => 0x3f80_0000 | mixed >> 9,
        _ => mixed,
    }
}

/// Runs a program with NaN in some lanes on every path, and compares results, killed lanes, errors and accesses. Returns how
/// many chunks the code of each level left, for all of [`NANS`].
fn agree(name: &str, program: &Program) -> Vec<Vec<u64>> {
    let mut left = Vec::new();
    for quads in [false, true] {
        for (nan, is_nan) in NANS {
            for lanes in [1, 15, 32, 41, 64, 300] {
                let mut first: Option<Ran> = None;
                let mut of_code = Vec::new();
                for (path, mut runner) in runners_of(program) {
                    runner.set_quads(quads);
                    let got = run(&mut runner, lanes, &|lane, unit| given(is_nan, lane, unit));
                    let first = first.get_or_insert_with(|| got.clone());
                    assert_eq!(got, *first, "{name}, NaN in {nan}, {lanes} lanes, quads {quads}: {path}");
                    if path.starts_with("machine code") {
                        of_code.push(runner.left_chunks());
                    }
                }
                if lanes == 300 && !quads {
                    left.push(of_code);
                }
            }
        }
    }
    left
}

fn input(b: &mut Builder<'_>, unit: u16) -> Value {
    b.read(reg(0, unit), Swizzle::IDENTITY, Type::I32)
}

fn float(b: &mut Builder<'_>, unit: u16) -> Value {
    let word = input(b, unit);
    b.convert(Convert::Bits, word, Scalar::F32)
}

fn bits(b: &mut Builder<'_>, x: Value) -> Value {
    b.convert(Convert::Bits, x, Scalar::I32)
}

fn write(b: &mut Builder<'_>, unit: u16, value: Value) {
    b.write(reg(1, unit), Mask(1), value);
}

fn compiled(function: &(Func, Tree), model: FloatModel) -> Program {
    let (func, tree) = function;
    Program::new(func, tree, model, &Limits::default()).unwrap_or_else(|d| panic!("{d}"))
}

/// A sum of floats, stored at the lane's address.
fn stored_sum(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let sum = b.binary(Binary::FAdd, x, y);
    let (at, word) = (input(b, 0), bits(b, sum));
    b.store(Space::Global, at, word);
    sum
}

#[test]
fn effects_happen_once() {
    let program = compiled(
        &function(&FILES, |b| {
            let (x, y) = (float(b, 1), float(b, 2));
            let sum = stored_sum(b, x, y);
            let address = input(b, 4);
            let loaded = b.load(Space::Global, address, Type::I32);
            let loaded = b.convert(Convert::SignedToFloat, loaded, Scalar::F32);
            let product = b.binary(Binary::FMul, loaded, sum);
            let last = stored_sum(b, product, x);
            let last = bits(b, last);
            write(b, 0, last);
        }),
        FloatModel::F32,
    );
    assert!(program.changes_environment());
    let left = agree("stores", &program);
    for of_code in levels_of_code().enumerate().map(|(n, _)| left.iter().map(|l| l[n]).collect::<Vec<_>>()) {
        assert_eq!(of_code[0], 0, "no lane is in doubt without NaN");
        assert!(of_code[1] >= 2, "two sums of one lane are in doubt: {of_code:?}");
        assert!(of_code[2..].iter().all(|left| *left > of_code[1]), "{of_code:?}");
    }
}

/// The lanes of a chunk that are not in doubt keep what the piece replaced, and lanes in doubt are killed once.
#[test]
fn pieces_replace_and_kill() {
    let rule = FloatRule::IEEE;
    for count in [1, 3, 12, 40] {
        let mut nodes = Nodes::default();
        let mut b = Builder::new(&mut nodes, 0);
        // Each lane iterates as often as three bits of its number state.
        let (number, seven) = (input(&mut b, 0), b.i32(7));
        let times = b.binary(Binary::And, number, seven);
        let starts: Vec<Value> = (0..count).map(|n| float(&mut b, 1 + n % 3)).collect();
        let before = nodes.list.len() as u32;
        let mut b = Builder::new(&mut nodes, 0);
        let left = b.push(Op::Param, Type::I32);
        let sums: Vec<Value> = (0..count).map(|_| b.push(Op::Param, Type::F32)).collect();
        let first = nodes.list.len() as u32;
        let mut b = Builder::new(&mut nodes, 0);
        let (half, one, zero) = (float(&mut b, 3), b.i32(1), b.i32(0));
        let next: Vec<Value> = sums.iter().map(|sum| b.binary(Binary::FMul, *sum, half)).collect();
        let word = bits(&mut b, next[0]);
        let at = b.iadd(number, left);
        b.store(Space::Global, at, word);
        let (six, product) = (b.i32(6), bits(&mut b, next[usize::from(count) - 1]));
        let low = b.binary(Binary::And, product, six);
        let dead = b.binary(Binary::IEq, low, zero);
        b.kill(dead);
        let after = b.binary(Binary::ISub, left, one);
        let more =
            b.push(Op::Binary { op: Binary::SLt, rule, a: zero, b: after }, Binary::SLt.result(Type::I32));
        let body = nodes.list.len() as u32;
        let mut b = Builder::new(&mut nodes, 0);
        for (unit, sum) in (0..).zip(&next) {
            let word = bits(&mut b, *sum);
            write(&mut b, unit, word);
        }
        let end = nodes.list.len() as u32;
        let params: Vec<Value> = [left].into_iter().chain(sums).collect();
        let values = |first: Value, sums: &[Value]| [first].into_iter().chain(sums.iter().copied()).collect();
        let blocks = vec![
            block(Vec::new(), 0..before, End::Jump(edge(1, values(times, &starts)))),
            block(
                params,
                first..body,
                End::Branch { cond: more, yes: edge(1, values(after, &next)), no: edge(2, Vec::new()) },
            ),
            block(Vec::new(), body..end, End::Exit),
        ];
        let function = in_order(Func { files: &FILES, nodes, blocks });
        agree(&format!("a loop with {count} products"), &compiled(&function, FloatModel::F32));
    }
}

/// A piece replaces slabs that it has read, more than there are registers, while others are read more often. Lanes in doubt
/// meet the old values again, and no lane is killed by a result in doubt, or by values that were replaced.
#[test]
fn replaced_values_are_what_they_were() {
    for (count, reads) in [(2, 1), (6, 3), (12, 3), (40, 1), (40, 4)] {
        let program = compiled(
            &function(&FILES, |b| {
                let [x, y, z] = [1, 2, 3].map(|unit| float(b, unit));
                let zero_product = FloatRule { zero_product: true, ..FloatRule::IEEE };
                let binary =
                    |b: &mut Builder<'_>, op, rule, a, c| b.push(Op::Binary { op, rule, a, b: c }, Type::F32);
                let mut values = Vec::new();
                let mut last = z;
                for _ in 0..count {
                    last = binary(b, Binary::FAdd, FloatRule::IEEE, last, y);
                    values.push(last);
                }
                let others: Vec<Value> = (0..8)
                    .map(|n| {
                        let word = b.i32(0x3f00_0000 + n);
                        let number = b.convert(Convert::Bits, word, Scalar::F32);
                        binary(b, Binary::FMul, FloatRule::IEEE, number, z)
                    })
                    .collect();
                let (at, word) = (input(b, 0), bits(b, last));
                b.store(Space::Global, at, word);
                // One result is in doubt where an operand is a NaN, and one where zero is multiplied by infinity.
                let doubtful = binary(b, Binary::FMul, FloatRule::IEEE, x, y);
                let (none, infinite) = (b.i32(0), float(b, 7));
                let none = b.convert(Convert::Bits, none, Scalar::F32);
                let zero = binary(b, Binary::FMul, zero_product, infinite, none);
                let mut sum = doubtful;
                for _ in 0..reads {
                    sum = others
                        .iter()
                        .fold(sum, |sum, other| binary(b, Binary::FAdd, FloatRule::IEEE, sum, *other));
                }
                let products: Vec<Value> = values
                    .into_iter()
                    .map(|value| binary(b, Binary::FMul, FloatRule::IEEE, value, y))
                    .collect();
                let word = bits(b, zero);
                let (expected, one) = (b.i32(0), b.i32(1));
                let wrong = b.binary(Binary::INe, word, expected);
                b.kill(wrong);
                let word = bits(b, products[0]);
                let odd = b.binary(Binary::And, word, one);
                let dead = b.binary(Binary::INe, odd, expected);
                b.kill(dead);
                for (unit, value) in (0..).zip([sum, zero].into_iter().chain(products)) {
                    let word = bits(b, value);
                    write(b, unit, word);
                }
            }),
            FloatModel::F32,
        );
        agree(&format!("{count} values, {reads} reads of others"), &program);
    }
}

/// Numbers of float24 are rounded toward zero, and elementary functions of binary32 need the other rounding: they are in
/// different pieces. Conversions to halves have no code.
#[test]
fn pieces_round_in_their_own_way() {
    let model = FloatRule { model: true, ..FloatRule::IEEE };
    let mut units = 0;
    let program = compiled(
        &function(&FILES, |b| {
            let (x, y) = (float(b, 2), float(b, 3));
            for round in 0..3 {
                let sum = b.push(Op::Binary { op: Binary::FAdd, rule: model, a: x, b: y }, Type::F32);
                let power = b.push(
                    Op::Unary {
                        op: Unary::FExp2,
                        rule: FloatRule::IEEE,
                        a: if round == 1 { sum } else { x },
                    },
                    Type::F32,
                );
                let product = b.push(Op::Binary { op: Binary::FMul, rule: model, a: sum, b: y }, Type::F32);
                let half = b.convert(Convert::Float, product, Scalar::F16);
                let half = b.convert(Convert::Float, half, Scalar::F32);
                let (one, two) = (float(b, 1), b.binary(Binary::FMul, power, half));
                let last = b.push(
                    Op::Ternary { op: Ternary::Fma, rule: FloatRule::IEEE, a: one, b: two, c: product },
                    Type::F32,
                );
                let root = b.push(Op::Unary { op: Unary::FRsqrt, rule: model, a: last }, Type::F32);
                for value in [sum, power, product, half, last, root] {
                    let word = bits(b, value);
                    write(b, units, word);
                    units += 1;
                }
            }
        }),
        FloatModel::F24,
    );
    assert!(!program.changes_environment());
    agree("two roundings", &program);
}

/// Derivatives and lanes that see each other, between computations.
#[test]
fn lanes_see_what_pieces_computed() {
    let program = compiled(
        &function(&FILES, |b| {
            let (x, y, one) = (float(b, 1), float(b, 2), b.i32(1));
            let product = b.binary(Binary::FMul, x, y);
            let changes =
                [Axis::X, Axis::Y].map(|axis| b.push(Op::Derivative { axis, a: product }, Type::F32));
            let change = b.binary(Binary::FAdd, changes[0], changes[1]);
            let change = b.binary(Binary::FMul, change, y);
            let word = bits(b, change);
            let lane = input(b, 0);
            let other = b.binary(Binary::Xor, lane, one);
            let swapped = b.push(Op::Lane { op: LaneOp::Shuffle, a: word, b: other }, Type::I32);
            let sum = b.iadd(swapped, word);
            write(b, 0, sum);
        }),
        FloatModel::F32,
    );
    assert!(program.uses_quads());
    agree("derivatives", &program);
}

/// A runner whose results are always in doubt runs without machine code for a while, and tries it again later.
#[test]
fn doubt_is_remembered() {
    let mut program = compiled(
        &function(&FILES, |b| {
            let (x, y) = (float(b, 1), float(b, 2));
            stored_sum(b, x, y);
        }),
        FloatModel::F32,
    );
    for level in levels_of_code() {
        program.add_machine_code_for(Coding { level, shortest: 1 }, &Limits::default()).unwrap();
        let mut runner = program.runner();
        let mut left = |is_nan: IsNan| {
            let before = runner.left_chunks();
            run(&mut runner, 32, &|lane, unit| given(is_nan, lane, unit)).unwrap();
            runner.left_chunks() - before
        };
        assert_eq!(left(|_| false), 0);
        assert_eq!(left(|lane| lane == 3), 1);
        for _ in 0..40 {
            assert_eq!(left(|_| true), 2);
        }
        // Without doubt machine code is soon used, and stays so.
        let skipped = (0..100).map(|_| left(|_| false)).take_while(|left| *left > 0).count();
        assert!((1..100).contains(&skipped), "{skipped}");
        assert!((0..100).all(|_| left(|_| false) == 0));
    }
}
