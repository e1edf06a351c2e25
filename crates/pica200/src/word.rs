//! Fused words: bits 0–31 are the instruction, 32–63 its operand descriptor.
//!
//! Of a descriptor only the bits that the row reads are fused: words that share a descriptor leave the
//! rest to each other.

use shisa_rows::Insn;

/// How many descriptors a program has at most.
pub const DESCRIPTORS: usize = 128;

/// Whether an instruction names a descriptor, and which.
pub const fn descriptor(word: u32) -> Option<usize> {
    match word >> 26 {
        0x00..=0x1b | 0x2e..=0x2f => Some((word & 0x7f) as usize),
        0x30..=0x3f => Some((word & 0x1f) as usize),
        _ => None,
    }
}

/// Joins an instruction with its descriptor; a descriptor that is not there counts as zero.
pub fn fuse(word: u32, pool: &[u32]) -> u64 {
    let of_pool = descriptor(word).and_then(|i| pool.get(i)).copied().unwrap_or(0);
    let fused = u64::from(word) | u64::from(of_pool) << 32;
    let known = Insn::<crate::Pica200>::decode(fused).map_or(0, |i| i.form().known());
    fused & (known | 0xffff_ffff)
}

/// The instruction and its descriptor.
pub const fn split(fused: u64) -> (u32, u32) {
    (fused as u32, (fused >> 32) as u32)
}
