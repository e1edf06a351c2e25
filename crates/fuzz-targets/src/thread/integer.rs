//! Integer instructions.

use super::{Thread, bit, bits};

/// `a + b` with each negated by its own bit; with both bits it is `a + b + 1`.
fn sum(a: u32, b: u32, [negate_a, negate_b]: [bool; 2]) -> u32 {
    match (negate_a, negate_b) {
        (true, true) => a.wrapping_add(b).wrapping_add(1),
        (true, false) => b.wrapping_sub(a),
        (false, true) => a.wrapping_sub(b),
        (false, false) => a.wrapping_add(b),
    }
}

/// A comparison by its number; `less` and `equal` are those of its operands.
fn compare(number: u64, less: bool, equal: bool) -> bool {
    match number {
        0 => false,
        1 => less,
        2 => equal,
        3 => less || equal,
        4 => !less && !equal,
        5 => !equal,
        6 => !less,
        _ => true,
    }
}

fn ordered(word: u64, a: u32, b: u32) -> bool {
    let less = if bit(word, 48) { (a as i32) < b as i32 } else { a < b };
    compare(bits(word, 49, 3), less, a == b)
}

/// A shift to the right that fills with zeros or copies of the sign; a shift by 32 or more leaves only these.
fn right(a: u32, by: u32, signed: bool) -> u32 {
    let by = by.min(63);
    if signed { (i64::from(a as i32) >> by) as u32 } else { (u64::from(a) >> by) as u32 }
}

/// Position and length of a bit field.
fn field(b: u32) -> (u32, u32) {
    (b & 0xff, b >> 8 & 0xff)
}

fn extract(a: u32, b: u32, signed: bool) -> u32 {
    let (from, length) = field(b);
    if length == 0 {
        return 0;
    }
    let moved = right(a, from, signed);
    let length = length.min(32u32.saturating_sub(from));
    match length {
        0 | 32 => moved,
        _ if signed => ((moved << (32 - length)) as i32 >> (32 - length)) as u32,
        _ => moved & ((1 << length) - 1),
    }
}

fn insert(a: u32, b: u32, c: u32) -> u32 {
    let (from, length) = field(b);
    if from > 31 {
        return c;
    }
    let mask = ((1u64 << length.min(32)) - 1) << from;
    ((u64::from(a) << from & mask) | (u64::from(c) & !mask)) as u32
}

/// The bytes of a permutation, the highest first, in modes other than the general one.
fn bytes(mode: u64, n: u32) -> [u32; 4] {
    match mode {
        1 => [n + 3, n + 2, n + 1, n],
        2 => [n + 5, n + 6, n + 7, n].map(|i| i % 8),
        3 => [n; 4],
        4 => [3, 2.max(n), 1.max(n), n],
        5 => [n, n.min(2), n.min(1), 0],
        _ => [2 * (n % 2) + 1, 2 * (n % 2), 2 * (n % 2) + 1, 2 * (n % 2)],
    }
}

fn permute(mode: u64, a: u32, selector: u32, c: u32) -> u32 {
    let source = u64::from(a) | u64::from(c) << 32;
    let byte = |i: u32| (source >> (8 * (i & 7))) as u8;
    let chosen = match mode {
        0 => [3, 2, 1, 0].map(|i| {
            let s = selector >> (4 * i);
            if s & 8 != 0 { (byte(s) as i8 >> 7) as u8 } else { byte(s) }
        }),
        _ => bytes(mode, selector & 3).map(byte),
    };
    u32::from_be_bytes(chosen)
}

fn logic(op: u64, a: u32, b: u32) -> u32 {
    match op {
        0 => a & b,
        1 => a | b,
        2 => a ^ b,
        _ => b,
    }
}

/// Half of a word, extended by its sign or not.
fn half(v: u32, upper: bool, signed: bool) -> u32 {
    let v = if upper { v >> 16 } else { v & 0xffff };
    if signed { v as u16 as i16 as u32 } else { v }
}

/// A product of 64 bits; each factor may have a sign.
fn product(a: u32, b: u32, [signed_a, signed_b]: [bool; 2]) -> u64 {
    let wide = |v: u32, signed: bool| if signed { v as i32 as i64 } else { i64::from(v) };
    wide(a, signed_a).wrapping_mul(wide(b, signed_b)) as u64
}

impl Thread {
    /// An addition with the carry of an earlier one and a carry for a later one.
    fn add(&mut self, word: u64, a: u32, b: u32, negate: [bool; 2], [extended, carries]: [bool; 2]) {
        let flip = |v: u32, negated: bool| if negated { !v } else { v };
        let one_more = negate == [true; 2];
        let [a, b] = if one_more { [a, b] } else { [flip(a, negate[0]), flip(b, negate[1])] };
        let carry = if extended { self.carry } else { negate[0] || negate[1] };
        let all = u64::from(a) + u64::from(b) + u64::from(carry);
        if carries {
            self.carry = all >> 32 != 0;
        }
        self.set(word, all as u32);
    }

    pub(super) fn compute_integer(&mut self, word: u64) -> Option<&'static str> {
        match word >> 56 {
            0x01 => {
                self.set(word, bits(word, 20, 32) as u32);
                return Some("MOV32I");
            }
            0x04 | 0x05 => {
                let flip = |v: u32, at| if bit(word, at) { !v } else { v };
                let (a, b) = (flip(self.get(word, 8), 55), flip(bits(word, 20, 32) as u32, 56));
                self.set(word, logic(bits(word, 53, 2), a, b));
                return Some("LOP32I");
            }
            0x1c | 0x1d => {
                let negate = [bit(word, 56), false];
                let (a, b) = (self.get(word, 8), bits(word, 20, 32) as u32);
                self.add(word, a, b, negate, [bit(word, 53), bit(word, 52)]);
                return Some("IADD32I");
            }
            _ => {}
        }
        match word >> 52 {
            0x5b0..=0x5b3 => self.xmad(word),
            0x5a0..=0x5a7 => self.imad(word),
            // A register, a constant, or an immediate whose sign is bit 56.
            top => match top >> 4 {
                0x5b | 0x4b | 0x36 | 0x37 => self.three(word),
                0x5c | 0x4c | 0x38 | 0x39 => self.two(word),
                _ => None,
            },
        }
    }

    fn xmad(&mut self, word: u64) -> Option<&'static str> {
        let (a, b, c) = (self.get(word, 8), self.get(word, 20), self.get(word, 39));
        let (x, y) = (half(a, bit(word, 53), bit(word, 48)), half(b, bit(word, 35), bit(word, 49)));
        let product = x.wrapping_mul(y);
        let product = if bit(word, 36) { product << 16 } else { product };
        let c = match bits(word, 50, 3) {
            1 => c & 0xffff,
            2 => c >> 16,
            4 => c.wrapping_add(b << 16),
            _ => c,
        };
        let all = product.wrapping_add(c);
        self.set(word, if bit(word, 37) { all & 0xffff | b << 16 } else { all });
        Some("XMAD")
    }

    fn imad(&mut self, word: u64) -> Option<&'static str> {
        let (a, b, c) = (self.get(word, 8), self.get(word, 20), self.get(word, 39));
        let all = product(a, b, [bit(word, 48), bit(word, 53)]);
        let high = bit(word, 54);
        // The upper half is that of the negated product.
        let all = if bit(word, 52) { all.wrapping_neg() } else { all };
        let part = if high { (all >> 32) as u32 } else { all as u32 };
        let c = if bit(word, 51) { c.wrapping_neg() } else { c };
        self.set(word, part.wrapping_add(c));
        Some("IMAD")
    }

    /// Instructions of three sources, and comparisons.
    fn three(&mut self, word: u64) -> Option<&'static str> {
        let (a, b, c) = (self.get(word, 8), self.integer(word), self.get(word, 39));
        let (value, name) = match bits(word, 52, 4) {
            4 => (if ordered(word, c, 0) { a } else { b }, "ICMP"),
            5 => {
                let other = self.condition(word, 39);
                let holds = ordered(word, a, b);
                let holds = match bits(word, 45, 2) {
                    0 => holds && other,
                    1 => holds || other,
                    _ => holds != other,
                };
                let yes = if bit(word, 44) { 0x3f80_0000 } else { u32::MAX };
                (if holds { yes } else { 0 }, "ISET")
            }
            6 => {
                self.compared(word, ordered(word, a, b));
                return Some("ISETP");
            }
            0xc => (permute(bits(word, 48, 4), a, b, c), "PRMT"),
            0xd if bit(word, 51) => {
                let wide = u64::from(a) | u64::from(c) << 32;
                let shifted = (wide << bits(word, 28, 5) >> 32) as u32;
                (shifted.wrapping_add(b), "LEA.HI")
            }
            0xd => {
                let shifted = a << bits(word, 39, 5);
                (sum(shifted, b, [bit(word, 45), false]), "LEA")
            }
            0xe => {
                let lut = bits(word, 28, 8);
                let chosen = |at: u32| {
                    let n = (a >> at & 1) << 2 | (b >> at & 1) << 1 | c >> at & 1;
                    (lut >> n & 1) as u32
                };
                ((0..32).map(|at| chosen(at) << at).sum(), "LOP3")
            }
            0xf if bit(word, 51) => {
                let by = if bit(word, 50) { b & 31 } else { b.min(32) };
                (((u64::from(c) << 32 | u64::from(a)) << by >> 32) as u32, "SHF.L")
            }
            0xf => (insert(a, b, c), "BFI"),
            _ => return None,
        };
        self.set(word, value);
        Some(name)
    }

    /// Instructions of two sources.
    fn two(&mut self, word: u64) -> Option<&'static str> {
        let (a, b) = (self.get(word, 8), self.integer(word));
        let negate = [bit(word, 49), bit(word, 48)];
        let (value, name) = match bits(word, 51, 5) {
            0 => (extract(if bit(word, 40) { a.reverse_bits() } else { a }, b, bit(word, 48)), "BFE"),
            1 => ((if bit(word, 40) { !b } else { b }).count_ones(), "POPC"),
            2 => {
                self.add(word, a, b, negate, [bit(word, 43), bit(word, 47)]);
                return Some("IADD");
            }
            3 => (sum(a << bits(word, 39, 5), b, negate), "ISCADD"),
            4 => {
                let less = if bit(word, 48) { (a as i32) < b as i32 } else { a < b };
                (if less == self.condition(word, 39) { a } else { b }, "IMNMX")
            }
            5 => {
                let a = if bit(word, 40) { a.reverse_bits() } else { a };
                (right(a, if bit(word, 39) { b & 31 } else { b }, bit(word, 48)), "SHR")
            }
            6 => {
                let b = if bit(word, 40) { !b } else { b };
                let b = if bit(word, 48) && (b as i32) < 0 { !b } else { b };
                let highest = b.checked_ilog2();
                let shown = |n: u32| if bit(word, 41) { 31 - n } else { n };
                (highest.map_or(u32::MAX, shown), "FLO")
            }
            7 => {
                let all = product(a, b, [bit(word, 40), bit(word, 41)]);
                (if bit(word, 39) { (all >> 32) as u32 } else { all as u32 }, "IMUL")
            }
            8 => {
                let flip = |v: u32, at| if bit(word, at) { !v } else { v };
                let value = logic(bits(word, 41, 2), flip(a, 39), flip(b, 40));
                match bits(word, 44, 2) {
                    2 => self.set_p(bits(word, 48, 3), value == 0),
                    3 => self.set_p(bits(word, 48, 3), value != 0),
                    _ => {}
                }
                (value, "LOP")
            }
            9 => {
                let by = if bit(word, 39) { b & 31 } else { b };
                (a.checked_shl(by).unwrap_or(0), "SHL")
            }
            0x13 => (b, "MOV"),
            0x14 => (if self.condition(word, 39) { a } else { b }, "SEL"),
            0x18 | 0x19 => (self.three_terms(word, a, b), "IADD3"),
            0x1e => {
                let a = a >> (8 * bits(word, 41, 2));
                (0..7).filter(|n| b >> n & 1 != 0).for_each(|n| self.set_p(n, a >> n & 1 != 0));
                return Some("R2P");
            }
            0x1f => {
                let by = if bit(word, 50) { b & 31 } else { b.min(32) };
                let wide = u64::from(self.get(word, 39)) << 32 | u64::from(a);
                ((wide >> by) as u32, "SHF.R")
            }
            _ => return None,
        };
        self.set(word, value);
        Some(name)
    }

    fn three_terms(&self, word: u64, a: u32, b: u32) -> u32 {
        let part = |v: u32, at| match bits(word, at, 2) {
            1 => v & 0xffff,
            2 => v >> 16,
            _ => v,
        };
        let signed = |v: u32, at| if bit(word, at) { v.wrapping_neg() } else { v };
        let c = signed(part(self.get(word, 39), 31), 49);
        let pair = signed(part(a, 35), 51).wrapping_add(signed(part(b, 33), 50));
        let pair = match bits(word, 37, 2) {
            1 => pair >> 16,
            2 => pair << 16,
            _ => pair,
        };
        pair.wrapping_add(c)
    }
}
