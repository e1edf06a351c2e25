//! What a program is planned into: operations on whole planes.

use shisa_ir::{Atomic, Axis, Binary, Convert, FloatRule, LaneOp, Scalar, Space, Ternary, Unary};

/// Number of a plane in the machine's arena: constants, then registers, then scratch.
pub(crate) type P = u32;

/// The plane of zeros, always the first constant.
pub(crate) const ZERO: P = 0;

/// A component of up to 64 bits: low and high half; the high half of a narrow one is [`ZERO`].
pub(crate) type Wide = [P; 2];

/// One operation over all lanes. Destinations in scratch lie above every source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Micro {
    /// A loop over a plane.
    Fast { op: Fast, dst: P, args: [P; 3] },
    /// Lane by lane through `shisa_ir::scalar`; `wide` results have two planes.
    Slow { op: Slow, dst: P, wide: bool, args: [Wide; 3] },
    /// A dot product of `count` binary32 components whose sum is rounded once.
    Dot { rule: FloatRule, dst: P, count: u8, a: [P; 4], b: [P; 4] },
    /// Reads unit `offset + index * stride` of the `units` from `first` on; zero outside.
    Gather { dst: P, first: P, units: u32, offset: u32, stride: u32, index: P },
    /// Register write, where lanes are active.
    Write { reg: P, src: P },
    /// The low half of each word to a register of 16 bits, the high half to the one behind.
    WriteHalves { reg: P, src: P },
    /// Of the two lanes that a derivative is taken between, the value of the second or the first.
    Neighbour { axis: Axis, second: bool, dst: P, a: P },
    /// Exchange between lanes; `wide` results have two planes.
    Lane { op: LaneOp, dst: P, wide: bool, a: Wide, b: P },
    /// Texture operation: index into [`super::Program::samples`]; four planes of binary32.
    Texture { dst: P, sample: u32 },
    /// Texture operation that writes a texel: index into [`super::Program::samples`].
    TextureStore { sample: u32 },
    /// `count` components of kind `scalar`; a component takes two planes when it is 64 bits wide.
    Load { space: Space, dst: P, address: Wide, scalar: Scalar, count: u8 },
    /// One component, `offset` bytes behind the address.
    Store { space: Space, address: Wide, offset: u8, scalar: Scalar, value: Wide },
    /// The values of the active lanes made one, in rising order, from `start` on.
    Combine { op: Slow, quad: bool, before: bool, start: u64, dst: P, wide: bool, a: Wide },
    /// Changes a component in memory; `wide` ones have 64 bits.
    Atomic { op: Atomic, space: Space, address: Wide, dst: P, scalar: Scalar, value: Wide, expected: Wide },
    /// Only lanes where `cond` holds go on with the step.
    Guard { cond: P },
    /// Lanes become helpers.
    Kill { cond: P },
    /// Chooses the vertex slot.
    SetEmit(crate::Emission),
    /// Hands the outputs to the environment.
    Emit,
    /// Ends the step with [`crate::Progress::Barrier`].
    Barrier,
}

/// An operation of the project's scalar semantics, with all that it depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slow {
    Unary(Unary, FloatRule, Scalar),
    Binary(Binary, FloatRule, Scalar),
    Ternary(Ternary, FloatRule, Scalar),
    Convert(Convert, FloatRule, Scalar, Scalar),
}

/// A texture operation on planes: those of an operand's components, or the two halves of 64 bits.
pub(crate) type TexPlan = shisa_ir::TexOp<[P; 4]>;

/// Operations on 32-bit patterns that run as one loop. Float ones are binary32 under the IEEE rule,
/// integer ones are 32 bits wide, comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fast {
    Copy,
    FNeg,
    FAbs,
    FSat,
    FFloor,
    FCeil,
    FTrunc,
    FRound,
    FSqrt,
    FRsqrt,
    FRcp,
    FExp2,
    FLog2,
    FSin,
    FCos,
    FSinc,
    FAdd,
    FSub,
    FMul,
    /// Zero times infinity is +0.
    FMulZero,
    FDiv,
    /// The number of two operands, -0 below +0.
    FMin,
    /// The number of two operands, -0 below +0.
    FMax,
    /// `a < b ? a : b`.
    FMinSecond,
    /// `a > b ? a : b`.
    FMaxSecond,
    FPow,
    /// `a * b + c`, rounded once.
    Fma,
    /// A denormal becomes zero of its sign.
    Flush,
    FEq,
    FNe,
    FLt,
    FLe,
    INeg,
    Not,
    /// Of `i1`.
    LogicalNot,
    IAdd,
    ISub,
    IMul,
    UMin,
    UMax,
    SMin,
    SMax,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    IEq,
    INe,
    ULt,
    ULe,
    SLt,
    SLe,
    UMulHi,
    SMulHi,
    PopCount,
    /// Zeros above the highest bit of numbers of `bits` bits.
    LeadingZeros {
        bits: u8,
    },
    /// The lowest `bits` bits in opposite order.
    ReverseBits {
        bits: u8,
    },
    /// `a & 1 ? b : c`.
    Select,
    FloatToSigned,
    FloatToUnsigned,
    /// To a whole number of `bits` bits, at most 16, clamped to its range.
    FloatToNarrow {
        signed: bool,
        bits: u8,
    },
    SignedToFloat,
    UnsignedToFloat,
    /// `a | b << shift`.
    Insert {
        shift: u8,
    },
    /// `bits` bits of a from bit `shift` on.
    Extract {
        shift: u8,
        bits: u8,
    },
    /// A number of `bits` bits with its sign above.
    SignExtend {
        bits: u8,
    },
    /// A binary16 number as binary32.
    FromHalf,
    /// A binary32 number as binary16, rounded to nearest.
    ToHalf,
    /// The other sign of a binary16 number.
    HNeg,
    HAbs,
    /// `a * b + c` of binary16 numbers, rounded once.
    HFma,
}

impl Fast {
    /// How many operands it looks at.
    pub(crate) fn operands(self) -> usize {
        use Fast::*;
        match self {
            Fma | HFma | Select => 3,
            FAdd
            | FSub
            | FMul
            | FMulZero
            | FDiv
            | FMin
            | FMax
            | FMinSecond
            | FMaxSecond
            | FPow
            | FEq
            | FNe
            | FLt
            | FLe
            | IAdd
            | ISub
            | IMul
            | UMin
            | UMax
            | SMin
            | SMax
            | And
            | Or
            | Xor
            | Shl
            | LShr
            | AShr
            | IEq
            | INe
            | ULt
            | ULe
            | SLt
            | SLe
            | UMulHi
            | SMulHi
            | Insert { .. } => 2,
            _ => 1,
        }
    }
}
