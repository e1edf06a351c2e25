//! Pure operations, each stated once: its name, the kind of its operands, and its result.
//!
//! The tables generate the enumerations, the words of the text form, the methods of [`crate::Builder`] and the rules
//! that the verifier checks. Engines match on the enumerations without a wildcard, so the compiler reports every match
//! that has to handle a new operation.

use crate::ty::{Scalar, Type};
use crate::words::worded;

/// Calls the macro `$define` with all rows: operation, word, kind of the operand.
macro_rules! unary_operations {
    ($define:ident) => {
        $define! {
            /// -a: flips the sign bit, of NaN too.
            FNeg fneg Float,
            /// |a|: clears the sign bit, of NaN too.
            FAbs fabs Float,
            /// max(min(a, 1), 0); NaN gives 0.
            FSat fsat Float,
            /// Largest integral number not above a.
            FFloor ffloor Float,
            /// Smallest integral number not below a.
            FCeil fceil Float,
            /// Integral part.
            FTrunc ftrunc Float,
            /// Nearest integral number, ties to even.
            FRound fround Float,
            /// Square root.
            FSqrt fsqrt Float,
            /// 1 / square root.
            FRsqrt frsqrt Float,
            /// 1 / a.
            FRcp frcp Float,
            /// 2^a.
            FExp2 fexp2 Float,
            /// Base-2 logarithm.
            FLog2 flog2 Float,
            /// Sine, a in radians.
            FSin fsin Float,
            /// Cosine, a in radians.
            FCos fcos Float,
            /// sin(a * π/2) / a; π/2 for 0.
            FSinc fsinc Float,
            /// 0 - a, modulo 2^n.
            INeg ineg Integer,
            /// All bits flipped; on `i1`, logical not.
            Not not Integer,
            /// Number of set bits.
            PopCount popcount Integer,
            /// Number of zero bits above the highest set bit; the width for 0.
            LeadingZeros leading_zeros Integer,
            /// The bits in reverse order.
            ReverseBits reverse_bits Integer,
        }
    };
}
pub(crate) use unary_operations;

/// Calls the macro `$define` with all rows: operation, word, kind of the operands, result.
macro_rules! binary_operations {
    ($define:ident) => {
        $define! {
            /// a + b.
            FAdd fadd Float -> Same,
            /// a - b.
            FSub fsub Float -> Same,
            /// a * b.
            FMul fmul Float -> Same,
            /// a / b.
            FDiv fdiv Float -> Same,
            /// Smaller operand; NaN by [`crate::NanRule`].
            FMin fmin Float -> Same,
            /// Larger operand; NaN by [`crate::NanRule`].
            FMax fmax Float -> Same,
            /// a^b, defined as 2^(b * log2 a).
            FPow fpow Float -> Same,
            /// Sum of the products of the components, from the first to the last, each step rounded. Scalar.
            FDot fdot Float -> Scalar,
            /// a = b; false on NaN.
            FEq feq Float -> Truth,
            /// a ≠ b; true on NaN.
            FNe fne Float -> Truth,
            /// a < b; false on NaN.
            FLt flt Float -> Truth,
            /// a ≤ b; false on NaN.
            FLe fle Float -> Truth,
            /// a + b, modulo 2^n.
            IAdd iadd Integer -> Same,
            /// a - b, modulo 2^n.
            ISub isub Integer -> Same,
            /// The low n bits of a * b.
            IMul imul Integer -> Same,
            /// The high n bits of the unsigned product.
            UMulHi umul_hi Integer -> Same,
            /// The high n bits of the signed product.
            SMulHi smul_hi Integer -> Same,
            /// Smaller, unsigned.
            UMin umin Integer -> Same,
            /// Larger, unsigned.
            UMax umax Integer -> Same,
            /// Smaller, signed.
            SMin smin Integer -> Same,
            /// Larger, signed.
            SMax smax Integer -> Same,
            /// Bitwise and; on `i1`, logical and.
            And and Integer -> Same,
            /// Bitwise or; on `i1`, logical or.
            Or or Integer -> Same,
            /// Bitwise exclusive or.
            Xor xor Integer -> Same,
            /// a shifted left by b; 0 when b is at least the width.
            Shl shl Integer -> Same,
            /// a shifted right by b, filled with zeros; 0 when b is at least the width.
            LShr lshr Integer -> Same,
            /// a shifted right by b, filled with the sign bit; all sign bits when b is at least the width.
            AShr ashr Integer -> Same,
            /// a = b.
            IEq ieq Integer -> Truth,
            /// a ≠ b.
            INe ine Integer -> Truth,
            /// a < b, unsigned.
            ULt ult Integer -> Truth,
            /// a ≤ b, unsigned.
            ULe ule Integer -> Truth,
            /// a < b, signed.
            SLt slt Integer -> Truth,
            /// a ≤ b, signed.
            SLe sle Integer -> Truth,
        }
    };
}
pub(crate) use binary_operations;

/// The kind of the operands of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    Integer,
}

/// The type of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Yields {
    /// The type of the operands.
    Same,
    /// `i1`, with as many components as the operands have.
    Truth,
    /// One component of the operands' kind.
    Scalar,
}

macro_rules! define_unary {
    ($($(#[$doc:meta])* $op:ident $word:ident $kind:ident,)*) => {
        worded! {
            /// Operations of one operand. Componentwise; the result has the operand's type.
            #[repr(u8)]
            pub enum Unary { $($(#[$doc])* $op = stringify!($word),)* }
        }

        impl Unary {
            const fn kind(self) -> Kind {
                match self { $(Unary::$op => Kind::$kind,)* }
            }
        }
    };
}
unary_operations!(define_unary);

macro_rules! define_binary {
    ($($(#[$doc:meta])* $op:ident $word:ident $kind:ident -> $yields:ident,)*) => {
        worded! {
            /// Operations of two operands of the same type. Componentwise unless stated otherwise. The result has the
            /// operands' type; comparisons yield `i1`.
            #[repr(u8)]
            pub enum Binary { $($(#[$doc])* $op = stringify!($word),)* }
        }

        impl Binary {
            const fn kind(self) -> Kind {
                match self { $(Binary::$op => Kind::$kind,)* }
            }

            const fn yields(self) -> Yields {
                match self { $(Binary::$op => Yields::$yields,)* }
            }
        }
    };
}
binary_operations!(define_binary);

worded! {
    /// Operations of three operands.
    #[repr(u8)]
    pub enum Ternary {
        /// a * b + c, rounded once.
        Fma = "fma",
        /// a ? b : c; a is `i1` with one component or as many as b.
        Select = "select",
    }
}

worded! {
    /// Conversions. The result's type is the node's; the component counts agree unless stated otherwise.
    #[repr(u8)]
    pub enum Convert {
        /// The same bits reinterpreted as another kind of the same width.
        Bits = "bits",
        /// Between float widths, rounded as the rule states.
        Float = "float_to_float",
        /// Float to signed integer, toward zero, clamped to the range, NaN to 0.
        FloatToSigned = "float_to_signed",
        /// Float to unsigned integer, toward zero, clamped to the range, NaN to 0.
        FloatToUnsigned = "float_to_unsigned",
        /// Signed integer to float.
        SignedToFloat = "signed_to_float",
        /// Unsigned integer to float; from `i1`: 0 or 1.
        UnsignedToFloat = "unsigned_to_float",
        /// To a narrower integer: the low bits.
        Truncate = "truncate",
        /// To a wider integer, extended with zeros.
        ZeroExtend = "zero_extend",
        /// To a wider integer, extended with the sign.
        SignExtend = "sign_extend",
        /// A 64-bit scalar from a vector of two 32-bit components, low component first, and back.
        Pair = "pair",
    }
}

impl Unary {
    /// Whether the operand and the result are floats; otherwise they are integers.
    pub const fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Float)
    }
}

impl Binary {
    /// Whether the operands are floats; otherwise they are integers.
    pub const fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Float)
    }

    /// Whether the result is `i1`.
    pub const fn compares(self) -> bool {
        matches!(self.yields(), Yields::Truth)
    }

    /// The type of the result for operands of type `a`.
    pub const fn result(self, a: Type) -> Type {
        match self.yields() {
            Yields::Same => a,
            Yields::Truth => Scalar::I1.by(a.count),
            Yields::Scalar => a.with_count(1),
        }
    }
}

impl Convert {
    /// Whether the conversion accepts values of type `from` and yields values of type `to`.
    pub fn converts(self, from: Type, to: Type) -> bool {
        let (a, b) = (from.scalar, to.scalar);
        let ints = !a.is_float() && !b.is_float();
        if self == Convert::Pair {
            let pairs = |two: Type, one: Type| {
                (two.count, two.scalar.bits(), one.count, one.scalar.bits()) == (2, 32, 1, 64)
            };
            return pairs(from, to) || pairs(to, from);
        }
        let kinds = match self {
            Convert::Bits => a.bits() == b.bits(),
            Convert::Float => a.is_float() && b.is_float(),
            Convert::FloatToSigned | Convert::FloatToUnsigned => a.is_float() && !b.is_float(),
            Convert::SignedToFloat | Convert::UnsignedToFloat => !a.is_float() && b.is_float(),
            Convert::Truncate => ints && a.bits() > b.bits(),
            Convert::ZeroExtend | Convert::SignExtend => ints && a.bits() < b.bits(),
            Convert::Pair => false,
        };
        kinds && from.count == to.count
    }
}
