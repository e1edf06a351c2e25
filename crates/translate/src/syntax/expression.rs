//! Expressions: small values that refer to their operands by number.

use super::types::{Kind, TypeId};
use std::num::NonZeroU32;

/// An expression of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expr(NonZeroU32);

impl Expr {
    /// The expression at a position in its function's list.
    pub(crate) const fn new(index: usize) -> Expr {
        Expr(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// Its position in its function's list.
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A variable of a module, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobalId(pub(super) u32);

/// A variable of a function, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LocalId(pub(super) u32);

/// A function of a module, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FunctionId(pub(super) u32);

impl GlobalId {
    /// Its position in the module.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl LocalId {
    /// Its position in the function.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl FunctionId {
    /// The function at a position in the module.
    pub(crate) const fn new(index: usize) -> FunctionId {
        FunctionId(index as u32)
    }

    /// Its position in the module.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of a function's list of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A number or truth value. Floats are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    U32(u32),
    I32(i32),
    F32(f32),
}

/// An expression: something computed, read or referred to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expression {
    Literal(Literal),
    /// All components zero or false.
    Zero(TypeId),
    /// An argument of the function, by its position.
    Argument(u32),
    Global(GlobalId),
    Local(LocalId),
    /// The result of the call statement that names this expression.
    CallResult(FunctionId),
    /// The result of the atomic statement that names this expression.
    AtomicResult {
        ty: TypeId,
        comparison: bool,
    },
    /// The result of the lane statement that names this expression; a ballot is a vector of four integers.
    LaneResult {
        ty: TypeId,
        ballot: bool,
    },
    Load {
        pointer: Expr,
    },
    /// A vector or structure from its parts.
    Compose {
        ty: TypeId,
        parts: List,
    },
    /// A vector of equal components.
    Splat {
        count: u8,
        value: Expr,
    },
    /// The first `count` components that `pattern` picks.
    Swizzle {
        count: u8,
        vector: Expr,
        pattern: [u8; 4],
    },
    /// An element at a computed index.
    Access {
        base: Expr,
        index: Expr,
    },
    /// A component, member or element.
    AccessIndex {
        base: Expr,
        index: u32,
    },
    Unary {
        op: UnaryOp,
        a: Expr,
    },
    Binary {
        op: BinaryOp,
        a: Expr,
        b: Expr,
    },
    /// `yes` where the condition holds, else `no`.
    Select {
        condition: Expr,
        yes: Expr,
        no: Expr,
    },
    /// A derivative between the pixels of a row or column of the quad.
    Derivative {
        axis: Axis,
        a: Expr,
    },
    Math {
        function: MathFunction,
        a: Expr,
        b: Option<Expr>,
        c: Option<Expr>,
    },
    /// The number converted to another kind; a truth value is 0 or 1.
    Convert {
        kind: Kind,
        a: Expr,
    },
    /// The same bits as another kind.
    Bits {
        kind: Kind,
        a: Expr,
    },
    /// [`Sample`], by its position in the function's list of them.
    Sample(u32),
    /// [`Fetch`], by its position in the function's list of them.
    Fetch(u32),
    /// A property of a texture.
    Query {
        image: Expr,
        what: Query,
    },
}

impl Expression {
    /// Whether the expression is computed where a statement needs it. The others are names, constants, or results of
    /// statements.
    pub(crate) const fn is_computed(&self) -> bool {
        !matches!(
            self,
            Expression::Literal(_)
                | Expression::Zero(_)
                | Expression::Argument(_)
                | Expression::Global(_)
                | Expression::Local(_)
        ) && !self.is_yielded()
    }

    /// Whether the expression is the result of a statement.
    pub(crate) const fn is_yielded(&self) -> bool {
        matches!(
            self,
            Expression::CallResult(_) | Expression::AtomicResult { .. } | Expression::LaneResult { .. }
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Negate,
    /// Of truth values.
    LogicalNot,
    /// Of 32-bit words.
    BitwiseNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Of 32-bit words, or of vectors of truth values.
    And,
    /// As [`BinaryOp::And`].
    InclusiveOr,
    /// Of 32-bit words.
    ExclusiveOr,
    /// Of single truth values.
    LogicalAnd,
    /// Of single truth values.
    LogicalOr,
    ShiftLeft,
    ShiftRight,
}

/// The direction of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
}

/// A built-in function of the languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MathFunction {
    Abs,
    Ceil,
    Clamp,
    Cos,
    CountLeadingZeros,
    CountOneBits,
    Dot,
    Exp2,
    Floor,
    Fma,
    InverseSqrt,
    Log2,
    Max,
    Min,
    ReverseBits,
    Round,
    Saturate,
    Sin,
    Sqrt,
    Trunc,
}

/// A sample or gather.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) image: Expr,
    pub(crate) sampler: Expr,
    /// The component that a gather takes.
    pub(crate) gather: Option<u8>,
    pub(crate) coordinate: Expr,
    pub(crate) layer: Option<Expr>,
    pub(crate) offset: Option<Expr>,
    pub(crate) level: Level,
    /// The reference value of a comparison.
    pub(crate) reference: Option<Expr>,
}

/// The source of a sample's level of detail.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// Derivatives of the coordinate within the quad.
    Implicit,
    /// Level 0 of a comparison or gather.
    Zero,
    Exact(Expr),
    /// Implicit, plus this bias.
    Bias(Expr),
    Gradient {
        x: Expr,
        y: Expr,
    },
}

/// A property of a texture, as unsigned integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// The extent of a level along each dimension; without a level, of a texture that has only one.
    Size(Option<Expr>),
    /// The number of layers; of an array of cubes, that of cubes.
    Layers,
    Levels,
    Samples,
}

/// A texel that is read by coordinates, without a sampler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetch {
    pub(crate) image: Expr,
    pub(crate) coordinate: Expr,
    pub(crate) layer: Option<Expr>,
    /// The number of the sample, for multisampled textures.
    pub(crate) sample: Option<Expr>,
    /// The level, for textures that are not multisampled.
    pub(crate) level: Option<Expr>,
}
