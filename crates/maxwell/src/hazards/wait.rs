//! What control bits wait for, and which waits signal that an instruction has completed.

use crate::Maxwell;
use crate::control::Schedule;
use crate::role::Drain;
use shisa_rows::Insn;

/// The number of barriers.
pub(super) const BARRIERS: usize = 6;

/// The control bits of an instruction.
pub(crate) fn schedule(insn: &Insn<Maxwell>) -> Schedule {
    Schedule::of(insn.word)
}

/// What an instruction waits for by itself, whatever its control bits are.
pub(super) fn drain(insn: &Insn<Maxwell>) -> Drain {
    insn.form().attr.role.drain(&insn.word)
}

/// What an instruction waits for, by its control bits and by itself.
pub(super) fn waits(insn: &Insn<Maxwell>) -> Drain {
    drain(insn).with(schedule(insn))
}

/// The barrier as a mask; nothing without a barrier.
pub(super) fn mask(barrier: Option<u32>) -> u32 {
    barrier.map_or(0, |b| 1u32.checked_shl(b).unwrap_or(0))
}

/// The barriers that signal a completion: an instruction's own, and those of later ones of its class, which finish in
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signal {
    by: u32,
    /// For each barrier how often instructions of the class raised it again since; others may finish sooner.
    again: [u8; BARRIERS],
}

impl Signal {
    pub(super) fn by(barrier: Option<u32>) -> Signal {
        Signal { by: mask(barrier), again: [0; BARRIERS] }
    }

    /// Whether completion is certain after such a wait.
    pub(super) fn is_known(&self, waits: Drain) -> bool {
        let most = waits.most.is_some_and(|(barrier, left)| {
            let again = self.again.get(barrier as usize).copied().unwrap_or(0);
            self.by & mask(Some(barrier)) != 0 && again >= left
        });
        self.by & waits.all != 0 || most
    }

    /// Passes an instruction of the same class that raises the barriers of a mask; `own` may signal instead. No wait by
    /// count leaves more than `most` in progress.
    pub(super) fn pass(&mut self, raised: u32, own: Option<u32>, most: u8) {
        for (n, again) in self.again.iter_mut().enumerate() {
            if self.by & raised & 1 << n != 0 {
                *again = again.saturating_add(1).min(most);
            }
        }
        self.by |= mask(own);
    }

    /// What signals on both of two paths.
    pub(super) fn join(&self, other: &Signal) -> Signal {
        let again = core::array::from_fn(|i| self.again[i].min(other.again[i]));
        Signal { by: self.by & other.by, again }
    }
}
