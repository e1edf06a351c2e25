//! What conversions compute, against the host and exact integers.

use super::half_value::{decoded, encoded};
use super::wave::{Random, flushed, rounded, same, same_double, saturated, wave, with_constants};
use crate::assembled::lifted;

/// A suffix, and what it does to a number.
type Rounds = (&'static str, fn(f64) -> f64);

/// The rounding suffixes of whole numbers.
const WHOLE: [Rounds; 4] =
    [("", f64::round_ties_even), (".FLOOR", f64::floor), (".CEIL", f64::ceil), (".TRUNC", f64::trunc)];
const ROUNDINGS: [&str; 4] = ["", ".RM", ".RP", ".RZ"];

fn float(word: u32) -> f64 {
    f64::from(f32::from_bits(word))
}

fn double(input: &[u32; 6]) -> f64 {
    f64::from_bits(u64::from(input[1]) << 32 | u64::from(input[0]))
}

/// Floats of all sizes as whole numbers of the same size, or as they are.
#[test]
fn whole_numbers_of_the_same_size() {
    let inputs = Random(1).inputs(320, Random::float);
    for (suffix, whole) in
        [(".ROUND", WHOLE[0].1), WHOLE[1], WHOLE[2], WHOLE[3], ("", |x| x), (".PASS", |x| x)]
    {
        let wide = Random(2).doubles(320);
        let doubles = wave(&format!("F2F.F64.F64{suffix} R0, -R2"), &wide);
        for (input, out) in wide.iter().zip(doubles) {
            let (got, want) = (f64::from_bits(out.wide()), whole(-double(input)));
            assert!(same_double(got, want), "{suffix} {input:x?}: {got}, not {want}");
        }
        let floats = wave(&format!("F2F.F32.F32{suffix} R0, |R2|"), &inputs);
        let few = wave(&format!("F2F.FTZ.F32.F32{suffix}.SAT R0, R2"), &inputs);
        let halves = wave(&format!("F2F.F16.F16{suffix} R0, R2.H1"), &inputs);
        for (i, input) in inputs.iter().enumerate() {
            let (got, want) = (f32::from_bits(floats[i].words[0]), whole(float(input[0]).abs()) as f32);
            assert!(same(got, want), "{suffix} {input:x?}: {got}, not {want}");
            let want = saturated(whole(flushed(f32::from_bits(input[0])).into()) as f32);
            assert_eq!(f32::from_bits(few[i].words[0]), want, "{suffix} {input:x?}");
            let (got, want) = (halves[i].words[0], whole(decoded((input[0] >> 16) as u16)));
            assert_eq!(got, u32::from(encoded(want)), "{suffix} {input:x?}");
        }
    }
}

/// A half from a number that is not one: the next one in the direction.
fn half(x: f64, suffix: &str) -> u16 {
    let near = encoded(x);
    let value = decoded(near);
    let goes_down = match suffix {
        ".RM" => value > x,
        ".RP" => value < x && x < 0.0,
        ".RZ" => value.abs() > x.abs(),
        _ => false,
    };
    let goes_up = suffix == ".RP" && value < x || suffix == ".RM" && value > x;
    match (goes_up || goes_down, value == 0.0) {
        (false, _) => near,
        // From zero away, with the sign of the number.
        (true, true) => near & 1 << 15 | 1,
        (true, false) if (suffix == ".RP") == (value > 0.0) && suffix != ".RZ" => near + 1,
        (true, false) if (suffix == ".RM") == (value < 0.0) && suffix != ".RZ" => near + 1,
        _ => near - 1,
    }
}

#[test]
fn floats_of_other_sizes() {
    let mut inputs = Random(3).inputs(320, Random::float);
    inputs.extend(Random(4).inputs(320, |r| (r.next() as u32 & 0x80ff_ffff) + 0x3300_0000));
    let wide = Random(5).doubles(640);
    for suffix in ROUNDINGS {
        let to_half = wave(&format!("F2F.F16.F32{suffix} R0, R2"), &inputs);
        let to_double = wave(&format!("F2F.F64.F32{suffix} R0, -R2"), &inputs);
        let from_half = wave(&format!("F2F.F32.F16{suffix} R0, |R2.H1|"), &inputs);
        for (i, input) in inputs.iter().enumerate() {
            let (got, want) = (to_half[i].words[0], half(float(input[0]), suffix));
            assert_eq!(got, u32::from(want), "{suffix} {:e}", float(input[0]));
            assert!(same_double(f64::from_bits(to_double[i].wide()), -float(input[0])), "{input:x?}");
            let want = decoded((input[0] >> 16) as u16).abs() as f32;
            assert!(same(f32::from_bits(from_half[i].words[0]), want), "{input:x?}");
        }
        let to_float = wave(&format!("F2F.F32.F64{suffix} R0, R2"), &wide);
        for (input, out) in wide.iter().zip(to_float) {
            let (got, want) = (f32::from_bits(out.words[0]), rounded(double(input), suffix));
            assert!(same(got, want), "{suffix} {:e}: {got:e}, not {want:e}", double(input));
        }
    }
    let constants = [0, 0x4004_0000];
    assert_eq!(
        with_constants("F2F.F32.F64 R0, -c[0x0][0x0]", &constants, &[[0; 6]])[0].words[0],
        (-2.5f32).to_bits()
    );
}

/// `.FTZ` concerns floats of 32 bits only, and of those no source of a double.
#[test]
fn denormals_of_conversions() {
    let one = |line: &str, input: [u32; 2]| wave(line, &[[input[0], input[1], 0, 0, 0, 0]])[0];
    let tiny = [0x0000_1000, 0];
    assert_eq!(one("F2F.FTZ.F64.F32 R0, R2", tiny).wide(), float(tiny[0]).to_bits());
    assert_eq!(one("F2F.F64.F32 R0, R2", tiny).wide(), float(tiny[0]).to_bits());
    assert_eq!(one("F2F.FTZ.F64.F64 R0, R2", [1, 0]).wide(), 1);
    assert_eq!(one("F2F.FTZ.F32.F16 R0, R2", [1, 0]).words[0], 2f32.powi(-24).to_bits());
    assert_eq!(one("F2F.FTZ.F16.F32 R0, R2", [2f32.powi(-24).to_bits(), 0]).words[0], 1);
    assert_eq!(one("F2F.FTZ.F32.F32 R0, -R2", tiny).words[0], 1 << 31);
    let word = [0, (2f64.powi(-130).to_bits() >> 32) as u32];
    assert_eq!(one("F2F.FTZ.F32.F64 R0, R2", word).words[0], 0);
    assert_eq!(one("F2F.F32.F64 R0, R2", word).words[0], 0x0008_0000);
    assert_eq!(one("F2I.FTZ.S32.F32.CEIL R0, R2", tiny).words[0], 0);
    assert_eq!(one("F2I.S32.F32.CEIL R0, R2", tiny).words[0], 1);
    assert_eq!(one("F2I.FTZ.S32.F16.CEIL R0, R2", [1, 0]).words[0], 1);
}

/// A whole number as an integer of a kind, in the words that it takes; NaN as documented.
fn integer(whole: f64, kind: &str, from_double: bool) -> u64 {
    match kind {
        _ if whole.is_nan() && kind.ends_with("64") => 1 << 63,
        _ if whole.is_nan() && from_double => 1 << 31,
        "U16" => u64::from(whole as u16),
        "S16" => u64::from(whole as i16 as u32),
        "U32" => u64::from(whole as u32),
        "S32" => u64::from(whole as i32 as u32),
        "U64" => whole as u64,
        _ => whole as i64 as u64,
    }
}

#[test]
fn floats_as_integers() {
    let mut inputs = Random(6).inputs(320, Random::float);
    inputs.extend(Random(7).inputs(320, |r| (r.next() as u32 & 0x8fff_ffff) + 0x4000_0000));
    let mut wide = Random(8).doubles(320);
    wide.extend(Random(9).inputs(320, |r| (r.next() as u32 & 0x83ff_ffff) + 0x4000_0000));
    for (suffix, whole) in WHOLE {
        for kind in ["U16", "S16", "U32", "S32", "U64", "S64"] {
            let bits = |wide: u64| if kind.ends_with("64") { wide } else { wide & 0xffff_ffff };
            let line = format!("F2I.{kind}.F32{suffix} R0, -R2");
            for (input, out) in inputs.iter().zip(wave(&line, &inputs)) {
                let want = integer(whole(-float(input[0])), kind, false);
                assert_eq!(bits(out.wide()), want, "{line} {:e}", float(input[0]));
            }
            if !kind.ends_with("64") {
                let line = format!("F2I.{kind}.F16{suffix} R0, |R2.H1|");
                for (input, out) in inputs.iter().zip(wave(&line, &inputs)) {
                    let a = decoded((input[0] >> 16) as u16).abs();
                    assert_eq!(bits(out.wide()), integer(whole(a), kind, false), "{line} {a:e}");
                }
            }
            if !kind.ends_with("16") {
                let line = format!("F2I.{kind}.F64{suffix} R0, R2");
                for (input, out) in wide.iter().zip(wave(&line, &wide)) {
                    let want = integer(whole(double(input)), kind, true);
                    assert_eq!(bits(out.wide()), want, "{line} {:e}", double(input));
                }
            }
        }
    }
}

/// The integer that a conversion reads: a part, its magnitude and its opposite, with a sign in its own size.
fn read(input: &[u32; 6], kind: &str, part: u32, magnitude: bool, opposite: bool) -> i128 {
    let wide = u64::from(input[1]) << 32 | u64::from(input[0]);
    let word = input[0] >> (8 * part);
    let sign = |v: i128, bits: u32| {
        let v = v & ((1 << bits) - 1);
        if v >> (bits - 1) != 0 { v - (1 << bits) } else { v }
    };
    let (signed, bits) = (kind.starts_with('S'), kind[1..].parse::<u32>().unwrap());
    let v = if bits == 64 { i128::from(wide) } else { i128::from(word) & ((1i128 << bits) - 1) };
    if !signed {
        return if opposite { -v } else { v };
    }
    let v = sign(v, bits);
    let v = if magnitude { sign(v.abs(), bits) } else { v };
    if opposite { sign(-v, bits) } else { v }
}

/// An integer as a float in a direction.
fn to_float(v: i128, suffix: &str) -> f32 {
    let near = v as f32;
    let back = near as i128;
    match suffix {
        ".RM" if back > v => near.next_down(),
        ".RP" if back < v => near.next_up(),
        ".RZ" if back.abs() > v.abs() => {
            if v > 0 {
                near.next_down()
            } else {
                near.next_up()
            }
        }
        _ => near,
    }
}

fn to_double(v: i128, suffix: &str) -> f64 {
    let near = v as f64;
    let back = near as i128;
    match suffix {
        ".RM" if back > v => near.next_down(),
        ".RP" if back < v => near.next_up(),
        ".RZ" if back.abs() > v.abs() => {
            if v > 0 {
                near.next_down()
            } else {
                near.next_up()
            }
        }
        _ => near,
    }
}

/// Kinds of integers with the names of their parts and the bytes where these begin.
const KINDS: [(&str, &[(&str, u32)]); 8] = [
    ("U8", &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)]),
    ("S8", &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)]),
    ("U16", &[("", 0), (".H1", 2)]),
    ("S16", &[("", 0), (".H1", 2)]),
    ("U32", &[("", 0)]),
    ("S32", &[("", 0)]),
    ("U64", &[("", 0)]),
    ("S64", &[("", 0)]),
];
const CHANGES: [(&str, &str, bool, bool); 4] =
    [("", "", false, false), ("-", "", false, true), ("|", "|", true, false), ("-|", "|", true, true)];

#[test]
fn integers_as_floats() {
    let inputs = Random(10).inputs(96, Random::word);
    for (kind, parts) in KINDS {
        for (part, byte) in parts {
            for (before, after, magnitude, opposite) in CHANGES {
                for suffix in ROUNDINGS {
                    let line = |size: &str| format!("I2F.{size}.{kind}{suffix} R0, {before}R2{part}{after}");
                    let floats = wave(&line("F32"), &inputs);
                    let doubles = wave(&line("F64"), &inputs);
                    let halves = wave(&line("F16"), &inputs);
                    for (i, input) in inputs.iter().enumerate() {
                        let v = read(input, kind, *byte, magnitude, opposite);
                        let (line, want) = (line("F32"), to_float(v, suffix).to_bits());
                        assert_eq!(floats[i].words[0], want, "{line} {v}");
                        assert_eq!(doubles[i].wide(), to_double(v, suffix).to_bits(), "{line} {v}");
                        if suffix.is_empty() {
                            assert_eq!(halves[i].words[0], u32::from(encoded(v as f64)), "{line} {v}");
                        }
                    }
                }
            }
        }
    }
    let constants = [5, 0xffff_fffe];
    for (line, want) in [
        ("I2F.F32.S64 R0, c[0x0] [0x0]", (-8_589_934_587i64) as f32),
        ("I2F.F32.U64 R0, 0x3", 12_884_901_888.0),
        ("I2F.F32.S16 R0, -0x7fffa.NEG", -6.0),
        ("I2F.F32.S8 R0, c[0x0] [0x4].B3", -1.0),
    ] {
        assert_eq!(f32::from_bits(with_constants(line, &constants, &[[0; 6]])[0].words[0]), want, "{line}");
    }
}

#[test]
fn integers_of_other_sizes() {
    let inputs = Random(11).inputs(96, Random::word);
    for (kind, parts) in &KINDS[..6] {
        for (to, bits) in [("U8", 8), ("S8", 8), ("U16", 16), ("S16", 16), ("U32", 32), ("S32", 32)] {
            for (before, after, magnitude, opposite) in CHANGES {
                let (part, byte) = parts.last().unwrap();
                let plain = wave(&format!("I2I.{to}.{kind} R0.CC, {before}R2{part}{after}"), &inputs);
                let line = format!("I2I.{to}.{kind}.SAT R0.CC, {before}R2{part}{after}");
                let clamped = wave(&line, &inputs);
                let (low, high) = match to.starts_with('S') {
                    true => (-1i128 << (bits - 1), (1i128 << (bits - 1)) - 1),
                    false => (0, (1i128 << bits) - 1),
                };
                for (i, input) in inputs.iter().enumerate() {
                    let v = read(input, kind, *byte, magnitude, opposite);
                    let want = (v & ((1 << bits) - 1)) as u32;
                    assert_eq!(plain[i].words[0], want, "{line} {v}");
                    assert_eq!(plain[i].codes, [want == 0, (want as i32) < 0, false, false], "{line} {v}");
                    let want = v.clamp(low, high) as u32;
                    assert_eq!(clamped[i].words[0], want, "{line} {v}");
                    assert_eq!(clamped[i].codes, [want == 0, (want as i32) < 0, false, false], "{line} {v}");
                }
            }
        }
    }
}

#[test]
fn conversions_set_condition_codes() {
    let inputs = Random(12).inputs(160, Random::float);
    let float_codes = |x: f64| [x == 0.0 || x.is_nan(), x < 0.0 || x.is_nan(), false, false];
    for (line, value) in [
        ("F2F.F16.F32 R0.CC, R2", (|o| decoded(o as u16)) as fn(u64) -> f64),
        ("F2F.F64.F32 R0.CC, R2", f64::from_bits),
        ("I2F.F32.S8 R0.CC, R2", |o| float(o as u32)),
    ] {
        for out in wave(line, &inputs) {
            assert_eq!(out.codes, float_codes(value(out.wide())), "{line} {out:x?}");
        }
    }
    for out in wave("F2I.S64.F32 R0.CC, R2", &inputs) {
        assert_eq!(out.codes, [out.wide() == 0, (out.wide() as i64) < 0, false, false]);
    }
    for out in wave("F2I.S16.F32 R0.CC, R2", &inputs) {
        assert_eq!(out.codes, [out.words[0] == 0, (out.words[0] as i32) < 0, false, false]);
    }
}

/// NaN becomes 0 in 16 bits, where it becomes the highest bit in 32.
#[test]
fn doubles_become_integers_of_16_bits() {
    let one = |line: &str, double: f64| {
        let bits = double.to_bits();
        wave(line, &[[bits as u32, (bits >> 32) as u32, 0, 0, 0, 0]])[0].words[0]
    };
    for (double, unsigned, signed) in
        [(f64::NAN, 0, 0), (-3.0, 0, -3i32 as u32), (40_000.7, 40_001, 32_767), (1e9, 65_535, 32_767)]
    {
        assert_eq!(one("F2I.U16.F64 R0, R2", double), unsigned, "{double}");
        assert_eq!(one("F2I.S16.F64 R0, R2", double), signed, "{double}");
    }
    assert_eq!(one("F2I.U32.F64 R0, R2", f64::NAN), 1 << 31);
}

/// The constants are the words 7 and 0x4010_0000: a double at offset 4 has the second one in its upper half.
#[test]
fn doubles_at_odd_words_of_constants_have_a_lower_half_of_zero() {
    let constants = [7, 0x4010_0000];
    let one = |line: &str| with_constants(line, &constants, &[[0; 6]])[0];
    assert_eq!(one("F2F.F64.F64 R0, c[0x0][0x0]").wide(), 0x4010_0000_0000_0007);
    assert_eq!(one("F2F.F64.F64 R0, c[0x0][0x4]").wide(), 4f64.to_bits());
    assert_eq!(one("DADD R0, R2, -c[0x0][0x4]").wide(), (-4f64).to_bits());
}

#[test]
fn conversions_that_the_hardware_lacks_are_refused() {
    for line in [
        "F2F.F16.F64 R0, R2",
        "F2F.F64.F16 R0, R2",
        "F2F.F32.F64.SAT R0, R2",
        "F2F.F64.F64.SAT R0, R2",
        "F2I.S64.F16 R0, R2",
        "F2I.S32.F32 R0, R2.H1",
        "F2F.INVALIDFPDEST0.F32 R0, R2",
        "I2F.INVALIDFPSRC0.S32 R0, R2",
        "I2F.F32.U16 R0, R2.INVALIDSIZE3",
        "I2I.U32.INVALID6 R0, R2",
    ] {
        assert_eq!(lifted(line).map(|_| ()).map_err(|d| d.code), Err("maxwell-undefined"), "{line}");
    }
}
