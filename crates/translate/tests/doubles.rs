//! Arithmetic of doubles in every language: native in SPIR-V, GLSL 450 and HLSL, in integers elsewhere. On a graphics device
//! the native ones equal the evaluator's arithmetic.

use crate::common::words::{Words, halves, whole};
use crate::common::{glslang, *};
use shisa_ir::*;
use shisa_translate::execute::Device;
use shisa_translate::*;

/// Languages with native doubles.
const NATIVE: [Target; 4] = [
    Target::Spirv(SpirvVersion::V1_3),
    Target::Glsl(GlslVersion::Core450),
    Target::Hlsl(ShaderModel::V5_1),
    Target::Hlsl(ShaderModel::V6_0),
];

/// Languages that compute doubles in integers.
const IN_INTEGERS: [Target; 3] = [Target::Wgsl, Target::Msl, Target::Glsl(GlslVersion::Es310)];

const IEEE: FloatRule = FloatRule::IEEE;

/// An operation on three doubles and a word: it yields the words of the result in the program, and the same by
/// [`shisa_ir::scalar`].
struct Row {
    name: &'static str,
    built: fn(&mut Builder, [Value; 3], Value) -> Value,
    exact: fn([u64; 3], u64) -> u64,
    result: Scalar,
}

fn sum(op: Binary, [a, b, _]: [u64; 3]) -> u64 {
    scalar::binary(op, IEEE, Scalar::F64, a, b)
}

fn from(op: Convert, word: u64) -> u64 {
    scalar::convert(op, IEEE, Scalar::I32, Scalar::F64, word)
}

fn to(op: Convert, [a, ..]: [u64; 3]) -> u64 {
    scalar::convert(op, IEEE, Scalar::F64, Scalar::I32, a)
}

const fn row(
    name: &'static str,
    built: fn(&mut Builder, [Value; 3], Value) -> Value,
    exact: fn([u64; 3], u64) -> u64,
    result: Scalar,
) -> Row {
    Row { name, built, exact, result }
}

const ROWS: [Row; 13] = [
    row("add", |b, [x, y, _], _| b.fadd(x, y), |n, _| sum(Binary::FAdd, n), Scalar::F64),
    row("subtract", |b, [x, y, _], _| b.fsub(x, y), |n, _| sum(Binary::FSub, n), Scalar::F64),
    row("multiply", |b, [x, y, _], _| b.fmul(x, y), |n, _| sum(Binary::FMul, n), Scalar::F64),
    // Rounded twice: no compiler may contract it.
    row(
        "multiply and add",
        |b, [x, y, z], _| {
            let product = b.fmul(x, y);
            b.fadd(product, z)
        },
        |n, _| sum(Binary::FAdd, [sum(Binary::FMul, n), n[2], 0]),
        Scalar::F64,
    ),
    row(
        "fma",
        |b, [x, y, z], _| b.fma(x, y, z),
        |[x, y, z], _| scalar::ternary(Ternary::Fma, IEEE, Scalar::F64, x, y, z),
        Scalar::F64,
    ),
    row("equal", |b, [x, y, _], _| b.feq(x, y), |n, _| sum(Binary::FEq, n), Scalar::I1),
    row("not equal", |b, [x, y, _], _| b.binary(Binary::FNe, x, y), |n, _| sum(Binary::FNe, n), Scalar::I1),
    row("less", |b, [x, y, _], _| b.flt(x, y), |n, _| sum(Binary::FLt, n), Scalar::I1),
    row(
        "less or equal",
        |b, [x, y, _], _| b.binary(Binary::FLe, x, y),
        |n, _| sum(Binary::FLe, n),
        Scalar::I1,
    ),
    row(
        "from signed",
        |b, _, word| b.convert(Convert::SignedToFloat, word, Scalar::F64),
        |_, word| from(Convert::SignedToFloat, word),
        Scalar::F64,
    ),
    row(
        "from unsigned",
        |b, _, word| b.convert(Convert::UnsignedToFloat, word, Scalar::F64),
        |_, word| from(Convert::UnsignedToFloat, word),
        Scalar::F64,
    ),
    row(
        "to signed",
        |b, [x, ..], _| b.convert(Convert::FloatToSigned, x, Scalar::I32),
        |n, _| to(Convert::FloatToSigned, n),
        Scalar::I32,
    ),
    row(
        "to unsigned",
        |b, [x, ..], _| b.convert(Convert::FloatToUnsigned, x, Scalar::I32),
        |n, _| to(Convert::FloatToUnsigned, n),
        Scalar::I32,
    ),
];

/// Words that each lane loads: three doubles and a word.
const GIVEN: usize = 7;

/// The words of lanes that store the results of rows.
fn words(rows: &[Row], lanes: usize) -> Words {
    Words { given: GIVEN, results: 2 * rows.len(), lanes }
}

/// A program that stores the results of rows.
fn case(rows: &[Row], lanes: usize) -> Case {
    words(rows, lanes).case(|b, own| {
        let doubles = [0, 2, 4].map(|word| {
            let pair = own.load(b, word, 2);
            b.pair(pair, Scalar::F64)
        });
        let word = own.load(b, 6, 1);
        for (i, row) in rows.iter().enumerate() {
            let result = (row.built)(b, doubles, word);
            let result = match row.result {
                Scalar::F64 => {
                    let pair = Op::Convert { op: Convert::Pair, rule: IEEE, a: result };
                    b.push(pair, Scalar::I32.by(2))
                }
                Scalar::I1 => b.convert(Convert::ZeroExtend, result, Scalar::I32),
                _ => result,
            };
            own.store(b, 2 * i, result);
        }
    })
}

/// Doubles around the ends of the format, of one another and of integers.
fn numbers() -> Vec<u64> {
    let values = [
        0.0,
        1.0,
        1.5,
        0.1,
        0.3,
        1.0 / 3.0,
        0.5,
        0.999,
        3.7,
        1e300,
        1e-300,
        1e-320,
        5e-324,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::EPSILON,
        1.0 + f64::EPSILON,
        2_147_483_647.0,
        2_147_483_647.5,
        2_147_483_648.0,
        2_147_483_648.5,
        2_147_483_649.0,
        4_294_967_295.0,
        4_294_967_295.9,
        4_294_967_296.0,
        1e18,
        9_007_199_254_740_993.0,
    ];
    let mut all: Vec<u64> = values.iter().flat_map(|v| [v.to_bits(), (-v).to_bits()]).collect();
    all.extend([f64::NAN.to_bits(), 0x7ff0_0000_0000_0001, 0x000f_ffff_ffff_ffff]);
    all
}

fn is_nan(bits: u64) -> bool {
    f64::from_bits(bits).is_nan()
}

#[test]
fn doubles_equal_those_of_the_evaluator() {
    let device = match Device::open().and_then(|d| d.with_words(shisa_passthrough::module)) {
        Ok(device) if glslang::is_installed() && device.has_doubles() => device,
        Ok(_) => return println!("skipped: no glslang, or a device without doubles"),
        Err(e) => return println!("skipped: {e}"),
    };
    let all = numbers();
    let mut state = 7u64;
    let mut pick = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let integers = [0u64, 1, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 12_345];
    // Each number once as the first operand with every fourth other one, so that sums cancel and products overflow.
    let given: Vec<([u64; 3], u64)> = (0..all.len() * 16)
        .map(|i| {
            ([all[i / 16], all[pick() % all.len()], all[pick() % all.len()]], integers[i % integers.len()])
        })
        .collect();
    let loaded: Vec<Vec<u32>> = given
        .iter()
        .map(|(doubles, word)| doubles.iter().flat_map(|n| halves(*n)).chain([*word as u32]).collect())
        .collect();
    let (words, case) = (words(&ROWS, given.len()), case(&ROWS, given.len()));
    for target in NATIVE {
        let stored = words.run(&device, &case, target, "doubles", &loaded);
        for ((doubles, word), got) in given.iter().zip(stored) {
            for (row, got) in ROWS.iter().zip(got.chunks(2)) {
                let got = whole(got);
                let want = (row.exact)(*doubles, *word);
                let nans = row.result == Scalar::F64 && is_nan(got) && is_nan(want);
                // Neither GLSL nor Vulkan promises that a fused operation rounds once.
                let twice = || sum(Binary::FAdd, [sum(Binary::FMul, *doubles), doubles[2], 0]);
                let unfused = row.name == "fma" && (got == twice() || is_nan(got) && is_nan(twice()));
                let name = row.name;
                assert!(
                    got == want || nans || unfused,
                    "{target:?} {name} {doubles:x?} {word:x}: {got:x}, not {want:x}"
                );
            }
        }
    }
}

/// The lines that a function has in GLSL and in HLSL.
const LINES: [(&str, &str, &str); 12] = [
    ("add", "packDouble2x32(a) + packDouble2x32(b);", "asdouble(a.x, a.y) + asdouble(b.x, b.y);"),
    ("subtract", "packDouble2x32(a) - packDouble2x32(b);", "asdouble(a.x, a.y) - asdouble(b.x, b.y);"),
    ("multiply", "packDouble2x32(a) * packDouble2x32(b);", "asdouble(a.x, a.y) * asdouble(b.x, b.y);"),
    (
        "fma",
        "fma(packDouble2x32(a), packDouble2x32(b), packDouble2x32(c));",
        "fma(asdouble(a.x, a.y), asdouble(b.x, b.y), asdouble(c.x, c.y));",
    ),
    (
        "equal",
        "return packDouble2x32(a) == packDouble2x32(b);",
        "return asdouble(a.x, a.y) == asdouble(b.x, b.y);",
    ),
    (
        "not equal",
        "return !(packDouble2x32(a) == packDouble2x32(b));",
        "return !(asdouble(a.x, a.y) == asdouble(b.x, b.y));",
    ),
    (
        "less",
        "return packDouble2x32(a) < packDouble2x32(b);",
        "return asdouble(a.x, a.y) < asdouble(b.x, b.y);",
    ),
    (
        "less or equal",
        "return packDouble2x32(a) <= packDouble2x32(b);",
        "return asdouble(a.x, a.y) <= asdouble(b.x, b.y);",
    ),
    ("from signed", "double(int(a));", "double(int(a));"),
    ("from unsigned", "double(a);", "double(a);"),
    ("to signed", "return uint(int(number));", "return uint(int(number));"),
    ("to unsigned", "number > 0.0lf ? uint(number) : 0u;", "number > 0.0L ? uint(number) : 0u;"),
];

#[test]
fn each_operation_is_one_of_the_language() {
    for row in ROWS {
        let name = row.name;
        // This one has the functions of two others.
        let Some((_, glsl, hlsl)) = LINES.iter().find(|line| line.0 == name) else { continue };
        let one = case(&[row], 1);
        for target in &NATIVE[1..] {
            let line = if matches!(target, Target::Glsl(_)) { glsl } else { hlsl };
            let text = one.text(*target, &Options::default());
            assert!(text.contains(line), "{name} {target:?}: no {line}\n{text}");
        }
    }
    let sum = case(&ROWS[..1], 1);
    let text = sum.text(NATIVE[1], &Options::default());
    let add = "uvec2 double_add(uvec2 a, uvec2 b) {
    precise double result = packDouble2x32(a) + packDouble2x32(b);
    return unpackDouble2x32(result);
}
";
    assert!(text.contains(add), "{text}");
    let text = sum.text(NATIVE[2], &Options::default());
    let add = "uint2 double_add(uint2 a, uint2 b)
{
    precise double result = asdouble(a.x, a.y) + asdouble(b.x, b.y);
    uint low;
    uint high;
    asuint(result, low, high);
    return uint2(low, high);
}
";
    assert!(text.contains(add), "{text}");
    let options = Options { name: "double_add".into(), ..Options::default() };
    assert_eq!(sum.translate(NATIVE[1], &options).unwrap_err()[0].code, "translate-name");
    assert!(sum.translate(IN_INTEGERS[0], &options).is_ok());
}

/// Languages without doubles compute them in integers, and so do all for what the others do not define to the bit.
#[test]
fn other_operations_are_computed_in_integers() {
    let sum = case(&ROWS[..1], 1);
    for target in IN_INTEGERS {
        let text = sum.text(target, &Options::default());
        assert!(!text.contains("double"), "{target:?}\n{text}");
        assert!(text.lines().count() > 100, "{target:?}\n{text}");
    }
    let others = [
        row("minimum", |b, [x, y, _], _| b.fmin(x, y), |_, _| 0, Scalar::F64),
        row("root", |b, [x, ..], _| b.unary(Unary::FSqrt, x), |_, _| 0, Scalar::F64),
        row("to float", |b, [x, ..], _| b.convert(Convert::Float, x, Scalar::F32), |_, _| 0, Scalar::F32),
        row(
            "toward zero",
            |b, [x, y, _], _| {
                b.rule = FloatRule { round: Round::Zero, ..IEEE };
                let sum = b.fadd(x, y);
                b.rule = IEEE;
                sum
            },
            |_, _| 0,
            Scalar::F64,
        ),
    ];
    for row in others {
        let name = row.name;
        let other = case(&[row], 1);
        for target in &NATIVE[1..] {
            let text = other.text(*target, &Options::default());
            assert!(!text.contains("ouble"), "{name} {target:?}\n{text}");
        }
    }
}
