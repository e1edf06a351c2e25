//! What a recording stores: portions of waves with their starts, and states between these.

use shisa_eval::{Plane, Portion, Saved};
use std::sync::Arc;

/// A number of steps since the run began, counted over all waves in the order in which they ran.
pub type Time = u64;

/// A state from which a run can be repeated.
pub(crate) struct Anchor<T, E> {
    pub(crate) time: Time,
    /// The number of the portion that runs.
    pub(crate) portion: usize,
    /// The wave; `None` at the start of the portion, which has it.
    pub(crate) wave: Option<Saved<T>>,
    pub(crate) environment: Copied<E>,
}

/// A copy of an environment, which anchors share as long as the program changes nothing.
pub(crate) struct Copied<E> {
    pub(crate) environment: Arc<E>,
    /// Its size in bytes.
    pub(crate) bytes: usize,
    /// The number of the portion that ran when it was copied: the environment was prepared for that one.
    pub(crate) portion: usize,
}

impl<E> Clone for Copied<E> {
    fn clone(&self) -> Self {
        Copied { environment: self.environment.clone(), ..*self }
    }
}

/// A portion that was recorded.
pub(crate) struct Recorded<T> {
    /// The time of its first step.
    pub(crate) start: Time,
    pub(crate) portion: Portion,
    /// Whether it is the first of its workgroup.
    pub(crate) first: bool,
    /// The wave at its start; `None` if it was dropped to save memory.
    pub(crate) wave: Option<Compact<T>>,
}

/// A saved wave that stores only the registers that differ from those of another wave.
pub(crate) struct Compact<T> {
    /// Without registers.
    bare: Saved<T>,
    different: Vec<(u32, Plane)>,
}

/// Bytes of a saved wave besides its registers, about: positions have stacks of their own.
const WAVE_BYTES: usize = 1024;

impl<T: Clone> Compact<T> {
    /// Of a wave, beside the registers of the first wave.
    pub(crate) fn new(mut wave: Saved<T>, base: &[Plane]) -> Compact<T> {
        let registers = std::mem::take(wave.registers_mut());
        let pairs = (0..).zip(registers.iter().zip(base));
        let different = pairs.filter(|(_, (own, base))| own != base).map(|(number, (own, _))| (number, *own));
        Compact { different: different.collect(), bare: wave }
    }

    /// The wave.
    pub(crate) fn expanded(&self, base: &[Plane]) -> Saved<T> {
        let mut wave = self.bare.clone();
        let mut registers = base.to_vec();
        for (number, plane) in &self.different {
            if let Some(slot) = registers.get_mut(*number as usize) {
                *slot = *plane;
            }
        }
        *wave.registers_mut() = registers;
        wave
    }
}

/// The stored states of a run, or of portions of it.
pub(crate) struct History<T, E> {
    /// The number of portions before the first stored one.
    pub(crate) skipped: usize,
    /// In order of time.
    pub(crate) portions: Vec<Recorded<T>>,
    /// In order of time; the first is the start of a portion.
    pub(crate) anchors: Vec<Anchor<T, E>>,
    /// The registers at the start of the first stored wave.
    pub(crate) base: Vec<Plane>,
    /// The time after the last step.
    pub(crate) end: Time,
    /// The number of steps between anchors.
    pub(crate) interval: Time,
    /// Bytes of all states, and how many may be.
    bytes: usize,
    most: usize,
}

/// The smallest number of steps between anchors: copying a wave takes as long as some ten of its steps.
const INTERVAL: Time = 256;

impl<T: Clone, E> History<T, E> {
    /// An empty history for at most this many bytes.
    pub(crate) fn new(skipped: usize, most: usize) -> History<T, E> {
        History {
            skipped,
            portions: Vec::new(),
            anchors: Vec::new(),
            base: Vec::new(),
            end: 0,
            interval: INTERVAL,
            bytes: 0,
            most,
        }
    }

    /// Whether more is stored than may be.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes > self.most
    }

    /// A portion by its number.
    pub(crate) fn portion(&self, number: usize) -> Option<&Recorded<T>> {
        self.portions.get(number.checked_sub(self.skipped)?)
    }

    /// Whether a workgroup begins after one portion and not after another one.
    pub(crate) fn begins(&self, after: usize, up_to: usize) -> bool {
        (after + 1..=up_to).any(|number| self.portion(number).is_some_and(|portion| portion.first))
    }

    /// The time after a portion's last step.
    pub(crate) fn end_of(&self, number: usize) -> Time {
        self.portion(number + 1).map_or(self.end, |next| next.start)
    }

    /// The number of the portion whose step runs at a time; at the end the last one.
    pub(crate) fn at(&self, time: Time) -> Option<usize> {
        let after = self.portions.partition_point(|portion| portion.start <= time);
        Some(self.skipped + after.checked_sub(1)?)
    }

    /// The latest anchor from which a time can be reached.
    pub(crate) fn anchor(&self, time: Time) -> Option<&Anchor<T, E>> {
        let after = self.anchors.partition_point(|anchor| anchor.time <= time);
        let anchor = self.anchors.get(after.checked_sub(1)?)?;
        let from = if anchor.wave.is_some() { anchor.portion + 1 } else { anchor.portion };
        let mut passed = from..=self.at(time)?;
        passed.all(|number| self.portion(number).is_some_and(|p| p.wave.is_some())).then_some(anchor)
    }

    /// Adds a portion.
    pub(crate) fn add_portion(&mut self, portion: Recorded<T>) {
        self.bytes += bytes_of(&portion);
        self.portions.push(portion);
    }

    /// Adds an anchor.
    pub(crate) fn add_anchor(&mut self, anchor: Anchor<T, E>) {
        self.bytes += self.bytes_of(self.anchors.last(), &anchor);
        self.anchors.push(anchor);
    }

    /// Drops states until the others fit: every second anchor first, then the starts of portions. The state of the portion
    /// that runs stays.
    pub(crate) fn shrink(&mut self) {
        while self.is_full() && (self.thin() || self.hollow()) {}
    }

    /// Drops every second anchor but the first, and doubles their distance; returns whether there was one.
    fn thin(&mut self) -> bool {
        if self.anchors.len() < 3 {
            return false;
        }
        let mut number = 0;
        self.anchors.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        self.interval = self.interval.saturating_mul(2);
        self.count();
        true
    }

    /// Drops the older half of the starts of portions, with the anchors in these portions; returns whether there was one.
    fn hollow(&mut self) -> bool {
        let with = self.portions.iter().filter(|portion| portion.wave.is_some()).count();
        let mut left = with / 2;
        if left == 0 {
            return false;
        }
        let mut last = 0;
        for (number, portion) in (self.skipped..).zip(&mut self.portions) {
            if left > 0 && portion.wave.take().is_some() {
                (left, last) = (left - 1, number);
            }
        }
        self.anchors.retain(|anchor| anchor.portion > last);
        self.count();
        true
    }

    /// Counts the bytes again.
    fn count(&mut self) {
        let before = std::iter::once(None).chain(self.anchors.iter().map(Some));
        let anchors = before.zip(&self.anchors).map(|(before, anchor)| self.bytes_of(before, anchor));
        let anchors: usize = anchors.sum();
        self.bytes = anchors + self.portions.iter().map(bytes_of).sum::<usize>();
    }

    /// Bytes of an anchor after another one, which may have the same environment.
    fn bytes_of(&self, before: Option<&Anchor<T, E>>, anchor: &Anchor<T, E>) -> usize {
        let own = &anchor.environment;
        let shared = before.is_some_and(|b| Arc::ptr_eq(&b.environment.environment, &own.environment));
        let wave = anchor.wave.as_ref().map_or(0, |wave| WAVE_BYTES + size_of_val(wave.registers()));
        size_of::<Anchor<T, E>>() + wave + if shared { 0 } else { own.bytes }
    }
}

fn bytes_of<T>(portion: &Recorded<T>) -> usize {
    let wave = portion.wave.as_ref().map_or(0, |wave| WAVE_BYTES + size_of_val(&wave.different[..]));
    size_of::<Recorded<T>>() + wave
}
