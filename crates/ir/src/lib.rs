//! The intermediate representation (IR) that every instruction of every family lifts to, and that the
//! evaluator, the translators and the pseudocode consume.
//!
//! # Concepts
//!
//! An operation is a [`Node`]: an [`Op`], the [`Type`] of the value it yields, and the instruction it
//! came from. Nodes lie in an arena ([`Nodes`]); a [`Value`] is a handle of one. Each value is made once
//! (static single assignment).
//!
//! A program takes two shapes:
//!
//! * [`Lifted`]: straight from the rows. Each instruction is a [`Step`]: a run of nodes that read and
//!   write registers, and one [`Control`] operation. The exact evaluator runs this.
//! * [`Func`]: a graph of [`Block`]s, made by [`recover`]. Passes turn register traffic into values,
//!   block parameters take the place of phi; the structuriser turns the graph into nested statements
//!   for languages that have no goto.
//!
//! Registers ([`Reg`]) are runs of units of a [`File`]: an array of the smallest piece that the machine
//! can address, so that overlapping registers need no special care.
//!
//! Float operations carry a [`FloatRule`]: rounding, flush, saturation, NaN, `0 * x = 0`. The engine
//! obeys the rule; the operation does not change.
//!
//! Some operations see other lanes; their [`Class`] says so, and [`Uniformity`] where lanes stay together.
//!
//! # From graph to translation
//!
//! [`simplify`] ([`registers_to_values`], [`fold`], [`remove_dead`]), [`narrow`] where the program has numbers
//! that the target lacks, then [`structurise`]; each works on
//! the function in place and leaves it such that [`verify`] accepts it. [`print_func`] shows what a pass
//! did, [`parse_func`] reads it back; [`print_lifted`] and [`parse_lifted`] do that for steps. [`pseudocode`] shows one step of a [`Lifted`] to people. What a pure
//! operation does to its operands is stated in [`scalar`] and nowhere else.
//!
//! # Conventions
//!
//! Vectors have 2 to 4 components. [`Mask`]s and [`Swizzle`]s count components from x = 0. Addresses
//! count bytes. Program counters count in the unit of the instruction set, given by its crate.
//!
#![doc = include_str!("../doc/design.md")]
#![no_std]
extern crate alloc;

mod arithmetic;
mod builder;
mod dce;
mod exchange;
mod flow;
mod fold;
mod func;
mod graph;
mod interface;
mod mem2reg;
mod narrow;
mod nodes;
mod op;
mod pseudo;
mod recover;
mod reg;
mod rule;
pub mod scalar;
mod share;
mod simplify;
mod structure;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
mod texture;
mod tree;
mod ty;
mod uniformity;
mod verify;
mod words;

pub use arithmetic::{Binary, Convert, Ternary, Unary};
pub use builder::Builder;
pub use dce::remove_dead;
pub use exchange::{Workgroup, exchange};
pub use flow::{At, Control, ControlOp, Lanes, Lifted, Sequencer, Step, WAVE};
pub use fold::{fold, fold_and_share};
pub use func::{Block, BlockId, Edge, End, Func};
pub use interface::{
    Binding, Geometry, Interface, Interpolation, Io, Name, SamplerSlot, Sampling, Stage, Texture,
    TextureAccess, UniformArray,
};
pub use mem2reg::registers_to_values;
pub use narrow::{Addresses, narrow};
pub use nodes::{Nodes, map_operands};
pub use op::{Atomic, Axis, Class, Combine, LaneOp, Node, Op, Space, Value};
pub use pseudo::{Access, Names, pseudocode};
pub use recover::recover;
pub use reg::{File, FileId, FileKind, Mask, Reg, Swizzle};
pub use rule::{FloatRule, NanRule, Round};
pub use scalar::FloatModel;
pub use simplify::simplify;
pub use structure::structurise;
pub use text::{parse_func, parse_lifted, print_func, print_lifted};
pub use texture::{Dim, Filter, Lod, Sampler, SamplerRef, Shape, TexKind, TexOp, TextureRef, Wrap};
pub use tree::{Cond, Stmt, Tree, Var, VarKind};
pub use ty::{Scalar, Type};
pub use uniformity::Uniformity;
pub use verify::{verify, verify_convergence, verify_lifted};
