//! Maxwell: what instructions compute, what is lowered, and what containers hold.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod assembled;
mod atomic;
mod barrier;
mod container;
mod control;
mod convert_value;
mod divergence;
mod exchange;
mod float;
mod float_value;
mod function;
mod graphics;
mod half_value;
mod integer;
mod lanes;
mod lower;
mod memory;
mod memory_value;
mod rows;
mod surface;
mod texels;
mod unwritten;
mod value;
mod wave;
