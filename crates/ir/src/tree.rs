//! Nested statements, for languages without goto. The structuriser makes them from a [`crate::Func`].

use crate::{BlockId, Type, Value};
use alloc::vec::Vec;

/// A variable of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// The purpose of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// Carries this block parameter ([`crate::Op::Param`]) into its block.
    Param(Value),
    /// `i1`: makes an enclosing construct break or continue.
    Flag,
    /// `i32`: the block that a dispatch loop runs next.
    Next,
}

/// The condition of an `if`.
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
    /// Runs one of two lists of statements.
    If {
        /// The condition.
        cond: Cond,
        /// Runs if the condition holds.
        yes: Vec<Stmt>,
        /// Runs otherwise.
        no: Vec<Stmt>,
    },
    /// Repeats until a [`Stmt::Break`] or [`Stmt::Exit`].
    Loop(Vec<Stmt>),
    /// Runs the list whose index the variable holds; breaks and continues inside it refer to the enclosing loop.
    Switch(Var, Vec<Vec<Stmt>>),
    /// Leaves the innermost loop.
    Break,
    /// Starts the next iteration of the innermost loop.
    Continue,
    /// The lane has ended.
    Exit,
}

/// A structured program. The operations stay in the function; the tree defines the order in which its blocks run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Types and purposes of the variables.
    pub vars: Vec<(Type, VarKind)>,
    /// The statements.
    pub body: Vec<Stmt>,
}

impl Tree {
    /// Replaces every value `v` that statements name by `f(v)`.
    pub(crate) fn map(&mut self, f: impl Fn(Value) -> Value) {
        map(&mut self.body, &f);
    }
}

fn map(list: &mut [Stmt], f: &impl Fn(Value) -> Value) {
    for stmt in list {
        match stmt {
            Stmt::Set(_, v) => *v = f(*v),
            Stmt::If { cond, yes, no } => {
                if let Cond::Value(v) = cond {
                    *v = f(*v);
                }
                map(yes, f);
                map(no, f);
            }
            Stmt::Loop(body) => map(body, f),
            Stmt::Switch(_, lists) => lists.iter_mut().for_each(|list| map(list, f)),
            Stmt::Block(_) | Stmt::SetConst(..) | Stmt::Break | Stmt::Continue | Stmt::Exit => {}
        }
    }
}
