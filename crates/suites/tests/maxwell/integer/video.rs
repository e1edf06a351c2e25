//! Video instructions, against what PTX defines.

use super::{After, Before, cases, holds, lifted, plain_codes, value, value_and_codes};

/// A type of a source: the suffix of the mnemonic, that of the register, the lowest bit, the width, the sign.
type Lane = (&'static str, &'static str, u32, u32, bool);

const LANES: [Lane; 14] = [
    ("U8", "", 0, 8, false),
    ("U8", ".B1", 8, 8, false),
    ("U8", ".B2", 16, 8, false),
    ("U8", ".B3", 24, 8, false),
    ("U16", "", 0, 16, false),
    ("U16", ".H1", 16, 16, false),
    ("U32", "", 0, 32, false),
    ("S8", "", 0, 8, true),
    ("S8", ".B1", 8, 8, true),
    ("S8", ".B2", 16, 8, true),
    ("S8", ".B3", 24, 8, true),
    ("S16", "", 0, 16, true),
    ("S16", ".H1", 16, 16, true),
    ("S32", "", 0, 32, true),
];

/// The suffix of both types; that of two whole numbers with sign is empty.
fn types(a: Lane, b: Lane) -> String {
    if (a.0, b.0) == ("S32", "S32") { "".into() } else { format!(".{}.{}", a.0, b.0) }
}

fn extract(bits: u32, (_, _, low, width, signed): Lane) -> i128 {
    let part = i128::from(bits >> low) & ((1 << width) - 1);
    if signed && part >> (width - 1) != 0 { part - (1 << width) } else { part }
}

fn clamp(v: i128, bits: u32, signed: bool) -> i128 {
    if signed { v.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { v.clamp(0, (1 << bits) - 1) }
}

/// A second operation: its suffix, the width of what it saturates to, and what it makes of the result and the third
/// source.
type Second = (&'static str, u32, fn(i128, u32, bool) -> u32);

fn extended(c: u32, signed: bool) -> i128 {
    if signed { i128::from(c as i32) } else { i128::from(c) }
}

/// The lowest 32 bits.
fn narrowed(v: i128, signed: bool) -> i128 {
    extended(v as u32, signed)
}

const SECONDS: [Second; 8] = [
    ("", 32, |v, _, _| v as u32),
    (".MRG_16H", 16, |v, c, _| (v as u32) << 16 | c & 0xffff),
    (".MRG_16L", 16, |v, c, _| v as u32 & 0xffff | c & 0xffff_0000),
    (".MRG_8B0", 8, |v, c, _| v as u32 & 0xff | c & 0xffff_ff00),
    (".MRG_8B2", 8, |v, c, _| (v as u32 & 0xff) << 16 | c & 0xff00_ffff),
    (".ACC", 32, |v, c, _| (v as u32).wrapping_add(c)),
    (".MIN", 32, |v, c, signed| narrowed(v, signed).min(extended(c, signed)) as u32),
    (".MAX", 32, |v, c, signed| narrowed(v, signed).max(extended(c, signed)) as u32),
];

/// Fewer cases, of which each combination of suffixes takes others.
fn some(n: usize) -> Vec<Before> {
    let all = cases();
    (0..32).map(|k| all[(37 * n + 13 * k) % all.len()]).collect()
}

/// One instruction in every combination: its name, its operation, the suffixes of a result with and without sign, and
/// the signs of its sources.
struct Operation {
    name: &'static str,
    suffix: &'static str,
    signs: [&'static str; 2],
    types: [&'static str; 2],
    operation: fn(i128, i128) -> i128,
}

fn check(op: &Operation) {
    let mut n = 0;
    for a in LANES {
        for b in LANES {
            for (result, signed) in [(op.types[0], true), (op.types[1], false)] {
                for (saturate, saturates) in [("", false), (".SAT", true)] {
                    let (second, width, last) = SECONDS[n % SECONDS.len()];
                    n += 1 + usize::from(n % 8 == 7);
                    let [plus, minus] = op.signs;
                    let lines = format!(
                        "{}{result}{}{}{saturate}{second} R0.CC, {plus}R1{}, {minus}R2{}, R3",
                        op.name,
                        types(a, b),
                        op.suffix,
                        a.1,
                        b.1
                    );
                    holds(&lines, &some(n), value_and_codes, |case| {
                        let [_, x, y, c] = case.registers;
                        let v = (op.operation)(extract(x, a), extract(y, b));
                        let v = if saturates { clamp(v, width, signed) } else { v };
                        let value = last(v, c, signed);
                        (value, plain_codes(value))
                    });
                }
            }
        }
    }
    assert!(n >= 14 * 14 * 4);
}

#[test]
fn sums_and_differences() {
    let plain = ["", ".UD"];
    let sum = |signs, suffix, operation| Operation { name: "VADD", suffix, signs, types: plain, operation };
    check(&sum(["", ""], "", |a, b| a + b));
    check(&sum(["", "-"], "", |a, b| a - b));
    check(&sum(["-", ""], "", |a, b| b - a));
    check(&sum(["", ""], ".PO", |a, b| a + b + 1));
    let types = [".SD", ""];
    check(&Operation {
        name: "VABSDIFF",
        suffix: "",
        signs: ["", ""],
        types,
        operation: |a, b| (a - b).abs(),
    });
}

#[test]
fn smaller_and_larger() {
    let types = ["", ".UD"];
    for (suffix, operation) in [("", i128::min as fn(i128, i128) -> i128), (".MX", i128::max)] {
        check(&Operation { name: "VMNMX", suffix, signs: ["", ""], types, operation });
    }
}

/// Numbers in the instruction have 16 bits, with or without sign.
#[test]
fn numbers() {
    for (lines, expected) in [
        ("VADD.U32.U16 R0, R1, 0xfff0, RZ", 0xfff0),
        ("VADD.U32.S16 R0, R1, -0x10, RZ", -16),
        ("VADD.UD.U32.U16.PO R0, R1, 0xfff0, RZ", 0xfff1),
    ] {
        holds(lines, &cases(), value, |case| case.registers[1].wrapping_add(expected as u32));
    }
    holds("VABSDIFF.S8.S16 R0, R1.B1, -0x8000, RZ", &cases(), value, |case| {
        (i32::from((case.registers[1] >> 8) as i8) + 0x8000) as u32
    });
    holds("VMNMX.U32.U16 R0, R1, 0xfff0, RZ", &cases(), value, |case| case.registers[1].min(0xfff0));
    holds("VSHL.U32.U16 R0, R1, 0x11, RZ", &cases(), value, |case| case.registers[1] << 17);
    holds("VMAD.S8.U16 R0, R1, 0xfff0, R3", &cases(), value, |case| {
        (i32::from(case.registers[1] as i8) * 0xfff0).wrapping_add(case.registers[3] as i32) as u32
    });
}

#[test]
fn shifts() {
    let mut n = 0;
    for a in LANES {
        for b in &LANES[..7] {
            for (result, signed) in [("", true), (".UD", false)] {
                for (wrap, wraps) in [("", false), (".W", true)] {
                    for (saturate, saturates) in [("", false), (".SAT", true)] {
                        let (second, width, last) = SECONDS[n % SECONDS.len()];
                        n += 1 + usize::from(n % 8 == 7);
                        // Nothing is written for a number with sign that is shifted by a whole register.
                        let types = if (a.0, b.0) == ("S32", "U32") { "".into() } else { types(a, *b) };
                        let rest =
                            format!("{result}{types}{wrap}{saturate}{second} R0, R1{}, R2{}, R3", a.1, b.1);
                        let amounts = || {
                            let mut cases = some(n);
                            for (case, amount) in cases.iter_mut().zip((0..=33).cycle()) {
                                case.registers[2] = match case.codes & 3 {
                                    0 => case.registers[2],
                                    _ => {
                                        amount << b.2
                                            | case.registers[2] & !(0xffff_ffff >> (32 - b.3) << b.2)
                                    }
                                };
                            }
                            cases
                        };
                        for (name, right) in [("VSHL", false), ("VSHR", true)] {
                            holds(&format!("{name}{rest}"), &amounts(), value, |case| {
                                let [_, x, y, c] = case.registers;
                                let amount = extract(y, *b);
                                let amount = if wraps { amount & 31 } else { amount.min(32) };
                                let x = extract(x, a);
                                let v = if right { x >> amount } else { x << amount };
                                let v = if saturates { clamp(v, width, signed) } else { v };
                                last(v, c, signed)
                            });
                        }
                    }
                }
            }
        }
    }
}

type Test = fn(&i128, &i128) -> bool;

const COMPARISONS: [(&str, Test); 8] = [
    (".F", |_, _| false),
    (".LT", i128::lt),
    (".EQ", i128::eq),
    (".LE", i128::le),
    (".GT", i128::gt),
    (".NE", i128::ne),
    (".GE", i128::ge),
    (".T", |_, _| true),
];

#[test]
fn comparisons() {
    let mut n = 0;
    for (name, test) in COMPARISONS {
        for a in LANES {
            for b in LANES {
                let (second, _, last) = SECONDS[n % SECONDS.len()];
                n += 1 + usize::from(n % 8 == 7);
                let held =
                    |case: &Before| test(&extract(case.registers[1], a), &extract(case.registers[2], b));
                let operands = format!("R1{}, R2{}", a.1, b.1);
                let lines = format!("VSET{name}{}{second} R0, {operands}, R3", types(a, b));
                holds(&lines, &some(n), value, |case| {
                    last(i128::from(held(&case)), case.registers[3], false)
                });
                let lines = format!("VSETP{name}{}.AND P1, P2, {operands}, P3", types(a, b));
                holds(
                    &lines,
                    &some(n),
                    |after: After| after.predicates >> 1 & 3,
                    |case| match (case.predicates >> 3 & 1 != 0, held(&case)) {
                        (false, _) => 0,
                        (true, true) => 1,
                        (true, false) => 2,
                    },
                );
            }
        }
    }
}

/// Products with all types, signs and scales. PTX's product has 128 bits.
#[test]
fn products() {
    let mut n = 0;
    for a in LANES {
        for b in LANES {
            for (minus_a, minus_c, po) in
                [(false, false, false), (true, false, false), (false, true, false), (false, false, true)]
            {
                for (scale, shift) in [("", 0), (".SHR_7", 7), (".SHR_15", 15)] {
                    for (saturate, saturates) in [("", false), (".SAT", true)] {
                        n += 1;
                        let sign = |minus| if minus { "-" } else { "" };
                        let po_name = if po { ".PO" } else { "" };
                        let lines = format!(
                            "VMAD{}{po_name}{scale}{saturate} R0.CC, {}R1{}, R2{}, {}R3",
                            types(a, b),
                            sign(minus_a),
                            a.1,
                            b.1,
                            sign(minus_c)
                        );
                        let signed = a.4 || b.4 || minus_a || minus_c;
                        holds(&lines, &some(n), value_and_codes, |case| {
                            let [_, x, y, c] = case.registers;
                            let product = extract(x, a) * extract(y, b);
                            let product = if minus_a { -product } else { product };
                            // PTX extends the complement of what is subtracted.
                            let c = if minus_c { extended(!c, true) + 1 } else { extended(c, signed) };
                            let v = (product + c + i128::from(po)) >> shift;
                            let v = if saturates { clamp(v, 32, signed) } else { v };
                            (v as u32, plain_codes(v as u32))
                        });
                    }
                }
            }
        }
    }
}

/// Four differences at once: orders, masks, saturation, and the sum of all.
#[test]
fn four_differences() {
    let orders_a =
        ["", ".0000", ".3333", ".4321", ".6543", ".3201", ".3012", ".0213", ".3120", ".1230", ".2310"];
    let orders_b = ["", ".4444", ".7777", ".6543", ".4321", ".4567", ".6745", ".5476"];
    let masks = ["", ".X", ".Y", ".Z", ".W", ".XZ", ".YZW", ".XYW"];
    let signs =
        [(".U8.U8", [false; 2]), (".S8.U8", [true, false]), (".U8.S8", [false, true]), ("", [true; 2])];
    let order = |name: &str, usual: usize| match name.as_bytes() {
        [_, digits @ ..] => [3, 2, 1, 0].map(|n| usize::from(digits[n] - b'0')),
        [] => [0, 1, 2, 3].map(|n| usual + n),
    };
    let mut n = 0;
    for first in orders_a {
        for second in orders_b {
            for (types, signed) in signs {
                for (result, most) in [("", 255), (".SD", 127)] {
                    for mode in ["", ".SAT", ".ACC"] {
                        n += 1;
                        let mask = masks[n % masks.len()];
                        let lines =
                            format!("VABSDIFF4{result}{types}{mode}{mask} R0.CC, R1{first}, R2{second}, R3");
                        holds(&lines, &some(n), value_and_codes, |case| {
                            let [_, a, b, c] = case.registers;
                            let bytes = (u64::from(a) | u64::from(b) << 32).to_le_bytes();
                            let number = |n: usize, signed| {
                                if signed { i32::from(bytes[n] as i8) } else { i32::from(bytes[n]) }
                            };
                            let (a, b) = (order(first, 0), order(second, 4));
                            let mut result = c;
                            for n in
                                (0..4).filter(|n| mask.is_empty() || mask.contains(['X', 'Y', 'Z', 'W'][*n]))
                            {
                                let d = (number(a[n], signed[0]) - number(b[n], signed[1])).abs();
                                let d = if mode == ".SAT" { d.min(most) } else { d } as u32;
                                let place = 8 * n;
                                result = match mode {
                                    ".ACC" => result.wrapping_add(d),
                                    _ => result & !(0xff << place) | (d & 0xff) << place,
                                };
                            }
                            (result, plain_codes(result))
                        });
                    }
                }
            }
        }
    }
    holds("VABSDIFF4 R0, R1.4321, -0x5, RZ", &cases(), value, |case| {
        let bytes = case.registers[1].to_le_bytes();
        let difference = |byte: u8| (i32::from(byte as i8) + 5).unsigned_abs() as u8;
        u32::from_le_bytes([difference(bytes[1]), difference(bytes[2]), difference(bytes[3]), 0])
    });
}

#[test]
fn types_that_do_not_exist_are_refused() {
    assert_eq!(lifted("VADD.INVALIDSEL6.U8 R0, R1, R2, R3").err(), Some("lift-parts"));
    assert_eq!(lifted("VMAD.U8.U8.INVALIDVMADSCALE3 R0, R1, R2, R3").err(), Some("lift-scale"));
    assert_eq!(lifted("VABSDIFF4.INVALIDRED2 R0, R1, R2, R3").err(), Some("lift-parts"));
}
