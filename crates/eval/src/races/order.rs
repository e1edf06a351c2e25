//! Which accesses of a workgroup's waves are ordered by barriers.
//!
//! Each wave has a time, which advances when it arrives at a barrier. A wave that waits at a barrier knows, after the
//! barrier opens, everything that the waves which arrived knew when they did (vector clocks). Atomic operations on the
//! same address order waves, too: code builds locks from them.

use std::collections::BTreeMap;

/// Times by wave.
type Times = Vec<u64>;

/// What each wave of a workgroup knows of the others.
#[derive(Debug)]
pub struct Order {
    /// By wave: the latest time of every wave that is ordered before its present.
    known: Vec<Times>,
    /// What waves knew when they arrived at a barrier, by barrier and wave.
    arrived: BTreeMap<(Option<u32>, usize), Times>,
    /// What waves knew that changed an address atomically.
    exchanged: BTreeMap<Location, Times>,
}

/// An address: whether it is one of shared memory, and its bytes.
pub type Location = (bool, u64);

impl Order {
    /// The order of so many waves of a workgroup that begins.
    pub fn new(waves: usize) -> Order {
        let known = vec![vec![0; waves]; waves];
        let mut order = Order { known, arrived: BTreeMap::new(), exchanged: BTreeMap::new() };
        order.begin();
        order
    }

    /// A workgroup begins.
    pub fn begin(&mut self) {
        self.arrived.clear();
        self.exchanged.clear();
        for (wave, known) in self.known.iter_mut().enumerate() {
            known.fill(0);
            known.iter_mut().skip(wave).take(1).for_each(|own| *own = 1);
        }
    }

    /// The time of a wave.
    pub fn time(&self, wave: usize) -> u64 {
        self.known.get(wave).and_then(|known| known.get(wave)).copied().unwrap_or(0)
    }

    /// Whether what a wave did at a time is ordered before the present of another wave.
    pub fn before(&self, (wave, time): (usize, u64), other: usize) -> bool {
        self.known.get(other).and_then(|known| known.get(wave)).is_some_and(|known| *known >= time)
    }

    /// A wave arrives at a barrier.
    pub fn arrive(&mut self, wave: usize, barrier: Option<u32>) {
        if let Some(known) = self.known.get_mut(wave) {
            self.arrived.insert((barrier, wave), known.clone());
            known.iter_mut().skip(wave).take(1).for_each(|own| *own += 1);
        }
    }

    /// A wave changes an address atomically.
    pub fn exchange(&mut self, wave: usize, location: Location) {
        let Some(known) = self.known.get_mut(wave) else { return };
        let there = self.exchanged.entry(location).or_default();
        there.resize(known.len(), 0);
        for (there, known) in there.iter_mut().zip(known.iter_mut()) {
            *there = (*there).max(*known);
            *known = *there;
        }
        known.iter_mut().skip(wave).take(1).for_each(|own| *own += 1);
    }

    /// A barrier opens: waves that had arrived, the barrier, and whether they wait there.
    pub fn open(&mut self, arrivals: impl Iterator<Item = (usize, Option<u32>, bool)> + Clone) {
        let mut all: Times = Vec::new();
        for (wave, barrier, _) in arrivals.clone() {
            let Some(times) = self.arrived.remove(&(barrier, wave)) else { continue };
            all.resize(all.len().max(times.len()), 0);
            all.iter_mut().zip(times).for_each(|(all, time)| *all = time.max(*all));
        }
        for (wave, _, _) in arrivals.filter(|(_, _, waits)| *waits) {
            let known = self.known.get_mut(wave).into_iter().flatten();
            known.zip(&all).for_each(|(known, time)| *known = (*known).max(*time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_order_waves() {
        let mut order = Order::new(3);
        let before = order.time(0);
        assert!(!order.before((0, before), 1) && order.before((0, before), 0));
        // Waves 0 and 1 meet; wave 2 is not there.
        order.arrive(0, Some(4));
        order.arrive(1, Some(4));
        assert!(!order.before((0, before), 1), "the barrier has not opened");
        order.open([(0, Some(4), true), (1, Some(4), true)].into_iter());
        assert!(order.before((0, before), 1) && !order.before((0, before), 2));
        assert!(!order.before((0, order.time(0)), 1), "what comes after the barrier is not ordered");
        // What wave 1 knows reaches wave 2, but nothing reaches wave 1, which does not wait.
        let later = order.time(2);
        order.arrive(1, None);
        order.arrive(2, None);
        order.open([(1, None, false), (2, None, true)].into_iter());
        assert!(order.before((0, before), 2) && !order.before((2, later), 1));
        order.begin();
        assert!(!order.before((0, order.time(0)), 1));
        // A lock: wave 0 releases it, wave 1 acquires it, wave 2 another one.
        let before = order.time(0);
        order.exchange(0, (true, 16));
        order.exchange(1, (true, 16));
        order.exchange(2, (false, 16));
        assert!(order.before((0, before), 1) && !order.before((0, before), 2));
    }
}
