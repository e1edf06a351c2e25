//! Races between the waves of a workgroup: what is ordered, and what is known of each byte of their memory.
//!
//! A front end passes accesses and barriers of a run to [`Order`], [`Shared`] and [`Written`]; it knows which memory
//! a wave shares, and what a wave is called.

mod order;
mod shadow;

pub use order::{Location, Order};
pub use shadow::{Other, Seen, Shared, Touched, Written};
