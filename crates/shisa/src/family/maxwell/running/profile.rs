//! What the instructions of a run cost: how many lanes they run for, and how their memory accesses are served.

use super::cost::Cost;
use super::memory::resolved;
use shisa_eval::{Access, Observer, Position, Touch};
use shisa_ir::{Lanes, Lifted, Space, WAVE};
use shisa_maxwell::processor::{BANKS, SECTOR, WORD, passes, sectors};
use shisa_maxwell::sequencer::State;

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
