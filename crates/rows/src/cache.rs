//! A cache of printed texts, by a nonzero key that stands for the bits that decide the text.
//!
//! The texts are stored compactly in the order of their first use, so that those of common instructions stay in the
//! processor's cache.

use alloc::{boxed::Box, vec, vec::Vec};

/// Longest cached text in bytes.
pub(crate) const LONGEST: usize = crate::line::MARGIN;
/// Bytes read at once for a text: its key, its length, whether it is lossless, and the text itself.
const READ: usize = 64;
/// Offsets of the length and of the other fields.
const LEN: usize = 8;
const LOSSLESS_AT: usize = 9;
const BYTES: usize = 10;
/// Alignment of texts in bytes.
const STEP: usize = 8;
/// Largest total size of the texts in bytes, so that an offset in steps fits into 16 bits; past it, the cache is
/// cleared.
const MOST: usize = 1 << 18;
/// Number of slots, a power of two: large enough that nearly every text is in its first slot.
const SLOTS: usize = 1 << 14;

/// A cached text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'k>(&'k [u8; READ]);

impl<'k> Text<'k> {
    #[inline(always)]
    fn key(self) -> u64 {
        self.0.first_chunk().map_or(0, |key| u64::from_le_bytes(*key))
    }

    /// Length in bytes.
    #[inline(always)]
    pub(crate) const fn len(self) -> usize {
        self.0[LEN] as usize
    }

    /// Whether the text determines all bits that decide it.
    #[inline(always)]
    pub(crate) const fn lossless(self) -> bool {
        self.0[LOSSLESS_AT] != 0
    }

    /// The bytes of the text, followed by others.
    #[inline(always)]
    pub(crate) fn bytes(self) -> &'k [u8; LONGEST] {
        self.0[BYTES..].first_chunk().unwrap_or(&[0; LONGEST])
    }
}

/// A hash table of texts.
#[derive(Debug)]
pub(crate) struct Cache {
    /// Offsets of the texts, in steps; a text is in the first slot from [`slot`] on that was free.
    slots: Box<[u16; SLOTS]>,
    /// The texts. The first one is empty and has the key 0, which marks a free slot.
    texts: Vec<u8>,
    /// Number of texts.
    count: usize,
}

/// The first slot of a text.
#[inline(always)]
const fn slot(key: u64) -> usize {
    // The uppermost bits of the product depend on all bits of the key.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.ilog2())) as usize
}

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache { slots: Box::new([0; SLOTS]), texts: vec![0; size(0) + READ], count: 0 }
    }

    /// The text that begins at an offset.
    #[inline(always)]
    fn text(&self, start: usize) -> Option<Text<'_>> {
        Some(Text(self.texts.get(start..start + READ)?.first_chunk()?))
    }

    /// The text of a slot, or the empty text.
    #[inline(always)]
    fn at(&self, slot: usize) -> Option<Text<'_>> {
        self.text(usize::from(*self.slots.get(slot)?) * STEP)
    }

    /// A text, if it is in its first slot.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<Text<'_>> {
        self.at(slot(key)).filter(|text| text.key() == key && key != 0)
    }

    /// A text, in whichever slot it is, or else the free slot where it belongs.
    pub(crate) fn search(&self, key: u64) -> Result<Text<'_>, usize> {
        let mut slot = slot(key);
        loop {
            match self.at(slot) {
                Some(text) if text.key() == key => return Ok(text),
                Some(text) if text.key() != 0 => slot = (slot + 1) % SLOTS,
                _ => return Err(slot),
            }
        }
    }

    /// Caches a text that is not cached yet, unless it is too long.
    pub(crate) fn insert(&mut self, key: u64, text: &[u8], lossless: bool) {
        if text.len() > LONGEST {
            return;
        }
        if self.texts.len() >= MOST || self.count >= SLOTS / 2 {
            *self = Cache::new();
        }
        // The bytes that are read at once also exist after the last text; the next text begins there.
        let start = self.texts.len() - READ;
        self.texts.resize(start + size(text.len()) + READ, 0);
        self.texts[start..][..LEN].copy_from_slice(&key.to_le_bytes());
        self.texts[start + LEN] = text.len() as u8;
        self.texts[start + LOSSLESS_AT] = u8::from(lossless);
        self.texts[start + BYTES..][..text.len()].copy_from_slice(text);
        self.count += 1;
        if let Err(slot) = self.search(key) {
            self.slots[slot] = (start / STEP) as u16;
        }
    }
}

/// Number of bytes that a text of this length occupies.
const fn size(len: usize) -> usize {
    (BYTES + len).next_multiple_of(STEP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    /// The text of a number, and a key whose uppermost and lowest bits differ from those of others.
    fn text(n: u64) -> (u64, alloc::string::String) {
        ((1 + n % 7) << 48 | (n / 7) << 36 | (n / 7), format!("text {n}"))
    }

    #[test]
    fn texts_come_back_until_there_are_too_many() {
        let mut cache = Cache::new();
        for n in 0..1000 {
            let (key, text) = text(n);
            assert!(cache.search(key).is_err());
            cache.insert(key, text.as_bytes(), n % 3 == 0);
        }
        let mut first = 0;
        for n in 0..1000 {
            let (key, text) = text(n);
            let found = cache.search(key).unwrap();
            assert_eq!((&found.bytes()[..found.len()], found.lossless()), (text.as_bytes(), n % 3 == 0));
            first += usize::from(cache.find(key).is_some());
        }
        assert!(first > 800, "{first} of 1000 are in their first slots");
        for n in 1000..20_000 {
            let (key, text) = text(n);
            cache.insert(key, text.as_bytes(), true);
            assert!(cache.search(key).is_ok());
            assert!(cache.texts.len() < MOST + 2 * READ && cache.count <= SLOTS / 2);
        }
        for n in 0..SLOTS as u64 {
            cache.insert(1 << 60 | n, b"", true);
            assert!(cache.count <= SLOTS / 2);
        }
        assert!(cache.search(text(0).0).is_err());
    }

    #[test]
    fn long_texts_are_not_kept() {
        let mut cache = Cache::new();
        cache.insert(1, &[b'x'; LONGEST + 1], true);
        assert!(cache.search(1).is_err());
        cache.insert(1, &[b'x'; LONGEST], true);
        assert_eq!(cache.find(1).map(Text::len), Some(LONGEST));
    }
}
