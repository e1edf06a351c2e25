//! Shifts, fields of bits and permutations.

use super::{Before, Random, cases, holds, lifted, plain_codes, value, value_and_codes};

/// Cases in which R2 is a small number, or large.
fn shifted() -> Vec<Before> {
    let mut random = Random(7);
    let mut all = cases();
    let amounts = (0..=70).chain([127, 128, 255, 256, 0x8000_0000, !0]);
    for (case, n) in all.iter_mut().rev().zip(amounts.cycle()) {
        case.registers[2] = n;
        case.registers[1] = random.edge();
    }
    all
}

/// The codes of a shift as Tesla's are published: the last bit that was shifted out, and a change of sign by a shift by one.
fn codes(a: u32, result: u32, n: u32, out: u64) -> u32 {
    let carry = u32::from(n < 32 && out & 1 != 0);
    let overflow = u32::from(n == 1 && (a ^ result) >> 31 != 0);
    plain_codes(result) | carry << 2 | overflow << 3
}

#[test]
fn shifts() {
    for (suffix, wraps) in [("", false), (".W", true)] {
        let amount = |case: &Before| if wraps { case.registers[2] & 31 } else { case.registers[2] };
        holds(&format!("SHL{suffix} R0.CC, R1, R2"), &shifted(), value_and_codes, |case| {
            let (a, n) = (case.registers[1], amount(&case));
            let whole = if n < 32 { u64::from(a) << n } else { 0 };
            (whole as u32, codes(a, whole as u32, n, whole >> 32))
        });
        for (turned, turns) in [("", false), (".BREV", true)] {
            let source =
                |case: &Before| if turns { case.registers[1].reverse_bits() } else { case.registers[1] };
            // One bit more below, to see the last that is shifted out.
            let lines = format!("SHR.U32{suffix}{turned} R0.CC, R1, R2");
            holds(&lines, &shifted(), value_and_codes, |case| {
                let (a, n) = (source(&case), amount(&case));
                let more = (u64::from(a) << 1) >> n.min(63);
                ((more >> 1) as u32, codes(a, (more >> 1) as u32, n, more))
            });
            let lines = format!("SHR{suffix}{turned} R0.CC, R1, R2");
            holds(&lines, &shifted(), value_and_codes, |case| {
                let (a, n) = (source(&case), amount(&case));
                let more = (i64::from(a as i32) << 1) >> n.min(63);
                ((more >> 1) as u32, codes(a, (more >> 1) as u32, n, more as u64))
            });
        }
    }
    for lines in
        ["SHL.X R0, R1, R2", "SHR.XHI R0, R1, R2", "SHF.L.X R0, R1, R2, R3", "SHF.L.HI R0, R1, R2, R3"]
    {
        assert_eq!(lifted(lines).err(), Some("lift-shift"), "{lines}");
    }
}

/// Shifts of two registers by up to 32 or 64 bits, both halves, with and without sign.
#[test]
fn funnel_shifts() {
    for (wide, bits, signed) in [("", 32, false), (".U64", 64, false), (".S64", 64, true)] {
        for (wrap, wraps) in [("", false), (".W", true)] {
            for (direction, half) in [(".L", ""), (".R", ""), (".R", ".HI")] {
                let lines = format!("SHF{direction}{wrap}{wide}{half} R0.CC, R1, R2, R3");
                holds(&lines, &shifted(), value_and_codes, |case| {
                    let n = if wraps { case.registers[2] % bits } else { case.registers[2].min(bits) };
                    let number = u64::from(case.registers[1]) | u64::from(case.registers[3]) << 32;
                    let extended = if signed { i128::from(number as i64) } else { i128::from(number) };
                    let result = match (direction, half) {
                        (".L", _) => (i128::from(number) << n) >> 32,
                        (_, "") => extended >> n,
                        _ => (extended >> n) >> 32,
                    } as u32;
                    (result, plain_codes(result))
                });
            }
        }
    }
    holds("SHF.R.U64 R0, R1, 0x3f, R3", &cases(), value, |case| case.registers[3] >> 31);
}

/// A field of bits as PTX's `bfe` takes it, bit by bit.
fn field(a: u32, place: u32, signed: bool) -> u32 {
    let (begin, width) = (place & 255, place >> 8 & 255);
    let bit = |n: u32| a >> n.min(31) & 1;
    let sign = if !signed || width == 0 { 0 } else { bit((begin + width - 1).min(31)) };
    (0..32).map(|n| if n < width && begin + n <= 31 { bit(begin + n) << n } else { sign << n }).sum()
}

#[test]
fn fields_of_bits() {
    let places = || {
        let mut random = Random(3);
        let numbers = [0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 128, 255];
        let mut all = cases();
        let pairs = numbers.iter().flat_map(|begin| numbers.map(|width| begin | width << 8));
        for (case, place) in all.iter_mut().zip(pairs) {
            case.registers[2] = place | random.next() << 16;
        }
        all
    };
    for (sign, signed) in [("", true), (".U32", false)] {
        for (turned, turns) in [("", false), (".BREV", true)] {
            holds(&format!("BFE{sign}{turned} R0.CC, R1, R2"), &places(), value_and_codes, |case| {
                let a = if turns { case.registers[1].reverse_bits() } else { case.registers[1] };
                let result = field(a, case.registers[2], signed);
                (result, plain_codes(result))
            });
        }
    }
    holds("BFI R0.CC, R1, R2, R3", &places(), value_and_codes, |case| {
        let [_, a, place, mut result] = case.registers;
        let (begin, width) = (place & 255, place >> 8 & 255);
        for n in (0..width).filter(|n| begin + n < 32) {
            result = result & !(1 << (begin + n)) | (a >> n.min(31) & u32::from(n < 32)) << (begin + n);
        }
        (result, plain_codes(result))
    });
}

#[test]
fn bits_are_found_and_counted() {
    for (sign, signed) in [("", true), (".U32", false)] {
        for (how, distance) in [("", false), (".SH", true)] {
            for (mark, inverted) in [("", false), ("~", true)] {
                let lines = format!("FLO{sign}{how} R0.CC, {mark}R1");
                holds(&lines, &cases(), value_and_codes, |case| {
                    let bits = if inverted { !case.registers[1] } else { case.registers[1] };
                    let bits = if signed && bits >> 31 != 0 { !bits } else { bits };
                    let found = (0..32).rev().find(|n| bits >> n & 1 != 0);
                    let result = found.map_or(!0, |n| if distance { 31 - n } else { n });
                    (result, plain_codes(result))
                });
            }
        }
    }
    holds("POPC R0, ~R1", &cases(), value, |case| (0..32).map(|n| !case.registers[1] >> n & 1).sum());
}

/// The bytes that PTX's `prmt` takes in each mode, from the last to the first, by the lowest two bits of the choice.
#[test]
fn permutations() {
    let modes: [(&str, [&str; 4]); 6] = [
        (".F4E", ["3210", "4321", "5432", "6543"]),
        (".B4E", ["5670", "6701", "7012", "0123"]),
        (".RC8", ["0000", "1111", "2222", "3333"]),
        (".ECL", ["3210", "3211", "3222", "3333"]),
        (".ECR", ["0000", "1110", "2210", "3210"]),
        (".RC16", ["1010", "3232", "1010", "3232"]),
    ];
    let bytes = |case: &Before| {
        let [_, a, _, c] = case.registers;
        (u64::from(a) | u64::from(c) << 32).to_le_bytes()
    };
    for (mode, rows) in modes {
        holds(&format!("PRMT{mode} R0, R1, R2, R3"), &cases(), value, |case| {
            let row = rows[case.registers[2] as usize & 3].as_bytes();
            u32::from_be_bytes([0, 1, 2, 3].map(|n| bytes(&case)[usize::from(row[n] - b'0')]))
        });
    }
    holds("PRMT R0, R1, R2, R3", &cases(), value, |case| {
        let taken = [0, 1, 2, 3].map(|n| {
            let choice = case.registers[2] >> (4 * n) & 15;
            let byte = bytes(&case)[choice as usize & 7];
            if choice & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
        });
        u32::from_le_bytes(taken)
    });
    assert_eq!(lifted("PRMT.INVALIDPMODE7 R0, R1, R2, R3").err(), Some("lift-permute"));
}
