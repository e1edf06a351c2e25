//! The outcomes and the costs of the pieces of one part.

use super::cost::{COUNTS_MEMORY, Cost};
use shisa_fuzz_targets::legs::{Memory, Outcome, Part};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest time that a verb may take.
const TIME: Duration = Duration::from_secs(2);
/// Number of costs past the bounds that are reported; the rest are counted.
const REPORTED: u64 = 10;

/// The outcomes and costs of the pieces of a part.
pub(super) struct Counts {
    part: Part,
    state: Mutex<State>,
}

/// The piece that takes the most of something.
#[derive(Clone, Copy, Default)]
struct Dearest {
    piece: u64,
    size: usize,
    cost: Cost,
}

#[derive(Default)]
struct State {
    outcome: Outcome,
    panicked: u64,
    slowest: Dearest,
    fattest: Dearest,
    /// Pieces past a bound.
    past: u64,
}

impl Counts {
    pub(super) fn new(part: Part) -> Counts {
        Counts { part, state: Mutex::default() }
    }

    /// A panic is caught while nobody holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a piece whose input has so many bytes. Returns the bounds that it exceeds, up to a number of pieces.
    pub(super) fn count(&self, piece: u64, outcome: Outcome, cost: Cost, size: usize) -> Vec<String> {
        let mut state = self.state();
        state.outcome += outcome;
        let this = Dearest { piece, size, cost };
        if cost.time > state.slowest.cost.time {
            state.slowest = this;
        }
        if cost.memory > state.fattest.cost.memory {
            state.fattest = this;
        }
        let past = self.part.memory.map_or(Vec::new(), |memory| past(&this, memory));
        state.past += u64::from(!past.is_empty());
        if state.past > REPORTED { Vec::new() } else { past }
    }

    pub(super) fn panic(&self) {
        self.state().panicked += 1;
    }

    pub(super) fn panics(&self) -> u64 {
        self.state().panicked
    }

    /// The pieces that took the most.
    pub(super) fn dearest(&self) -> Vec<(&'static str, u64)> {
        let state = self.state();
        let mut list = vec![("slowest", state.slowest.piece)];
        if COUNTS_MEMORY {
            list.push(("fattest", state.fattest.piece));
        }
        list
    }

    /// What the part must do and does not. A single piece has no shares.
    pub(super) fn faults(&self, alone: bool) -> Vec<String> {
        let state = self.state();
        let shares = self.part.shares.fault(&state.outcome).filter(|_| !alone && state.panicked == 0);
        let past = (state.past > 0).then(|| format!("takes more than its bounds on {} pieces", state.past));
        shares.into_iter().chain(past).collect()
    }
}

/// The bounds that a verb exceeds.
fn past(this: &Dearest, bound: Memory) -> Vec<String> {
    let Dearest { size, cost, .. } = this;
    let most = bound.besides + bound.times * *size as u64;
    let time =
        (cost.time > TIME).then(|| format!("of {size} bytes takes {:.2?}, more than {TIME:?}", cost.time));
    let memory = (cost.memory > most)
        .then(|| format!("of {size} bytes takes {} MiB, more than {} MiB", cost.memory >> 20, most >> 20));
    time.into_iter().chain(memory).collect()
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { outcome, panicked, slowest, fattest, .. } = &*self.state();
        write!(f, "accepted {} refused {} panicked {panicked}", outcome.accepted, outcome.refused)?;
        let at = |d: &Dearest| format!("piece {} of {} bytes", d.piece, d.size);
        write!(f, " slowest {:.1?} ({})", slowest.cost.time, at(slowest))?;
        if COUNTS_MEMORY {
            write!(
                f,
                " fattest {:.1} MiB ({})",
                fattest.cost.memory as f64 / f64::from(1 << 20),
                at(fattest)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: u64 = 64 << 20;

    fn counts(time: u64, memory: u64, size: usize) -> Vec<String> {
        let counts = Counts::new(Part::verb("verb", 0, 0));
        let cost = Cost { time: Duration::from_millis(time), memory };
        let past = counts.count(3, true.into(), cost, size);
        assert_eq!(counts.faults(false).is_empty(), past.is_empty());
        past
    }

    #[test]
    fn verbs_are_held_to_their_bounds() {
        assert_eq!(counts(2_000, MEMORY, 0), [""; 0]);
        assert_eq!(counts(2_000, MEMORY + 160, 10), [""; 0]);
        assert_eq!(counts(2_001, 0, 5), ["of 5 bytes takes 2.00s, more than 2s"]);
        assert_eq!(counts(1, 2 * MEMORY, 10), ["of 10 bytes takes 128 MiB, more than 64 MiB"]);
    }

    #[test]
    fn shares_are_of_many_pieces() {
        let counts = Counts::new(Part::verb("verb", 50, 0));
        counts.count(0, false.into(), Cost::default(), 1);
        assert_eq!(counts.faults(true), [""; 0]);
        assert_eq!(counts.faults(false), ["must accept 50 %, accepts 0 of 1"]);
    }
}
