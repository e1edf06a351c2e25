//! Operations.

use crate::arithmetic::{Binary, Convert, Ternary, Unary};
use crate::reg::{FileId, Mask, Reg, Swizzle};
use crate::rule::FloatRule;
use crate::ty::{Scalar, Type};
use crate::words::worded;
use core::fmt;

/// Index of a node in the arena, and of the value it yields.
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
    /// The operation.
    pub op: Op,
    /// Type of the value; [`Type::NONE`] if there is no value.
    pub ty: Type,
    /// Index of the instruction it came from, counted in the order of the program's steps.
    pub origin: u32,
}

worded! {
    /// Cross-lane operations. All see the active lanes only and are convergent, except where stated.
    #[repr(u8)]
    pub enum LaneOp {
        /// `i1` → `i1`: whether any active lane has true.
        Any = "any",
        /// `i1` → `i1`: whether all active lanes have true.
        All = "all",
        /// `i1` → `i32`: bit n is set if lane n is active and has true.
        Ballot = "ballot",
        /// The value of a in lane b; if lane b is inactive or missing, this lane's own a.
        Shuffle = "shuffle",
        /// The value of a in lane (this lane's number xor b).
        ShuffleXor = "shuffle_xor",
        /// The value of a in lane b, active or not; if lane b is missing, this lane's own a. Whole-wave.
        Fetch = "fetch",
        /// The bitwise or of a over the four lanes of the quad, active or not. Whole-wave.
        QuadOr = "quad_or",
    }
}

/// A reduction or scan over lanes. It sees the active lanes only and is convergent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combine {
    /// The operation that combines two values; lanes are combined from the first to the last.
    pub op: Binary,
    /// Whether the lanes of each quad are combined separately.
    pub quad: bool,
    /// Whether it is an exclusive scan: each lane gets the combination of the lanes before it, the first lane the
    /// neutral value.
    pub before: bool,
}

impl Combine {
    /// The neutral value: the result of combining no lanes; `None` for operations that cannot combine lanes.
    pub const fn neutral(op: Binary, scalar: Scalar) -> Option<u64> {
        let all = u64::MAX >> (64 - scalar.bits());
        let sign = 1 << (scalar.bits() - 1);
        Some(match (op, scalar) {
            (Binary::And | Binary::UMin, _) if !scalar.is_float() => all,
            (Binary::Or | Binary::Xor | Binary::IAdd | Binary::UMax, _) if !scalar.is_float() => 0,
            (Binary::SMin, _) if !scalar.is_float() => all ^ sign,
            (Binary::SMax, _) if !scalar.is_float() => sign,
            // -0 preserves every addend, +0 would not preserve -0.
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

/// What an atomic operation stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atomic {
    /// The previous value combined with the operand by an integer operation that is not a comparison.
    Combine(Binary),
    /// The previous value combined with the operand by a float operation that can combine lanes ([`Combine::neutral`]).
    CombineFloats(Binary, FloatRule),
    /// 0 if the previous value is at least the operand (unsigned), else the previous value plus 1.
    Increment,
    /// The operand if the previous value is 0 or above the operand (unsigned), else the previous value minus 1.
    Decrement,
    /// The operand.
    Exchange,
    /// The operand if the previous value equals the expected value, else the previous value.
    CompareExchange,
}

worded! {
    /// What a wave does at a numbered barrier of its workgroup. A wave counts as 32 threads there, however many of its
    /// lanes are active; only active lanes have votes.
    pub enum Arrival {
        /// Waits until the barrier has all its threads.
        Wait = "wait",
        /// Continues without waiting.
        Pass = "pass",
        /// Waits; the result is the number of threads whose vote is true.
        Count = "count",
        /// Waits; the result is 1 if the votes of all threads are true, else 0.
        All = "all",
        /// Waits; the result is 1 if the vote of any thread is true, else 0.
        Any = "any",
        /// Waits; the result of each lane is the number of threads before it whose vote is true.
        Before = "before",
    }
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

/// Memory spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Device memory; byte addresses of 64 bits, or of 32 bits zero-extended.
    Global,
    /// Memory shared by a workgroup, byte addresses from 0.
    Shared,
    /// Memory of one lane, byte addresses from 0.
    Local,
    /// The uniforms, as written by a program that runs before all lanes; 16 bits take two bytes.
    Uniforms,
    /// The outputs of a vertex, addressed by a computed number: byte 4n is component n.
    Outputs,
    /// Addresses of texture and sampler descriptors: byte 8n is texture n, byte 2048 + 8n is sampler n. Write-only.
    States,
    /// The bits of texels, at the addresses that [`crate::TexKind::Location`] gives. Where no texel is, a load gives 0 and a
    /// store has no effect.
    Texels,
    /// Constant bank `n`, byte addresses from 0.
    Constant(u8),
    /// All constant banks: bank n is at byte 65536n. For programs that compute the number of the bank.
    Constants,
    /// A part of global memory to which constant memory has a pointer: [`crate::Interface::buffers`] has its pointer
    /// under this number. Byte addresses from the pointer on. [`crate::trace_buffers`] makes these accesses.
    Buffer(u8),
}

impl Space {
    /// Whether its addresses may have this type: 32 bits, in global memory and of texels also 64 bits.
    pub(crate) fn takes(self, ty: Type) -> bool {
        ty == Type::I32 || matches!(self, Space::Global | Space::Texels) && ty == Scalar::I64.by(1)
    }

    /// Whether programs may write it.
    pub(crate) fn is_writable(self) -> bool {
        !matches!(self, Space::Constant(_) | Space::Constants)
    }
}

#[allow(missing_docs, reason = "the variants document their fields")]
/// An operation. Operands are values of the same block or of blocks that dominate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// The same bits in every component, in the low bits.
    Const(u64),
    /// A block parameter.
    Param,
    /// Component i is at `reg.unit + swizzle(i) * units of one component`.
    Read { reg: Reg, swizzle: Swizzle },
    /// As [`Op::Read`] from unit `base + index * stride`; `index` is an `i32` and within the file.
    ReadAt { file: FileId, base: u16, stride: u8, index: Value, swizzle: Swizzle },
    /// Writes the components of `value`, in order, to the components in `mask`.
    Write { reg: Reg, mask: Mask, value: Value },
    /// An operation with one operand.
    Unary { op: Unary, rule: FloatRule, a: Value },
    /// An operation with two operands.
    Binary { op: Binary, rule: FloatRule, a: Value, b: Value },
    /// An operation with three operands.
    Ternary { op: Ternary, rule: FloatRule, a: Value, b: Value, c: Value },
    /// A conversion.
    Convert { op: Convert, rule: FloatRule, a: Value },
    /// Component i of the result is component swizzle(i) of `a`.
    Swizzle { a: Value, swizzle: Swizzle },
    /// A vector of scalars: the first `count` parts are its components, the other parts repeat the last one.
    Join { parts: [Value; 4] },
    /// Texture operation that yields a value: index into [`crate::Nodes::textures`].
    Texture(u32),
    /// Texture operation that writes a texel: index into [`crate::Nodes::textures`].
    TextureStore(u32),
    /// Texture operation that changes a texel atomically, and yields its previous bits: index into
    /// [`crate::Nodes::textures`].
    TextureAtomic(u32),
    /// Derivative within the quad. Convergent.
    Derivative { axis: Axis, a: Value },
    /// A cross-lane operation. Convergent.
    Lane { op: LaneOp, a: Value, b: Value },
    /// A reduction or scan over lanes. Convergent.
    Combine { combine: Combine, rule: FloatRule, a: Value },
    /// Changes memory at the byte address atomically, and yields the previous value. `expected` is used by
    /// [`Atomic::CompareExchange`] only and equals `value` otherwise.
    Atomic { op: Atomic, space: Space, address: Value, value: Value, expected: Value },
    /// Reads memory at the byte address; the components are consecutive.
    Load { space: Space, address: Value },
    /// Writes memory at the byte address; the components are consecutive.
    Store { space: Space, address: Value, value: Value },
    /// Lanes where `cond` holds write no more outputs; they continue as helper lanes for derivatives.
    Kill { cond: Value },
    /// Geometry stage: selects the vertex slot for the next [`Op::Emit`], and states whether that emit completes a
    /// triangle and whether the triangle's winding is flipped.
    SetEmit { vertex: u8, primitive: bool, flip: bool },
    /// Geometry stage: copies the outputs to the selected vertex slot.
    Emit,
    /// Geometry stage: where `cond` holds, copies the outputs to output vertex `vertex` of the lane, an `i32`, and sends
    /// the vertex to a stream, an `i32` from 0 to 3.
    EmitVertex { cond: Value, vertex: Value, stream: Value },
    /// Geometry stage: where `cond` holds, ends the strip before output vertex `vertex` of the lane, an `i32`.
    EndStrip { cond: Value, vertex: Value },
    /// Waits for all lanes of the workgroup; memory writes before it are visible after it. Convergent.
    Barrier,
    /// Arrives at barrier `number` of the workgroup, an `i32` from 0 to 15. The barrier opens when `threads` threads
    /// have arrived, an `i32` that is a multiple of 32; if it is 0, when all waves that have not ended have arrived.
    /// Number and threads are the same in all active lanes. `vote` is an `i1`. Convergent.
    Arrive { how: Arrival, number: Value, threads: Value, vote: Value },
    /// The result of the wave's latest [`Op::Arrive`] that has one, as an `i32`; 0 before the first.
    Reduced,
}

/// Which lanes must agree that an operation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// None: the operation concerns a single lane.
    Lane,
    /// Sees which lanes are active: must not move across a divergent branch.
    Convergent,
    /// Also reads or changes inactive lanes.
    WholeWave,
}

impl Op {
    /// A constant.
    pub const fn constant(bits: u64) -> Op {
        Op::Const(bits)
    }

    /// The class of the operation. The class of a texture operation depends on its level of detail: use
    /// [`crate::Nodes::class`].
    pub const fn class(&self) -> Class {
        match self {
            Op::Lane { op: LaneOp::Fetch | LaneOp::QuadOr, .. } => Class::WholeWave,
            Op::Texture(_) | Op::Derivative { .. } | Op::Lane { .. } | Op::Combine { .. } => {
                Class::Convergent
            }
            Op::Barrier | Op::Arrive { .. } => Class::Convergent,
            _ => Class::Lane,
        }
    }

    /// The rule of an operation whose result depends on the direction of rounding.
    pub const fn rounding(&self) -> Option<FloatRule> {
        use {Binary::*, Unary::*};
        match *self {
            Op::Unary { op: FSqrt | FRsqrt | FRcp | FExp2 | FLog2 | FSin | FCos | FSinc, rule, .. }
            | Op::Binary { op: FAdd | FSub | FMul | FDiv | FPow | FDot, rule, .. }
            | Op::Ternary { op: Ternary::Fma, rule, .. }
            | Op::Convert {
                op: Convert::Float | Convert::SignedToFloat | Convert::UnsignedToFloat,
                rule,
                ..
            } => Some(rule),
            _ => None,
        }
    }

    /// The index of the texture operation that it refers to.
    pub const fn texture(&self) -> Option<u32> {
        match self {
            Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) => Some(*t),
            _ => None,
        }
    }

    /// Whether the operation has an effect other than its value. Of these, only [`Op::Atomic`] and
    /// [`Op::TextureAtomic`] yield a value.
    pub const fn has_effect(&self) -> bool {
        matches!(
            self,
            Op::Write { .. }
                | Op::Store { .. }
                | Op::TextureStore(_)
                | Op::TextureAtomic(_)
                | Op::Atomic { .. }
                | Op::Kill { .. }
                | Op::SetEmit { .. }
                | Op::Emit
                | Op::EmitVertex { .. }
                | Op::EndStrip { .. }
                | Op::Barrier
                | Op::Arrive { .. }
        )
    }
}
