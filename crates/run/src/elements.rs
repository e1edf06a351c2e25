//! Contents of memory as numbers of one type, and their comparison.

use std::fmt;

/// The type of the numbers in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    name: &'static str,
    /// Size of a number in bytes.
    size: usize,
    /// Reads a float; `None` for integers.
    float: Option<fn(&[u8]) -> f64>,
}

/// How much two floats may differ: by `abs`, plus `rel` times the magnitude of the expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// The absolute part.
    pub abs: f64,
    /// The relative part.
    pub rel: f64,
}

/// A number that is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name of the type.
    name: &'static str,
    /// The number's index in its buffer.
    index: usize,
    want: String,
    got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { name, index, want, got } = self;
        write!(f, "{name} {index}: expected {want}, got {got}")
    }
}

const fn integers(name: &'static str, size: usize) -> Elements {
    Elements { name, size, float: None }
}

impl Elements {
    /// All types by name: `u8` to `u64`, `i8` to `i64`, `f16`, `f32`, `f64`.
    pub const ALL: [Elements; 11] = [
        integers("u8", 1),
        integers("i8", 1),
        integers("u16", 2),
        integers("i16", 2),
        integers("u32", 4),
        integers("i32", 4),
        integers("u64", 8),
        integers("i64", 8),
        Elements { name: "f16", size: 2, float: Some(half) },
        Elements { name: "f32", size: 4, float: Some(single) },
        Elements { name: "f64", size: 8, float: Some(double) },
    ];

    /// The type of a name.
    pub fn of(name: &str) -> Option<Elements> {
        Elements::ALL.into_iter().find(|e| e.name == name)
    }

    /// The number of numbers in this many bytes.
    pub fn count(&self, bytes: usize) -> usize {
        bytes.div_ceil(self.size)
    }

    /// The numbers that differ. Integers are compared bit for bit, and so are floats without a tolerance, but any NaN
    /// equals any other.
    pub fn differences<'a>(
        self,
        want: &'a [u8],
        got: &'a [u8],
        tolerance: Option<Tolerance>,
    ) -> impl Iterator<Item = Difference> + 'a {
        let pairs = want.chunks(self.size).zip(got.chunks(self.size)).enumerate();
        pairs.filter(move |(_, (want, got))| want != got && !self.near(want, got, tolerance)).map(
            move |(index, (want, got))| Difference {
                name: self.name,
                index,
                want: self.text(want),
                got: self.text(got),
            },
        )
    }

    fn near(self, want: &[u8], got: &[u8], tolerance: Option<Tolerance>) -> bool {
        let Some(float) = self.float else { return false };
        let (want, got) = (float(want), float(got));
        let within = |t: Tolerance| want == got || (got - want).abs() <= t.abs + t.rel * want.abs();
        want.is_nan() && got.is_nan() || tolerance.is_some_and(within)
    }

    fn text(self, bytes: &[u8]) -> String {
        let hex: String = bytes.iter().rev().map(|b| format!("{b:02x}")).collect();
        self.float.map_or(hex.clone(), |float| format!("{hex} ({})", float(bytes)))
    }
}

// Bytes of another size are no number, which equals no other one.

fn single(bytes: &[u8]) -> f64 {
    bytes.try_into().map_or(f64::NAN, |b| f64::from(f32::from_le_bytes(b)))
}

fn double(bytes: &[u8]) -> f64 {
    bytes.try_into().map_or(f64::NAN, f64::from_le_bytes)
}

fn half(bytes: &[u8]) -> f64 {
    let bits = bytes.try_into().map_or(u16::MAX, u16::from_le_bytes);
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + mantissa / 1024.0) * 2f64.powi(e - 15),
    };
    if bits >> 15 != 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(name: &str, want: &[u8], got: &[u8], tolerance: Option<Tolerance>) -> Vec<String> {
        let elements = Elements::of(name).unwrap();
        elements.differences(want, got, tolerance).map(|d| d.to_string()).collect()
    }

    #[test]
    fn floats_differ_within_the_tolerance_only() {
        let [one, near, nan, other] = [1.0f32, 1.000_001, f32::NAN, -f32::NAN].map(f32::to_le_bytes);
        let loose = Some(Tolerance { rel: 1e-5, abs: 0.0 });
        assert_eq!(
            texts("f32", &one, &near, None),
            ["f32 0: expected 3f800000 (1), got 3f800008 (1.0000009536743164)"]
        );
        for (want, got, tolerance) in [(one, near, loose), (nan, other, None), (one, one, None)] {
            assert!(texts("f32", &want, &got, tolerance).is_empty());
        }
        assert_eq!(texts("f32", &one, &nan, loose).len(), 1);
        // A relative tolerance grows with the expected number.
        let [large, close, far] = [1000.0f32, 1000.009, 1000.02].map(f32::to_le_bytes);
        assert!(texts("f32", &large, &close, loose).is_empty());
        assert_eq!(texts("f32", &large, &far, loose).len(), 1);
        assert_eq!(texts("u32", &nan, &other, loose), ["u32 0: expected 7fc00000, got ffc00000"]);
    }

    #[test]
    fn halves_and_doubles() {
        let halves = [0x3c00u16, 0xc000, 1, 0x7c00].map(u16::to_le_bytes);
        assert_eq!(halves.map(|h| half(&h)), [1.0, -2.0, 2f64.powi(-24), f64::INFINITY]);
        assert!(half(&0x7c01u16.to_le_bytes()).is_nan());
        assert_eq!(half(&0x3e00u16.to_le_bytes()), 1.5);
        assert_eq!(half(&0x4601u16.to_le_bytes()), 6.003_906_25);
        let absolute = Some(Tolerance { abs: 0.5, rel: 0.0 });
        let [a, b, c] = [1.0f64, 1.5, 1.6].map(f64::to_le_bytes);
        assert!(texts("f64", &a, &b, absolute).is_empty() && texts("f64", &a, &c, absolute).len() == 1);
        assert_eq!(texts("u8", &[1, 2, 3], &[1, 5, 3], None), ["u8 1: expected 02, got 05"]);
        assert!(Elements::of("u128").is_none());
    }

    #[test]
    fn a_number_that_is_cut_off_counts() {
        let counts = [0, 1, 2, 4, 9].map(|bytes| Elements::of("f32").unwrap().count(bytes));
        assert_eq!(counts, [0, 1, 1, 1, 3]);
    }
}
