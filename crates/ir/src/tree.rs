//! Nested statements, for languages without goto. The structuriser makes them from a [`crate::Func`].

use crate::{BlockId, Type, Value};
use alloc::vec::Vec;

/// A variable of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// Carries this block parameter ([`crate::Op::Param`]) into its block.
    Param(Value),
    /// `i1`: tells an enclosing construct to break or continue.
    Flag,
    /// `i32`: the block that a dispatch loop runs next.
    Next,
}

/// What an `if` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cond {
    /// A scalar `i1` value.
    Value(Value),
    /// A flag.
    Flag(Var),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// The operations of a block: first each parameter is read from its variable, then the body runs.
    Block(BlockId),
    /// Stores a value for a parameter.
    Set(Var, Value),
    /// Stores a constant in a flag or dispatch variable.
    SetConst(Var, u32),
    /// Runs one of two lists.
    If {
        /// Decides.
        cond: Cond,
        /// Where it holds.
        yes: Vec<Stmt>,
        /// Where it does not.
        no: Vec<Stmt>,
    },
    /// Repeats until a [`Stmt::Break`] or [`Stmt::Exit`].
    Loop(Vec<Stmt>),
    /// Runs the list whose position the variable holds; breaks and continues inside mean the loop around.
    Switch(Var, Vec<Vec<Stmt>>),
    /// Leaves the innermost loop.
    Break,
    /// Begins the innermost loop again.
    Continue,
    /// The lane has ended.
    Exit,
}

/// A structured program. Operations stay in the function; the tree says in which order its blocks run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Types and purposes of the variables.
    pub vars: Vec<(Type, VarKind)>,
    /// The statements.
    pub body: Vec<Stmt>,
}
