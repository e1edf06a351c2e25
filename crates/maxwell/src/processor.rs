//! How a streaming multiprocessor serves the threads that it runs: the number of threads, and the cost of their accesses
//! to memory.
//!
//! Maxwell serves global and local memory in sectors of 32 bytes, and shared memory from 32 banks of 4 bytes, of which each
//! gives one word at a time to any number of lanes (CUDA C++ Programming Guide, compute capability 5.x). The lanes of a
//! warp access 4 bytes each at once; an access of 8 bytes is made by half a warp, one of 16 bytes by a quarter.

use alloc::collections::BTreeSet;
use shisa_ir::WAVE;

/// Bytes of a sector of global memory.
pub const SECTOR: u64 = 32;
/// Banks of shared memory.
pub const BANKS: u64 = 32;
/// Bytes of a word of a bank.
pub const WORD: u64 = 4;

/// Threads of a streaming multiprocessor whose threads have this many registers, and the most that it can have.
///
/// From NVIDIA's table of compute capabilities 5.0 to 5.3: 65,536 registers, of which a warp gets a multiple of 256, and
/// 64 warps of 32 threads, which are given out four at a time.
pub fn threads(registers: u32) -> [u32; 2] {
    const REGISTERS: u32 = 65_536;
    const UNIT: u32 = 256;
    const WARPS: u32 = 64;
    const THREADS: u32 = 32;
    const TOGETHER: u32 = 4;
    let of_warp = (registers.max(1) * THREADS).next_multiple_of(UNIT);
    let warps = (REGISTERS / of_warp / TOGETHER * TOGETHER).min(WARPS);
    [warps * THREADS, WARPS * THREADS]
}

/// The sectors that lanes touch, each with `size` bytes at its address. A lane has its number in the warp and an address.
pub fn sectors(lanes: &[(usize, u64)], size: u64) -> u64 {
    let of = |(_, address): &(usize, u64)| {
        address / SECTOR..=address.saturating_add(size.saturating_sub(1)) / SECTOR
    };
    lanes.iter().flat_map(of).collect::<BTreeSet<_>>().len() as u64
}

/// The passes of the banks: of each part of the warp that is served at once, the largest number of different words in
/// one bank. A lane has its number in the warp and an address, at which it accesses `size` bytes.
pub fn passes(lanes: &[(usize, u64)], size: u64) -> u64 {
    let part = (WAVE as u64 / size.div_ceil(WORD).max(1)).max(1);
    (0..WAVE as u64 / part)
        .map(|number| {
            let own = lanes.iter().filter(|(lane, _)| *lane as u64 / part == number);
            let words: BTreeSet<u64> = own
                .flat_map(|(_, at)| at / WORD..=at.saturating_add(size.saturating_sub(1)) / WORD)
                .collect();
            let mut banks = [0; BANKS as usize];
            for word in &words {
                banks.iter_mut().skip((word % BANKS) as usize).take(1).for_each(|bank| *bank += 1);
            }
            banks.into_iter().max().unwrap_or(0)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn strided(stride: u64) -> Vec<(usize, u64)> {
        (0..WAVE).map(|lane| (lane, 0x1000 + lane as u64 * stride)).collect()
    }

    #[test]
    fn sectors_are_counted_once() {
        for (stride, size, expected) in
            [(4, 4, 4), (8, 8, 8), (16, 16, 16), (0, 4, 1), (32, 4, 32), (64, 16, 32), (8, 4, 8), (1, 1, 1)]
        {
            assert_eq!(sectors(&strided(stride), size), expected, "{size} bytes at distances of {stride}");
        }
        let odd: Vec<_> = strided(4).iter().map(|(lane, at)| (*lane, at + 28)).collect();
        assert_eq!(sectors(&odd, 4), 5);
    }

    #[test]
    fn banks_give_a_word_at_a_time() {
        for (stride, size, expected) in [
            (4, 4, 1),
            (8, 4, 2),
            (128, 4, 32),
            (0, 4, 1),
            (132, 4, 1),
            (12, 4, 1),
            (1, 1, 1),
            // Half a warp at once.
            (8, 8, 2),
            (16, 8, 4),
            (16, 16, 4),
            (64, 16, 16),
        ] {
            assert_eq!(passes(&strided(stride), size), expected, "{size} bytes at distances of {stride}");
        }
    }

    /// Rows of NVIDIA's occupancy calculator.
    #[test]
    fn registers_limit_threads() {
        for (registers, expected) in
            [(0, 2048), (32, 2048), (33, 1536), (40, 1536), (64, 1024), (128, 512), (255, 256)]
        {
            assert_eq!(threads(registers), [expected, 2048], "{registers}");
        }
    }
}
