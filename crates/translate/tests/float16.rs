//! Arithmetic of 16-bit floats: native in SPIR-V if the options allow it, in 32 bits elsewhere. On a graphics device both
//! equal the evaluator's arithmetic.

use crate::common::validator::judged;
use crate::common::words::Words;
use crate::common::*;
use shisa_ir::*;
use shisa_translate::execute::Device;
use shisa_translate::execute::random::Random;
use shisa_translate::*;

const SPIRV: Target = Target::Spirv(SpirvVersion::V1_3);
const IEEE: FloatRule = FloatRule::IEEE;
const FLUSH: FloatRule = FloatRule { flush: true, ..IEEE };
const SATURATE: FloatRule = FloatRule { saturate: true, ..IEEE };

const UNARY: [(Unary, FloatRule); 8] = {
    use Unary::*;
    [
        (FNeg, IEEE),
        (FAbs, IEEE),
        (FSat, IEEE),
        (FFloor, IEEE),
        (FCeil, IEEE),
        (FTrunc, IEEE),
        (FRound, IEEE),
        (FFloor, FLUSH),
    ]
};
const BINARY: [(Binary, FloatRule); 15] = {
    use Binary::*;
    [
        (FAdd, IEEE),
        (FSub, IEEE),
        (FMul, IEEE),
        (FMin, IEEE),
        (FMax, IEEE),
        (FEq, IEEE),
        (FNe, IEEE),
        (FLt, IEEE),
        (FLe, IEEE),
        (FAdd, FLUSH),
        (FMul, FLUSH),
        (FMul, SATURATE),
        (FMul, FloatRule { zero_product: true, ..IEEE }),
        (FLt, FLUSH),
        (FMin, FLUSH),
    ]
};
/// Conversions from 32-bit floats, and of integers.
const TO_HALF: [(Convert, FloatRule); 5] = [
    (Convert::Float, IEEE),
    (Convert::Float, FLUSH),
    (Convert::Float, FloatRule { round: Round::Zero, ..IEEE }),
    (Convert::SignedToFloat, IEEE),
    (Convert::UnsignedToFloat, IEEE),
];
const RESULTS: usize = UNARY.len() + BINARY.len() + TO_HALF.len() + 3;
const WORDS: usize = 3;

fn half(b: &mut Builder, word: Value) -> Value {
    let bits = b.convert(Convert::Truncate, word, Scalar::I16);
    b.convert(Convert::Bits, bits, Scalar::F16)
}

/// The operations on two 16-bit floats, a third one and a word, after narrowing for a target. Each stores a word.
fn all(lanes: usize, natives: Natives) -> (Words, Case) {
    let words = Words { given: WORDS + 1, results: RESULTS, lanes };
    let case = words.case(|b, own| {
        let [x, y, z] = [0, 1, 2].map(|word| {
            let word = own.load(b, word, 1);
            half(b, word)
        });
        let word = own.load(b, WORDS, 1);
        let mut results = Vec::new();
        let mut by = |b: &mut Builder, rule, build: &dyn Fn(&mut Builder) -> Value| {
            b.rule = rule;
            results.push(build(b));
            b.rule = IEEE;
        };
        for (op, rule) in UNARY {
            by(b, rule, &|b| b.unary(op, x));
        }
        for (op, rule) in BINARY {
            by(b, rule, &|b| b.binary(op, x, y));
        }
        let float = b.convert(Convert::Bits, word, Scalar::F32);
        for (op, rule) in TO_HALF {
            by(b, rule, &|b| b.convert(op, if op == Convert::Float { float } else { word }, Scalar::F16));
        }
        by(b, IEEE, &|b| b.fma(x, y, z));
        by(b, IEEE, &|b| b.convert(Convert::Float, x, Scalar::F32));
        by(b, IEEE, &|b| b.convert(Convert::FloatToSigned, x, Scalar::I32));
        for (i, result) in results.into_iter().enumerate() {
            let word = match b.ty(result).scalar {
                Scalar::F16 => {
                    let bits = b.convert(Convert::Bits, result, Scalar::I16);
                    b.convert(Convert::ZeroExtend, bits, Scalar::I32)
                }
                Scalar::I1 => b.convert(Convert::ZeroExtend, result, Scalar::I32),
                Scalar::F32 => b.convert(Convert::Bits, result, Scalar::I32),
                _ => result,
            };
            own.store(b, i, word);
        }
    });
    (words, case.narrowed(natives))
}

/// The same by [`scalar`].
fn exact([x, y, z]: [u64; WORDS], word: u64) -> Vec<(Scalar, u64)> {
    let f16 = Scalar::F16;
    let mut results: Vec<(Scalar, u64)> =
        UNARY.iter().map(|(op, rule)| (f16, scalar::unary(*op, *rule, f16, x))).collect();
    results.extend(BINARY.iter().map(|(op, rule)| {
        let kind = if op.compares() { Scalar::I1 } else { f16 };
        (kind, scalar::binary(*op, *rule, f16, x, y))
    }));
    results.extend(TO_HALF.iter().map(|(op, rule)| {
        let from = if *op == Convert::Float { Scalar::F32 } else { Scalar::I32 };
        (f16, scalar::convert(*op, *rule, from, f16, word))
    }));
    results.push((f16, scalar::ternary(Ternary::Fma, IEEE, f16, x, y, z)));
    results.push((Scalar::F32, scalar::convert(Convert::Float, IEEE, f16, Scalar::F32, x)));
    results.push((Scalar::I32, scalar::convert(Convert::FloatToSigned, IEEE, f16, Scalar::I32, x)));
    results
}

fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F16 => bits & 0x7fff > 0x7c00,
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        _ => false,
    }
}

/// Halves around the ends of the format and of one another.
fn halves() -> Vec<u64> {
    let exponents = [0, 1, 2, 4, 5, 10, 14, 15, 16, 20, 25, 26, 29, 30, 31];
    let mut all: Vec<u64> =
        exponents.iter().flat_map(|e| [0, 1, 2, 0x155, 0x200, 0x3fe, 0x3ff].map(|d| e << 10 | d)).collect();
    all.extend(all.clone().iter().map(|n| n | 1 << 15));
    all
}

fn device() -> Option<Device> {
    let device = Device::open().and_then(|d| d.with_words(shisa_passthrough::module));
    device.map_err(|e| println!("skipped: {e}")).ok()
}

#[test]
fn halves_equal_those_of_the_evaluator() {
    let Some(device) = device() else { return };
    let all_halves = halves();
    let mut random = Random::new(3);
    let given: Vec<([u64; WORDS], u64)> = (0..2000)
        .map(|_| {
            let mut pick = || all_halves[random.below(all_halves.len())];
            let [x, y, z] = [pick(), pick(), pick()];
            // A float near a half, or a small integer.
            let near = scalar::convert(Convert::Float, IEEE, Scalar::F16, Scalar::F32, pick());
            let off = [0, 1, 0x0fff, 0x1000, 0x1001, 0x2000, 0xffff_ffff, 0xffff_f000][random.below(8)];
            ([x, y, z], near.wrapping_add(off) & 0xffff_ffff)
        })
        .collect();
    let loaded: Vec<Vec<u32>> =
        given.iter().map(|(halves, word)| halves.iter().chain([word]).map(|n| *n as u32).collect()).collect();
    for float16 in [false, true] {
        let (words, case) = all(given.len(), Natives { float16, ..Natives::default() });
        let stored = words.run(&device, &case, SPIRV, "float16", &loaded);
        for ((halves, word), got) in given.iter().zip(&stored) {
            for (i, (got, (kind, want))) in got.iter().zip(exact(*halves, *word)).enumerate() {
                let got = u64::from(*got);
                let nans = is_nan(kind, got) && is_nan(kind, want);
                assert!(got == want || nans, "{float16} {i} {halves:x?} {word:x}: {got:x}, not {want:x}");
            }
        }
    }
}

/// Chains of operations, so that results of one that stays are operands of one that does not, and vice versa.
#[test]
fn random_kernels_equal_the_evaluator() {
    const STORED: usize = 5;
    let Some(device) = device() else { return };
    let (numbers, lanes) = (halves(), 64);
    for seed in 0..16 {
        let mut random = Random::new(seed);
        let loaded: Vec<Vec<u64>> =
            (0..lanes).map(|_| (0..WORDS).map(|_| numbers[random.below(numbers.len())]).collect()).collect();
        let words = Words { given: WORDS, results: STORED, lanes };
        let mut expected = vec![Vec::new(); lanes];
        let case = words.case(|b, own| {
            // Each value with what it is in each lane.
            let mut values: Vec<(Value, Vec<u64>)> = (0..WORDS)
                .map(|i| {
                    let word = own.load(b, i, 1);
                    (half(b, word), loaded.iter().map(|lane| lane[i]).collect())
                })
                .collect();
            for _ in 0..16 {
                let next = operation(&mut random, b, &values);
                values.push(next);
            }
            for (i, (value, known)) in values.iter().rev().take(STORED).enumerate() {
                let bits = b.convert(Convert::Bits, *value, Scalar::I16);
                let word = b.convert(Convert::ZeroExtend, bits, Scalar::I32);
                own.store(b, i, word);
                expected.iter_mut().zip(known).for_each(|(lane, n)| lane.push(*n));
            }
        });
        let given: Vec<Vec<u32>> =
            loaded.iter().map(|lane| lane.iter().map(|n| *n as u32).collect()).collect();
        for float16 in [false, true] {
            let case = case.narrowed(Natives { float16, ..Natives::default() });
            let stored = words.run(&device, &case, SPIRV, "float16_kernels", &given);
            for (lane, (got, want)) in stored.iter().zip(&expected).enumerate() {
                let same = got.iter().zip(want).all(|(got, want)| {
                    let got = u64::from(*got);
                    got == *want || is_nan(Scalar::F16, got) && is_nan(Scalar::F16, *want)
                });
                assert!(same, "seed {seed} {float16} {:x?}: {got:x?}, not {want:x?}", given[lane]);
            }
        }
    }
}

/// A random operation on values.
fn operation(random: &mut Random, b: &mut Builder, values: &[(Value, Vec<u64>)]) -> (Value, Vec<u64>) {
    let f16 = Scalar::F16;
    let [x, y, z] = [(); 3].map(|()| values[random.below(values.len())].clone());
    let each = |f: &dyn Fn(usize) -> u64| (0..x.1.len()).map(f).collect();
    match random.below(6) {
        0 => {
            let (op, rule) = UNARY[random.below(UNARY.len())];
            b.rule = rule;
            let value = b.unary(op, x.0);
            b.rule = IEEE;
            (value, each(&|i| scalar::unary(op, rule, f16, x.1[i])))
        }
        1 => {
            let value = b.fma(x.0, y.0, z.0);
            (value, each(&|i| scalar::ternary(Ternary::Fma, IEEE, f16, x.1[i], y.1[i], z.1[i])))
        }
        2 => {
            // Through a 32-bit float.
            let float = b.convert(Convert::Float, x.0, Scalar::F32);
            let (root, rule) = (b.unary(Unary::FAbs, float), IEEE);
            let value = b.convert(Convert::Float, root, f16);
            (value, each(&|i| scalar::unary(Unary::FAbs, rule, f16, x.1[i])))
        }
        _ => {
            let (op, rule) = BINARY[random.below(BINARY.len())];
            b.rule = rule;
            let value = b.binary(op, x.0, y.0);
            b.rule = IEEE;
            let of = |i: usize| scalar::binary(op, rule, f16, x.1[i], y.1[i]);
            if !op.compares() {
                return (value, each(&of));
            }
            // What a comparison selects.
            let chosen = b.select(value, y.0, z.0);
            (chosen, each(&|i| if of(i) != 0 { y.1[i] } else { z.1[i] }))
        }
    }
}

/// What the host must do is in the module.
#[test]
fn modules_state_how_halves_round() {
    let (_, case) = all(1, Natives { float16: true, ..Natives::default() });
    let (_, wide) = all(1, Natives::default());
    let options = Options { float16: true, ..Options::default() };
    assert!(options.natives(SPIRV).float16 && !options.natives(Target::Msl).float16);
    assert!(!Options::default().natives(SPIRV).float16);
    for (case, options, version, expected) in [
        (&case, &options, SpirvVersion::V1_3, true),
        (&case, &options, SpirvVersion::V1_5, true),
        (&wide, &options, SpirvVersion::V1_3, false),
        (&case, &Options::default(), SpirvVersion::V1_3, false),
    ] {
        let output = case.translate(Target::Spirv(version), options).unwrap();
        let Code::Words(words) = output.code else { panic!("words") };
        let environment = if version == SpirvVersion::V1_3 { "vulkan1.1" } else { "vulkan1.2" };
        if let Some(verdict) = judged(&words, environment) {
            assert_eq!(verdict, Ok(()));
        }
        let kinds: &[Scalar] = if case.func == wide.func { &[] } else { &[Scalar::I16, Scalar::F16] };
        assert_eq!(output.reflection.kinds, kinds);
        // OpExecutionMode of an entry point: a mode of a width.
        let modes: Vec<u32> =
            words.windows(4).filter(|w| w[0] == 4 << 16 | 16 && w[3] == 16).map(|w| w[2]).collect();
        // RoundingModeRTE, DenormPreserve, SignedZeroInfNanPreserve.
        assert_eq!(modes, if expected { vec![4462, 4459, 4461] } else { vec![] }, "{version:?}");
    }
}
