//! Comparisons, the smaller and the larger, and logic.

use super::{After, Before, cases, holds, plain_codes, value, value_and_codes};
use std::cmp::Ordering;

type Test = fn(Ordering) -> bool;

const COMPARISONS: [(&str, Test); 8] = [
    (".F", |_| false),
    (".LT", Ordering::is_lt),
    (".EQ", Ordering::is_eq),
    (".LE", Ordering::is_le),
    (".GT", Ordering::is_gt),
    (".NE", Ordering::is_ne),
    (".GE", Ordering::is_ge),
    (".T", |_| true),
];

fn compared(a: u32, b: u32, signed: bool) -> Ordering {
    if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) }
}

#[test]
fn comparisons_into_registers_and_predicates() {
    for (name, test) in COMPARISONS {
        for (sign, signed) in [("", true), (".U32", false)] {
            let order = |case: &Before| test(compared(case.registers[1], case.registers[2], signed));
            holds(&format!("ISET{name}{sign}.AND R0.CC, R1, R2, P3"), &cases(), value_and_codes, |case| {
                let held = order(&case) && case.predicates >> 3 & 1 != 0;
                let result = if held { !0 } else { 0 };
                (result, plain_codes(result))
            });
            holds(
                &format!("ISET.BF{name}{sign}.XOR R0.CC, R1, R2, !P3"),
                &cases(),
                value_and_codes,
                |case| {
                    let held = order(&case) != (case.predicates >> 3 & 1 == 0);
                    let result = if held { 1.0f32.to_bits() } else { 0 };
                    (result, plain_codes(result))
                },
            );
            let both = |after: After| (after.predicates >> 1 & 1, after.predicates >> 2 & 1);
            holds(&format!("ISETP{name}{sign}.OR P1, P2, R1, R2, P3"), &cases(), both, |case| {
                let (held, with) = (order(&case), case.predicates >> 3 & 1 != 0);
                (u32::from(held || with), u32::from(!held || with))
            });
            holds(&format!("ICMP{name}{sign} R0, R1, R2, R3"), &cases(), value, |case| {
                let first = test(compared(case.registers[3], 0, signed));
                if first { case.registers[1] } else { case.registers[2] }
            });
        }
    }
}

/// Comparisons of 64 bits as ptxas compiles them, and of 96 bits.
#[test]
fn comparisons_of_wide_numbers() {
    let wide = |words: &[u32], signed: bool| {
        let number = words.iter().rev().fold(0_i128, |all, word| all << 32 | i128::from(*word));
        let bits = 32 * words.len();
        if signed && words.last().is_some_and(|word| word >> 31 != 0) { number - (1 << bits) } else { number }
    };
    for (name, test) in COMPARISONS {
        for (sign, signed) in [("", true), (".U32", false)] {
            let lines = format!("IADD RZ.CC, R0, -R2; ISET{name}{sign}.X.AND R0, R1, R3, PT");
            holds(&lines, &cases(), value, |case| {
                let [a0, a1, b0, b1] = case.registers;
                let order = wide(&[a0, a1], signed).cmp(&wide(&[b0, b1], signed));
                if test(order) { !0 } else { 0 }
            });
            let lines = format!(
                "IADD RZ.CC, R0, -R2; IADD.X RZ.CC, R1, -R3; ISETP{name}{sign}.X.AND P1, P2, R0, R2, PT"
            );
            holds(
                &lines,
                &cases(),
                |after: After| after.predicates >> 1 & 3,
                |case| {
                    let [a0, a1, b0, b1] = case.registers;
                    let order = wide(&[a0, a1, a0], signed).cmp(&wide(&[b0, b1, b0], signed));
                    if test(order) { 1 } else { 2 }
                },
            );
        }
    }
}

/// The smaller and the larger of numbers of 32, 64 and 96 bits.
#[test]
fn smaller_and_larger() {
    for (sign, signed) in [("", true), (".U32", false)] {
        let below = |a: u32, b: u32| compared(a, b, signed).is_lt();
        holds(&format!("IMNMX{sign} R0.CC, R1, R2, P3"), &cases(), value_and_codes, |case| {
            let [_, a, b, _] = case.registers;
            let least = case.predicates >> 3 & 1 != 0;
            let result = if below(a, b) == least { a } else { b };
            (result, plain_codes(result))
        });
        for (predicate, least) in [("PT", true), ("!PT", false)] {
            // R4 is the upper word of the result, R5 the middle one.
            let lines =
                format!("IMNMX{sign}.XHI R4.CC, R1, R3, {predicate}; IMNMX.U32.XLO R0, R0, R2, {predicate}");
            let pair = |case: &Before| {
                let [a0, a1, b0, b1] = case.registers;
                let first = match compared(a1, b1, signed) {
                    Ordering::Equal => (a0 < b0) == least,
                    order => order.is_lt() == least,
                };
                if first { [a0, a1] } else { [b0, b1] }
            };
            holds(&lines, &cases(), value, |case| pair(&case)[0]);
            holds(&format!("{lines}; MOV R0, R4"), &cases(), value, |case| pair(&case)[1]);
            let lines = format!(
                "IMNMX{sign}.XHI RZ.CC, R1, R3, {predicate}; IMNMX.U32.XMED R4.CC, R0, R2, {predicate};
                IMNMX.U32.XLO R0, R2, R3, {predicate}"
            );
            holds(&lines, &cases(), value, |case| {
                let [a1, a2, b1, b2] = case.registers;
                let order = compared(a2, b2, signed).then(a1.cmp(&b1)).then(b1.cmp(&b2));
                if order.is_lt() == least { b1 } else { b2 }
            });
        }
    }
}

/// Both kinds of logic, with predicates and codes, and joined with an earlier zero.
#[test]
fn logic() {
    type Operation = fn(u32, u32) -> u32;
    let operations: [(&str, Operation); 4] =
        [(".AND", |a, b| a & b), (".OR", |a, b| a | b), (".XOR", |a, b| a ^ b), (".PASS_B", |_, b| b)];
    for (name, operation) in operations {
        for (suffix, extended) in [("", false), (".X", true)] {
            for (says, kind) in [(".T", 0), (".Z", 1), (".NZ", 2)] {
                let lines = format!("LOP{name}{suffix}{says} P1, R0.CC, ~R1, R2");
                let all = |after: After| (after.value, after.codes, after.predicates >> 1 & 1);
                holds(&lines, &cases(), all, |case| {
                    let result = operation(!case.registers[1], case.registers[2]);
                    let zero = result == 0 && (!extended || case.codes & 1 != 0);
                    let predicate = [true, zero, !zero][kind];
                    (result, plain_codes(result) & 2 | u32::from(zero), u32::from(predicate))
                });
            }
            holds(
                &format!("LOP32I{name}{suffix} R0.CC, R1, 0x80000000.INV"),
                &cases(),
                value_and_codes,
                |case| {
                    let result = operation(case.registers[1], 0x7fff_ffff);
                    let zero = result == 0 && (!extended || case.codes & 1 != 0);
                    (result, plain_codes(result) & 2 | u32::from(zero))
                },
            );
        }
    }
    for table in (0..256).step_by(5) {
        let looked_up = |case: &Before| {
            let [_, a, b, c] = case.registers;
            let bit = |n: u32| table >> ((a >> n & 1) << 2 | (b >> n & 1) << 1 | (c >> n & 1)) & 1;
            (0..32).map(|n| bit(n) << n).sum::<u32>()
        };
        holds(
            &format!("LOP3.LUT.X.Z P1, R0.CC, R1, R2, R3, {table:#x}"),
            &cases(),
            |after: After| (after.value, after.codes, after.predicates >> 1 & 1),
            |case| {
                let result = looked_up(&case);
                let zero = u32::from(result == 0 && case.codes & 1 != 0);
                (result, plain_codes(result) & 2 | zero, zero)
            },
        );
    }
}
