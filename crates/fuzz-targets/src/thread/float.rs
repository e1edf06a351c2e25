//! Instructions of binary32.

use super::{Thread, bit, bits};

/// The result of an operation that is not a number. It is the library's for all families: the hardware's is 0x7fff_ffff
/// (PTX manual), and both are NaN in every comparison.
const NAN: u32 = 0x7fc0_0000;

/// A denormal becomes a zero of its sign.
fn flushed(v: u32, flush: bool) -> u32 {
    if flush && v & 0x7f80_0000 == 0 { v & 0x8000_0000 } else { v }
}

/// An operand with absolute value and negation.
fn operand(v: u32, absolute: bool, negated: bool, flush: bool) -> f32 {
    let v = flushed(v, flush);
    let v = if absolute { v & 0x7fff_ffff } else { v };
    f32::from_bits(if negated { v ^ 0x8000_0000 } else { v })
}

/// The bits of a result.
fn result(v: f32, saturated: bool, flush: bool) -> u32 {
    if v.is_nan() {
        return if saturated { 0 } else { NAN };
    }
    // A negative zero saturates to a positive one.
    let v = if saturated { if v > 0.0 { v.min(1.0) } else { 0.0 } } else { v };
    flushed(v.to_bits(), flush)
}

/// A comparison by its number: bit 0 less, bit 1 equal, bit 2 greater, bit 3 not comparable.
fn compare(number: u64, a: f32, b: f32) -> bool {
    let relation = match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Less) => 0,
        Some(std::cmp::Ordering::Equal) => 1,
        Some(std::cmp::Ordering::Greater) => 2,
        None => 3,
    };
    number >> relation & 1 == 1
}

/// The smaller or the larger of two numbers; a NaN is no number, and -0 is smaller than 0.
fn extreme(a: f32, b: f32, smaller: bool) -> f32 {
    let order = |v: f32| (v, v.is_sign_positive());
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if (order(a) < order(b)) == smaller => a,
        _ => b,
    }
}

impl Thread {
    pub(super) fn compute_float(&mut self, word: u64) -> Option<&'static str> {
        let (a, b) = (self.get(word, 8), self.float(word));
        if word >> 55 == 0x5980 >> 7 {
            let flush = bit(word, 53);
            let [x, y] = [operand(a, false, bit(word, 48), flush), operand(b, false, false, flush)];
            let z = operand(self.get(word, 39), false, bit(word, 49), flush);
            self.set(word, result(x.mul_add(y, z), bit(word, 50), flush));
            return Some("FFMA");
        }
        if matches!(word >> 56, 0x5b | 0x4b | 0x36 | 0x37) {
            return match bits(word, 52, 4) {
                0xa => {
                    let c = operand(self.get(word, 39), false, false, bit(word, 47));
                    let chosen = if compare(bits(word, 48, 4), c, 0.0) { a } else { b };
                    self.set(word, chosen);
                    Some("FCMP")
                }
                0xb => {
                    let flush = bit(word, 47);
                    let x = operand(a, bit(word, 7), bit(word, 43), flush);
                    let y = operand(b, bit(word, 44), bit(word, 6), flush);
                    self.compared(word, compare(bits(word, 48, 4), x, y));
                    Some("FSETP")
                }
                _ => None,
            };
        }
        let flush = bit(word, 44);
        let x = operand(a, bit(word, 46), bit(word, 48), flush);
        let y = operand(b, bit(word, 49), bit(word, 45), flush);
        let (value, name) = match bits(word, 51, 5) {
            0xb => (result(x + y, bit(word, 50), flush), "FADD"),
            0xc => (result(extreme(x, y, self.condition(word, 39)), false, flush), "FMNMX"),
            0xd => {
                let [x, y] = [operand(a, false, bit(word, 48), flush), operand(b, false, false, flush)];
                (result(x * y, bit(word, 50), flush), "FMUL")
            }
            _ => return None,
        };
        self.set(word, value);
        Some(name)
    }
}
