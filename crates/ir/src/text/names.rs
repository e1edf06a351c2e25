//! The words of the text form: one table for each list of words, for both directions.

use crate::*;

pub(super) type Table<T> = &'static [(&'static str, T)];

/// The word of a value that is in the table.
pub(super) fn word<T: PartialEq>(table: Table<T>, value: &T) -> &'static str {
    table.iter().find(|(_, v)| v == value).map_or("?", |(w, _)| w)
}

/// The value of a word.
pub(super) fn value<T: Copy>(table: Table<T>, word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|&(_, v)| v)
}

pub(super) const UNARY: Table<Unary> = {
    use Unary::*;
    &[
        ("fneg", FNeg),
        ("fabs", FAbs),
        ("fsat", FSat),
        ("ffloor", FFloor),
        ("fceil", FCeil),
        ("ftrunc", FTrunc),
        ("fround", FRound),
        ("fsqrt", FSqrt),
        ("frsqrt", FRsqrt),
        ("frcp", FRcp),
        ("fexp2", FExp2),
        ("flog2", FLog2),
        ("fsin", FSin),
        ("fcos", FCos),
        ("fsinc", FSinc),
        ("ineg", INeg),
        ("not", Not),
        ("popcount", PopCount),
        ("leading_zeros", LeadingZeros),
        ("reverse_bits", ReverseBits),
    ]
};

pub(super) const BINARY: Table<Binary> = {
    use Binary::*;
    &[
        ("fadd", FAdd),
        ("fsub", FSub),
        ("fmul", FMul),
        ("fdiv", FDiv),
        ("fmin", FMin),
        ("fmax", FMax),
        ("fpow", FPow),
        ("fdot", FDot),
        ("feq", FEq),
        ("fne", FNe),
        ("flt", FLt),
        ("fle", FLe),
        ("iadd", IAdd),
        ("isub", ISub),
        ("imul", IMul),
        ("umul_hi", UMulHi),
        ("smul_hi", SMulHi),
        ("umin", UMin),
        ("umax", UMax),
        ("smin", SMin),
        ("smax", SMax),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("shl", Shl),
        ("lshr", LShr),
        ("ashr", AShr),
        ("ieq", IEq),
        ("ine", INe),
        ("ult", ULt),
        ("ule", ULe),
        ("slt", SLt),
        ("sle", SLe),
    ]
};

pub(super) const TERNARY: Table<Ternary> = &[("fma", Ternary::Fma), ("select", Ternary::Select)];

pub(super) const CONVERT: Table<Convert> = {
    use Convert::*;
    &[
        ("bits", Bits),
        ("float_to_float", Float),
        ("float_to_signed", FloatToSigned),
        ("float_to_unsigned", FloatToUnsigned),
        ("signed_to_float", SignedToFloat),
        ("unsigned_to_float", UnsignedToFloat),
        ("truncate", Truncate),
        ("zero_extend", ZeroExtend),
        ("sign_extend", SignExtend),
        ("pair", Pair),
    ]
};

pub(super) const LANE: Table<LaneOp> = &[
    ("any", LaneOp::Any),
    ("all", LaneOp::All),
    ("ballot", LaneOp::Ballot),
    ("shuffle", LaneOp::Shuffle),
    ("shuffle_xor", LaneOp::ShuffleXor),
    ("fetch", LaneOp::Fetch),
    ("quad_or", LaneOp::QuadOr),
];

pub(super) const AXIS: Table<Axis> = &[("ddx", Axis::X), ("ddy", Axis::Y)];

/// Memory without the constant banks, which have a number.
pub(super) const SPACE: Table<Space> = &[
    ("global", Space::Global),
    ("shared", Space::Shared),
    ("local", Space::Local),
    ("uniforms", Space::Uniforms),
    ("outputs", Space::Outputs),
    ("states", Space::States),
];

pub(super) const ROUND: Table<Round> = &[("rz", Round::Zero), ("rp", Round::Up), ("rm", Round::Down)];

pub(super) const NAN: Table<NanRule> = &[("number", NanRule::Number), ("second", NanRule::Second)];

pub(super) const FILTER: Table<Filter> = &[("nearest", Filter::Nearest), ("linear", Filter::Linear)];

pub(super) const WRAP: Table<Wrap> =
    &[("clamp", Wrap::Clamp), ("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror)];

/// Control operations without a number of their own.
pub(super) const CONTROL: Table<ControlOp> = {
    use ControlOp::*;
    &[
        ("next", Next),
        ("branch", Branch),
        ("call", Call),
        ("return", Return),
        ("loop", Loop),
        ("again", Again),
        ("exit", Exit),
        ("invalid", Invalid),
    ]
};
