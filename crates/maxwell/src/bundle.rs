//! Bundles: a control word and three instruction words; fused words and back.
//!
//! Bits 0–63 of a fused word are the instruction, 64–84 its control bits.

/// Bytes of a bundle.
pub const BUNDLE_BYTES: usize = 32;

const CONTROL_BITS: u32 = 21;
const CONTROL_MASK: u64 = (1 << CONTROL_BITS) - 1;

/// The words of a bundle, which are little endian; those that are cut off are zero.
pub fn words(bundle: &[u8]) -> [u64; 4] {
    let bytes = |i: usize| bundle.get(8 * i..8 * i + 8).and_then(|b| b.try_into().ok());
    core::array::from_fn(|i| bytes(i).map_or(0, u64::from_le_bytes))
}

/// The fused words of a bundle.
pub fn fuse(words: [u64; 4]) -> [u128; 3] {
    let [control, code @ ..] = words;
    core::array::from_fn(|i| {
        let bits = control >> (CONTROL_BITS * i as u32) & CONTROL_MASK;
        u128::from(code[i]) | u128::from(bits) << 64
    })
}

/// The bundle of fused words. The control word's highest bit, which has no meaning, is zero.
pub fn split(fused: [u128; 3]) -> [u64; 4] {
    let mut words = [0; 4];
    for (i, f) in fused.into_iter().enumerate() {
        words[0] |= ((f >> 64) as u64 & CONTROL_MASK) << (CONTROL_BITS * i as u32);
        words[i + 1] = f as u64;
    }
    words
}

/// The address of instruction `n` of a program.
pub const fn address(n: u32) -> u32 {
    n / 3 * BUNDLE_BYTES as u32 + 8 + n % 3 * 8
}

/// The address of the instruction that runs when control goes to `target`: past the control word.
pub const fn aligned(target: u32) -> u32 {
    if target.is_multiple_of(BUNDLE_BYTES as u32) { target.saturating_add(8) } else { target }
}
