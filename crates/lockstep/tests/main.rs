//! Engines in lockstep: planted faults, equal engines, joined instructions.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod equal;
mod planted;
mod programs;
mod searches;
