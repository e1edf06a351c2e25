//! Products.

use super::{Before, cases, constant, holds, lifted, plain_codes, run, value, value_and_codes};

/// A number as its sign says.
fn number(bits: u32, signed: bool) -> i128 {
    if signed { i128::from(bits as i32) } else { i128::from(bits) }
}

/// The sum of two numbers of 32 bits and a small one, and its codes.
fn sum(a: u32, b: u32, more: u32, zero: bool) -> (u32, u32) {
    let whole = u64::from(a) + u64::from(b) + u64::from(more);
    let signed = i64::from(a as i32) + i64::from(b as i32) + i64::from(more);
    let value = whole as u32;
    let codes = u32::from(value == 0 && zero)
        | u32::from((value as i32) < 0) << 1
        | u32::from(whole >> 32 != 0) << 2
        | u32::from(i32::try_from(signed).is_err()) << 3;
    (value, codes)
}

const SIGNS: [(&str, [bool; 2]); 4] = [
    (".U32.U32", [false, false]),
    (".S32.U32", [true, false]),
    (".U32.S32", [false, true]),
    ("", [true, true]),
];

#[test]
fn both_halves_of_products() {
    for (names, [first, second]) in SIGNS {
        for (suffix, shift) in [("", 0), (".HI", 32)] {
            let half = |a: u32, b: u32| ((number(a, first) * number(b, second)) >> shift) as u32;
            holds(&format!("IMUL{names}{suffix} R0.CC, R1, R2"), &cases(), value_and_codes, |case| {
                let product = half(case.registers[1], case.registers[2]);
                (product, plain_codes(product))
            });
            holds(&format!("IMUL{names}{suffix} R0, R1, -0x7"), &cases(), value, |case| {
                half(case.registers[1], -7_i32 as u32)
            });
            holds(&format!("IMUL{names}{suffix} R0, R1, c[0x0][0x80]"), &cases(), value, |case| {
                half(case.registers[1], constant(0x80))
            });
            holds(&format!("IMUL32I{names}{suffix} R0, R1, -0x12345678"), &cases(), value, |case| {
                half(case.registers[1], -0x1234_5678_i32 as u32)
            });
        }
    }
}

/// Products and sums of all signs and halves: the sign of a product of 64 bits, the carry, plus one and saturation.
#[test]
fn products_and_sums() {
    for (names, signs) in SIGNS {
        for (suffix, shift) in [("", 0), (".HI", 32)] {
            for (a, c, minus_product, minus_c) in
                [("R1", "R3", false, false), ("-R1", "R3", true, false), ("R1", "-R3", false, true)]
            {
                let parts = |case: &Before| {
                    let product = number(case.registers[1], signs[0]) * number(case.registers[2], signs[1]);
                    let c = case.registers[3];
                    (product, if minus_c { !c } else { c })
                };
                let plain = format!("IMAD{names}{suffix} R0, {a}, R2, {c}");
                holds(&plain, &cases(), value, |case| {
                    let (product, c) = parts(&case);
                    let product = if minus_product { -product } else { product };
                    ((product >> shift) as u32).wrapping_add(c).wrapping_add(u32::from(minus_c))
                });
                let extended = format!("IMAD{names}{suffix}.X R0.CC, {a}, R2, {c}");
                holds(&extended, &cases(), value_and_codes, |case| {
                    let (product, c) = parts(&case);
                    let product = if minus_product { !product } else { product };
                    sum((product >> shift) as u32, c, case.codes >> 2 & 1, case.codes & 1 != 0)
                });
                let saturated = format!("IMAD{names}{suffix}.SAT R0, {a}, R2, {c}");
                holds(&saturated, &cases(), value, |case| {
                    let (product, c) = parts(&case);
                    let product = if minus_product { -product } else { product };
                    let c = i64::from(c as i32) + i64::from(minus_c);
                    let whole = i64::from((product >> shift) as i32) + c;
                    // The lower half's negative is of 32 bits: its least number has none.
                    let whole = match minus_product && shift == 0 {
                        true => -i64::from((parts(&case).0) as i32) + c,
                        false => whole,
                    };
                    whole.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32 as u32
                });
            }
            holds(&format!("IMAD{names}{suffix}.PO R0, R1, R2, R3"), &cases(), value, |case| {
                let product = number(case.registers[1], signs[0]) * number(case.registers[2], signs[1]);
                ((product >> shift) as u32).wrapping_add(case.registers[3]).wrapping_add(1)
            });
            holds(&format!("IMAD32I{names}{suffix} R0, -R1, 0x12345678, R0"), &cases(), value, |case| {
                let product = number(case.registers[1], signs[0]) * 0x1234_5678;
                ((-product >> shift) as u32).wrapping_add(case.registers[0])
            });
            holds(&format!("IMAD32I{names}{suffix} R0, R1, 0x12345678, -R0"), &cases(), value, |case| {
                let product = number(case.registers[1], signs[0]) * 0x1234_5678;
                ((product >> shift) as u32).wrapping_sub(case.registers[0])
            });
        }
    }
    holds("IMAD32I.PO R0, R1, 0x12345678, R0", &cases(), value, |case| {
        case.registers[1].wrapping_mul(0x1234_5678).wrapping_add(case.registers[0]).wrapping_add(1)
    });
    holds("IMAD R0, R1, R2, c[0x0][0x8]", &cases(), value, |case| {
        case.registers[1].wrapping_mul(case.registers[2]).wrapping_add(constant(8))
    });
}

/// The chain of instructions with which ptxas adds a number of 64 bits to a product of 32 by 32 bits.
#[test]
fn a_product_with_64_bits() {
    let lines = "IMAD.U32.U32 RZ.CC, R1, R2, R3; IMAD.U32.U32.HI.X R0, R1, R2, R0";
    holds(lines, &cases(), value, |case| {
        let [high, a, b, low] = case.registers.map(u64::from);
        ((a * b).wrapping_add(low | high << 32) >> 32) as u32
    });
}

/// Every type of the sources of IMADSP.
#[test]
fn narrow_products() {
    let firsts = [
        ("U32", 0, 32, false),
        ("S32", 0, 32, true),
        ("U24", 0, 24, false),
        ("S24", 0, 24, true),
        ("U16H0", 0, 16, false),
        ("S16H0", 0, 16, true),
        ("U16H1", 16, 16, false),
        ("S16H1", 16, 16, true),
    ];
    let narrow = |bits: u32, (_, low, width, signed): (&str, u32, u32, bool)| {
        let high = bits << (32 - width - low);
        if signed { ((high as i32) >> (32 - width)) as u32 } else { high >> (32 - width) }
    };
    let mut seen = 0;
    for first in firsts {
        for second in &firsts[2..6] {
            for third in &firsts[0..6] {
                // The third source has a sign if one of the others has.
                if third.3 != (first.3 || second.3) {
                    continue;
                }
                seen += 1;
                let lines = format!("IMADSP.{}.{}.{} R0, R1, R2, R3", first.0, second.0, third.0);
                holds(&lines, &cases(), value, |case| {
                    let [_, a, b, c] = case.registers;
                    narrow(a, first).wrapping_mul(narrow(b, *second)).wrapping_add(narrow(c, *third))
                });
            }
        }
    }
    assert_eq!(seen, 96);
}

/// A half of a source, extended.
fn half(bits: u32, high: bool, signed: bool) -> u32 {
    let half = if high { bits >> 16 } else { bits & 0xffff };
    if signed { half as u16 as i16 as u32 } else { half }
}

/// All modes of XMAD, with each sign, each half, shifted or not, merged or not.
#[test]
fn products_of_halves() {
    let signs =
        [("", [false; 2]), (".S16.U16", [true, false]), (".U16.S16", [false, true]), (".S16.S16", [true; 2])];
    for (names, [first, second]) in signs {
        for mode in ["", ".CLO", ".CHI", ".CSFU", ".CBCC"] {
            for psl in [false, true] {
                for mrg in [false, true] {
                    for (a_high, b_high) in [(false, false), (false, true), (true, false), (true, true)] {
                        let part = |high| if high { ".H1" } else { "" };
                        let (a_part, b_part) = (part(a_high), part(b_high));
                        let psl_name = if psl { ".PSL" } else { "" };
                        let mrg_name = if mrg { ".MRG" } else { "" };
                        let lines = format!(
                            "XMAD{names}{psl_name}{mode}{mrg_name}.X R0.CC, R1{a_part}, R2{b_part}, R3"
                        );
                        holds(&lines, &cases(), value_and_codes, |case| {
                            let [_, a, b, c] = case.registers;
                            let (x, y) = (half(a, a_high, first), half(b, b_high, second));
                            let product = x.wrapping_mul(y) << if psl { 16 } else { 0 };
                            let correct = |x: u32, other: u32| {
                                if (x as i32) < 0 && other & 0xffff != 0 { 0x1_0000 } else { 0 }
                            };
                            let c = match mode {
                                ".CLO" => c & 0xffff,
                                ".CHI" => c >> 16,
                                ".CBCC" => c.wrapping_add(b << 16),
                                ".CSFU" => c.wrapping_sub(correct(x, b)).wrapping_sub(correct(y, a)),
                                _ => c,
                            };
                            let (value, codes) = sum(product, c, case.codes >> 2 & 1, true);
                            let value = if mrg { value & 0xffff | b << 16 } else { value };
                            let zero = value == 0 && case.codes & 1 != 0;
                            let negative = (value as i32) < 0;
                            (value, codes & 12 | u32::from(negative) << 1 | u32::from(zero))
                        });
                    }
                }
            }
        }
    }
    holds("XMAD.CHI R0, R1.H1, 0xfffe, R3", &cases(), value, |case| {
        (case.registers[1] >> 16).wrapping_mul(0xfffe).wrapping_add(case.registers[3] >> 16)
    });
}

/// The instructions into which ptxas compiles upper halves of products, signed and unsigned, and lower halves.
#[test]
fn products_of_halves_make_products_of_words() {
    let signed = "XMAD R0, R1, R2, RZ; XMAD.S16.U16.CHI R4, R1.H1, R2, R0; XMAD.U16.S16 R5, R1, R2.H1, RZ;
        XMAD.S16.S16.CSFU R6, R1.H1, R2.H1, RZ; IADD3.RS R0, R4, R5, R6";
    holds(signed, &cases(), value, |case| {
        let [a, b] = [1, 2].map(|n| i64::from(case.registers[n] as i32));
        ((a * b) >> 32) as u32
    });
    let unsigned = "XMAD R0, R1, R2, RZ; XMAD R5, R1, R2.H1, RZ; XMAD R6, R1.H1, R2.H1, RZ;
        XMAD.CHI R4, R1.H1, R2, R0; IADD3.RS R0, R4, R5, R6";
    holds(unsigned, &cases(), value, |case| {
        let [a, b] = [1, 2].map(|n| u64::from(case.registers[n]));
        ((a * b) >> 32) as u32
    });
    let low = "XMAD R4, R1, R2, RZ; XMAD.MRG R5, R1, R2.H1, RZ; XMAD.PSL.CBCC R0, R1.H1, R5.H1, R4";
    holds(low, &cases(), value, |case| case.registers[1].wrapping_mul(case.registers[2]));
}

#[test]
fn modes_that_do_not_exist_are_refused() {
    assert_eq!(lifted("XMAD.???5 R0, R1, R2, R3").err(), Some("lift-multiply"));
    assert_eq!(run("XMAD.CSFU R0, R1, R2, R3", &[Before::default()])[0].value, 0);
}
