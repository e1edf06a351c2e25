//! What the instructions of a run cost: how many lanes they run for, and how their memory accesses are served.
//!
//! Maxwell serves global and local memory in sectors of 32 bytes, and shared memory from 32 banks of 4 bytes, of which each
//! gives one word at a time to any number of lanes (CUDA C++ Programming Guide, compute capability 5.x). The lanes of a
//! warp access 4 bytes each at once; an access of 8 bytes is made by half a warp, one of 16 bytes by a quarter.

use super::cost::Cost;
use super::memory::resolved;
use shisa_eval::{Access, Observer, Position, Touch};
use shisa_ir::{Lanes, Lifted, Space, WAVE};
use shisa_maxwell::sequencer::State;
use std::collections::BTreeSet;

/// Bytes of a sector of global memory.
const SECTOR: u64 = 32;
/// Banks of shared memory.
const BANKS: u64 = 32;
/// Bytes of a word of a bank.
const WORD: u64 = 4;

/// Counts what instructions cost.
pub(super) struct Profile {
    /// By step.
    costs: Vec<Cost>,
    at: usize,
}

impl Profile {
    /// Without costs so far.
    pub(super) fn new(lifted: &Lifted) -> Profile {
        let costs = lifted.steps.iter().map(|s| Cost { instruction: s.pc, ..Cost::default() }).collect();
        Profile { costs, at: 0 }
    }

    /// The costs of the instructions that ran.
    pub(super) fn list(self) -> Vec<Cost> {
        self.costs.into_iter().filter(|cost| cost.warps > 0).collect()
    }
}

impl Observer<State> for Profile {
    fn step(&mut self, index: usize, active: Lanes, _: &Position<State>) {
        self.at = index;
        if let Some(cost) = self.costs.get_mut(index) {
            cost.warps += 1;
            cost.lanes += u64::from(active.count_ones());
        }
    }

    fn access(&mut self, _: Touch, access: &Access<'_>, count: usize) {
        let Some(cost) = self.costs.get_mut(self.at) else { return };
        let size = (access.bytes * count) as u64;
        let lanes = (0..WAVE).filter(|lane| access.lanes >> lane & 1 != 0);
        let addresses: Vec<(usize, (Space, u64))> =
            lanes.filter_map(|lane| Some((lane, resolved(access.space, access.at(lane)?)))).collect();
        let of = |memory: fn(Space) -> bool| -> Vec<(usize, u64)> {
            let own = addresses.iter().filter(|(_, (space, _))| memory(*space));
            own.map(|(lane, (_, address))| (*lane, *address)).collect()
        };
        let shared = of(|space| space == Space::Shared);
        if !shared.is_empty() {
            let bytes = size * shared.len() as u64;
            cost.shared.add(bytes, passes(&shared, size), bytes.div_ceil(BANKS * WORD));
        }
        let global = of(|space| space == Space::Global);
        if !global.is_empty() {
            let bytes = size * global.len() as u64;
            cost.global.add(bytes, sectors(&global, size), bytes.div_ceil(SECTOR));
        }
        // Hardware interleaves the local memory of a warp's lanes by words: lanes at the same address are consecutive.
        let local = of(|space| space == Space::Local);
        if !local.is_empty() {
            let words =
                local.iter().map(|(lane, at)| (*lane, at / WORD * WAVE as u64 * WORD + *lane as u64 * WORD));
            let words: Vec<(usize, u64)> = words.collect();
            let bytes = size * local.len() as u64;
            let each = size.div_ceil(WORD);
            cost.global.add(bytes, each * sectors(&words, WORD.min(size)), bytes.div_ceil(SECTOR));
        }
    }
}

/// The sectors that lanes touch, each with this many bytes at its address.
fn sectors(lanes: &[(usize, u64)], size: u64) -> u64 {
    let of = |(_, address): &(usize, u64)| {
        address / SECTOR..=address.saturating_add(size.saturating_sub(1)) / SECTOR
    };
    lanes.iter().flat_map(of).collect::<BTreeSet<_>>().len() as u64
}

/// The passes of the banks: of each part of the warp that is served at once, the largest number of different words in
/// one bank.
fn passes(lanes: &[(usize, u64)], size: u64) -> u64 {
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
}
