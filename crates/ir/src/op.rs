//! Operations.

use crate::arithmetic::{Binary, Convert, Ternary, Unary};
use crate::reg::{FileId, Mask, Reg, Swizzle};
use crate::rule::FloatRule;
use crate::ty::{Scalar, Type};
use crate::words::worded;
use core::fmt;

/// Handle of a node, and of the value it yields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

impl Value {
    /// As an index into the arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// An operation with the type of its value and the instruction it came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// What is done.
    pub op: Op,
    /// Type of the value; [`Type::NONE`] when there is none.
    pub ty: Type,
    /// Number of the instruction it came from, counted in the order of the program's steps.
    pub origin: u32,
}

worded! {
    /// Exchange between lanes. All see the active lanes only and are convergent, except where stated.
    #[repr(u8)]
    pub enum LaneOp {
        /// `i1` → `i1`: whether any active lane has a true.
        Any = "any",
        /// `i1` → `i1`: whether all active lanes have a true.
        All = "all",
        /// `i1` → `i32`: bit n tells whether lane n is active and has a true.
        Ballot = "ballot",
        /// a of the lane whose number is b; an inactive or missing lane gives this lane's own a.
        Shuffle = "shuffle",
        /// a of the lane whose number is this lane's number xor b.
        ShuffleXor = "shuffle_xor",
        /// a of the lane whose number is b, active or not; a missing lane gives this lane's own a. Whole-wave.
        Fetch = "fetch",
        /// The bits that a has in any of four neighbouring lanes, active or not. Whole-wave.
        QuadOr = "quad_or",
    }
}

/// What combines the values of several lanes. All see the active lanes only and are convergent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combine {
    /// How two values become one; lanes follow each other from the first to the last.
    pub op: Binary,
    /// Whether only the lanes of each quad are combined.
    pub quad: bool,
    /// Whether each lane gets what the lanes before it make, the first one nothing but the neutral value.
    pub before: bool,
}

impl Combine {
    /// The neutral value: what combining no lanes gives; `None` for operations that combine nothing.
    pub const fn neutral(op: Binary, scalar: Scalar) -> Option<u64> {
        let all = u64::MAX >> (64 - scalar.bits());
        let sign = 1 << (scalar.bits() - 1);
        Some(match (op, scalar) {
            (Binary::And | Binary::UMin, _) if !scalar.is_float() => all,
            (Binary::Or | Binary::Xor | Binary::IAdd | Binary::UMax, _) if !scalar.is_float() => 0,
            (Binary::SMin, _) if !scalar.is_float() => all ^ sign,
            (Binary::SMax, _) if !scalar.is_float() => sign,
            // -0 keeps every number as it is.
            (Binary::FAdd, _) if scalar.is_float() => sign,
            (Binary::FMul, Scalar::F16) => 0x3c00,
            (Binary::FMul, Scalar::F32) => 0x3f80_0000,
            (Binary::FMul, Scalar::F64) => 0x3ff0_0000_0000_0000,
            (Binary::FMin, Scalar::F16) => 0x7c00,
            (Binary::FMin, Scalar::F32) => 0x7f80_0000,
            (Binary::FMin, Scalar::F64) => 0x7ff0_0000_0000_0000,
            (Binary::FMax, Scalar::F16) => 0xfc00,
            (Binary::FMax, Scalar::F32) => 0xff80_0000,
            (Binary::FMax, Scalar::F64) => 0xfff0_0000_0000_0000,
            _ => return None,
        })
    }
}

/// What changes memory at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atomic {
    /// What is there and the value, by an integer operation that is no comparison.
    Combine(Binary),
    /// The value.
    Exchange,
    /// The value where what is expected is there, else what is there.
    CompareExchange,
}

worded! {
    /// Direction of a derivative within a quad of lanes (two rows of two).
    pub enum Axis {
        /// Right minus left.
        X = "ddx",
        /// Lower minus upper row.
        Y = "ddy",
    }
}

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Device memory, byte addresses of 64 bits or of 32, zeros above.
    Global,
    /// Memory shared by a workgroup, byte addresses from 0.
    Shared,
    /// Memory of one lane, byte addresses from 0.
    Local,
    /// The uniforms as a program that runs before all lanes writes them, two bytes for 16 bits.
    Uniforms,
    /// What a vertex gives on, where its number is computed: byte 4n is component n.
    Outputs,
    /// Addresses of what describes textures and samplers: byte 8n is texture n, byte 2048 + 8n sampler n. Only written.
    States,
    /// Constant bank `n`, byte addresses from 0.
    Constant(u8),
}

#[allow(missing_docs, reason = "the variants say what their fields are")]
/// An operation. Operands are values of the same block or of blocks that dominate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// The same bits in every component, in the low bits.
    Const(u64),
    /// A parameter of a block.
    Param,
    /// Component i is at `reg.unit + swizzle(i) * units of one component`.
    Read { reg: Reg, swizzle: Swizzle },
    /// As [`Op::Read`] from unit `base + index * stride`; `index` is an `i32` and within the file.
    ReadAt { file: FileId, base: u16, stride: u8, index: Value, swizzle: Swizzle },
    /// The components of `value`, in order, go to the components of `mask`.
    Write { reg: Reg, mask: Mask, value: Value },
    /// One operand.
    Unary { op: Unary, rule: FloatRule, a: Value },
    /// Two operands.
    Binary { op: Binary, rule: FloatRule, a: Value, b: Value },
    /// Three operands.
    Ternary { op: Ternary, rule: FloatRule, a: Value, b: Value, c: Value },
    /// Change of kind.
    Convert { op: Convert, rule: FloatRule, a: Value },
    /// Component i of the result is component swizzle(i) of `a`.
    Swizzle { a: Value, swizzle: Swizzle },
    /// A vector of scalars; as many as the type counts, the rest repeat the last.
    Join { parts: [Value; 4] },
    /// Texture operation that yields a value: index into [`crate::Nodes::textures`].
    Texture(u32),
    /// Texture operation that writes a texel: index into [`crate::Nodes::textures`].
    TextureStore(u32),
    /// Derivative within the quad. Convergent.
    Derivative { axis: Axis, a: Value },
    /// Exchange between lanes. Convergent.
    Lane { op: LaneOp, a: Value, b: Value },
    /// The values of several lanes made one. Convergent.
    Combine { combine: Combine, rule: FloatRule, a: Value },
    /// Changes memory at the byte address at once, and yields what was there. `expected` counts for
    /// [`Atomic::CompareExchange`] only and is `value` otherwise.
    Atomic { op: Atomic, space: Space, address: Value, value: Value, expected: Value },
    /// Reads memory at the byte address; components lie one behind the other.
    Load { space: Space, address: Value },
    /// Writes memory at the byte address; components lie one behind the other.
    Store { space: Space, address: Value, value: Value },
    /// Lanes where `cond` holds write no output any more; they go on as helpers for derivatives.
    Kill { cond: Value },
    /// Geometry stage: names the vertex slot for the next [`Op::Emit`], whether that completes a
    /// triangle, and whether its winding is flipped.
    SetEmit { vertex: u8, primitive: bool, flip: bool },
    /// Geometry stage: puts the outputs into the chosen vertex slot.
    Emit,
    /// Waits for all lanes of the workgroup; memory written before is visible behind. Convergent.
    Barrier,
}

/// Who must agree that an operation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// One lane for itself.
    Lane,
    /// Sees which lanes are active: may not move across a divergent edge.
    Convergent,
    /// Also sees or changes inactive lanes.
    WholeWave,
}

impl Op {
    /// A constant.
    pub const fn constant(bits: u64) -> Op {
        Op::Const(bits)
    }

    /// Its class; a texture operation's depends on its level of detail and is asked of
    /// [`crate::Nodes::class`].
    pub const fn class(&self) -> Class {
        match self {
            Op::Lane { op: LaneOp::Fetch | LaneOp::QuadOr, .. } => Class::WholeWave,
            Op::Texture(_) | Op::Derivative { .. } | Op::Lane { .. } | Op::Combine { .. } | Op::Barrier => {
                Class::Convergent
            }
            _ => Class::Lane,
        }
    }

    /// The texture operation that it refers to.
    pub const fn texture(&self) -> Option<u32> {
        match self {
            Op::Texture(t) | Op::TextureStore(t) => Some(*t),
            _ => None,
        }
    }

    /// Whether it does more than yield a value; all of these but [`Op::Atomic`] yield none.
    pub const fn has_effect(&self) -> bool {
        matches!(
            self,
            Op::Write { .. }
                | Op::Store { .. }
                | Op::TextureStore(_)
                | Op::Atomic { .. }
                | Op::Kill { .. }
                | Op::SetEmit { .. }
                | Op::Emit
                | Op::Barrier
        )
    }
}
