//! The exact evaluator: runs lifted programs as the hardware would, operation by operation.
//!
//! # Concepts
//!
//! A [`Program`] is a [`shisa_ir::Lifted`] that was checked and planned once. A [`Machine`] runs it for a *wave* of up
//! to 32 lanes in lock step. Only the instruction set's [`shisa_ir::Sequencer`] determines where the wave goes, so the
//! evaluator knows no instruction set. A value that differs between lanes is a [`Plane`]: 32 bits for each lane.
//! Components of up to 32 bits use one plane, 64-bit components use two.
//!
//! Every operation runs in all lanes. The active lanes matter only for register writes, memory, kills and votes.
//! Results equal those of [`shisa_ir::scalar`], bit for bit. A rule whose `model` flag is set follows the program's
//! [`shisa_ir::FloatModel`].
//!
//! An [`Environment`] provides everything outside of a wave: textures, memory, and a consumer of emitted vertices.
//! [`TextureSet`] is a software texture unit; [`BufferEnvironment`] adds memory.
//!
//! An [`Observer`] sees every step and every write. A [`Trace`] records them and can undo steps. A [`Driver`] runs the
//! machines of a run in place of the evaluator: a debugger saves them ([`Saved`]) between steps.
//!
//! A [`Batch`] runs any number of lanes, as pixels of a grid if neighbours matter. A [`Dispatch`] runs the workgroups
//! of a grid; a [`Workspace`] holds their memory; [`races`] finds accesses of it that no barrier orders. [`draw`] has
//! what is between the programs of a draw call.

mod arena;
mod arrangement;
mod barriers;
mod batch;
mod buffers;
mod clock;
mod codes;
mod count;
mod dispatch;
pub mod draw;
mod driver;
mod environment;
mod execute;
mod loops;
mod machine;
mod observer;
mod paths;
mod plan;
mod position;
mod program;
mod quads;
pub mod races;
mod runner;
mod saved;
#[cfg(test)]
mod testing;
pub mod texture;
mod trace;
mod wave;
mod workspace;

pub use arrangement::{Arrangement, Grid};
pub use barriers::{Arrived, Reduced};
pub use batch::{Batch, Column, Outcome};
pub use buffers::{BufferEnvironment, Outside};
pub use clock::Clock;
pub use codes::CODES;
pub use dispatch::{Dispatch, Wave, Waves, Workers, Workplace};
pub use driver::{Driver, Observed, Portion};
pub use environment::{
    Access, Environment, LaneView, NoEnvironment, Outputs, Sample, load_each, located, store_each,
};
pub use machine::Machine;
pub use observer::{NoObserver, Observer, Touch};
pub use paths::{Paths, recovered};
pub use position::{Position, Progress};
pub use program::Program;
pub use quads::InQuads;
pub use runner::{Results, Runner, Values, ValuesMut};
pub use saved::Saved;
pub use texture::{Compare, Format, Sampling, Size, TargetFormat, Texture, TextureSet};
pub use trace::{MemoryWrite, RegisterWrite, Trace, TraceStep};
pub use wave::{Plane, each as each_lane, first_lanes};
pub use workspace::Workspace;
