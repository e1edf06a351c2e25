//! Shader parts of AGX as files, and joining them.

mod fields;
pub(crate) mod file;
mod link;
mod part;

pub use link::{AgxLinked, link_agx};
pub use part::AgxPart;
