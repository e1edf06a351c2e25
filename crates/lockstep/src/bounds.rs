//! How far values may be apart.

use shisa_ir::scalar::word;
use shisa_ir::{Binary, Lifted, Op, Scalar, Step, Unary, Value};

/// How far values of an engine may be from those of the evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bounds {
    /// All bits are equal.
    #[default]
    Bits,
    /// Floats are as close as shading languages demand, also in registers without a type. Languages let a device flush denormal numbers, treat zeros as equal
    /// and return any NaN; of functions such as sines they demand few bits.
    Languages,
}

/// Largest relative difference of a float that languages round correctly, if products and sums may be joined.
const ROUNDED: f64 = 1.0 / (1 << 17) as f64;
/// Largest difference of a float that was made of a function that languages approximate: relative to the larger one of 1 and
/// the number. WGSL allows sines an error of 2^-11.
const APPROXIMATED: f64 = 1.0 / (1 << 10) as f64;

/// How the operations of a step make values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Made {
    /// Without rounding.
    #[default]
    Exactly,
    /// Some of them round, as sums do.
    Rounded,
    /// Some of them are functions that languages approximate, such as sines.
    Approximated,
}

impl Made {
    /// By the operations of a step.
    pub(crate) fn by(lifted: &Lifted, step: &Step) -> Made {
        let all = step.nodes.clone().map(|index| Made::by_operation(lifted.nodes.op(Value(index))));
        all.max().unwrap_or_default()
    }

    fn by_operation(op: Op) -> Made {
        match op {
            Op::Unary { op, .. } if APPROXIMATED_UNARY.contains(&op) => Made::Approximated,
            Op::Binary { op: Binary::FDiv | Binary::FPow, .. } => Made::Approximated,
            op if op.rounding().is_some() => Made::Rounded,
            _ => Made::Exactly,
        }
    }
}

const APPROXIMATED_UNARY: [Unary; 8] = [
    Unary::FRcp,
    Unary::FRsqrt,
    Unary::FSqrt,
    Unary::FExp2,
    Unary::FLog2,
    Unary::FSin,
    Unary::FCos,
    Unary::FSinc,
];

impl Bounds {
    /// Whether two values are close enough.
    pub(crate) fn allow(self, [a, b]: [u64; 2], scalar: Scalar, made: Made) -> bool {
        // Registers without a type hold the bits of floats.
        let scalar = if made > Made::Exactly { float(scalar) } else { scalar };
        let (true, Bounds::Languages, Some(numbers)) = (a != b, self, numbers([a, b], scalar)) else {
            return a == b;
        };
        let [a, b] = numbers;
        if a == b || a.is_nan() && b.is_nan() || is_flushed(a) && is_flushed(b) {
            return true;
        }
        let larger = a.abs().max(b.abs());
        let bound = match made {
            Made::Exactly => 0.0,
            Made::Rounded => ROUNDED * larger,
            Made::Approximated => APPROXIMATED * larger.max(1.0),
        };
        larger.is_finite() && (a - b).abs() <= bound
    }
}

/// The floats of a size.
fn float(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I16 => Scalar::F16,
        Scalar::I32 => Scalar::F32,
        Scalar::I64 => Scalar::F64,
        other => other,
    }
}

/// Whether a device may treat the number as zero.
fn is_flushed(number: f64) -> bool {
    number.abs() < f64::from(f32::MIN_POSITIVE)
}

/// The numbers of two floats; `None` for integers.
fn numbers(bits: [u64; 2], scalar: Scalar) -> Option<[f64; 2]> {
    match scalar {
        Scalar::F16 => Some(bits.map(|bits| f64::from(f32::from_bits(word::from_half(bits as u32))))),
        Scalar::F32 => Some(bits.map(|bits| f64::from(f32::from_bits(bits as u32)))),
        Scalar::F64 => Some(bits.map(f64::from_bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{APPROXIMATED, Bounds, Made, ROUNDED};
    use shisa_ir::Scalar;

    fn bits(numbers: [f32; 2]) -> [u64; 2] {
        numbers.map(|number| number.to_bits().into())
    }

    fn allow(bounds: Bounds, numbers: [f32; 2], made: Made) -> bool {
        bounds.allow(bits(numbers), Scalar::F32, made)
    }

    #[test]
    fn bits_are_compared_as_they_are() {
        let made = Made::Approximated;
        assert!(allow(Bounds::Bits, [1.5, 1.5], made));
        assert!(!allow(Bounds::Bits, [0.0, -0.0], made));
        assert!(!allow(Bounds::Bits, [1.0, f32::from_bits(0x3f80_0001)], made));
        assert!(allow(Bounds::Bits, [f32::NAN, f32::NAN], made));
    }

    #[test]
    fn languages_allow_differences_up_to_their_bounds() {
        let (rounded, approximated) = (ROUNDED as f32, APPROXIMATED as f32);
        for (numbers, made, allowed) in [
            ([1000.0, 1000.0 * (1.0 - 0.9 * rounded)], Made::Rounded, true),
            ([1000.0, 1000.0 * (1.0 - 2.0 * rounded)], Made::Rounded, false),
            ([1000.0, f32::from_bits(1000_f32.to_bits() + 1)], Made::Exactly, false),
            ([0.001, 0.001 + 0.9 * approximated], Made::Approximated, true),
            ([0.001, 0.001 + 2.0 * approximated], Made::Approximated, false),
            ([0.001, 0.001 + 0.9 * approximated], Made::Rounded, false),
            ([0.0, -0.0], Made::Exactly, true),
            ([1e-39, 0.0], Made::Exactly, true),
            ([1e-37, 0.0], Made::Rounded, false),
            ([f32::NAN, 1.0], Made::Approximated, false),
            ([f32::INFINITY, f32::MAX], Made::Approximated, false),
            ([f32::INFINITY, f32::INFINITY], Made::Exactly, true),
        ] {
            assert_eq!(allow(Bounds::Languages, numbers, made), allowed, "{numbers:?} made {made:?}");
        }
    }

    #[test]
    fn integers_are_floats_only_where_floats_were_made() {
        let one_ulp = bits([1.0, f32::from_bits(0x3f80_0001)]);
        assert!(Bounds::Languages.allow(one_ulp, Scalar::I32, Made::Rounded));
        assert!(!Bounds::Languages.allow(one_ulp, Scalar::I32, Made::Exactly));
        assert!(!Bounds::Bits.allow(one_ulp, Scalar::I32, Made::Rounded));
        let nans = [0x7fc0_0000, 0x7fc0_0001];
        assert!(Bounds::Languages.allow(nans, Scalar::F32, Made::Exactly));
        assert!(!Bounds::Languages.allow(nans, Scalar::I32, Made::Exactly));
    }
}
