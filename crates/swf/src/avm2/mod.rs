//! ActionScript byte code: reading and executing it, to find the programs that it builds from strings.
//!
//! A compiler writes a program of AGAL as several constants, which the byte code joins when it runs. [`explore`] runs
//! the methods that have to do with AGAL. A value that is not known, such as an argument, is an object without
//! properties; a condition on it is tried with both outcomes. Every execution has a limit on its instructions.

pub(crate) mod abc;
mod arithmetic;
mod bytes;
mod calls;
pub(crate) mod catalogue;
pub(crate) mod domain;
mod explore;
mod frame;
mod machine;
mod objects;
mod operations;
mod path;
mod player;
mod properties;
mod relevant;
mod state;
pub(crate) mod value;

pub(crate) use explore::{STEPS, explore};
