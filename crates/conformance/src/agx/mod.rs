//! Sets of AGX.

pub mod exec;
pub(crate) mod links;
pub(crate) mod words;
