//! The translators through the public interface. One binary has all of its tests: each one more would link the workspace again.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod barriers;
mod binding_numbers;
mod common;
mod divergence;
mod doubles;
mod execute;
mod float16;
mod int64;
mod judges;
mod names;
mod options;
mod own_arrays;
mod products;
mod random_generator;
mod random_programs;
mod reflection;
mod samplers;
#[path = "../../../docs/schema/check.rs"]
mod schema;
mod spirv;
mod spirv_stages;
mod texel_atomics;
mod text;
mod textures;
