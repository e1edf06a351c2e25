//! The intermediate representation (IR) that every instruction of every family lifts to. The evaluator, the translators
//! and the pseudocode consume it.
//!
//! # Concepts
//!
//! An operation is a [`Node`]: an [`Op`], the [`Type`] of the value it yields, and the instruction it came from. Nodes
//! are stored in an arena ([`Nodes`]); a [`Value`] is an index into it. Each value is defined once (static single
//! assignment).
//!
//! A program has two forms:
//!
//! * [`Lifted`]: as the rows lift it. Each instruction is a [`Step`]: consecutive nodes that read and
//!   write registers, and one [`Control`] operation. The exact evaluator runs this form.
//! * [`Func`]: a graph of [`Block`]s, built by [`recover`]. Passes replace register accesses by values;
//!   block parameters replace phi nodes. The structuriser converts the graph to nested statements for
//!   languages that have no goto.
//!
//! A register ([`Reg`]) is one or more consecutive units of a [`File`]. A unit is the smallest piece that the hardware
//! can address, so overlapping registers need no special case.
//!
//! Float operations carry a [`FloatRule`]: rounding, flush, saturation, NaN, `0 * x = 0`. The engine follows the rule;
//! the operation does not change.
//!
//! Some operations see other lanes: [`Class`] states which, and [`Uniformity`] states where lanes stay together.
//!
//! # From graph to translation
//!
//! The passes are [`simplify`] ([`registers_to_values`] and [`fold`] in one walk, [`remove_dead`]), then [`narrow`] if the program
//! uses kinds that the target lacks, then [`structurise`]. Each of them works on the function in place, and [`verify`] accepts
//! its result. Translators then call [`emulate`] for floats that their target lacks. [`print_func`] prints the result of a
//! pass and [`parse_func`] reads it back; [`print_lifted`] and [`parse_lifted`] do the same for steps. [`pseudocode`] prints
//! one step of a [`Lifted`] for readers. The module [`scalar`] alone defines what a pure operation does to its operands.
//!
//! # Conventions
//!
//! Vectors have 2 to 4 components. [`Mask`]s and [`Swizzle`]s count components from x = 0. Addresses are in bytes.
//! Program counters are in the unit of the instruction set, which its crate defines.
//!
#![doc = include_str!("../doc/design.md")]
#![no_std]
extern crate alloc;

mod alone;
mod arithmetic;
mod atomics;
mod buffers;
mod builder;
mod codes;
mod components;
mod concepts;
mod dce;
mod emission;
mod emulate;
mod exchange;
mod flatten;
mod flow;
mod fold;
mod func;
mod graph;
mod imply;
mod interface;
mod largest;
mod live_units;
mod mem2reg;
mod narrow;
mod native;
mod nodes;
mod op;
mod order;
mod patch;
mod pseudo;
mod recover;
mod reg;
mod rule;
pub mod scalar;
mod scratch;
mod share;
mod simplify;
mod structure;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
mod texture;
mod tidy;
mod tree;
mod ty;
mod uniformity;
mod verify;
mod words;

pub use alone::alone;
pub use arithmetic::{Binary, Convert, Ternary, Unary};
pub use atomics::loop_atomics;
pub use buffers::{Traced, trace_buffers};
pub use builder::Builder;
pub use codes::CODES;
pub use components::Component;
pub use concepts::CONCEPTS;
pub use dce::{drop_unemitted, remove_dead, remove_dead_in};
pub use emission::Emission;
pub use emulate::{Lacks, emulate};
pub use exchange::{Workgroup, exchange};
pub use flatten::flatten;
pub use flow::{At, Control, ControlOp, Frame, FrameKind, Lanes, Lifted, Sequencer, Stack, Step, WAVE};
pub use fold::{Banks, fold, fold_and_share};
pub use func::{Block, BlockId, Edge, End, Func};
pub use imply::imply;
pub use interface::{
    Binding, Buffer, Division, DivisionOutput, Domain, Geometry, Interface, Interpolation, Io, Name,
    PATCH_BYTES, Pointer, SamplerSlot, Sampling, Spacing, Stage, Strips, Tessellation, Texture,
    TextureAccess, Topology, UniformArray,
};
pub use live_units::{Units, live_units};
pub use mem2reg::registers_to_values;
pub use narrow::{Addresses, Natives, narrow, narrow_in};
pub use native::{is_double_arithmetic, is_int64_arithmetic};
pub use nodes::{Nodes, map_operands};
pub use op::{Arrival, Atomic, Axis, Class, Combine, LaneOp, Node, Op, Space, Value};
pub use patch::{PatchPlace, PatchVertex, patch_place};
pub use pseudo::{Access, Names, pseudocode};
pub use recover::{recover, recover_in};
pub use reg::{File, FileId, FileKind, Mask, Reg, Swizzle};
pub use rule::{FloatRule, NanRule, Round};
pub use scalar::FloatModel;
pub use scratch::Scratch;
pub use simplify::{simplify, simplify_in, simplify_knowing};
pub use structure::{structurise, structurise_in};
pub use text::{parse_func, parse_lifted, print_func, print_lifted};
pub use texture::{Dim, Filter, Lod, Sampler, SamplerRef, Shape, TexKind, TexOp, TextureRef, Wrap};
pub use tree::{Cond, Stmt, Tree, Var, VarKind};
pub use ty::{Scalar, Type};
pub use uniformity::Uniformity;
pub use verify::{verify, verify_convergence, verify_lifted};
