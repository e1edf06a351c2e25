//! What arithmetic and comparisons of floats and doubles compute, against the host.

use super::wave::{Outcome, Random, flushed, rounded, same, same_double, saturated, wave, with_constants};
use crate::assembled::lifted;

/// Checks R0 of a line for random R2, R3 and R4.
fn floats(line: &str, want: impl Fn(f32, f32, f32) -> f32) {
    let inputs = Random(line.len() as u64).inputs(640, Random::float);
    for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
        let [a, b, c] = [0, 1, 2].map(|n| f32::from_bits(input[n]));
        let (got, want) = (f32::from_bits(out.words[0]), want(a, b, c));
        assert!(same(got, want), "{line}: {a:e}, {b:e}, {c:e}: {got:e}, not {want:e}");
    }
}

/// Checks R0 and R1 of a line for random doubles in R2, R4 and R6.
fn doubles(line: &str, want: impl Fn(f64, f64, f64) -> f64) {
    let inputs = Random(line.len() as u64).doubles(640);
    for (input, out) in inputs.iter().zip(wave(line, &inputs)) {
        let [a, b, c] = parts(input);
        let (got, want) = (f64::from_bits(out.wide()), want(a, b, c));
        assert!(same_double(got, want), "{line}: {a:e}, {b:e}, {c:e}: {got:e}, not {want:e}");
    }
}

fn parts(input: &[u32; 6]) -> [f64; 3] {
    [0, 2, 4].map(|n| f64::from_bits(u64::from(input[n + 1]) << 32 | u64::from(input[n])))
}

#[test]
fn sums() {
    floats("FADD R0, R2, R3", |a, b, _| a + b);
    floats("FADD.SAT R0, -|R2|, |R3|", |a, b, _| saturated(b.abs() - a.abs()));
    floats("FADD.FTZ R0, R2, -R3", |a, b, _| flushed(flushed(a) - flushed(b)));
    floats("FADD32I R0, -R2, 1.10000002384185791016", |a, _, _| 1.1 - a);
    floats("FADD32I.FTZ R0, |R2|, -2", |a, _, _| flushed(flushed(a).abs() - 2.0));
}

/// The scale is exact even where a scaled factor alone would overflow or be denormal.
#[test]
fn products() {
    floats("FMUL R0, R2, -R3", |a, b, _| a * -b);
    floats("FMUL.FTZ.SAT R0, R2, R3", |a, b, _| saturated(flushed(flushed(a) * flushed(b))));
    floats("FMUL32I R0, R2, -3.40282346638528859812e+38", |a, _, _| a * f32::MIN);
    for (suffix, scale) in
        [(".D2", 0.5), (".D4", 0.25), (".D8", 0.125), (".M8", 8.0), (".M4", 4.0), (".M2", 2.0)]
    {
        floats(&format!("FMUL{suffix} R0, R2, R3"), |a, b, _| (f64::from(a) * f64::from(b) * scale) as f32);
        let line = format!("FMUL.FTZ{suffix}.SAT R0, R2, R3");
        floats(&line, |a, b, _| {
            saturated(flushed((f64::from(flushed(a)) * f64::from(flushed(b)) * scale) as f32))
        });
    }
    for suffix in ["", ".RM", ".RP", ".RZ"] {
        let exact = |a: f32, b: f32| rounded(f64::from(a) * f64::from(b), suffix);
        floats(&format!("FMUL{suffix} R0, R2, R3"), |a, b, _| exact(a, b));
        floats(&format!("FMUL.M4{suffix} R0, R2, R3"), |a, b, _| {
            rounded(f64::from(a) * f64::from(b) * 4.0, suffix)
        });
    }
}

/// A product with a zero factor is zero, even if the other factor is infinite or NaN.
#[test]
fn fmz_products_of_zero() {
    let product = |a: f32, b: f32| {
        let (a, b) = (flushed(a), flushed(b));
        if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
    };
    floats("FMUL.FMZ R0, R2, R3", |a, b, _| flushed(product(a, b)));
    floats("FFMA.FMZ R0, R2, R3, R4", |a, b, c| {
        let (a, b, c) = (flushed(a), flushed(b), flushed(c));
        flushed(if a == 0.0 || b == 0.0 { 0.0 + c } else { a.mul_add(b, c) })
    });
    floats("FMUL32I.FMZ R0, R2, 0.5", |a, _, _| flushed(flushed(a) * 0.5));
    floats("FMUL32I.FMZ R0, R2, 0", |_, _, _| 0.0);
    floats("FMUL32I.FMZ R0, R2, +INF", |a, _, _| product(a, f32::INFINITY));
}

#[test]
fn products_that_are_added_to() {
    floats("FFMA R0, R2, -R3, R4", |a, b, c| a.mul_add(-b, c));
    floats("FFMA.FTZ.SAT R0, R2, R3, -R4", |a, b, c| {
        saturated(flushed(flushed(a).mul_add(flushed(b), -flushed(c))))
    });
    floats("MOV R0, R4; FFMA32I R0, -R2, 3, -R0", |a, _, c| (-a).mul_add(3.0, -c));
    floats("MOV R0, R4; FFMA32I.SAT R0, R2, 3, R0", |a, _, c| saturated(a.mul_add(3.0, c)));
}

#[test]
fn the_number_wins_against_nan() {
    let less = |a: f32, b: f32| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b && a.is_sign_negative() => a,
        _ => {
            if a < b {
                a
            } else {
                b
            }
        }
    };
    floats("FMNMX R0, R2, R3, PT", |a, b, _| less(a, b));
    floats("FMNMX R0, R2, R3, !PT", |a, b, _| -less(-a, -b));
    floats("FMNMX.FTZ R0, |R2|, -R3, PT", |a, b, _| less(flushed(a).abs(), -flushed(b)));
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

/// Random floats, some of them equal.
fn pairs() -> Vec<[u32; 6]> {
    let mut inputs = Random(5).inputs(256, Random::float);
    inputs.iter_mut().step_by(5).for_each(|input| input[1] = input[0]);
    inputs
}

#[test]
fn comparisons() {
    let inputs = pairs();
    for (n, name) in COMPARISONS.iter().enumerate() {
        let plain = wave(&format!("FSET.{name}.AND R0, R2, -|R3|, PT"), &inputs);
        let float = wave(&format!("FSET.BF.{name}.FTZ.AND R0, R2, R3, PT"), &inputs);
        let both = wave(&format!("FSETP.{name}.AND P0, P1, R2, R3, PT"), &inputs);
        let name = if *name == "GT" { String::new() } else { format!(".{name}") };
        let chosen = wave(&format!("FCMP{name} R0, R4, R5, R2"), &inputs);
        let chosen_flushed = wave(&format!("FCMP{name}.FTZ R0, R4, R5, R2"), &inputs);
        for (i, input) in inputs.iter().enumerate() {
            let [a, b] = [0, 1].map(|n| f32::from_bits(input[n]));
            let held = |a: f32, b: f32| holds(n, a.into(), b.into());
            let want = if held(a, -b.abs()) { !0 } else { 0 };
            assert_eq!(plain[i].words[0], want, "{name} {a:e} {b:e}");
            let want = if held(flushed(a), flushed(b)) { 1.0f32.to_bits() } else { 0 };
            assert_eq!(float[i].words[0], want, "{name} {a:e} {b:e}");
            assert_eq!(both[i].predicates, [held(a, b), !held(a, b)], "{name} {a:e} {b:e}");
            assert_eq!(chosen[i].words[0], input[if held(a, 0.0) { 2 } else { 3 }], "{name} {a:e}");
            let want = input[if held(flushed(a), 0.0) { 2 } else { 3 }];
            assert_eq!(chosen_flushed[i].words[0], want, "{name} {a:e}");
        }
    }
}

#[test]
fn doubles_are_computed() {
    doubles("DADD R0, R2, -|R4|", |a, b, _| a - b.abs());
    doubles("DADD R0, |R2|, -1.5", |a, _, _| a.abs() - 1.5);
    doubles("DMUL R0, R2, -R4", |a, b, _| a * -b);
    doubles("DFMA R0, R2, -R4, R6", |a, b, c| a.mul_add(-b, c));
    doubles("DFMA R0, R2, 1.5, -R6", |a, _, c| a.mul_add(1.5, -c));
    doubles("DADD R0, R2, RZ", |a, _, _| a + 0.0);
    let less = |a: f64, b: f64| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b && a.is_sign_negative() => a,
        _ => {
            if a < b {
                a
            } else {
                b
            }
        }
    };
    doubles("DMNMX R0, R2, R4, PT", |a, b, _| less(a, b));
    doubles("DMNMX R0, -R2, -R4, !PT", |a, b, _| -less(a, b));
}

#[test]
fn doubles_come_from_constants() {
    let constants = [1.25f64, -7.0].map(f64::to_bits).map(|bits| [bits as u32, (bits >> 32) as u32]).concat();
    let three = 3.0f64.to_bits();
    let input = [[three as u32, (three >> 32) as u32, 0, 0, 0, 0]];
    for (line, want) in [
        ("DADD R0, R2, c[0x0][0x0]", 4.25),
        ("DADD R0, R2, -|c[0x0][0x8]|", -4.0),
        ("DMUL R0, R2, -c[0x0][0x8]", 21.0),
        ("DFMA R0, R2, c[0x0][0x0], R2", 6.75),
        ("DFMA R0, R2, R2, -c[0x0][0x8]", 16.0),
        ("DMNMX R0, R2, c[0x0][0x8], PT", -7.0),
    ] {
        let out = with_constants(line, &constants, &input)[0];
        assert_eq!(f64::from_bits(out.wide()), want, "{line}");
    }
}

#[test]
fn doubles_round_as_the_suffix_states() {
    let (one, above) = (1.0f64, 1.0 + f64::EPSILON);
    let tiny = f64::powi(2.0, -60);
    let input: Vec<u32> =
        [one, tiny, above].iter().flat_map(|v| [v.to_bits() as u32, (v.to_bits() >> 32) as u32]).collect();
    let input = [<[u32; 6]>::try_from(input).unwrap()];
    for (line, want) in [
        ("DADD R0, R2, R4", one),
        ("DADD.RM R0, R2, R4", one),
        ("DADD.RP R0, R2, R4", above),
        ("DADD.RZ R0, R2, -R4", one - f64::EPSILON / 2.0),
        ("DMUL.RP R0, R6, R6", 1.0 + 3.0 * f64::EPSILON),
        ("DMUL.RM R0, R6, R6", 1.0 + 2.0 * f64::EPSILON),
        ("DFMA.RP R0, R2, R2, R4", above),
        ("DFMA.RZ R0, R2, R2, R4", one),
    ] {
        assert_eq!(f64::from_bits(wave(line, &input)[0].wide()), want, "{line}");
    }
}

#[test]
fn doubles_are_compared() {
    let mut inputs = Random(9).doubles(192);
    inputs.iter_mut().step_by(5).for_each(|i| (i[2], i[3]) = (i[0], i[1]));
    for (n, name) in COMPARISONS.iter().enumerate() {
        let plain = wave(&format!("DSET.{name}.AND R0, R2, -|R4|, PT"), &inputs);
        let float = wave(&format!("DSET.BF.{name}.XOR R0, R2, R4, PT"), &inputs);
        let both = wave(&format!("DSETP.{name}.AND P0, P1, R2, R4, PT"), &inputs);
        for (i, input) in inputs.iter().enumerate() {
            let [a, b, _] = parts(input);
            let want = if holds(n, a, -b.abs()) { !0 } else { 0 };
            assert_eq!(plain[i].words[0], want, "{name} {a:e} {b:e}");
            let want = if holds(n, a, b) { 0 } else { 1.0f32.to_bits() };
            assert_eq!(float[i].words[0], want, "{name} {a:e} {b:e}");
            assert_eq!(both[i].predicates, [holds(n, a, b), !holds(n, a, b)], "{name} {a:e} {b:e}");
        }
    }
}

/// Zero and sign of a float; both of NaN.
fn codes(x: f64) -> [bool; 4] {
    [x == 0.0 || x.is_nan(), x < 0.0 || x.is_nan(), false, false]
}

#[test]
fn results_set_condition_codes() {
    let inputs = pairs();
    type Line = (&'static str, fn(&Outcome) -> f64);
    let lines: [Line; 9] = [
        ("FADD R0.CC, R2, R3", |o| f32::from_bits(o.words[0]).into()),
        ("FMUL.FTZ R0.CC, R2, R3", |o| f32::from_bits(o.words[0]).into()),
        ("FADD32I R0.CC, R2, -1", |o| f32::from_bits(o.words[0]).into()),
        ("FFMA R0.CC, R2, R3, R4", |o| f32::from_bits(o.words[0]).into()),
        ("FMUL32I.SAT R0.CC, R2, -1", |o| f32::from_bits(o.words[0]).into()),
        ("DMNMX R0.CC, R2, RZ, !PT", |o| f64::from_bits(o.wide())),
        ("FMNMX R0.CC, R2, R3, PT", |o| f32::from_bits(o.words[0]).into()),
        ("DADD R0.CC, R2, -R2", |o| f64::from_bits(o.wide())),
        ("DMUL R0.CC, R2, R4", |o| f64::from_bits(o.wide())),
    ];
    for (line, value) in lines {
        let outcomes = wave(line, &inputs);
        for out in &outcomes {
            assert_eq!(out.codes, codes(value(out)), "{line} {out:x?}");
        }
        assert!(outcomes.iter().any(|o| o.codes[0]), "{line}");
    }
    for line in ["FSET.LT.AND R0.CC, R2, R3, PT", "DSET.BF.LT.AND R0.CC, R2, R4, PT"] {
        for out in wave(line, &inputs) {
            let word = out.words[0];
            assert_eq!(out.codes, [word == 0, word == !0, false, false], "{line}");
        }
    }
}

/// Lanes 0 to 3 of a quad have the pairs of signs from the first to the last.
#[test]
fn lanes_of_a_quad_add_with_their_own_signs() {
    let inputs = Random(3).inputs(32, Random::float);
    let outcomes = wave("FSWZADD.FTZ R0, R2, R3, ZPPNNPPP", &inputs);
    let plain = wave("FSWZADD.NDV R0, R2, R3, NPNPNPNP", &inputs);
    for (lane, (input, out)) in inputs.iter().zip(outcomes).enumerate() {
        let [a, b] = [0, 1].map(|n| f32::from_bits(input[n]));
        assert!(same(f32::from_bits(plain[lane].words[0]), b - a));
        let (a, b) = (flushed(a), flushed(b));
        let want = flushed([b, a - b, b - a, a + b][lane % 4]);
        let got = f32::from_bits(out.words[0]);
        assert!(same(got, want), "{lane}: {a:e}, {b:e}: {got:e}, not {want:e}");
    }
}

#[test]
fn modes_that_no_chip_has_are_refused() {
    for line in ["FMUL.INVALIDSCALE37 R0, R2, R3", "FFMA.INVALIDFMZ3 R0, R2, R3, R4", "FADD R0, R2, R3"] {
        let code = lifted(line).map(|_| ()).map_err(|d| d.code);
        let want = if line.contains("INVALID") { Err("maxwell-undefined") } else { Ok(()) };
        assert_eq!(code, want, "{line}");
    }
}
