//! Sums.

use super::{After, Before, cases, constant, holds, lifted, value, value_and_codes};

/// A sum: what an adder adds, the carry into it, and whether an earlier zero is joined.
struct Added {
    /// Its two operands as they enter the adder.
    terms: [u32; 2],
    /// What is added to both.
    more: u32,
    /// Whether the instruction reads the codes.
    extended: bool,
}

/// The result and the codes of a sum, by sums of 64 bits.
fn model(case: Before, sum: &Added, saturates: bool) -> (u32, u32) {
    let [a, b] = sum.terms;
    let unsigned = u64::from(a) + u64::from(b) + u64::from(sum.more);
    let signed = i64::from(a as i32) + i64::from(b as i32) + i64::from(sum.more);
    let overflow = i32::try_from(signed).is_err();
    let value = match (saturates, signed > 0) {
        (true, true) => signed.min(i64::from(i32::MAX)) as u32,
        (true, false) => signed.max(i64::from(i32::MIN)) as u32,
        (false, _) => unsigned as u32,
    };
    let zero = value == 0 && (!sum.extended || case.codes & 1 != 0);
    let carry = unsigned >> 32 != 0;
    let codes = [zero, (value as i32) < 0, carry, overflow];
    (value, (0..).zip(codes).map(|(n, code)| u32::from(code) << n).sum())
}

/// Sums of a register and a register, a constant and a number, with each sign, with and without a carry, saturated or not.
#[test]
fn sums_of_two() {
    type Second = fn(&Before) -> u32;
    let seconds: [(&str, &str, Second); 3] = [
        ("R2", "-R2", |case| case.registers[2]),
        ("c[0x0][0x10]", "-c[0x0][0x10]", |_| constant(0x10)),
        ("0x7ffff", "0x7ffff.NEG", |_| 0x7ffff),
    ];
    for (plus, minus, second) in seconds {
        for (suffix, saturates, extended) in
            [("", false, false), (".SAT", true, false), (".X", false, true), (".SAT.X", true, true)]
        {
            for (first, other, signs) in
                [("R1", plus, [false; 2]), ("-R1", plus, [true, false]), ("R1", minus, [false, true])]
            {
                let lines = format!("IADD{suffix} R0.CC, {first}, {other}");
                let expected = |case: Before| {
                    let values = [case.registers[1], second(&case)];
                    let terms = [0, 1].map(|n| if signs[n] { !values[n] } else { values[n] });
                    let carry = case.codes >> 2 & 1;
                    let more = if extended { carry } else { u32::from(signs[0] || signs[1]) };
                    model(case, &Added { terms, more, extended }, saturates)
                };
                holds(&lines, &cases(), value_and_codes, expected);
                let without = lines.replace(".CC", "");
                holds(&without, &cases(), value, |case| expected(case).0);
            }
        }
    }
}

#[test]
fn sums_plus_one_and_with_32_bits() {
    let plus_one = |b: u32| {
        move |case: Before| {
            model(case, &Added { terms: [case.registers[1], b], more: 1, extended: false }, false)
        }
    };
    let second = |case: Before| plus_one(case.registers[2])(case);
    holds("IADD.PO R0.CC, R1, R2", &cases(), value_and_codes, second);
    holds("IADD.PO R0.CC, R1, 0x10", &cases(), value_and_codes, plus_one(0x10));
    holds("IADD32I.PO R0.CC, R1, -0x12345678", &cases(), value_and_codes, plus_one(-0x1234_5678_i32 as u32));
    holds("IADD32I R0.CC, -R1, 0x12345678", &cases(), value_and_codes, |case| {
        let terms = [!case.registers[1], 0x1234_5678];
        model(case, &Added { terms, more: 1, extended: false }, false)
    });
    holds("IADD32I.SAT.X R0.CC, -R1, 0x7fffffff", &cases(), value_and_codes, |case| {
        let terms = [!case.registers[1], 0x7fff_ffff];
        model(case, &Added { terms, more: case.codes >> 2 & 1, extended: true }, true)
    });
}

/// The pairs of instructions with which ptxas adds, subtracts and negates numbers of 64 bits.
#[test]
fn sums_of_64_bits() {
    let wide = |case: Before| {
        let [a, b, c, d] = case.registers.map(u64::from);
        (a | b << 32, c | d << 32)
    };
    type Operation = fn(u64, u64) -> u64;
    let pairs: [(&str, Operation); 5] = [
        ("IADD R0.CC, R0, R2; IADD.X R1, R1, R3", u64::wrapping_add),
        ("IADD R0.CC, R0, -R2; IADD.X R1, R1, -R3", u64::wrapping_sub),
        ("IADD R0.CC, -R0, R2; IADD.X R1, -R1, R3", |a, b| b.wrapping_sub(a)),
        ("IADD R0.CC, RZ, -R0; IADD.X R1, RZ, -R1", |a, _| a.wrapping_neg()),
        ("IADD3 R0.CC, R0, RZ, -R2; IADD3.X R1, R1, RZ, -R3", u64::wrapping_sub),
    ];
    for (lines, operation) in pairs {
        let result = |case| {
            let (a, b) = wide(case);
            operation(a, b)
        };
        holds(lines, &cases(), value, |case| result(case) as u32);
        holds(&format!("{lines}; MOV R0, R1"), &cases(), value, |case| (result(case) >> 32) as u32);
    }
}

/// The parts of sources and the shifts of sums of three.
#[test]
fn sums_of_three() {
    let parts = [("", 0), (".H0", 1), (".H1", 2)];
    let part = |value: u32, number| match number {
        0 => value,
        1 => value & 0xffff,
        _ => value >> 16,
    };
    for (first, a) in parts {
        for (second, b) in parts {
            for (third, c) in parts {
                for (mode, shift) in [("", 0), (".RS", 1), (".LS", 2)] {
                    let lines = format!("IADD3{mode} R0, R1{first}, R2{second}, R3{third}");
                    holds(&lines, &cases(), value, |case| {
                        let [_, x, y, z] = case.registers;
                        let sum = u64::from(part(x, a)) + u64::from(part(y, b));
                        let sum = [sum, sum >> 16, sum << 16][shift] as u32;
                        sum.wrapping_add(part(z, c))
                    });
                }
            }
        }
    }
    holds("IADD3 R0, -R1.H1, R2, -R3.H0", &cases(), value, |case| {
        let [_, a, b, c] = case.registers;
        b.wrapping_sub(a >> 16).wrapping_sub(c & 0xffff)
    });
    holds("IADD3 R0, R1, 0x7fff0.NEG, -R3", &cases(), value, |case| {
        case.registers[1].wrapping_sub(0x7fff0).wrapping_sub(case.registers[3])
    });
    assert_eq!(lifted("IADD3 R0.CC, -R1, -R2, -R3").err(), Some("lift-codes"));
}

/// Overflow is the carry of the first sum, carry that of the second; each sum adds one for a summand that is subtracted.
#[test]
fn sums_of_three_have_two_carries() {
    for (lines, [a, b, c], [first, second]) in [
        ("IADD3 R0.CC, R1, R2, R3", [false; 3], [0, 0]),
        ("IADD3 R0.CC, -R1, R2, R3", [true, false, false], [1, 0]),
        ("IADD3 R0.CC, R1, R2, -R3", [false, false, true], [0, 1]),
        ("IADD3 R0.CC, R1, -R2, -R3", [false, true, true], [1, 1]),
        ("IADD3 R0.CC, -R1, -R2, R3", [true, true, false], [1, 1]),
    ] {
        holds(lines, &cases(), value_and_codes, |case| {
            let [_, x, y, z] = case.registers;
            let term = |value: u32, minus: bool| u64::from(if minus { !value } else { value });
            let two = term(x, a) + term(y, b) + first;
            let three = u64::from(two as u32) + term(z, c) + second;
            let value = three as u32;
            let codes = [value == 0, (value as i32) < 0, three >> 32 != 0, two >> 32 != 0];
            (value, (0..).zip(codes).map(|(n, code)| u32::from(code) << n).sum())
        });
    }
}

/// Three numbers of 64 bits: the carry of the lower halves is 0, 1 or 2.
#[test]
fn sums_of_three_carry_twice() {
    let signs = ["", "-"];
    for a in [0, 1] {
        for b in [0, 1] {
            for c in [0, 1] {
                if a + b + c == 3 {
                    continue;
                }
                let [x, y, z] = [a, b, c].map(|n: usize| signs[n]);
                let lines = format!("IADD3 RZ.CC, {x}R1, {y}R2, {z}R3; IADD3.X R0, {x}R2, {y}R3, {z}R1");
                holds(&lines, &cases(), value, |case| {
                    let [_, p, q, r] = case.registers.map(i128::from);
                    let signed = |n: usize, v: i128| if n == 1 { -v } else { v };
                    let whole = |low: i128, high: i128| low + (high << 32);
                    let sum = signed(a, whole(p, q)) + signed(b, whole(q, r)) + signed(c, whole(r, p));
                    (sum >> 32) as u32
                });
            }
        }
    }
}

/// Shifted sums, with the carry of the whole of what is added.
#[test]
fn shifted_sums() {
    for n in [0, 1, 4, 31] {
        let shifted = |case: &Before| case.registers[1] << n;
        for (lines, minus, negative_b, more) in [
            (format!("ISCADD R0.CC, R1, R2, {n:#x}"), false, false, 0),
            (format!("ISCADD R0.CC, -R1, R2, {n:#x}"), true, false, 1),
            (format!("ISCADD R0.CC, R1, -R2, {n:#x}"), false, true, 1),
            (format!("ISCADD.PO R0.CC, R1, R2, {n:#x}"), false, false, 1),
        ] {
            holds(&lines, &cases(), value_and_codes, |case| {
                let (a, b) = (shifted(&case), case.registers[2]);
                let terms = [if minus { !a } else { a }, if negative_b { !b } else { b }];
                model(case, &Added { terms, more, extended: false }, false)
            });
        }
        holds(&format!("ISCADD32I R0.CC, R1, -0x7, {n:#x}"), &cases(), value_and_codes, |case| {
            model(case, &Added { terms: [shifted(&case), -7_i32 as u32], more: 0, extended: false }, false)
        });
    }
}

/// The pairs of LEA and LEA.HI with which ptxas adds a shifted number of 64 bits, and the predicate with the carry.
#[test]
fn addresses() {
    for n in [0, 1, 4, 31] {
        // Compilers leave a shift by zero out.
        let shift = if n == 0 { String::new() } else { format!(", {n:#x}") };
        for (sign, negative) in [("", false), ("-", true)] {
            let scaled = |case: &Before| {
                let number = u64::from(case.registers[1]) | u64::from(case.registers[3]) << 32;
                let number = number << n;
                if negative { number.wrapping_neg() } else { number }
            };
            let lines = format!("LEA RZ.CC, {sign}R1, R2{shift}; LEA.HI.X R0, {sign}R1, R2, R3{shift}");
            holds(&lines, &cases(), value, |case| {
                let b = u64::from(case.registers[2]);
                (scaled(&case).wrapping_add(b | b << 32) >> 32) as u32
            });
            let lines = format!("LEA.HI R0, {sign}R1, R2, R3{shift}");
            holds(&lines, &cases(), value, |case| {
                ((scaled(&case) >> 32) as u32).wrapping_add(case.registers[2])
            });
            let lines = format!("LEA P3, R0.CC, {sign}R1, R2{shift}");
            let all = |after: After| (after.value, after.codes, after.predicates >> 3 & 1);
            holds(&lines, &cases(), all, |case| {
                let a = case.registers[1] << n;
                let terms = [if negative { !a } else { a }, case.registers[2]];
                let (value, codes) =
                    model(case, &Added { terms, more: u32::from(negative), extended: false }, false);
                (value, codes, codes >> 2 & 1)
            });
            let lines = format!("LEA.HI.X P3, R0.CC, {sign}R1, c[0x0][0x8], R3{shift}");
            holds(&lines, &cases(), all, |case| {
                let number = (u64::from(case.registers[1]) | u64::from(case.registers[3]) << 32) << n;
                let high = (if negative { !number } else { number } >> 32) as u32;
                let terms = [high, constant(8)];
                let (value, codes) =
                    model(case, &Added { terms, more: case.codes >> 2 & 1, extended: true }, false);
                (value, codes, codes >> 2 & 1)
            });
        }
    }
}
