//! Conditions, predicates as numbers, and masks.

use super::{After, Before, cases, holds, lifted, value, value_and_codes};

type Test = fn(bool, bool, bool, bool) -> bool;

/// Each condition by zero, sign, carry and overflow, as envytools publishes them for Tesla.
const TESTS: [(&str, Test); 26] = [
    (".F", |_, _, _, _| false),
    (".LT", |z, s, _, o| (s && !z) != o),
    (".EQ", |z, s, _, _| z && !s),
    (".LE", |z, s, _, o| s != (z || o)),
    (".GT", |z, s, _, o| !z && s == o),
    (".NE", |z, _, _, _| !z),
    (".GE", |_, s, _, o| s == o),
    (".NUM", |z, s, _, _| !z || !s),
    (".NAN", |z, s, _, _| z && s),
    (".LTU", |_, s, _, o| s != o),
    (".EQU", |z, _, _, _| z),
    (".LEU", |z, s, _, o| z || s != o),
    (".GTU", |z, s, _, o| s == (z || o)),
    (".NEU", |z, s, _, _| !z || s),
    (".GEU", |z, s, _, o| (!s || z) != o),
    (".T", |_, _, _, _| true),
    (".OFF", |_, _, _, o| !o),
    (".LO", |_, _, c, _| !c),
    (".SFF", |_, s, _, _| !s),
    (".LS", |z, _, c, _| z || !c),
    (".HI", |z, _, c, _| !z && c),
    (".SFT", |_, s, _, _| s),
    (".HS", |_, _, c, _| c),
    (".OFT", |_, _, _, o| o),
    (".RLE", |z, s, _, _| z || s),
    (".RGT", |z, s, _, _| !z && !s),
];

#[test]
fn conditions() {
    for (name, test) in TESTS {
        let held = |case: &Before| {
            let [z, s, c, o] = [0, 1, 2, 3].map(|n| case.codes >> n & 1 != 0);
            test(z, s, c, o)
        };
        holds(&format!("CSET{name}.XOR R0, CC, P3"), &cases(), value, |case| {
            if held(&case) != (case.predicates >> 3 & 1 != 0) { !0 } else { 0 }
        });
        holds(
            &format!("CSETP{name}.AND P0, P1, CC, P3"),
            &cases(),
            |after: After| after.predicates & 3,
            |case| {
                let with = case.predicates >> 3 & 1 != 0;
                u32::from(held(&case) && with) | u32::from(!held(&case) && with) << 1
            },
        );
    }
    assert_eq!(lifted("CSET.CSM_TA.AND R0, CC, PT").err(), Some("lift-condition"));
}

/// After a subtraction, conditions say how both numbers compare.
#[test]
fn conditions_after_subtractions() {
    type Compare = fn(u32, u32) -> bool;
    let tests: [(&str, Compare); 10] = [
        (".LO", |a, b| a < b),
        (".LS", |a, b| a <= b),
        (".HI", |a, b| a > b),
        (".HS", |a, b| a >= b),
        (".EQU", |a, b| a == b),
        (".NE", |a, b| a != b),
        (".LTU", |a, b| (a as i32) < b as i32),
        (".LEU", |a, b| a as i32 <= b as i32),
        (".GT", |a, b| a as i32 > b as i32),
        (".GE", |a, b| a as i32 >= b as i32),
    ];
    for (name, test) in tests {
        holds(&format!("IADD RZ.CC, R1, -R2; CSET{name}.AND R0, CC, PT"), &cases(), value, |case| {
            if test(case.registers[1], case.registers[2]) { !0 } else { 0 }
        });
    }
}

/// Predicates and codes into a byte, as a mask from a register, a constant or a number says.
#[test]
fn flags_as_bytes() {
    for (file, all) in [("PR", 0x7f), ("CC", 0xf)] {
        let flags = |case: &Before| if all == 0xf { case.codes } else { case.predicates };
        for (n, byte) in ["", ".B1", ".B2", ".B3"].into_iter().enumerate() {
            let packed = |case: &Before, mask: u32| {
                let mask = mask & 0xff;
                case.registers[1] & !(mask << (8 * n)) | (flags(case) & all & mask) << (8 * n)
            };
            // The mask in R3 is random.
            holds(&format!("P2R{byte} R0, {file}, R1, R3"), &cases(), value, |case| {
                packed(&case, case.registers[3])
            });
            holds(&format!("P2R{byte} R0, {file}, R1, 0x5a"), &cases(), value, |case| packed(&case, 0x5a));
            let read = |after: After| if all == 0xf { after.codes } else { after.predicates };
            let taken = |case: &Before, mask: u32| {
                let mask = mask & all;
                flags(case) & !mask | case.registers[1] >> (8 * n) & mask
            };
            let keep = if all == 0xf { "CSET.GT.AND R0, CC, PT" } else { "P2R R0, PR, RZ, 0x7f" };
            let lines = format!("R2P {file}, R1{byte}, R3; {keep}");
            holds(&lines, &cases(), read, |case| taken(&case, case.registers[3]));
            holds(&format!("R2P {file}, R1{byte}, 0x5; {keep}"), &cases(), read, |case| taken(&case, 5));
        }
    }
}

/// The pair of instructions with which ptxas keeps the codes in a register.
#[test]
fn codes_come_back() {
    let lines = "P2R R4, CC, RZ, 0xf; IADD RZ.CC, R1, R2; R2P CC, R4, 0xf; MOV R0, R1";
    holds(lines, &cases(), value_and_codes, |case| (case.registers[1], case.codes));
}

/// A mask of lanes moves in these lanes of each quad only.
#[test]
fn moves_in_some_lanes() {
    for mask in [0_u32, 1, 6, 9, 15] {
        let wave: Vec<_> =
            (0..32).map(|n| Before { registers: [100 + n, 200 + n, n, 0], ..Before::default() }).collect();
        let suffix = if mask == 15 { String::new() } else { format!(", {mask:#x}") };
        let moved = |lane: u32| mask >> (lane % 4) & 1 != 0;
        holds(&format!("MOV R0, R1{suffix}"), &wave, value, |case| {
            let lane = case.registers[2];
            if moved(lane) { 200 + lane } else { 100 + lane }
        });
        holds(&format!("MOV32I R0, 0x12345678{suffix}"), &wave, value, |case| {
            let lane = case.registers[2];
            if moved(lane) { 0x1234_5678 } else { 100 + lane }
        });
    }
}

/// What joins three predicates into a register, with its codes, and into predicates.
#[test]
fn predicates_are_joined() {
    type Operation = fn(bool, bool) -> bool;
    let operations: [(&str, Operation); 3] =
        [(".AND", |a, b| a && b), (".OR", |a, b| a || b), (".XOR", |a, b| a != b)];
    for (first, inner) in operations {
        for (second, outer) in operations {
            let held = |case: &Before| {
                let [a, b, c] = [1, 2, 3].map(|n| case.predicates >> n & 1 != 0);
                (inner(a, !b), c)
            };
            holds(&format!("PSET{first}{second} R0.CC, P1, !P2, P3"), &cases(), value_and_codes, |case| {
                let (held, c) = held(&case);
                if outer(held, c) { (!0, 2) } else { (0, 1) }
            });
            holds(
                &format!("PSETP{first}{second} P4, P5, P1, !P2, P3"),
                &cases(),
                |after: After| after.predicates >> 4 & 3,
                |case| {
                    let [a, b] = [1, 2].map(|n| case.predicates >> n & 1 != 0);
                    let (held, c) = held(&case);
                    u32::from(outer(held, c)) | u32::from(outer(inner(!a, !b), c)) << 1
                },
            );
        }
    }
}
