//! Names and operator signs of operations.

use crate::{Binary, Convert, Space, Type, Unary};
use alloc::{format, string::String};

pub(super) fn space_name(space: Space) -> String {
    match space {
        Space::Global => "global".into(),
        Space::Shared => "shared".into(),
        Space::Local => "local".into(),
        Space::Uniforms => "uniforms".into(),
        Space::Outputs => "outputs".into(),
        Space::States => "states".into(),
        Space::Texels => "texels".into(),
        Space::Constant(n) => format!("constant{n}"),
        Space::Constants => "constants".into(),
        Space::Buffer(n) => format!("buffer{n}"),
    }
}

pub(super) fn unary_name(op: Unary) -> &'static str {
    match op {
        Unary::FNeg | Unary::INeg => "negate",
        Unary::FAbs => "abs",
        Unary::FSat => "saturate",
        Unary::FFloor => "floor",
        Unary::FCeil => "ceil",
        Unary::FTrunc => "trunc",
        Unary::FRound => "round",
        Unary::FSqrt => "sqrt",
        Unary::FRsqrt => "rsqrt",
        Unary::FRcp => "rcp",
        Unary::FExp2 => "exp2",
        Unary::FLog2 => "log2",
        Unary::FSin => "sin",
        Unary::FCos => "cos",
        Unary::FSinc => "sinc",
        Unary::Not => "not",
        Unary::PopCount => "popcount",
        Unary::LeadingZeros => "leading_zeros",
        Unary::ReverseBits => "reverse_bits",
    }
}

/// The notation of an operation with two operands.
pub(super) enum Form {
    Function(&'static str),
    Sum(&'static str),
    Product(&'static str),
    Shift(&'static str),
    Bits(&'static str),
    Compare(&'static str),
}

impl Form {
    /// The function name or operator sign.
    pub(super) fn sign(&self) -> &'static str {
        match self {
            Form::Function(name)
            | Form::Sum(name)
            | Form::Product(name)
            | Form::Shift(name)
            | Form::Bits(name)
            | Form::Compare(name) => name,
        }
    }
}

pub(super) fn binary_form(op: Binary) -> Form {
    use Form::*;
    match op {
        Binary::FAdd | Binary::IAdd => Sum("+"),
        Binary::FSub | Binary::ISub => Sum("-"),
        Binary::FMul | Binary::IMul => Product("*"),
        Binary::FDiv => Product("/"),
        Binary::FMin => Function("min"),
        Binary::FMax => Function("max"),
        Binary::FPow => Function("pow"),
        Binary::FDot => Function("dot"),
        Binary::UMulHi => Function("high_umul"),
        Binary::SMulHi => Function("high_mul"),
        Binary::UMin => Function("umin"),
        Binary::UMax => Function("umax"),
        Binary::SMin => Function("min"),
        Binary::SMax => Function("max"),
        Binary::And => Bits("&"),
        Binary::Or => Bits("|"),
        Binary::Xor => Bits("^"),
        Binary::Shl => Shift("<<"),
        Binary::LShr => Shift(">>"),
        Binary::AShr => Shift(">>s"),
        Binary::FEq | Binary::IEq => Compare("=="),
        Binary::FNe | Binary::INe => Compare("!="),
        Binary::FLt | Binary::SLt => Compare("<"),
        Binary::FLe | Binary::SLe => Compare("<="),
        Binary::ULt => Compare("<u"),
        Binary::ULe => Compare("<=u"),
    }
}

pub(super) fn convert_name(op: Convert, ty: Type) -> String {
    let to = ty.scalar.name();
    match op {
        Convert::Bits => format!("bits as {to}"),
        Convert::Float => format!("to {to}"),
        Convert::FloatToSigned => format!("to signed {to}"),
        Convert::FloatToUnsigned => format!("to unsigned {to}"),
        Convert::SignedToFloat => format!("signed to {to}"),
        Convert::UnsignedToFloat => format!("unsigned to {to}"),
        Convert::Truncate => format!("low {} bits", ty.scalar.bits()),
        Convert::ZeroExtend => format!("zero extend to {to}"),
        Convert::SignExtend => format!("sign extend to {to}"),
        Convert::Pair if ty.count == 2 => "halves".into(),
        Convert::Pair => "pair".into(),
    }
}
