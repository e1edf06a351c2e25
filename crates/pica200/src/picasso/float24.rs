//! Converts a number in the source to float24: sign in bit 23, seven bits of exponent with bias 63, sixteen of
//! mantissa.

/// Infinity; a larger number is NaN.
const INFINITY: u32 = 0x7f_0000;

/// The outcome of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Rounded at most.
    Fine,
    /// Past the largest number: infinity.
    Infinite,
    /// Below the smallest number: zero.
    Zero,
    /// picasso writes the bits of another number, or of none.
    Wrong,
}

/// Truncates to sixteen bits of mantissa, as picasso and the library that consoles run do. Between 2^64 and 2^65 the
/// bits are those of NaN, between 2^-63 and 2^-62 those of a denormal of another value; these bits are returned, with
/// [`Fit::Wrong`].
pub(super) fn cut(value: f64) -> (u32, Fit) {
    let bits = (value as f32).to_bits();
    let (sign, exponent) = (bits >> 31 << 23, (bits >> 23 & 0xff) as i32 - 64);
    let mantissa = (bits & 0x7f_ffff) >> 7;
    match exponent {
        ..0 => (sign, if value == 0.0 { Fit::Fine } else { Fit::Zero }),
        0x80.. if value.is_nan() => (sign | INFINITY, Fit::Wrong),
        0x80.. => (sign | INFINITY, if value.is_infinite() { Fit::Fine } else { Fit::Infinite }),
        _ => {
            let cut = sign | (exponent as u32) << 16 | mantissa;
            let fit = match exponent {
                0x7f if mantissa == 0 => Fit::Infinite,
                0 | 0x7f => Fit::Wrong,
                _ => Fit::Fine,
            };
            (cut, fit)
        }
    }
}

/// Rounds to the nearest float24, ties to even.
pub(super) fn nearest(value: f64) -> (u32, Fit) {
    let bits = value.to_bits();
    let sign = (bits >> 63 << 23) as u32;
    if value.is_nan() {
        return (sign | INFINITY | 0x8000, Fit::Fine);
    }
    // Exponent and mantissa as one number, so that rounding carries from one to the other.
    let magnitude = bits & (u64::MAX >> 1);
    let rounded = (magnitude + (1 << 35) - 1 + (magnitude >> 36 & 1)) >> 36;
    let biased = (rounded as i64) - ((1023 - 63) << 16);
    match biased {
        _ if value.is_infinite() => (sign | INFINITY, Fit::Fine),
        0x7f_0000.. => (sign | INFINITY, Fit::Infinite),
        0x1_0000.. => (sign | biased as u32, Fit::Fine),
        _ => (sign, if value == 0.0 { Fit::Fine } else { Fit::Zero }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_cut_or_rounded() {
        assert_eq!(cut(0.1), (0x3b_9999, Fit::Fine));
        assert_eq!(nearest(0.1), (0x3b_999a, Fit::Fine));
        assert_eq!((cut(-1.5).0, nearest(-1.5).0), (0xbf_8000, 0xbf_8000));
    }

    #[test]
    fn edges_of_the_range() {
        assert_eq!(cut(3e19), (0x7f_a055, Fit::Wrong));
        assert_eq!(cut(2f64.powi(64)), (0x7f_0000, Fit::Infinite));
        assert_eq!(cut(1e30), (0x7f_0000, Fit::Infinite));
        assert_eq!(cut(f64::INFINITY), (0x7f_0000, Fit::Fine));
        assert_eq!(cut(f64::NAN).1, Fit::Wrong);
        assert_eq!(cut(1.5 * 2f64.powi(-63)), (0x00_8000, Fit::Wrong));
        assert_eq!(cut(2f64.powi(-62)), (0x01_0000, Fit::Fine));
        assert_eq!(cut(-1e-30), (0x80_0000, Fit::Zero));
        assert_eq!(cut(-0.0), (0x80_0000, Fit::Fine));
        assert_eq!(nearest(3e19), (0x7f_0000, Fit::Infinite));
        assert_eq!(nearest(f64::INFINITY), (0x7f_0000, Fit::Fine));
        assert_eq!(nearest(f64::NAN.copysign(1.0)), (0x7f_8000, Fit::Fine));
        assert_eq!(nearest(f64::NAN.copysign(-1.0)), (0xff_8000, Fit::Fine));
        assert_eq!(nearest(2f64.powi(-63)), (0, Fit::Zero));
        // A number just below a power of two rounds up to it.
        assert_eq!(nearest(2.0 - 2f64.powi(-40)), (0x40_0000, Fit::Fine));
        // Halfway goes to the even one.
        assert_eq!(nearest(1.0 + 2f64.powi(-17)).0, 0x3f_0000);
        assert_eq!(nearest(1.0 + 3.0 * 2f64.powi(-17)).0, 0x3f_0002);
    }
}
