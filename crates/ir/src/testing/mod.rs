//! Shared test code of several passes: a random source, random functions, and an interpreter, which the tests of other
//! crates also use.

mod machine;
mod random;

pub use machine::{Machine, Outcome};
pub use random::{FILES, Random, random_func, random_graph};
