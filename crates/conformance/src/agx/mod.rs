//! Sets of AGX.

pub mod exec;
pub mod links;
pub(crate) mod words;
