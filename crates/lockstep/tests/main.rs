//! Engines in lockstep: planted faults, equal engines, joined instructions.

mod equal;
mod planted;
mod programs;
mod searches;
