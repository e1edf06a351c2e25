//! One program, three engines: the evaluator, the batch engine, and machine code.
//!
//! A [`Source`] is a program as engines take it; [`Lift`] is the one of a lifted program. A [`Program`] is a source for the
//! engine that the caller wants, or for the next one that takes it: [`Program::refused`] states why. It owns all that it
//! needs, and its clones share it between threads. A [`Session`] has the uniforms and the memory of runs, one for each
//! thread.
//!
//! All engines have the same results, bit for bit, unless the caller allows small errors ([`Precision::Fast`]).
//! [`Choice::run`] runs a batch of the evaluator on another engine, with the textures of the evaluator's environment. If only
//! some lanes of a quad come to an instruction that needs all of them, or a texture cannot be read, it leaves the batch to
//! the evaluator. A [`Cache`] has what was made of programs, so that each is compiled once.
//! With the feature `rayon`, `Threads` runs lanes on all threads of a pool.

mod batch;
mod cache;
mod choice;
mod codes;
mod dispatch;
mod engine;
mod invocation;
mod program;
mod session;
mod source;
mod surroundings;
#[cfg(feature = "rayon")]
mod threads;

pub use cache::Cache;
pub use choice::Choice;
pub use codes::CODES;
pub use dispatch::{Compute, Registers};
pub use engine::Engine;
pub use invocation::{Invocation, Open, Results, alone};
pub use program::Program;
pub use session::Session;
pub use shisa_exec::{Precision, Start};
pub use source::{Function, Lift, Source};
#[cfg(feature = "rayon")]
pub use threads::Threads;
