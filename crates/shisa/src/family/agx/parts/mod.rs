//! Shader parts of AGX as files, and joining them.

mod fields;
mod link;
mod part;

pub use link::{LinkedFile, link};
pub use part::PartFile;
