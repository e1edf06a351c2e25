//! What runs of programs have in common: the keys of inputs, and traces of what each instruction wrote.
//!
//! # Inputs
//! The input of a run is JSON, and each instruction set has its own form. A [`Shape`] states the keys of such a form;
//! unknown ones are refused with the nearest known one. The contents of memory are base64 ([`from_base64`]);
//! results are compared with what an input expects as numbers of a type ([`Elements`]).
//!
//! # Traces
//! A *step* ([`TraceStep`]) is an instruction that ran for the lanes of a wave, with the register components that it
//! wrote. Whatever runs programs passes each step on to a [`TraceSink`] as soon as it is complete ([`Steps`]), so that a
//! trace needs no memory of its own: [`LatestSteps`] stores the latest steps, [`TraceLines`] writes a line for each, and
//! [`NoTrace`] needs none.
//!
//! Nothing here depends on an instruction set or an engine.

mod contents;
mod elements;
mod keys;
mod lines;
mod options;
mod sink;
mod step;
mod steps;

pub use contents::{from_base64, from_hex, to_base64};
pub use elements::{Difference, Elements, Tolerance};
pub use keys::Shape;
pub use lines::TraceLines;
pub use options::RunOptions;
pub use sink::{LatestSteps, NoTrace, StageSteps, TraceSink, set_executed};
pub use step::{TraceStep, TraceTexel, TraceWrite};
pub use steps::Steps;
