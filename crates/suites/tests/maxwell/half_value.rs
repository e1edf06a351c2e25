//! What arithmetic and comparisons of halves compute, against exact integers.

use super::wave::{Random, wave, with_constants};

/// A half as a double.
pub(crate) fn decoded(half: u16) -> f64 {
    let (exponent, digits) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
    let magnitude = match (exponent, half & 1023) {
        (31, 0) => f64::INFINITY,
        (31, _) => return f64::NAN,
        (0, _) => digits * 2f64.powi(-24),
        _ => (1024.0 + digits) * 2f64.powi(exponent - 25),
    };
    if half >> 15 != 0 { -magnitude } else { magnitude }
}

/// The half that is nearest to a number, of two the even one.
pub(crate) fn encoded(x: f64) -> u16 {
    let sign = if x.is_sign_negative() { 1 << 15 } else { 0 };
    let magnitude = x.abs();
    if x.is_nan() {
        return 0x7fff;
    }
    // Halves are in order; past the largest one, its successor is infinity.
    let step = |bits: u16| if bits == 0x7c00 { 65536.0 } else { decoded(bits) };
    let below = (0..15).rev().map(|bit| 1u16 << bit).fold(0, |below, bit| {
        let more = below | bit;
        if more <= 0x7c00 && step(more) <= magnitude { more } else { below }
    });
    if below == 0x7c00 {
        return sign | below;
    }
    let (down, up) = (magnitude - step(below), step(below + 1) - magnitude);
    let goes_up = up < down || up == down && below & 1 != 0;
    sign | (below + u16::from(goes_up))
}

/// Zero with the same sign, of a denormal half.
fn flushed(x: f64) -> f64 {
    if x.abs() < 2f64.powi(-14) { 0.0f64.copysign(x) } else { x }
}

fn halves(word: u32) -> [f64; 2] {
    [word as u16, (word >> 16) as u16].map(decoded)
}

/// Checks both halves of R0 for random R2, R3 and R4. The results must need no more than a double.
fn each(line: &str, want: impl Fn([f64; 2], [f64; 2], [f64; 2], usize) -> f64) {
    let inputs = Random(line.len() as u64).inputs(320, |r| u32::from(r.half()) | u32::from(r.half()) << 16);
    for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
        let [a, b, c] = [0, 1, 2].map(|n| halves(input[n]));
        for n in 0..2 {
            let (got, want) = ((out.words[0] >> (16 * n)) as u16, encoded(want(a, b, c, n)));
            assert_eq!(got, want, "{line} {n}: {input:x?}");
        }
    }
}

#[test]
fn sums_and_products() {
    each("HADD2 R0, R2, R3", |a, b, _, n| a[n] + b[n]);
    each("HADD2 R0, -R2.H0_H0, |R3.H1_H1|", |a, b, _, _| b[1].abs() - a[0]);
    each("HADD2 R0, -|R2|, -R3", |a, b, _, n| -a[n].abs() - b[n]);
    each("HMUL2 R0, R2, -R3", |a, b, _, n| a[n] * -b[n]);
    each("HMUL2 R0, |R2.H1_H1|, R3.H0_H0", |a, b, _, _| a[1].abs() * b[0]);
    each("HADD2 R0, R2, 1.5, -2", |a, _, _, n| a[n] + [-2.0, 1.5][n]);
    each("HMUL2 R0, -R2, 1.5, -2", |a, _, _, n| -a[n] * [-2.0, 1.5][n]);
    each("HADD2_32I R0, -R2.H1_H1, 1, 2.1171875", |a, _, _, n| [2.1171875, 1.0][n] - a[1]);
    each("HMUL2_32I R0, R2, 1, 2.1171875", |a, _, _, n| a[n] * [2.1171875, 1.0][n]);
}

#[test]
fn denormals_and_saturation() {
    let encoded_flushed = |x: f64| flushed(decoded(encoded(x)));
    each("HADD2.FTZ R0, R2, R3", |a, b, _, n| encoded_flushed(flushed(a[n]) + flushed(b[n])));
    each("HMUL2.FTZ R0, R2, R3", |a, b, _, n| encoded_flushed(flushed(a[n]) * flushed(b[n])));
    let saturated = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
    each("HADD2.SAT R0, R2, R3", |a, b, _, n| saturated(a[n] + b[n]));
    each("HMUL2.SAT R0, R2, R3", |a, b, _, n| saturated(a[n] * b[n]));
    each("HMUL2.FMZ R0, R2, R3", |a, b, _, n| {
        let (a, b) = (flushed(a[n]), flushed(b[n]));
        if a == 0.0 || b == 0.0 { 0.0 } else { encoded_flushed(a * b) }
    });
}

/// The exact sum of a product and a number, in units of 2^-48, rounded to a half.
fn fused(a: f64, b: f64, c: f64) -> f64 {
    if !(a * b).is_finite() || !c.is_finite() {
        return a * b + c;
    }
    let units = |x: f64| (x * 2f64.powi(24)) as i128;
    let sum = units(a) * units(b) + (units(c) << 24);
    if sum == 0 {
        return a * b + c;
    }
    // Rounded to odd: 50 digits are more than twice those of a half.
    let shift = (128 - sum.unsigned_abs().leading_zeros()).saturating_sub(50);
    let (digits, rest) = (sum.unsigned_abs() >> shift, sum.unsigned_abs() & ((1 << shift) - 1));
    let magnitude = (digits | u128::from(rest != 0)) as f64 * 2f64.powi(shift as i32 - 48);
    if sum < 0 { -magnitude } else { magnitude }
}

#[test]
fn fused_sums_round_once() {
    each("HFMA2 R0, R2, R3, R4", |a, b, c, n| fused(a[n], b[n], c[n]));
    each("HFMA2 R0, R2.H0_H0, -R3.H1_H1, -R4", |a, b, c, n| fused(a[0], -b[1], -c[n]));
    each("HFMA2 R0, R2, 1.5, -2, R4.H1_H1", |a, _, c, n| fused(a[n], [-2.0, 1.5][n], c[1]));
    each("MOV R0, R4; HFMA2_32I R0, R2, 1.5, -2, -R0", |a, _, c, n| fused(a[n], [-2.0, 1.5][n], -c[n]));
    each("MOV R0, R4; HFMA2_32I R0, R2.H0_H0, 1.5, 3, R0", |a, _, c, n| fused(a[0], [3.0, 1.5][n], c[n]));
}

/// A float as a source counts twice; a result may be a float; constants are floats.
#[test]
fn floats_among_halves() {
    let (three, pair) = (3.0f32.to_bits(), u32::from(encoded(2.0)) << 16 | u32::from(encoded(5.0)));
    let input = [[three, pair, pair, 0, 0, 0]];
    let constants = [1.5f32.to_bits()];
    let word = |low: f64, high: f64| u32::from(encoded(high)) << 16 | u32::from(encoded(low));
    for (line, want) in [
        ("HADD2 R0, R2.F32, R3", word(8.0, 5.0)),
        ("HADD2 R0, -R2.F32, R3.H1_H1", word(-1.0, -1.0)),
        ("HADD2.F32 R0, R3, R4", 10.0f32.to_bits()),
        ("HADD2.F32.SAT R0, R3, R4", 1.0f32.to_bits()),
        ("HMUL2 R0, R3, R2.F32", word(15.0, 6.0)),
        ("HMUL2.F32 R0, R3.H1_H1, R4", 10.0f32.to_bits()),
        ("HFMA2 R0, R3, R2.F32, R2.F32", word(18.0, 9.0)),
        ("HFMA2.F32 R0, R3, R4, R2.F32", 28.0f32.to_bits()),
        ("HADD2 R0, R3, -c[0x0][0x0]", word(3.5, 0.5)),
        ("HMUL2 R0, R3, c[0x0][0x0]", word(7.5, 3.0)),
        ("HFMA2 R0, R3, -c[0x0][0x0], R4", word(-2.5, -1.0)),
        ("HFMA2 R0, R3, R4, c[0x0][0x0]", word(26.5, 5.5)),
        ("MOV R0, R2; HADD2.MRG_H0 R0, R3, R4", three & !0xffff | word(10.0, 0.0)),
        ("MOV R0, R2; HADD2.MRG_H1 R0, R3, R4", three & 0xffff | word(0.0, 4.0)),
        ("HSET2.LT.AND R0, R3, R2.F32, PT", 0xffff_0000),
        ("HSET2.BF.GT.AND R0, R3, c[0x0][0x0], PT", 0x3c00_3c00),
    ] {
        assert_eq!(with_constants(line, &constants, &input)[0].words[0], want, "{line}");
    }
    // More digits than a half has.
    let input = [[0x3f80_0001, u32::from(encoded(1.0)), 0, 0, 0, 0]];
    assert_eq!(wave("HMUL2.F32 R0, R3, R2.F32", &input)[0].words[0], 0x3f80_0001);
}

const COMPARISONS: [&str; 16] =
    ["F", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"];

/// Bits of the number: less, equal, greater, unordered.
fn holds(comparison: usize, a: f64, b: f64) -> bool {
    let bit = if a < b {
        0
    } else if a == b {
        1
    } else if a > b {
        2
    } else {
        3
    };
    comparison >> bit & 1 != 0
}

#[test]
fn comparisons() {
    let mut inputs: Vec<[u32; 6]> =
        Random(4).inputs(160, |r| u32::from(r.half()) | u32::from(r.half()) << 16);
    inputs.iter_mut().step_by(5).for_each(|input| input[1] = input[0]);
    for (n, name) in COMPARISONS.iter().enumerate() {
        let plain = wave(&format!("HSET2.{name}.AND R0, R2, -|R3|, PT"), &inputs);
        let number = wave(&format!("HSET2.BF.{name}.FTZ.XOR R0, R2.H1_H1, 1, 0, PT"), &inputs);
        let both = wave(&format!("HSETP2.{name}.AND P0, P1, R2, R3, PT"), &inputs);
        let joined = wave(&format!("HSETP2.{name}.H_AND.AND P0, P1, R2, R3, PT"), &inputs);
        for (i, input) in inputs.iter().enumerate() {
            let [a, b] = [0, 1].map(|n| halves(input[n]));
            let mask = |held: [bool; 2], yes: u32| {
                held.iter().rev().fold(0, |word, held| word << 16 | if *held { yes } else { 0 })
            };
            let want = mask([0, 1].map(|k| holds(n, a[k], -b[k].abs())), 0xffff);
            assert_eq!(plain[i].words[0], want, "{name} {input:x?}");
            let want = mask([0.0, 1.0].map(|b| !holds(n, flushed(a[1]), b)), 0x3c00);
            assert_eq!(number[i].words[0], want, "{name} {input:x?}");
            let held = [0, 1].map(|k| holds(n, a[k], b[k]));
            assert_eq!(both[i].predicates, held, "{name} {input:x?}");
            let all = held[0] && held[1];
            assert_eq!(joined[i].predicates, [all, !all], "{name} {input:x?}");
        }
    }
}
