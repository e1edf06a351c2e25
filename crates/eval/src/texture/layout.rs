//! Formats whose components are numbers of equal size, one after the other.

use super::color::Color;
use shisa_ir::{Convert, FloatRule, Round, Scalar, scalar};

/// What the bits of a component are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// n / (2^bits − 1).
    Unsigned,
    /// n / (2^(bits − 1) − 1), at least −1.
    Signed,
    /// A binary16 or binary32.
    Float,
    /// An integer without a sign, which texels have as bits.
    Integer,
    /// The same with a sign.
    SignedInteger,
}

/// One to four components, red first. Missing ones are 0, alpha is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) components: usize,
    /// Bytes of a component: 1, 2 or 4.
    pub(super) bytes: usize,
    pub(super) number: Number,
}

/// The integer 1, in the bits of a float.
const ONE: f32 = f32::from_bits(1);

impl Layout {
    /// Bytes of a texel.
    pub(super) const fn size(self) -> usize {
        self.components * self.bytes
    }

    /// Whether texels have its components as bits.
    pub(super) fn is_integer(self) -> bool {
        matches!(self.number, Number::Integer | Number::SignedInteger)
    }

    /// The largest number that is stored: 1 in normalised formats.
    fn most(self) -> u32 {
        let bits = 8 * self.bytes as u32 - u32::from(self.number == Number::Signed);
        u32::MAX >> (32 - bits)
    }

    /// The number with a sign that the lowest bits are.
    fn extended(self, bits: u32) -> i32 {
        let unused = 32 - 8 * self.bytes as u32;
        (bits << unused) as i32 >> unused
    }

    /// The texel of these bytes.
    pub(super) fn decode(self, bytes: &[u8]) -> Color {
        let mut color = [0.0, 0.0, 0.0, if self.is_integer() { ONE } else { 1.0 }];
        for (component, bytes) in color.iter_mut().zip(bytes.chunks(self.bytes)) {
            let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
            *component = match self.number {
                Number::Unsigned => (f64::from(bits) / f64::from(self.most())) as f32,
                Number::Signed => (f64::from(self.extended(bits)) / f64::from(self.most())).max(-1.0) as f32,
                Number::Float if self.bytes == 2 => half(bits as u16),
                Number::Float | Number::Integer => f32::from_bits(bits),
                Number::SignedInteger => f32::from_bits(self.extended(bits) as u32),
            };
        }
        color
    }

    /// The bits of a component. Numbers outside of the format become its nearest ones, NaN becomes 0.
    fn bits(self, c: f32, towards_zero: bool) -> u32 {
        let scaled = |least: f64| {
            let c = f64::from(c).clamp(least, 1.0) * f64::from(self.most());
            // The cast converts NaN to 0.
            (if towards_zero { c.trunc() } else { c.round_ties_even() }) as i64 as u32
        };
        match self.number {
            Number::Unsigned => scaled(0.0),
            Number::Signed => scaled(-1.0),
            Number::Float if self.bytes == 2 => narrowed(c, towards_zero).into(),
            Number::Float => c.to_bits(),
            Number::Integer => c.to_bits().min(self.most()),
            Number::SignedInteger => {
                let most = (self.most() >> 1) as i32;
                (c.to_bits() as i32).clamp(-most - 1, most) as u32
            }
        }
    }

    /// Appends the bytes of a texel.
    pub(super) fn encode(self, color: Color, towards_zero: bool, out: &mut Vec<u8>) {
        for c in color.iter().take(self.components) {
            out.extend(self.bits(*c, towards_zero).to_le_bytes().iter().take(self.bytes));
        }
    }

    /// The texel after a color is written to it.
    pub(super) fn stored(self, color: Color, towards_zero: bool) -> Color {
        let mut bytes = Vec::new();
        self.encode(color, towards_zero, &mut bytes);
        self.decode(&bytes)
    }
}

/// A number as binary16.
fn narrowed(c: f32, towards_zero: bool) -> u16 {
    let round = if towards_zero { Round::Zero } else { Round::Nearest };
    let rule = FloatRule { round, ..FloatRule::IEEE };
    scalar::convert(Convert::Float, rule, Scalar::F32, Scalar::F16, c.to_bits().into()) as u16
}

fn half(bits: u16) -> f32 {
    let bits = scalar::convert(Convert::Float, FloatRule::IEEE, Scalar::F16, Scalar::F32, bits.into());
    f32::from_bits(bits as u32)
}
