//! Statements, in the order of the text.

use super::expression::{Expr, FunctionId, List};

/// A statement, or the beginning or end of a list of statements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Statement {
    /// Nothing; replaces a statement that turned out not to be needed.
    Nothing,
    Store {
        pointer: Expr,
        value: Expr,
    },
    /// Writes a texel.
    StoreTexel {
        image: Expr,
        coordinate: Expr,
        layer: Option<Expr>,
        value: Expr,
    },
    /// `result` is the [`Expression::CallResult`](super::Expression::CallResult) of the call.
    Call {
        function: FunctionId,
        arguments: List,
        result: Option<Expr>,
    },
    /// `result` is the [`Expression::AtomicResult`](super::Expression::AtomicResult) of the operation.
    Atomic {
        op: AtomicOp,
        pointer: Expr,
        value: Expr,
        result: Option<Expr>,
    },
    /// An operation across the lanes of a subgroup, of a truth value or a 32-bit number. `result` is the
    /// [`Expression::LaneResult`](super::Expression::LaneResult) of the operation.
    Lane {
        op: LaneOp,
        value: Expr,
        result: Expr,
    },
    /// A workgroup barrier that also orders writes to buffers or to workgroup memory.
    Barrier {
        storage: bool,
        workgroup: bool,
    },
    /// Begins the list that runs if a condition holds. [`Statement::End`] or [`Statement::Else`] ends it.
    If(Expr),
    /// Ends the list of an [`Statement::If`] and begins the other one.
    Else,
    /// Begins the list of a loop.
    Loop,
    /// Begins the cases of a switch: [`Statement::Case`]s, each with its list, up to the switch's own
    /// [`Statement::End`].
    Switch(Expr),
    /// Begins the list of a case, or of the default.
    Case(Option<u32>),
    /// Ends the innermost open list.
    End,
    Break,
    Continue,
    /// Ends the lane and drops its outputs.
    Discard,
    Return(Option<Expr>),
}

/// What the lanes of a subgroup exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneOp {
    Any,
    All,
    Ballot,
    /// The value of the lane with this number.
    Shuffle(Expr),
}

/// How an atomic statement changes a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    Subtract,
    And,
    ExclusiveOr,
    InclusiveOr,
    Min,
    Max,
    Exchange,
    /// Only if the word equals this; may also fail spuriously.
    CompareExchange(Expr),
}
