//! Engines in lockstep: planted faults, equal engines, joined instructions.

mod planted;
mod programs;
