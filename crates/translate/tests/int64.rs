//! Arithmetic of 64-bit integers: native in SPIR-V, GLSL 450, HLSL 6.0 and MSL, in words elsewhere. On a graphics device
//! both equal the evaluator's arithmetic.

use crate::common::validator::judged;
use crate::common::words::{Words, halves, whole};
use crate::common::{glslang, *};
use shisa_ir::*;
use shisa_translate::execute::Device;
use shisa_translate::execute::random::Random;
use shisa_translate::*;
use std::collections::BTreeMap;

/// Languages with native 64-bit integers that run here.
const NATIVE: [Target; 3] =
    [Target::Spirv(SpirvVersion::V1_3), Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0)];

/// Languages without.
const IN_WORDS: [Target; 4] = [
    Target::Wgsl,
    Target::Glsl(GlslVersion::Es310),
    Target::Glsl(GlslVersion::Core330),
    Target::Hlsl(ShaderModel::V5_1),
];

const IEEE: FloatRule = FloatRule::IEEE;

/// The operations of [`is_int64_arithmetic`], in the order of their results.
const BINARY: [Binary; 16] = {
    use Binary::*;
    [IAdd, ISub, IMul, Shl, LShr, AShr, IEq, INe, ULt, ULe, SLt, SLe, UMin, UMax, SMin, SMax]
};
const TO_FLOAT: [Convert; 2] = [Convert::SignedToFloat, Convert::UnsignedToFloat];
const FROM_FLOAT: [Convert; 2] = [Convert::FloatToSigned, Convert::FloatToUnsigned];

const RESULTS: usize = BINARY.len() + TO_FLOAT.len() + FROM_FLOAT.len();

/// The device, if it has all that the tests need.
fn device() -> Option<Device> {
    match Device::open().and_then(|d| d.with_words(shisa_passthrough::module)) {
        Ok(device) if glslang::is_installed() && device.has_int64() => Some(device),
        Ok(_) => {
            println!("skipped: no glslang, or a device without 64-bit integers");
            None
        }
        Err(e) => {
            println!("skipped: {e}");
            None
        }
    }
}

/// The words of a 64-bit integer, or of another result.
fn stored(b: &mut Builder, value: Value) -> Value {
    match b.ty(value).scalar {
        Scalar::I64 => b.push(Op::Convert { op: Convert::Pair, rule: IEEE, a: value }, Scalar::I32.by(2)),
        Scalar::I1 => b.convert(Convert::ZeroExtend, value, Scalar::I32),
        _ => value,
    }
}

/// A program of all operations on two 64-bit integers and a float, each of which stores two words.
fn all(lanes: usize) -> (Words, Case) {
    let words = Words { given: 5, results: 2 * RESULTS, lanes };
    let case = words.case(|b, own| {
        let [x, y] = [0, 2].map(|word| {
            let pair = own.load(b, word, 2);
            b.pair(pair, Scalar::I64)
        });
        let float = own.load(b, 4, 1);
        let float = b.convert(Convert::Bits, float, Scalar::F32);
        let mut results: Vec<Value> = BINARY.iter().map(|op| b.binary(*op, x, y)).collect();
        results.extend(TO_FLOAT.map(|op| b.convert(op, x, Scalar::F32)));
        results.extend(FROM_FLOAT.map(|op| b.convert(op, float, Scalar::I64)));
        for (i, result) in results.into_iter().enumerate() {
            let result = stored(b, result);
            own.store(b, 2 * i, result);
        }
    });
    (words, case)
}

/// The same by [`scalar`].
fn exact(x: u64, y: u64, float: u64) -> Vec<u64> {
    let mut results: Vec<u64> =
        BINARY.iter().map(|op| scalar::binary(*op, IEEE, Scalar::I64, x, y)).collect();
    results.extend(TO_FLOAT.map(|op| scalar::convert(op, IEEE, Scalar::I64, Scalar::F32, x)));
    results.extend(FROM_FLOAT.map(|op| scalar::convert(op, IEEE, Scalar::F32, Scalar::I64, float)));
    results
}

/// Integers around powers of two and the ends of words, and amounts of shifts.
fn integers() -> Vec<u64> {
    let mut all: Vec<u64> = (0..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) + 1]).collect();
    all.extend([
        63,
        64,
        65,
        1 << 40 | 3,
        0x1234_5678_9abc_def0,
        0x0080_0000_4000_0000,
        0x0080_0000_c000_0000,
    ]);
    all.extend([0xffff_ff80_0000_0001, 0x0100_0001_0000_0001, 0x5555_5555_5555_5555]);
    all.extend(all.clone().iter().map(|n| n.wrapping_neg()));
    all
}

/// Floats around powers of two, the ends of 64-bit integers, and NaN.
fn floats() -> Vec<u32> {
    let mut all: Vec<u32> =
        (0..=255).flat_map(|e| [e << 23, e << 23 | 1, e << 23 | 0x7f_ffff, e << 23 | 0x2a_aaab]).collect();
    all.extend(all.clone().iter().map(|n| n | 1 << 31));
    all
}

#[test]
fn integers_equal_those_of_the_evaluator() {
    let Some(device) = device() else { return };
    let (integers, floats) = (integers(), floats());
    let mut random = Random::new(5);
    let given: Vec<(u64, u64, u32)> = (0..floats.len())
        .map(|i| {
            let mut pick = || integers[random.below(integers.len())];
            (if i < integers.len() { integers[i] } else { pick() }, pick(), floats[i])
        })
        .collect();
    let loaded: Vec<Vec<u32>> = given
        .iter()
        .map(|(x, y, f)| [halves(*x), halves(*y)].concat().into_iter().chain([*f]).collect())
        .collect();
    let (words, case) = all(given.len());
    for target in NATIVE {
        let stored = words.run(&device, &case, target, "int64", &loaded);
        for ((x, y, float), got) in given.iter().zip(stored) {
            let got: Vec<u64> = got.chunks(2).map(whole).collect();
            assert_eq!(got, exact(*x, *y, u64::from(*float)), "{target:?} {x:x} {y:x} {float:x}");
        }
    }
}

/// A function of random operations on the 64-bit integers that a lane loads, and what it yields of some of them.
struct Kernel {
    words: Words,
    case: Case,
    given: Vec<Vec<u32>>,
    expected: Vec<Vec<u64>>,
}

/// Numbers that a lane loads, and results of a random kernel.
const LOADED: usize = 3;
const STORED: usize = 6;

impl Kernel {
    fn new(random: &mut Random, lanes: usize) -> Kernel {
        let numbers = integers();
        let loaded: Vec<Vec<u64>> =
            (0..lanes).map(|_| (0..LOADED).map(|_| numbers[random.below(numbers.len())]).collect()).collect();
        let words = Words { given: 2 * LOADED, results: 2 * STORED, lanes };
        let mut expected = vec![Vec::new(); lanes];
        let case = words.case(|b, own| {
            // Each value with what it is in each lane.
            let mut values: Vec<(Value, Vec<u64>)> = (0..LOADED)
                .map(|i| {
                    let pair = own.load(b, 2 * i, 2);
                    (b.pair(pair, Scalar::I64), loaded.iter().map(|lane| lane[i]).collect())
                })
                .collect();
            for _ in 0..14 {
                let next = operation(random, b, &values);
                values.push(next);
            }
            for i in 0..STORED {
                let (value, known) = &values[values.len() - 1 - i];
                let value = if i == 0 {
                    b.convert(Convert::Truncate, *value, Scalar::I32)
                } else {
                    stored(b, *value)
                };
                own.store(b, 2 * i, value);
                let mask = if i == 0 { u64::from(u32::MAX) } else { u64::MAX };
                expected.iter_mut().zip(known).for_each(|(lane, n)| lane.push(n & mask));
            }
        });
        let given = loaded.iter().map(|lane| lane.iter().flat_map(|n| halves(*n)).collect()).collect();
        Kernel { words, case, given, expected }
    }
}

/// A random operation on values.
fn operation(random: &mut Random, b: &mut Builder, values: &[(Value, Vec<u64>)]) -> (Value, Vec<u64>) {
    let pick = |random: &mut Random| values[random.below(values.len())].clone();
    let (x, y) = (pick(random), pick(random));
    let of_both = |f: &dyn Fn(u64, u64) -> u64| x.1.iter().zip(&y.1).map(|(x, y)| f(*x, *y)).collect();
    match random.below(8) {
        // A constant on either side, often an amount of a shift.
        0 | 1 => {
            let op = BINARY[random.below(6)];
            let bits = [1, 5, 31, 32, 33, 63, 64, 0x1_0000_0001, u64::MAX, 0x1234_5678][random.below(10)];
            let constant = b.constant(Type::I64, bits);
            let value = b.binary(op, x.0, constant);
            (value, x.1.iter().map(|x| scalar::binary(op, IEEE, Scalar::I64, *x, bits)).collect())
        }
        2 => {
            // What a comparison selects.
            let op = BINARY[6 + random.below(6)];
            let truth = b.binary(op, x.0, y.0);
            let value = b.select(truth, y.0, x.0);
            let of = |x, y| if scalar::binary(op, IEEE, Scalar::I64, x, y) != 0 { y } else { x };
            (value, of_both(&of))
        }
        3 => {
            // The low word, extended.
            let op = [Convert::ZeroExtend, Convert::SignExtend][random.below(2)];
            let low = b.convert(Convert::Truncate, x.0, Scalar::I32);
            let value = b.convert(op, low, Scalar::I64);
            let of = |x: &u64| scalar::convert(op, IEEE, Scalar::I32, Scalar::I64, x & 0xffff_ffff);
            (value, x.1.iter().map(of).collect())
        }
        4 => {
            // Through a float.
            let (to, from) = (TO_FLOAT[random.below(2)], FROM_FLOAT[random.below(2)]);
            let float = b.convert(to, x.0, Scalar::F32);
            let value = b.convert(from, float, Scalar::I64);
            let of = |x: &u64| {
                let float = scalar::convert(to, IEEE, Scalar::I64, Scalar::F32, *x);
                scalar::convert(from, IEEE, Scalar::F32, Scalar::I64, float)
            };
            (value, x.1.iter().map(of).collect())
        }
        5 => {
            let op = [Unary::INeg, Unary::Not][random.below(2)];
            (b.unary(op, x.0), x.1.iter().map(|x| scalar::unary(op, IEEE, Scalar::I64, *x)).collect())
        }
        _ => {
            use Binary::{And, Or, Xor};
            let sums = BINARY.iter().copied().filter(|op| !op.compares()).chain([And, Or, Xor]);
            let sums: Vec<Binary> = sums.collect();
            let op = sums[random.below(sums.len())];
            (b.binary(op, x.0, y.0), of_both(&|x, y| scalar::binary(op, IEEE, Scalar::I64, x, y)))
        }
    }
}

/// The same results with native integers and in words.
#[test]
fn random_kernels_equal_the_evaluator() {
    let Some(device) = device() else { return };
    let mut operations: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..24 {
        let kernel = Kernel::new(&mut Random::new(seed), 64);
        let mut check = |target: Target, natives: Natives| {
            let case = kernel.case.narrowed(natives);
            let wide =
                case.func.nodes.list.iter().filter(|n| is_int64_arithmetic(&case.func.nodes, n.op, n.ty));
            *operations.entry(if natives.int64 { "native" } else { "words" }).or_default() += wide.count();
            let stored = kernel.words.run(&device, &case, target, "int64_kernels", &kernel.given);
            for (lane, (got, want)) in stored.iter().zip(&kernel.expected).enumerate() {
                let got: Vec<u64> = got.chunks(2).map(whole).collect();
                assert_eq!(
                    &got, want,
                    "seed {seed} {target:?} {natives:?} lane {lane}: {:x?}",
                    kernel.given[lane]
                );
            }
        };
        for target in [NATIVE[0], NATIVE[1 + seed as usize % 2]] {
            check(target, Options::default().natives(target));
        }
        check(IN_WORDS[0], Options::default().natives(IN_WORDS[0]));
    }
    assert!(operations["words"] == 0 && operations["native"] > 300, "{operations:?}");
}

/// What the host must have is in the code; an option avoids it.
#[test]
fn code_states_that_it_needs_integers_of_64_bits() {
    let (_, case) = all(1);
    let text = case.text(Target::Glsl(GlslVersion::Core450), &Options::default());
    assert!(text.starts_with("#version 450 core\n#extension GL_ARB_gpu_shader_int64 : require\n"), "{text}");
    assert!(text.contains("uint64_t result = x * y;\n    return unpackUint2x32(result);"), "{text}");
    let text = case.text(Target::Hlsl(ShaderModel::V6_0), &Options::default());
    assert!(
        text.contains("uint64_t result = x * y;\n    return uint2(uint(result), uint(result >> 32u));"),
        "{text}"
    );
    let text = case.text(Target::Msl, &Options::default());
    assert!(text.starts_with("// language: metal2.3\n"), "{text}");
    assert!(text.contains("ulong result = x * y;\n    return as_type<metal::uint2>(result);"), "{text}");
    let output = case.translate(NATIVE[0], &Options::default()).unwrap();
    let Code::Words(words) = output.code else { panic!("words") };
    if let Some(verdict) = judged(&words, "vulkan1.1") {
        assert_eq!(verdict, Ok(()));
    }
    assert_eq!(output.reflection.kinds, [Scalar::I64]);
    // OpCapability Int64.
    assert!(words.windows(2).any(|w| w == [2 << 16 | 17, 11]));
    for target in IN_WORDS {
        assert!(case.translate(target, &Options::default()).is_err(), "{target:?}");
        assert_eq!(Options::default().natives(target), Natives::default());
    }
    let without = Options { int64: false, ..Options::default() };
    for target in NATIVE.into_iter().chain([Target::Msl]) {
        assert!(Options::default().natives(target).int64 && !without.natives(target).int64);
    }
}
