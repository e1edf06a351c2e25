//! AGAL through the public interface. One binary has all of its tests: each one more would link the workspace again.

mod conditions;
mod corpus;
mod headers;
mod identity;
mod lifts;
mod links;
mod macro_bytes;
mod refusals;
mod rows;
mod rules;
mod text_files;
mod text_round_trip;
