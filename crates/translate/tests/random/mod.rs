//! Random programs and what they should do.

pub(crate) mod generate;
pub(crate) mod interpret;

/// A small generator of random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 3
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 7) as usize % n.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A register: plain numbers, small integers, special values, noise.
    pub(crate) fn register(&mut self) -> [u32; 4] {
        core::array::from_fn(|_| {
            let noise = self.next() as u32;
            match self.below(8) {
                0 => noise,
                1 => noise % 64,
                2 => self.pick(&[0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x7f7f_ffff]),
                _ => ((noise as i32 >> 16) as f32 / 64.0).to_bits(),
            }
        })
    }
}
