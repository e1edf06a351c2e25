//! The exact evaluator: runs lifted programs as the hardware would, operation by operation.
//!
//! # Concepts
//!
//! A [`Program`] is a [`shisa_ir::Lifted`] that was checked and planned once. A [`Machine`] runs it for a
//! *wave* of up to 32 lanes in lock step; where the wave goes is decided by the instruction set's
//! [`shisa_ir::Sequencer`] alone, so the evaluator knows no instruction set. A value that differs from
//! lane to lane is a [`Plane`]: 32 bits for each lane. Components of up to 32 bits take one plane, those
//! of 64 bits two.
//!
//! Every operation runs in all lanes; the active ones are told apart where it matters: register writes,
//! memory, kills, votes. Results are those of [`shisa_ir::scalar`], bit for bit. A rule whose `model`
//! flag is set runs as the program's [`shisa_ir::FloatModel`] says.
//!
//! What lies outside of a wave is an [`Environment`]: textures, memory, whoever takes emitted vertices.
//! [`TextureSet`] is a software texture unit, [`BufferEnvironment`] adds memory.
//!
//! An [`Observer`] is told of every step and write; a [`Trace`] records them, and takes steps back.
//!
//! A [`Batch`] runs any number of lanes, as pixels of a grid where neighbours matter. A [`Dispatch`] runs the
//! workgroups of a grid, whose memory a [`Workspace`] holds.

mod arena;
mod batch;
mod buffers;
mod codes;
mod count;
mod dispatch;
mod environment;
mod execute;
mod loops;
mod machine;
mod observer;
mod paths;
mod plan;
mod position;
mod program;
#[cfg(test)]
mod testing;
pub mod texture;
mod trace;
mod wave;
mod workspace;

pub use batch::{Batch, Column, Grid, Outcome};
pub use buffers::{BufferEnvironment, Outside};
pub use codes::CODES;
pub use dispatch::{Dispatch, Wave, Waves, Workplace};
pub use environment::{Access, Emission, Environment, LaneView, NoEnvironment, Sample};
pub use machine::Machine;
pub use observer::{NoObserver, Observer};
pub use paths::{Paths, recovered};
pub use position::{Position, Progress};
pub use program::Program;
pub use texture::{Compare, Format, Size, Texture, TextureSet};
pub use trace::{MemoryWrite, RegisterWrite, Trace, TraceStep};
pub use wave::{Plane, first_lanes};
pub use workspace::Workspace;
