//! What atomic operations do, against plain arithmetic. All lanes change the same bytes, one after the other.

use super::lanes::{Lanes, Ran, Random};
use shisa_eval::BufferEnvironment;
use shisa_ir::{Space, WAVE};

const FAR: u64 = 0x12_3456_0000;

/// What is stored where `old` was, for an operand.
type Change = fn(old: u64, value: u64) -> u64;

fn signed32(f: fn(i32, i32) -> i32) -> impl Fn(u64, u64) -> u64 {
    move |a, b| u64::from(f(a as i32, b as i32) as u32)
}

/// The memory of a test: eight bytes at an address, in global and in shared memory.
fn environment(first: u64) -> BufferEnvironment {
    let mut environment = BufferEnvironment::default();
    for (space, base) in [(Space::Global, FAR), (Space::Global, 0x40), (Space::Shared, 0x40)] {
        environment.add(space, base, &first.to_le_bytes(), &Default::default()).unwrap();
    }
    environment
}

/// Runs a line in the lanes of `guard`: R4 and R5 have the operand, R200 and R201 the far address, R202 the near one.
fn run(line: &str, first: u64, values: &[u64; WAVE], guard: &[bool; WAVE]) -> Ran {
    let mut lanes = Lanes::new(environment(first));
    lanes.set(4, |lane| values[lane] as u32);
    lanes.set(5, |lane| (values[lane] >> 32) as u32);
    lanes.set(200, |_| FAR as u32 - 0x10);
    lanes.set(201, |_| (FAR >> 32) as u32);
    lanes.set(202, |_| 0x30);
    lanes.set_predicate(0, |lane| guard[lane]);
    lanes.set_predicate(2, |_| true);
    lanes.run(&format!("@P0 {line}"))
}

fn left(ran: &Ran, space: Space, base: u64) -> u64 {
    u64::from_le_bytes(ran.environment.buffer(space, 0, base).unwrap().try_into().unwrap())
}

/// The forms of an operation, and where each changes memory; the second is whether it gives what was there.
fn forms(op: &str, ty: &str, shared: bool) -> Vec<(String, bool, (Space, u64))> {
    let far = (Space::Global, FAR);
    let mut all = vec![
        (format!("ATOM.E{op}{ty} R8, [R200+0x10], R4"), true, far),
        (format!("ATOM{op}{ty} R8, [R202+0x10], R4"), true, (Space::Global, 0x40)),
    ];
    if op != ".EXCH" {
        all.push((format!("RED.E{op}{ty} [R200+0x10], R4"), false, far));
    }
    if shared {
        all.push((format!("ATOMS{op}{ty} R8, [R202+0x10], R4"), true, (Space::Shared, 0x40)));
    }
    all
}

/// Checks all forms of an operation on values of this many bits.
fn hold(op: &str, ty: &str, bits: u32, shared: bool, change: &dyn Fn(u64, u64) -> u64, random: &mut Random) {
    let mask = u64::MAX >> (64 - bits);
    for round in 0..12 {
        let wide = |random: &mut Random| u64::from(random.word()) | u64::from(random.word()) << 32;
        let first = wide(random);
        let values: [u64; WAVE] = std::array::from_fn(|_| wide(random));
        let guard: [bool; WAVE] = std::array::from_fn(|_| round % 2 == 0 || random.below(2) == 0);
        let (mut there, mut old) = (first & mask, [0; WAVE]);
        for lane in (0..WAVE).filter(|&lane| guard[lane]) {
            old[lane] = there;
            there = change(there, values[lane] & mask) & mask;
        }
        for (line, gives, (space, base)) in forms(op, ty, shared) {
            let ran = run(&line, first, &values, &guard);
            assert_eq!(
                left(&ran, space, base),
                there | first & !mask,
                "{line} of {values:x?} after {first:#x}"
            );
            if gives {
                assert_eq!(ran.registers(8), old.map(|v| v as u32), "{line}");
                let upper = if bits == 64 { old.map(|v| (v >> 32) as u32) } else { [0; WAVE] };
                assert_eq!(ran.registers(9), upper, "{line}");
            }
        }
    }
}

#[test]
fn integers_change_as_plain_arithmetic_does() {
    let mut random = Random(11);
    let random = &mut random;
    let plain: [(&str, Change); 6] = [
        (".ADD", u64::wrapping_add),
        (".AND", |a, b| a & b),
        (".OR", |a, b| a | b),
        (".XOR", |a, b| a ^ b),
        (".EXCH", |_, b| b),
        (".MIN", u64::min),
    ];
    for (op, change) in plain {
        hold(op, "", 32, true, &change, random);
        hold(op, ".U64", 64, op == ".EXCH", &change, random);
    }
    hold(".MAX", "", 32, true, &u64::max, random);
    hold(".MAX", ".U64", 64, false, &u64::max, random);
    hold(".ADD", ".S32", 32, true, &u64::wrapping_add, random);
    hold(".MIN", ".S32", 32, true, &signed32(i32::min), random);
    hold(".MAX", ".S32", 32, true, &signed32(i32::max), random);
    hold(".MIN", ".S64", 64, false, &|a, b| (a as i64).min(b as i64) as u64, random);
    hold(".MAX", ".S64", 64, false, &|a, b| (a as i64).max(b as i64) as u64, random);
    hold(".INC", "", 32, true, &|a, b| if a >= b { 0 } else { a + 1 }, random);
    hold(".DEC", "", 32, true, &|a, b| if a == 0 || a > b { b } else { a - 1 }, random);
    hold(".EXCH", ".F32.FTZ.RN", 32, false, &|_, b| b, random);
}

/// In global memory these give what is there and leave it.
#[test]
fn operations_without_effect_leave_memory() {
    let random = &mut Random(12);
    for (ty, bits, operations) in [
        (".S32", 32, &[".INC", ".DEC"][..]),
        (".U64", 64, &[".INC", ".DEC"]),
        (".S64", 64, &[".ADD", ".INC", ".DEC", ".AND", ".OR", ".XOR"]),
        (".F32.FTZ.RN", 32, &[".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR"]),
        (".F16x2.FTZ.RN", 32, &[".INC", ".DEC", ".AND", ".OR", ".XOR"]),
    ] {
        for op in operations {
            hold(op, ty, bits, false, &|there, _| there, random);
        }
    }
}

/// Zero with the sign in place of a denormal number.
fn flushed(v: f32) -> f32 {
    if v.is_subnormal() { 0f32.copysign(v) } else { v }
}

#[test]
fn floats_are_added_without_denormals() {
    let sum = |a: u64, b: u64| {
        let [a, b] = [a, b].map(|v| flushed(f32::from_bits(v as u32)));
        u64::from(flushed(a + b).to_bits())
    };
    // Numbers of all sizes, denormal ones too; NaN is left out because its bits are nobody's promise.
    let mut random = Random(5);
    for _ in 0..40 {
        let mut number = || loop {
            let v = f32::from_bits((random.next() >> 20) as u32);
            let small = f32::from_bits((random.next() >> 32) as u32 & 0x80ff_ffff);
            let v = if random.below(2) == 0 { small } else { v };
            if v.abs() < 1e30 {
                break u64::from(v.to_bits());
            }
        };
        let (first, values) = (number(), std::array::from_fn(|_| number()));
        let (mut there, mut old) = (first, [0u32; WAVE]);
        for lane in 0..WAVE {
            old[lane] = there as u32;
            there = sum(there, values[lane]);
        }
        for (line, gives, (space, base)) in forms(".ADD", ".F32.FTZ.RN", false) {
            let ran = run(&line, first, &values, &[true; WAVE]);
            assert_eq!(left(&ran, space, base), there, "{line} of {values:x?} after {first:#x}");
            assert!(!gives || ran.registers(8) == old, "{line}");
        }
    }
}

/// The number that a half encodes, which is finite.
fn half(bits: u64) -> f64 {
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 & 1 != 0 { -size } else { size }
}

/// The normal half nearest to a number of less than 65504, ties to even; numbers below the least are zero.
fn nearest(v: f64) -> u64 {
    let sign = u64::from(v.is_sign_negative()) << 15;
    let candidates = (0x400..0x7c00u64).chain([0, 0x3ff]);
    let distance = |bits: &u64| (half(*bits) - v.abs()).abs();
    let best = candidates.min_by(|a, b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))));
    // The largest denormal is the example for all of them.
    match best.unwrap() {
        0x3ff => sign,
        bits => sign | bits,
    }
}

/// Two sums, minima or maxima in a word, of halves that are normal or zero.
#[test]
fn halves_change_one_by_one() {
    let mut random = Random(3);
    type Combine = fn(f64, f64) -> f64;
    let changes: [(&str, Combine); 3] = [(".ADD", |a, b| a + b), (".MIN", f64::min), (".MAX", f64::max)];
    for (op, change) in changes {
        for _ in 0..3 {
            // Not zero, which has two signs.
            let mut number = || ((random.below(2) << 15) + random.below(0x2c00) + 0x2000) as u64;
            let mut two = || number() | number() << 16;
            let (first, values): (u64, [u64; WAVE]) = (two(), std::array::from_fn(|_| two()));
            let mut there = first;
            for value in values {
                let one = |by: u32| nearest(change(half(there >> by & 0xffff), half(value >> by & 0xffff)));
                there = one(0) | one(16) << 16;
            }
            for (line, _, (space, base)) in forms(op, ".F16x2.FTZ.RN", false) {
                let ran = run(&line, first, &values, &[true; WAVE]);
                assert_eq!(left(&ran, space, base), there, "{line} of {values:x?} after {first:#x}");
            }
        }
    }
}

/// The pair of values to compare and to store is in registers in a row, or one is `RZ`.
#[test]
fn values_are_exchanged_where_they_are_equal() {
    let mut random = Random(9);
    let rows = [
        ("ATOM.E.CAS R8, [R200+0x10], ", 32, Space::Global, FAR),
        ("ATOM.CAS R8, [R202+0x10], ", 32, Space::Global, 0x40),
        ("ATOM.CAS P2, R8, [R203], ", 32, Space::Global, 0x40),
        ("ATOM.E.CAS.64 R8, [R200+0x10], ", 64, Space::Global, FAR),
        ("ATOMS.CAS R8, [R202+0x10], ", 32, Space::Shared, 0x40),
        ("ATOMS.CAS.64 R8, [R202+0x10], ", 64, Space::Shared, 0x40),
        ("ATOMS.CAST R8, [R202+0x10], ", 32, Space::Shared, 0x40),
        ("ATOMS.CAST.SPIN R8, [R202+0x10], ", 32, Space::Shared, 0x40),
        ("ATOMS.CAST.SPIN.64 R8, [R202+0x10], ", 64, Space::Shared, 0x40),
    ];
    for (row, bits, space, base) in rows {
        for form in 0..3 {
            for _ in 0..6 {
                // Few values, so that many are equal; those of 64 bits differ in one half only.
                let mut value = || {
                    let v = random.below(3) as u64;
                    if bits == 64 && random.below(2) == 0 { v << 32 } else { v }
                };
                let first = value();
                let pairs: [[u64; 2]; WAVE] = std::array::from_fn(|_| [value(), value()]);
                let count = bits / 32;
                let (text, used): (_, [bool; 2]) = match form {
                    0 => (format!("{row}R4, R{}", 4 + count), [true, true]),
                    1 => (format!("{row}R4, RZ"), [true, false]),
                    _ => (format!("{row}RZ, R4"), [false, true]),
                };
                let pairs = pairs.map(|[a, b]| [if used[0] { a } else { 0 }, if used[1] { b } else { 0 }]);
                let (mut there, mut given) = (first, [0; WAVE]);
                for (lane, [expected, new]) in pairs.into_iter().enumerate() {
                    let equal = there == expected;
                    given[lane] = if row.contains("CAST") { equal.into() } else { there };
                    there = if equal { new } else { there };
                }
                let mut lanes = Lanes::new(environment(first));
                // The values that are used, in a row.
                let words = pairs.map(|pair| -> Vec<u32> {
                    let values = pair.into_iter().zip(used).filter(|(_, used)| *used);
                    values.flat_map(|(v, _)| [v as u32, (v >> 32) as u32].into_iter().take(count)).collect()
                });
                // A value that is `RZ` is not in the registers after the other one.
                for (n, register) in (0..words[0].len() + count).zip(4..) {
                    lanes.set(register, |lane| words[lane].get(n).copied().unwrap_or(7));
                }
                lanes.set(200, |_| FAR as u32 - 0x10);
                lanes.set(201, |_| (FAR >> 32) as u32);
                lanes.set(202, |_| 0x30);
                lanes.set(203, |_| 0x40);
                lanes.set_predicate(2, |_| true);
                // A predicate that no line uses has no value after the run.
                let ran = lanes.run(&format!("{text};@P2 MOV R20, RZ"));
                let note = format!("{text} of {pairs:x?} after {first:#x}");
                assert_eq!(left(&ran, space, base), there, "{note}");
                assert_eq!(ran.registers(8), given.map(|v| v as u32), "{note}");
                if bits == 64 {
                    assert_eq!(ran.registers(9), given.map(|v| (v >> 32) as u32), "{note}");
                }
                assert_eq!(ran.predicates(2), [!row.contains("P2"); WAVE], "{note}");
            }
        }
    }
}

/// The forms with a predicate have their operation in other bits; no page is missing.
#[test]
fn forms_with_a_predicate_change_the_same() {
    for (line, expected) in [
        ("ATOM.E.ADD P2, R8, [R206], R4", 12),
        ("ATOM.E.MAX.S32 P2, R8, [R206], R4", 7),
        ("ATOM.E.EXCH P2, R8, [R206], R4", 7),
        ("ATOM.E.XOR P2, R8, [R206], R4", 2),
    ] {
        let mut lanes = Lanes::new(environment(5));
        lanes.set(4, |_| 7);
        lanes.set(206, |_| FAR as u32);
        lanes.set(207, |_| (FAR >> 32) as u32);
        lanes.set_predicate(0, |lane| lane == 3);
        lanes.set_predicate(2, |_| true);
        let ran = lanes.run(&format!("@P0 {line}"));
        assert_eq!(left(&ran, Space::Global, FAR), expected, "{line}");
        assert_eq!((ran.registers(8)[3], ran.registers(8)[4]), (5, 0), "{line}");
        assert_eq!(ran.predicates(2), std::array::from_fn(|lane| lane != 3), "{line}");
    }
}

#[test]
fn operations_that_nothing_describes_are_refused() {
    for line in [
        "ATOM.SAFEADD R8, [R202], R4",
        "ATOM.ADD.INVALIDATOMICSIZE6 R8, [R202], R4",
        "ATOMS.INVALIDATOMSOP10 R8, [R202], R4",
        "ATOMS.INC.S32 R8, [R202], R4",
        "ATOMS.ADD.U64 R8, [R202], R4",
        "ATOMS.MIN.S64 R8, [R202], R4",
    ] {
        assert_eq!(Lanes::new(environment(0)).refused(line).code, "lift-atomic", "{line}");
    }
}
