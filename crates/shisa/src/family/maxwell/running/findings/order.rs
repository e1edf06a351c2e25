//! Which accesses of a block's warps are ordered by barriers.
//!
//! Each warp has a time, which advances when it arrives at a barrier. A warp that waits at a barrier knows, after the
//! barrier opens, everything that the warps which arrived knew when they did (vector clocks). Atomic operations on the
//! same address order warps, too: code builds locks from them.

use std::collections::BTreeMap;

/// Times by warp.
type Times = Vec<u64>;

/// What each warp of a block knows of the others.
pub(super) struct Order {
    /// By warp: the latest time of every warp that is ordered before its present.
    known: Vec<Times>,
    /// What warps knew when they arrived at a barrier, by barrier and warp.
    arrived: BTreeMap<(Option<u32>, usize), Times>,
    /// What warps knew that changed an address atomically.
    exchanged: BTreeMap<Location, Times>,
}

/// An address: whether it is one of shared memory, and its bytes.
pub(super) type Location = (bool, u64);

impl Order {
    /// The order of so many warps of a block that begins.
    pub(super) fn new(warps: usize) -> Order {
        let known = vec![vec![0; warps]; warps];
        let mut order = Order { known, arrived: BTreeMap::new(), exchanged: BTreeMap::new() };
        order.begin();
        order
    }

    /// A block begins.
    pub(super) fn begin(&mut self) {
        self.arrived.clear();
        self.exchanged.clear();
        for (warp, known) in self.known.iter_mut().enumerate() {
            known.fill(0);
            known.iter_mut().skip(warp).take(1).for_each(|own| *own = 1);
        }
    }

    /// The time of a warp.
    pub(super) fn time(&self, warp: usize) -> u64 {
        self.known.get(warp).and_then(|known| known.get(warp)).copied().unwrap_or(0)
    }

    /// Whether what a warp did at a time is ordered before the present of another warp.
    pub(super) fn before(&self, (warp, time): (usize, u64), other: usize) -> bool {
        self.known.get(other).and_then(|known| known.get(warp)).is_some_and(|known| *known >= time)
    }

    /// A warp arrives at a barrier.
    pub(super) fn arrive(&mut self, warp: usize, barrier: Option<u32>) {
        if let Some(known) = self.known.get_mut(warp) {
            self.arrived.insert((barrier, warp), known.clone());
            known.iter_mut().skip(warp).take(1).for_each(|own| *own += 1);
        }
    }

    /// A warp changes an address atomically.
    pub(super) fn exchange(&mut self, warp: usize, location: Location) {
        let Some(known) = self.known.get_mut(warp) else { return };
        let there = self.exchanged.entry(location).or_default();
        there.resize(known.len(), 0);
        for (there, known) in there.iter_mut().zip(known.iter_mut()) {
            *there = (*there).max(*known);
            *known = *there;
        }
        known.iter_mut().skip(warp).take(1).for_each(|own| *own += 1);
    }

    /// A barrier opens: warps that had arrived, the barrier, and whether they wait there.
    pub(super) fn open(&mut self, arrivals: impl Iterator<Item = (usize, Option<u32>, bool)> + Clone) {
        let mut all: Times = Vec::new();
        for (warp, barrier, _) in arrivals.clone() {
            let times = self.arrived.remove(&(barrier, warp)).unwrap_or_default();
            all.resize(all.len().max(times.len()), 0);
            all.iter_mut().zip(times).for_each(|(all, time)| *all = time.max(*all));
        }
        for (warp, _, _) in arrivals.filter(|(_, _, waits)| *waits) {
            let known = self.known.get_mut(warp).into_iter().flatten();
            known.zip(&all).for_each(|(known, time)| *known = (*known).max(*time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_order_warps() {
        let mut order = Order::new(3);
        let before = order.time(0);
        assert!(!order.before((0, before), 1) && order.before((0, before), 0));
        // Warps 0 and 1 meet; warp 2 is not there.
        order.arrive(0, Some(4));
        order.arrive(1, Some(4));
        assert!(!order.before((0, before), 1), "the barrier has not opened");
        order.open([(0, Some(4), true), (1, Some(4), true)].into_iter());
        assert!(order.before((0, before), 1) && !order.before((0, before), 2));
        assert!(!order.before((0, order.time(0)), 1), "what comes after the barrier is not ordered");
        // What warp 1 knows reaches warp 2, but nothing reaches warp 1, which does not wait.
        let later = order.time(2);
        order.arrive(1, None);
        order.arrive(2, None);
        order.open([(1, None, false), (2, None, true)].into_iter());
        assert!(order.before((0, before), 2) && !order.before((2, later), 1));
        order.begin();
        assert!(!order.before((0, order.time(0)), 1));
        // A lock: warp 0 releases it, warp 1 acquires it, warp 2 another one.
        let before = order.time(0);
        order.exchange(0, (true, 16));
        order.exchange(1, (true, 16));
        order.exchange(2, (false, 16));
        assert!(order.before((0, before), 1) && !order.before((0, before), 2));
    }
}
