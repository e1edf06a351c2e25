//! Programs of Maxwell: shaders of uam, and kernels that are made for tests.

pub(super) mod graphics;
pub(super) mod kernels;
mod primitives;
pub(super) mod shaders;

/// Bytes as 32-bit words.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b))).collect()
}
