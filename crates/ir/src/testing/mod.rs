//! What the tests of several passes share: a random source, random functions, and an interpreter, which
//! tests of other crates use too.

mod machine;
#[cfg(test)]
mod random;

pub use machine::{Machine, Outcome};
#[cfg(test)]
pub(crate) use random::{FILES, Random, random_func, random_graph};
