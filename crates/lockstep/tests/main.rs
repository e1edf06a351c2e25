//! Engines in lockstep: planted faults, equal engines, translations on a device, joined instructions.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod devices;
mod equal;
mod planted;
mod programs;
mod searches;
