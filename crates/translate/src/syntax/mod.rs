//! The syntax tree of a shader: what `build` makes of a program, before any language prints it.
//!
//! A [`Module`] has types, variables, functions and one entry point. A [`Function`] holds all its expressions in one
//! list, each after its operands, and all its statements in another: nested statements follow the statement that they
//! are part of, up to [`Statement::End`]. So building and printing allocate per list, not per node, and no code
//! recurses over statements.
//!
//! Files import one another in this order only: `spare`, `name`, `types`, `expression`, `statement`, `function`, `module`,
//! `draft`.

mod draft;
mod expression;
mod function;
mod module;
mod name;
mod spare;
mod statement;
mod types;

pub(crate) use draft::Draft;
pub(crate) use expression::{
    Axis, BinaryOp, Expr, Expression, Fetch, FunctionId, GlobalId, Level, Literal, MathFunction, Query,
    Sample, UnaryOp,
};
pub(crate) use function::{Function, Step};
pub(crate) use module::{AddressSpace, EntryStage, Global, Module, Slot};
#[cfg(feature = "naga")]
pub(crate) use name::is_register;
#[cfg(any(feature = "wgsl", feature = "glsl", feature = "hlsl", feature = "msl"))]
pub(crate) use name::part_of_name;
pub(crate) use name::{Name, decimal};
pub(crate) use spare::emptied;
pub(crate) use statement::{AtomicOp, LaneOp, Statement};
pub(crate) use types::{
    Binding, BuiltIn, Dimension, Interpolation, Kind, Member, Sampling, Structure, TexelClass, Type, TypeId,
    Types, kind_of,
};
