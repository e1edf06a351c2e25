//! Finds the id of an earlier declaration: types by operation and operands, constants by type and bits.

use spirv::Op;

/// A result id; 0 is none.
pub(super) type Id = u32;

/// The properties that make a declaration unique.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Key {
    kind: u32,
    data: u64,
}

impl Key {
    /// A type (or a null constant) with this operation and up to two operands.
    pub(super) fn declared(op: Op, operands: &[u32]) -> Key {
        let at = |i: usize| u64::from(operands.get(i).copied().unwrap_or(u32::MAX));
        // Ids stay far below the highest bit.
        Key { kind: 1 << 31 | op as u32, data: at(0) | at(1) << 32 }
    }

    /// A constant of this type.
    pub(super) fn constant(ty: Id, bits: u64) -> Key {
        Key { kind: ty, data: bits }
    }

    fn hash(self) -> usize {
        let mixed = (self.data ^ u64::from(self.kind).rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32) as usize
    }
}

/// An open-addressing hash table whose size is a power of two, at most half full.
#[derive(Default)]
pub(super) struct Table {
    slots: Vec<(Key, Id)>,
    used: usize,
}

/// Slots of a table at first.
const SLOTS: usize = 128;

impl Table {
    /// Without any key yet.
    pub(super) fn new() -> Table {
        Table { slots: vec![(Key::default(), 0); SLOTS], used: 0 }
    }

    /// The id of a key; 0 if there is none.
    pub(super) fn find(&self, key: Key) -> Id {
        self.probe(key).and_then(|i| self.slots.get(i)).map_or(0, |s| s.1)
    }

    /// Records the id of a key that [`Table::find`] did not find.
    pub(super) fn insert(&mut self, key: Key, id: Id) {
        if self.slots.len() <= 2 * self.used {
            let size = (2 * self.slots.len()).max(SLOTS);
            let old = core::mem::replace(&mut self.slots, vec![(Key::default(), 0); size]);
            for (key, id) in old.into_iter().filter(|s| s.1 != 0) {
                self.put(key, id);
            }
        }
        self.used += 1;
        self.put(key, id);
    }

    fn put(&mut self, key: Key, id: Id) {
        if let Some(slot) = self.probe(key).and_then(|i| self.slots.get_mut(i)) {
            *slot = (key, id);
        }
    }

    /// The slot of a key, or the free slot for it; `None` while there are no slots.
    fn probe(&self, key: Key) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut i = key.hash() & mask;
        loop {
            match self.slots.get(i)? {
                (_, 0) => return Some(i),
                (k, _) if *k == key => return Some(i),
                _ => i = (i + 1) & mask,
            }
        }
    }
}
