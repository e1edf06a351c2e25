//! The batch engine and machine code through the public interface. One binary has all of the tests: each one more would
//! link the workspace again.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod arrays;
mod common;
mod emission;
mod fast;
mod loops;
mod machine_code;
mod memory;
mod operations;
mod pieces;
mod rows;
mod sizes;
mod textures;
mod transfers;
mod uniforms;
mod waves;
