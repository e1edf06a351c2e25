//! Numbers of inputs at which arithmetic is likely to differ.

use crate::Random;

/// Bit patterns at which arithmetic changes its behaviour: zeros, denormals, infinities, NaNs, the largest numbers, and
/// ordinary numbers.
#[rustfmt::skip]
pub(crate) const EDGES: [u32; 16] = [
    0, 0x8000_0000, 1, 0x8000_0001, 0x007f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0001,
    0x7f80_0001, 0x7f7f_ffff, 0xff7f_ffff, 0xbf80_0000, 0x3f80_0000, 0x4000_0001, 0x4f00_0000,
];

/// An edge value, any bits, or an ordinary number.
pub(crate) fn value(random: &mut Random) -> u32 {
    match random.below(3) {
        0 => random.pick(&EDGES).copied().unwrap_or(0),
        1 => random.bits() as u32,
        _ => (random.below(41) as f32 / 4.0 - 5.0).to_bits(),
    }
}
