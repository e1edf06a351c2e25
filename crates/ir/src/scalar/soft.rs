//! Float arithmetic in integers: exact results first, one rounding at the end. All rounding directions and formats use
//! the same few functions, with equal results on every host.

use crate::{Round, Scalar};
use core::cmp::Ordering;

/// A binary float format: widths of the exponent and the fraction in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    exp: u32,
    frac: u32,
}

/// A number: `sig * 2^exp`, negated if `neg`.
///
/// If a value has more bits than fit, bit 0 of `sig` is a sticky bit that stands for the rest. It is far below the last
/// bit of every format, so rounding sees it as "slightly more".
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    pub(super) neg: bool,
    pub(super) exp: i32,
    pub(super) sig: u128,
}

/// A decoded float.
#[derive(Clone, Copy, Debug)]
pub(super) enum Num {
    Nan,
    /// Infinity; negative if true.
    Inf(bool),
    Finite(Exact),
}

impl Format {
    const F16: Format = Format { exp: 5, frac: 10 };
    const F32: Format = Format { exp: 8, frac: 23 };
    pub(super) const F64: Format = Format { exp: 11, frac: 52 };

    /// The format of a float kind; `None` for integers.
    pub(super) const fn of(scalar: Scalar) -> Option<Format> {
        match scalar {
            Scalar::F16 => Some(Format::F16),
            Scalar::F32 => Some(Format::F32),
            Scalar::F64 => Some(Format::F64),
            _ => None,
        }
    }

    pub(super) const fn sign(self) -> u64 {
        1 << (self.exp + self.frac)
    }

    pub(super) const fn inf(self) -> u64 {
        ((1 << self.exp) - 1) << self.frac
    }

    /// The NaN that arithmetic yields: positive, quiet, no payload.
    pub(super) const fn nan(self) -> u64 {
        self.inf() | 1 << (self.frac - 1)
    }

    pub(super) const fn one(self) -> u64 {
        (self.inf() >> 1) & self.inf()
    }

    const fn bias(self) -> i32 {
        (1 << (self.exp - 1)) - 1
    }

    pub(super) const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.inf()
    }

    /// `bits`, or zero of the same sign if they are a denormal.
    pub(super) const fn flush(self, bits: u64) -> u64 {
        if bits & self.inf() == 0 { bits & self.sign() } else { bits }
    }

    pub(super) const fn decode(self, bits: u64) -> Num {
        let neg = bits & self.sign() != 0;
        let frac = bits & ((1 << self.frac) - 1);
        let exp = ((bits & self.inf()) >> self.frac) as i32;
        if bits & self.inf() == self.inf() {
            return if frac == 0 { Num::Inf(neg) } else { Num::Nan };
        }
        let (sig, exp) = if exp == 0 { (frac, 1) } else { (frac | 1 << self.frac, exp) };
        Num::Finite(Exact { neg, exp: exp - self.bias() - self.frac as i32, sig: sig as u128 })
    }

    /// Rounds to this format.
    pub(super) fn encode(self, x: Num, round: Round) -> u64 {
        match x {
            Num::Nan => self.nan(),
            Num::Inf(neg) => self.signed(neg, self.inf()),
            Num::Finite(x) => self.signed(x.neg, self.magnitude(x, round)),
        }
    }

    const fn signed(self, neg: bool, bits: u64) -> u64 {
        if neg { bits | self.sign() } else { bits }
    }

    fn magnitude(self, x: Exact, round: Round) -> u64 {
        if x.sig == 0 {
            return 0;
        }
        let top = x.exp + x.top();
        let away = match round {
            Round::Nearest => true,
            Round::Zero => false,
            Round::Up => !x.neg,
            Round::Down => x.neg,
        };
        let overflow = if away { self.inf() } else { self.inf() - 1 };
        if top > self.bias() {
            return overflow;
        }
        // Exponent of the last preserved bit; denormals preserve fewer bits.
        let last = top.max(1 - self.bias()) - self.frac as i32;
        let kept = x.digits(last, round) as u64;
        // A significand with its leading one adds 1 to the exponent field, and so does a carry.
        let bits = kept + (((last + self.frac as i32 + self.bias() - 1) as u64) << self.frac);
        if bits >= self.inf() { overflow } else { bits }
    }
}

impl Exact {
    /// Position of the highest set bit of a nonzero significand.
    fn top(self) -> i32 {
        127 - self.sig.leading_zeros() as i32
    }

    /// The value divided by `2^last` and rounded to an integer, without its sign.
    fn digits(self, last: i32, round: Round) -> u128 {
        let shift = last - self.exp;
        if shift <= 0 {
            return self.sig << -shift;
        }
        let (kept, rest, half) = match shift {
            1..128 => (self.sig >> shift, self.sig & ((1 << shift) - 1), 1 << (shift - 1)),
            // Far below one half: no significand uses all 128 bits.
            _ => (0, self.sig.min(1), 2),
        };
        let up = match round {
            Round::Nearest => rest > half || rest == half && kept & 1 == 1,
            Round::Zero => false,
            Round::Up => !self.neg && rest != 0,
            Round::Down => self.neg && rest != 0,
        };
        kept + u128::from(up)
    }

    /// The same value with its highest bit at position `at`; no bits are lost.
    fn lifted(self, at: i32) -> Exact {
        let up = at - self.top();
        Exact { exp: self.exp - up, sig: self.sig << up, ..self }
    }

    /// The sum. Operands have at most 106 significant bits.
    pub(super) fn add(self, other: Exact, round: Round) -> Exact {
        if self.sig == 0 && other.sig == 0 {
            let neg = if self.neg == other.neg { self.neg } else { round == Round::Down };
            return Exact { neg, ..self };
        }
        if self.sig == 0 {
            return other;
        }
        if other.sig == 0 {
            return self;
        }
        let (a, b) = (self.lifted(125), other.lifted(125));
        let (big, small) = if (a.exp, a.sig) >= (b.exp, b.sig) { (a, b) } else { (b, a) };
        // If the exponents differ by up to 19, no bits are lost. Beyond that, cancellation removes at most one bit, and
        // the sticky bit stays below every format's last bit.
        let low = shift_sticky(small.sig, (big.exp - small.exp) as u32);
        if big.neg == small.neg {
            return Exact { sig: big.sig + low, ..big };
        }
        let sig = big.sig - low;
        Exact { neg: if sig == 0 { round == Round::Down } else { big.neg }, sig, ..big }
    }

    /// The product of two numbers with at most 53 significant bits.
    pub(super) fn mul(self, other: Exact) -> Exact {
        Exact { neg: self.neg != other.neg, exp: self.exp + other.exp, sig: self.sig * other.sig }
    }

    /// The quotient of two nonzero numbers with at most 53 significant bits.
    pub(super) fn div(self, other: Exact) -> Exact {
        let a = self.lifted(126);
        let sig = a.sig / other.sig;
        let sticky = u128::from(!a.sig.is_multiple_of(other.sig));
        Exact { neg: self.neg != other.neg, exp: a.exp - other.exp, sig: sig | sticky }
    }

    /// The square root of a positive number with at most 53 significant bits.
    pub(super) fn sqrt(self) -> Exact {
        // An even exponent halves exactly.
        let top = 126 - (self.exp - self.top()).rem_euclid(2);
        let a = self.lifted(top);
        let sig = a.sig.isqrt();
        Exact { exp: a.exp / 2, sig: sig | u128::from(sig * sig != a.sig), ..a }
    }

    /// 1 / square root of a positive number with at most 24 significant bits.
    pub(super) fn rsqrt(self) -> Exact {
        let a = Exact { exp: self.exp & !1, sig: self.sig << (self.exp & 1), ..self };
        let sig = ((1 << 126) / a.sig).isqrt();
        // The quotient of two roots is exact only if 2^126 is a multiple of sig² by this very factor.
        let sticky = u128::from(sig * sig * a.sig != 1 << 126);
        Exact { exp: -63 - a.exp / 2, sig: sig | sticky, ..a }
    }

    /// Rounded to an integral number.
    pub(super) fn integral(self, round: Round) -> Exact {
        if self.exp >= 0 { self } else { Exact { exp: 0, sig: self.digits(0, round), ..self } }
    }

    /// The integral part without its sign; `None` if it exceeds 64 bits.
    pub(super) fn truncated(self) -> Option<u64> {
        match self.exp {
            ..=0 => u64::try_from(self.digits(0, Round::Zero)).ok(),
            1..64 => u64::try_from(self.sig << self.exp).ok(),
            _ => (self.sig == 0).then_some(0),
        }
    }
}

/// `sig` shifted right; bit 0 is set if any ones were shifted out.
fn shift_sticky(sig: u128, by: u32) -> u128 {
    match by {
        0 => sig,
        1..128 => sig >> by | u128::from(sig << (128 - by) != 0),
        _ => u128::from(sig != 0),
    }
}

/// Numeric order; -0 equals +0, NaN is unordered.
pub(super) fn compare(f: Format, a: u64, b: u64) -> Option<Ordering> {
    (!f.is_nan(a) && !f.is_nan(b)).then(|| key(f, a).cmp(&key(f, b)))
}

/// Whether `a` is less than `b`, with -0 less than +0; for numbers.
pub(super) fn below(f: Format, a: u64, b: u64) -> bool {
    let order = |x: u64| (key(f, x), x & f.sign() == 0);
    order(a) < order(b)
}

fn key(f: Format, bits: u64) -> i64 {
    let magnitude = (bits & (f.sign() - 1)) as i64;
    if bits & f.sign() != 0 { -magnitude } else { magnitude }
}
