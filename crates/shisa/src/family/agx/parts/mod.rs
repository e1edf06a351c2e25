//! Shader parts of AGX as files, and linking them.

mod fields;
mod link;
mod part;

pub use link::{LinkedFile, link};
pub use part::PartFile;
pub(super) use part::no_room;
