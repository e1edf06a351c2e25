//! Results with [`Precision::Fast`] against their bounds, on every host level and with machine code.

use crate::common::{self, runners};
use shisa_diag::Limits;
use shisa_exec::{Attribute, Floats, Outputs, Precision, Program, Slot};
use shisa_ir::{
    Binary, Builder, File, FileId, FileKind, FloatModel, FloatRule, Mask, NanRule, Op, Reg, Scalar, Swizzle,
    Type, Unary, Value,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 12, scalar: Scalar::F32 }
}

static FILES: &[File] =
    &[file("in", FileKind::Input), file("out", FileKind::Output), file("c", FileKind::Uniform)];

const ULP: f64 = 1.0 / (1u32 << 23) as f64;
/// Zero times infinity is zero, and the second operand is the minimum of a number and NaN.
const RULE: FloatRule =
    FloatRule { model: true, zero_product: true, nan: NanRule::Second, ..FloatRule::IEEE };

/// A program that computes a number of up to nine numbers.
fn program(model: FloatModel, build: impl FnOnce(&mut Builder<'_>, [Value; 9]) -> Value) -> Program {
    let (func, tree) = common::function(FILES, |b| {
        let numbers =
            std::array::from_fn(|n| b.read(Reg::new(FileId(0), n as u16), Swizzle::IDENTITY, Type::F32));
        let value = build(b, numbers);
        b.write(Reg::new(FileId(1), 0), Mask(1), value);
    });
    let floats = Floats { model, precision: Precision::Fast };
    Program::new(&func, &tree, floats, &Limits::default()).unwrap()
}

/// The results of all engines with their names; each operand is a lane.
fn results(program: Program, operands: &[[f32; 9]]) -> Vec<(String, Vec<f32>)> {
    let data: Vec<u32> = operands.as_flattened().iter().map(|x| x.to_bits()).collect();
    let slot = Slot { reg: Reg::new(FileId(0), 0), units: 9, offset: 0, stride: 9, step: 1 };
    let slots = [Slot { reg: Reg::new(FileId(1), 0), units: 1, stride: 1, ..slot }];
    let run = |(name, mut runner): (String, shisa_exec::Runner)| {
        let mut got = vec![0; operands.len()];
        let mut outputs = Outputs { slots: &slots, data: &mut got };
        runner.run(operands.len(), &[Attribute { slot, data: &data }], &mut outputs, &mut []).unwrap();
        (name, got.into_iter().map(f32::from_bits).collect())
    };
    runners(program).into_iter().map(run).collect()
}

/// Compares the results of an operation on one operand. `bound` has the largest error of a finite result.
fn judge_unary(op: Unary, operands: &[f32], exact: fn(f64) -> f64, bound: impl Fn(f64, f64) -> f64) {
    let lanes: Vec<[f32; 9]> = operands.iter().map(|x| [*x; 9]).collect();
    for rule in [RULE, FloatRule::IEEE] {
        let program = program(FloatModel::F24, |b, [a, ..]| b.push(Op::Unary { op, rule, a }, Type::F32));
        for (engine, results) in results(program, &lanes) {
            let (mut largest, mut of) = (0.0, 0.0);
            for (x, got) in operands.iter().zip(results) {
                // The result is that of the operand, or of zero instead of a denormal.
                let near = |x: f32| {
                    let want = exact(x.into());
                    let bound = bound(x.into(), want);
                    match want as f32 {
                        w if w.is_nan() => got.is_nan(),
                        w if w.is_infinite() => got == w || (f64::from(got) - want).abs() <= bound,
                        _ => (f64::from(got) - want).abs() <= bound,
                    }
                };
                let is_near = near(*x) || x.is_subnormal() && near(0f32.copysign(*x));
                assert!(is_near, "{op:?} of {x:e}, {engine}: {got:e}, not {:e}", exact((*x).into()));
                let want = exact((*x).into());
                if want.abs() >= f32::MIN_POSITIVE.into()
                    && want.abs() <= f32::MAX.into()
                    && !x.is_subnormal()
                {
                    let error = (f64::from(got) - want).abs() / bound(f64::from(*x), want);
                    if error > largest {
                        (largest, of) = (error, *x);
                    }
                }
            }
            println!("{op:?} {engine}: {largest:.3} of the bound, of {of:e}");
            assert!(largest > 0.05, "{op:?}, {engine}: the bound is far above the largest error {largest}");
        }
    }
}

/// Numbers of all magnitudes with different significands, and edges.
fn numbers(from: f32, to: f32) -> Vec<f32> {
    let (from, to) = (from.to_bits(), to.to_bits());
    let step = (to - from) / 30_011;
    let positive = (from..to).step_by(step.max(1) as usize).map(f32::from_bits);
    let mut all: Vec<f32> = positive.flat_map(|x| [x, -x]).collect();
    let edges =
        [0.0, 1.0, 2.0, 0.5, 0.75, 1.5, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, 1e-40, f32::EPSILON];
    all.extend(edges.into_iter().flat_map(|x| [x, -x]));
    all.push(f32::NAN);
    all
}

/// An error relative to the result, and that of results below the smallest number that is not denormal.
fn relative(ulps: f64) -> impl Fn(f64, f64) -> f64 {
    move |_, want| {
        if want.abs() < f32::MIN_POSITIVE.into() { f32::MIN_POSITIVE.into() } else { ulps * ULP * want.abs() }
    }
}

#[test]
fn reciprocal_square_roots() {
    let operands = numbers(f32::MIN_POSITIVE, f32::MAX);
    judge_unary(Unary::FRsqrt, &operands, |x| 1.0 / x.sqrt(), relative(2.0));
    let near_one: Vec<f32> = (0x3f80_0000..0x4080_0000).step_by(97).map(f32::from_bits).collect();
    judge_unary(Unary::FRsqrt, &near_one, |x| 1.0 / x.sqrt(), relative(2.0));
}

#[test]
fn powers_and_logarithms() {
    let mut operands = numbers(1e-8, 200.0);
    operands.extend((-140..140).map(|n| n as f32));
    judge_unary(Unary::FExp2, &operands, f64::exp2, relative(2.0));
    judge_unary(Unary::FLog2, &numbers(f32::MIN_POSITIVE, f32::MAX), f64::log2, relative(3.0));
    let near_one: Vec<f32> = (0x3f00_0000..0x4010_0000).step_by(97).map(f32::from_bits).collect();
    judge_unary(Unary::FLog2, &near_one, f64::log2, relative(3.0));
}

#[test]
fn powers_of_integers_are_exact() {
    let whole: Vec<[f32; 9]> = (-126..=127).map(|n| [n as f32; 9]).collect();
    for (op, inverse) in [(Unary::FExp2, false), (Unary::FLog2, true)] {
        let powers: Vec<[f32; 9]> = whole.iter().map(|x| x.map(f32::exp2)).collect();
        let (from, to) = if inverse { (&powers, &whole) } else { (&whole, &powers) };
        let program =
            program(FloatModel::F32, |b, [a, ..]| b.push(Op::Unary { op, rule: RULE, a }, Type::F32));
        for (engine, results) in results(program, from) {
            for (got, [want, ..]) in results.iter().zip(to) {
                assert_eq!(got, want, "{op:?}, {engine}");
            }
        }
    }
}

#[test]
fn sines_and_cosines() {
    let operands = numbers(1e-6, 1_048_576.0);
    let finite: Vec<f32> = operands.into_iter().filter(|x| x.abs() <= 1_048_576.0 || x.is_nan()).collect();
    let bound = |_: f64, _: f64| ULP * 2.0;
    judge_unary(Unary::FSin, &finite, f64::sin, bound);
    judge_unary(Unary::FCos, &finite, f64::cos, bound);
    // Larger numbers have results from -1 to 1, and infinities have none.
    let large: Vec<[f32; 9]> = (20..128).map(|n| [(n as f32).exp2() * 1.7; 9]).collect();
    for op in [Unary::FSin, Unary::FCos] {
        let program =
            program(FloatModel::F32, |b, [a, ..]| b.push(Op::Unary { op, rule: RULE, a }, Type::F32));
        for (engine, results) in results(program.clone(), &large) {
            assert!(results.iter().all(|x| x.abs() <= 1.0), "{op:?}, {engine}: {results:?}");
        }
        for (engine, results) in results(program, &[[f32::INFINITY; 9], [f32::NEG_INFINITY; 9]]) {
            assert!(results.iter().all(|x| x.is_nan()), "{op:?}, {engine}: {results:?}");
        }
    }
}

/// `x * y + z` as an engine computes it for numbers.
fn multiply_add(engine: &str, x: f32, y: f32, z: f32) -> f32 {
    if engine == "Base" { x * y + z } else { x.mul_add(y, z) }
}

/// Operands whose products need more bits than a result has.
fn operands() -> Vec<[f32; 9]> {
    let number = |lane: u32, n: u32| {
        let bits = (lane * 9 + n).wrapping_mul(0x9e37_79b9);
        f32::from_bits(0x3f00_0000 | bits >> 8 & 0x00ff_ffff) * if bits & 1 == 0 { 1.0 } else { -1.0 }
    };
    (0..300).map(|lane| std::array::from_fn(|n| number(lane, n as u32))).collect()
}

fn product(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    b.push(Op::Binary { op: Binary::FMul, rule: RULE, a: x, b: y }, Type::F32)
}

fn sum(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    b.push(Op::Binary { op: Binary::FAdd, rule: RULE, a: x, b: y }, Type::F32)
}

/// Compares results with those that `want` computes of an engine's name and operands.
fn judge(program: Program, operands: &[[f32; 9]], want: impl Fn(&str, &[f32; 9]) -> f32) {
    for (engine, results) in results(program, operands) {
        for (operands, got) in operands.iter().zip(results) {
            let want = want(&engine, operands);
            let same = got == want || got.is_nan() && want.is_nan();
            assert!(same, "{engine}, {operands:?}: {got:e}, not {want:e}");
        }
    }
}

/// A sum of products in which each result replaces an operand of the next step: the accumulator is the first, second, or
/// third operand, or all of them.
#[test]
fn products_join_sums() {
    let program = program(FloatModel::F24, |b, [x, y, z, u, v, w, ..]| {
        let product_of = product(b, x, y);
        let mut at = sum(b, product_of, z);
        for (n, other) in [u, v, w, z].into_iter().enumerate() {
            let (p, addend) = match n {
                0 => (product(b, at, other), x),
                1 => (product(b, other, at), y),
                2 => (product(b, other, x), at),
                _ => (product(b, at, at), at),
            };
            at = if n % 2 == 0 { sum(b, p, addend) } else { sum(b, addend, p) };
        }
        at
    });
    judge(program, &operands(), |engine, [x, y, z, u, v, w, ..]| {
        let at = multiply_add(engine, *x, *y, *z);
        let at = multiply_add(engine, at, *u, *x);
        let at = multiply_add(engine, *v, at, *y);
        let at = multiply_add(engine, *w, *x, at);
        multiply_add(engine, at, at, at)
    });
}

/// A product that something else reads is rounded.
#[test]
fn products_with_other_uses_are_rounded() {
    let program = program(FloatModel::F32, |b, [x, y, z, ..]| {
        let product_of = product(b, x, y);
        let at = sum(b, product_of, z);
        product(b, at, product_of)
    });
    judge(program, &operands(), |_, [x, y, z, ..]| (x * y + z) * (x * y));
}

/// A sum of products begins with the first one.
#[test]
fn sums_of_products() {
    for count in [2, 3, 4] {
        let program = program(FloatModel::F24, |b, n| {
            let (a, c) = (b.join(&n[..count]), b.join(&n[4..4 + count]));
            b.push(Op::Binary { op: Binary::FDot, rule: RULE, a, b: c }, Type::F32)
        });
        judge(program, &operands(), |engine, n| match count {
            // The first of two products joins the sum.
            2 => multiply_add(engine, n[0], n[4], n[1] * n[5]),
            _ => (1..count).fold(n[0] * n[4], |sum, i| multiply_add(engine, n[i], n[4 + i], sum)),
        });
    }
}

/// The accumulator of a loop of sums of products is a factor of the next one.
#[test]
fn sums_of_products_of_their_own_result() {
    let program = program(FloatModel::F32, |b, n| {
        let mut at = n[0];
        for i in 1..4 {
            let (a, c) = (b.join(&[at, n[i], at, n[4]]), b.join(&[n[5], at, n[6], at]));
            at = b.push(Op::Binary { op: Binary::FDot, rule: RULE, a, b: c }, Type::F32);
        }
        at
    });
    judge(program, &operands(), |engine, n| {
        let step = |at: f32, i: usize| {
            let factors = [(n[i], at), (at, n[6]), (n[4], at)];
            factors.into_iter().fold(at * n[5], |sum, (x, y)| multiply_add(engine, x, y, sum))
        };
        (1..4).fold(n[0], step)
    });
}

/// Zero times infinity is zero where the instruction set says so, also in sums.
#[test]
fn zero_times_infinity() {
    let (zero, inf) = (0f32, f32::INFINITY);
    let mut lanes = Vec::new();
    for x in [zero, -zero, inf, -inf, 1.5, f32::NAN] {
        for y in [zero, -zero, inf, -inf, -2.5, f32::NAN] {
            for z in [zero, inf, -inf, 4.25, f32::NAN] {
                lanes.push([x, y, z, 1.0, y, x, z, 1.0, 0.0]);
            }
        }
    }
    let times =
        |x: f32, y: f32| if (x == 0.0 || y == 0.0) && !x.is_nan() && !y.is_nan() { 0.0 } else { x * y };
    let ieee = |x: f32, y: f32| x * y;
    for (rule, times) in [(RULE, times as fn(f32, f32) -> f32), (FloatRule::IEEE, ieee)] {
        let joined = program(FloatModel::F24, |b, [x, y, z, ..]| {
            let p = b.push(Op::Binary { op: Binary::FMul, rule, a: x, b: y }, Type::F32);
            b.push(Op::Binary { op: Binary::FAdd, rule, a: p, b: z }, Type::F32)
        });
        judge(joined, &lanes, |_, [x, y, z, ..]| times(*x, *y) + z);
        for count in [3, 4] {
            let dot = program(FloatModel::F24, |b, n| {
                let (a, c) = (b.join(&n[..count]), b.join(&n[4..4 + count]));
                b.push(Op::Binary { op: Binary::FDot, rule, a, b: c }, Type::F32)
            });
            judge(dot, &lanes, |_, n| {
                (1..count).fold(times(n[0], n[4]), |sum, i| sum + times(n[i], n[4 + i]))
            });
        }
    }
}
