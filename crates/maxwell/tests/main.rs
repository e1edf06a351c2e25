//! Maxwell through the public interface. One binary has all of its tests: each one more would link the workspace again.

mod containers;
mod corpus;
mod coverage;
mod faults;
mod hazards;
mod rows;
