//! What MUFU, RRO and FCHK compute, against the host.

use super::wave::{Random, flushed, same, saturated, wave};

/// Checks R0 of a line for random R2, within `units` of the last digit.
fn holds(line: &str, units: u32, want: impl Fn(f32) -> f32) {
    let inputs = Random(line.len() as u64).inputs(960, Random::float);
    for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
        let a = f32::from_bits(input[0]);
        let (got, want) = (f32::from_bits(out.words[0]), want(a));
        let near = (got.to_bits() as i32).abs_diff(want.to_bits() as i32) <= units && !want.is_nan();
        assert!(same(got, want) || near, "{line}: {a:e}: {got:e}, not {want:e}");
    }
}

#[test]
fn functions_are_rounded_and_know_no_denormals() {
    holds("MUFU.RCP R0, R2", 0, |a| flushed(1.0 / flushed(a)));
    holds("MUFU.RCP.SAT R0, -|R2|", 0, |a| saturated(-1.0 / flushed(a).abs()));
    holds("MUFU.RSQ R0, |R2|", 0, |a| (1.0 / f64::from(flushed(a).abs()).sqrt()) as f32);
    holds("MUFU.SQRT R0, R2", 0, |a| flushed(a).sqrt());
    holds("MUFU.SQRT.SAT R0, |R2|", 0, |a| saturated(flushed(a).abs().sqrt()));
    holds("MUFU.LG2 R0, |R2|", 1, |a| f64::from(flushed(a).abs()).log2() as f32);
    let bits = |x: f32| [x.to_bits(), 0, 0, 0, 0, 0];
    for (line, a, want) in [
        ("MUFU.RSQ R0, R2", -0.0, f32::NEG_INFINITY),
        ("MUFU.RSQ R0, R2", -1e-40, f32::NEG_INFINITY),
        ("MUFU.RSQ R0, R2", -1.0, f32::NAN),
        ("MUFU.SQRT R0, R2", -1e-40, -0.0),
        ("MUFU.LG2 R0, R2", -1e-40, f32::NEG_INFINITY),
        ("MUFU.LG2 R0, R2", -2.0, f32::NAN),
        ("MUFU.LG2 R0, R2", 1.0, 0.0),
        ("MUFU.LG2 R0, R2", 8.0, 3.0),
    ] {
        let got = f32::from_bits(wave(line, &[bits(a)])[0].words[0]);
        assert!(same(got, want), "{line} {a:e}: {got:e}");
    }
}

/// The fixed point has 23 bits, so that the error of a power is at most that of its exponent.
#[test]
fn powers_of_two() {
    let line = "RRO.EX2 R1, R2; MUFU.EX2 R0, R1";
    let inputs = Random(1).inputs(960, Random::float);
    for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
        let a = f32::from_bits(input[0]);
        let (got, want) = (f64::from(f32::from_bits(out.words[0])), f64::from(a).exp2());
        let small = want < f64::from(f32::MIN_POSITIVE) * 1.001 && got <= f64::from(f32::MIN_POSITIVE);
        let near = (got - want).abs() <= want * 2f64.powi(-22);
        let large = want > f64::from(f32::MAX) && got == f64::INFINITY;
        assert!(near || small || large || got.is_nan() && want.is_nan(), "{a:e}: {got:e}, not {want:e}");
    }
    for (a, want) in [
        (0.5f32, std::f32::consts::SQRT_2),
        (-3.0, 0.125),
        (127.0, 2f32.powi(127)),
        (-126.0, f32::MIN_POSITIVE),
    ] {
        let out = wave(line, &[[a.to_bits(), 0, 0, 0, 0, 0]])[0];
        assert_eq!(f32::from_bits(out.words[0]), want, "{a}");
    }
    for (a, want) in [
        (-127.0f32, 0.0),
        (128.0, f32::INFINITY),
        (f32::NEG_INFINITY, 0.0),
        (f32::INFINITY, f32::INFINITY),
        (1e-40, 1.0),
    ] {
        let out = wave(line, &[[a.to_bits(), 0, 0, 0, 0, 0]])[0];
        assert_eq!(f32::from_bits(out.words[0]), want, "{a}");
    }
}

/// The error is that of a quadrant cut off after 23 bits, and of 2/π with 24 digits.
#[test]
fn sines_and_cosines() {
    let line = "RRO.SINCOS R4, R2; MUFU.SIN R0, R4; MUFU.COS R1, R4";
    let mut inputs = Random(1).inputs(640, |r| ((r.next() as i32 as f32) / 1e8).to_bits());
    inputs.extend(Random(2).inputs(320, |r| (r.next() as u32 % 0x4000_0000) | 0x3000_0000));
    for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
        let a = f64::from(f32::from_bits(input[0]));
        let [sine, cosine] = out.words.map(|bits| f64::from(f32::from_bits(bits)));
        let error = 4e-7 + a.abs() * 5e-8;
        assert!((sine - a.sin()).abs() <= error, "sin {a}: {sine}, not {}", a.sin());
        assert!((cosine - a.cos()).abs() <= error, "cos {a}: {cosine}, not {}", a.cos());
    }
    let pi = std::f32::consts::PI;
    let at = |a: f32| wave(line, &[[a.to_bits(), 0, 0, 0, 0, 0]])[0].words.map(f32::from_bits);
    assert_eq!(at(0.0), [0.0, 1.0]);
    assert_eq!(at(-1e-40).map(f32::to_bits), [1 << 31, 1.0f32.to_bits()]);
    assert_eq!(at(pi / 2.0), [1.0, 0.0]);
    assert_eq!(at(-pi / 2.0), [-1.0, 0.0]);
    assert_eq!(at(pi)[1], -1.0);
    for none in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        assert!(at(none).iter().all(|v| v.is_nan()));
    }
}

#[test]
fn reduced_ranges_are_fixed_point_numbers() {
    for (line, a, want) in [
        ("RRO.EX2 R0, R2", 1.0f32, 1 << 23),
        ("RRO.EX2 R0, -R2", 2.75, 1 << 31 | 11 << 21),
        ("RRO.EX2 R0, R2", 127.5, 255 << 22),
        ("RRO.EX2 R0, R2", -128.0, 0xc080_0000),
        ("RRO.EX2 R0, R2", f32::INFINITY, 0x4080_0000),
        ("RRO.EX2 R0, |R2|", f32::NAN, 0x4000_0000),
        ("RRO.EX2 R0, R2", 1.9e-7, 1),
        ("RRO.EX2 R0, R2", 1.1e-7, 0),
        // 2^23 * 2/π, cut off.
        ("RRO.SINCOS R0, R2", 1.0, 5_340_353),
        ("RRO.SINCOS R0, R2", -1.0, 1 << 31 | 5_340_353),
        ("RRO.SINCOS R0, R2", f32::NEG_INFINITY, 0xc080_0000),
        // Without whole circles: the last digits of the constant, whose unit is 2^-24.
        ("RRO.SINCOS R0, R2", 262_144.0, 0x83 << 17),
        ("RRO.SINCOS R0, R2", 33_554_432.0, 1 << 24),
        ("RRO.SINCOS R0, R2", 67_108_864.0, 0),
    ] {
        assert_eq!(wave(line, &[[a.to_bits(), 0, 0, 0, 0, 0]])[0].words[0], want, "{line} {a:e}");
    }
}

/// The upper words of reciprocals, to 20 digits.
#[test]
fn upper_words_of_doubles() {
    for (line, root) in [("MUFU.RCP64H R0, R3", false), ("MUFU.RSQ64H R0, |R3|", true)] {
        let inputs = Random(8).doubles(640);
        for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
            let a = f64::from_bits(u64::from(input[1]) << 32);
            let a = if a.is_subnormal() { 0.0f64.copysign(a) } else { a };
            let want = if root { 1.0 / a.abs().sqrt() } else { 1.0 / a };
            let want = if want.is_subnormal() { 0.0f64.copysign(want) } else { want };
            let got = f64::from_bits(u64::from(out.words[0]) << 32);
            let near = (got - want).abs() <= want.abs() * 2f64.powi(-20);
            assert!(
                near || got == want || got.is_nan() && want.is_nan(),
                "{line} {a:e}: {got:e}, not {want:e}"
            );
        }
    }
}

/// Where the slow method is not needed, the plain sequence rounds the quotient rightly.
#[test]
fn quotients_that_need_no_slow_method_are_right() {
    let mut inputs = Random(1).inputs(4096, Random::float);
    inputs.extend(Random(2).inputs(4096, |r| r.next() as u32));
    let mut fast = 0;
    for (input, out) in inputs.iter().zip(wave("FCHK.DIVIDE P0, R2, -R3", &inputs)) {
        let [a, b] = [input[0], input[1]].map(f32::from_bits);
        let b = -b;
        if out.predicates[0] {
            continue;
        }
        fast += 1;
        let reciprocal = 1.0 / b;
        let reciprocal = reciprocal.mul_add((-b).mul_add(reciprocal, 1.0), reciprocal);
        let quotient = a * reciprocal;
        let quotient = reciprocal.mul_add((-b).mul_add(quotient, a), quotient);
        assert_eq!(quotient, a / b, "{a:e} / {b:e}");
    }
    assert!(fast > 3000, "{fast}");
    for (a, b) in [
        (1.0, 0.0),
        (0.0, 1.0),
        (1.0, f32::INFINITY),
        (f32::NAN, 1.0),
        (1e30, 1e-20),
        (1e-20, 1e30),
        (1.0, 1e-40),
    ] {
        let out = wave("FCHK.DIVIDE P0, R2, R3", &[[f32::to_bits(a), f32::to_bits(b), 0, 0, 0, 0]])[0];
        assert!(out.predicates[0], "{a:e} / {b:e}");
    }
    let plain = wave("FCHK.DIVIDE P0, R2, 1.5", &[[1.0f32.to_bits(), 0, 0, 0, 0, 0]])[0];
    assert!(!plain.predicates[0]);
}
