//! Types that the verbs take and return, other than those that every program uses.

pub use crate::assembly::Line;
pub use crate::cfg::Edge;
pub use crate::code::Code;
pub use crate::family::names::Syntax;
pub use crate::fields::Field;
pub use crate::finding::Finding;
pub use crate::identity::{Container, Entry};
pub use crate::instruction::Instruction;
pub use crate::listing_json::ListingJson;
pub use crate::program::Which;
pub use crate::report::Report;
pub use crate::run::{LatestSteps, NoTrace, TraceLines, TraceSink, TraceStep, TraceTexel, TraceWrite};
pub use crate::words::Words;
pub use shisa_ir::Stage;
#[cfg(feature = "eval")]
pub use {shisa_debug as debug, shisa_engines as engines, shisa_exec as batch, shisa_pictures as pictures};
