//! The library for JavaScript: the npm package `shisa`.
//!
//! Each function here reads its arguments, makes one call of the library, and converts the result. Objects cross as JSON
//! text, which the library writes anyway and which engines of JavaScript parse faster than calls could build the objects.
//! Their types are in `types.d.ts`.
//!
//! Limits are those for files of strangers ([`shisa::Settings::untrusted`]), unless a caller changes them. No input makes
//! the module panic. If it does panic, or runs out of stack, its instance is of no use any more: `call` refuses all further
//! calls, and the caller makes a new instance.

mod bare;
mod call;
mod choices;
mod convert;
mod errors;
mod failure;
mod file;
mod given;
mod glue;
mod link;
mod lockstep;
mod opened;
mod picture;
mod preview;
mod program;
mod reference;
mod render;
mod run;
mod session;
mod source;
mod types;

pub use file::{File, identify};
pub use link::{link_objects, link_parts};
pub use picture::Picture;
pub use program::Program;
pub use reference::{examples, explain, version, words};
pub use session::Session;
pub use source::{assemble, diagnose};
