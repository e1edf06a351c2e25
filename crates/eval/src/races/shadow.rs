//! What is known of each byte of shared and local memory.

use super::order::Order;
use crate::Touch;
use std::collections::BTreeMap;

/// An access.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    /// The wave of the workgroup.
    pub wave: usize,
    /// The wave's time.
    pub time: u64,
    /// The address of the instruction.
    pub pc: u32,
    /// Whether it is an atomic operation.
    pub atomic: bool,
}

/// An access of another wave to the same byte.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// The access.
    pub by: Touched,
    /// Whether it writes.
    pub writes: bool,
}

/// What an access shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// An access that is not ordered with it, one of the two a write that is not atomic.
    pub race: Option<Other>,
    /// Whether it reads and nothing has written any of its bytes.
    pub unwritten: bool,
}

/// The shared memory of a workgroup.
#[derive(Debug)]
pub struct Shared(Vec<Byte>);

#[derive(Clone, Debug, Default)]
struct Byte {
    writer: Option<Touched>,
    /// The latest read of each wave since the latest write.
    readers: Vec<Touched>,
}

impl Shared {
    /// So many bytes that nothing has touched.
    pub fn new(bytes: usize) -> Shared {
        Shared(vec![Byte::default(); bytes])
    }

    /// A workgroup begins.
    pub fn begin(&mut self) {
        for byte in &mut self.0 {
            byte.writer = None;
            byte.readers.clear();
        }
    }

    /// Records an access. Bytes outside of memory are left to the memory itself.
    pub fn touch(&mut self, touch: Touch, address: u64, size: usize, own: Touched, order: &Order) -> Seen {
        let from = usize::try_from(address).unwrap_or(usize::MAX);
        let Some(bytes) = self.0.get_mut(from..from.saturating_add(size)) else { return Seen::default() };
        let mut seen = Seen { race: None, unwritten: touch != Touch::Store && !bytes.is_empty() };
        for byte in bytes {
            seen.unwritten &= byte.writer.is_none();
            let race = byte.race(touch, own, order);
            seen.race = seen.race.or(race);
            match touch {
                Touch::Load => {
                    byte.readers.retain(|reader| reader.wave != own.wave);
                    byte.readers.push(own);
                }
                Touch::Store | Touch::Atomic => {
                    byte.writer = Some(own);
                    byte.readers.clear();
                }
            }
        }
        seen
    }
}

impl Byte {
    /// An earlier access of another wave that an access races with.
    fn race(&self, touch: Touch, own: Touched, order: &Order) -> Option<Other> {
        let unordered =
            |other: &Touched| other.wave != own.wave && !order.before((other.wave, other.time), own.wave);
        let written = self.writer.filter(|w| unordered(w) && !(w.atomic && touch != Touch::Store));
        let read = || self.readers.iter().find(|reader| touch == Touch::Store && unordered(reader));
        match written {
            Some(by) => Some(Other { by, writes: true }),
            None => read().map(|by| Other { by: *by, writes: false }),
        }
    }
}

/// Bytes of memory of each thread that something wrote.
#[derive(Debug, Default)]
pub struct Written(BTreeMap<(usize, u64), u64>);

impl Written {
    /// A workgroup begins.
    pub fn begin(&mut self) {
        self.0.clear();
    }

    /// Records an access, and returns whether something had written any of its bytes.
    pub fn touch(&mut self, touch: Touch, thread: usize, address: u64, size: usize) -> bool {
        let mut written = false;
        for at in address..address.saturating_add(size as u64) {
            let (word, bit) = ((thread, at / 64), 1 << (at % 64));
            written |= self.0.get(&word).is_some_and(|bits| bits & bit != 0);
            if touch != Touch::Load {
                *self.0.entry(word).or_default() |= bit;
            }
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_need_two_waves_and_a_write() {
        let mut order = Order::new(2);
        let by = |wave, order: &Order| Touched { wave, time: order.time(wave), pc: 8, atomic: false };
        let race = |first: (Touch, usize), second: (Touch, usize), ordered: bool| {
            let mut order = Order::new(2);
            let mut shared = Shared::new(16);
            let access = |shared: &mut Shared, (touch, wave): (Touch, usize), order: &Order| {
                let own = Touched { atomic: touch == Touch::Atomic, ..by(wave, order) };
                shared.touch(touch, 4, 4, own, order)
            };
            access(&mut shared, first, &order);
            if ordered {
                (0..2).for_each(|wave| order.arrive(wave, None));
                order.open([(0, None, true), (1, None, true)].into_iter());
            }
            access(&mut shared, second, &order).race.is_some()
        };
        use Touch::{Atomic, Load, Store};
        for (first, second, expected) in [
            ((Store, 0), (Load, 1), true),
            ((Load, 0), (Store, 1), true),
            ((Store, 0), (Store, 1), true),
            ((Store, 0), (Atomic, 1), true),
            ((Atomic, 0), (Store, 1), true),
            ((Load, 0), (Load, 1), false),
            ((Atomic, 0), (Atomic, 1), false),
            ((Atomic, 0), (Load, 1), false),
            ((Store, 0), (Load, 0), false),
            ((Store, 1), (Store, 1), false),
        ] {
            assert_eq!(race(first, second, false), expected, "{first:?} {second:?}");
            assert!(!race(first, second, true), "{first:?} {second:?}");
        }
        order.begin();
        let mut shared = Shared::new(8);
        let own = by(0, &order);
        assert!(shared.touch(Load, 0, 4, own, &order).unwritten);
        shared.touch(Store, 3, 1, own, &order);
        assert!(!shared.touch(Load, 0, 4, own, &order).unwritten, "one byte is written");
        assert!(!shared.touch(Load, 6, 4, own, &order).unwritten, "it is outside of memory");
        shared.begin();
        assert!(shared.touch(Load, 0, 4, own, &order).unwritten);
    }

    #[test]
    fn threads_have_their_own_bytes() {
        let mut written = Written::default();
        assert!(!written.touch(Touch::Store, 3, 62, 4));
        assert!(written.touch(Touch::Load, 3, 65, 8));
        assert!(!written.touch(Touch::Load, 3, 66, 8) && !written.touch(Touch::Load, 4, 62, 4));
    }
}
