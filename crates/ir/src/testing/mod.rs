//! Shared test code of several passes: a random source, random functions, and an interpreter, which the tests of other
//! crates also use.

mod machine;
#[cfg(test)]
mod random;

pub use machine::{Machine, Outcome};
#[cfg(test)]
pub(crate) use random::{FILES, Random, random_func, random_graph};
