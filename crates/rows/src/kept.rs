//! Texts that were written before, by what they were written for: a number but 0, the key.
//!
//! They lie close together, in the order in which they were met, so that those of common instructions stay near the
//! processor.

use alloc::{boxed::Box, vec, vec::Vec};

/// Bytes of a text that is kept, at most.
pub(crate) const LONGEST: usize = crate::line::MARGIN;
/// Bytes that are read at a text: its key, its length, whether it tells all bits that it stands for, and itself.
const READ: usize = 64;
/// Where the length, and so on, are in there.
const LEN: usize = 8;
const TOLD: usize = 9;
const BYTES: usize = 10;
/// Texts lie at multiples of so many bytes.
const STEP: usize = 8;
/// Bytes of texts at most, which 16 bits can count in steps; behind them all are forgotten.
const MOST: usize = 1 << 18;
/// Slots, a power of two: so many that nearly every text is in its first.
const SLOTS: usize = 1 << 14;

/// A text that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'k>(&'k [u8; READ]);

impl<'k> Text<'k> {
    #[inline(always)]
    fn key(self) -> u64 {
        self.0.first_chunk().map_or(0, |key| u64::from_le_bytes(*key))
    }

    /// How many bytes it has.
    #[inline(always)]
    pub(crate) const fn len(self) -> usize {
        self.0[LEN] as usize
    }

    /// Whether it tells all bits that it stands for.
    #[inline(always)]
    pub(crate) const fn told(self) -> bool {
        self.0[TOLD] != 0
    }

    /// Its bytes and others.
    #[inline(always)]
    pub(crate) fn bytes(self) -> &'k [u8; LONGEST] {
        self.0[BYTES..].first_chunk().unwrap_or(&[0; LONGEST])
    }
}

/// A table of texts.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Where texts are, in steps; a text is in the first slot from [`slot`] on that was free.
    slots: Box<[u16; SLOTS]>,
    /// The texts. The first, which is empty, has the key 0, which means none.
    texts: Vec<u8>,
    /// How many there are.
    count: usize,
}

/// The first slot of a text.
#[inline(always)]
const fn slot(key: u64) -> usize {
    // The uppermost bits of the product depend on all bits.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SLOTS.ilog2())) as usize
}

impl Kept {
    pub(crate) fn new() -> Kept {
        Kept { slots: Box::new([0; SLOTS]), texts: vec![0; size(0) + READ], count: 0 }
    }

    /// The text that begins there.
    #[inline(always)]
    fn text(&self, start: usize) -> Option<Text<'_>> {
        Some(Text(self.texts.get(start..start + READ)?.first_chunk()?))
    }

    /// The text of a slot, or the first.
    #[inline(always)]
    fn at(&self, slot: usize) -> Option<Text<'_>> {
        self.text(usize::from(*self.slots.get(slot)?) * STEP)
    }

    /// A text, if it is in its first slot.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<Text<'_>> {
        self.at(slot(key)).filter(|text| text.key() == key && key != 0)
    }

    /// A text, wherever it is; or the free slot where it belongs.
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

    /// Keeps a text that is not kept yet, unless it is too long.
    pub(crate) fn keep(&mut self, key: u64, text: &[u8], told: bool) {
        if text.len() > LONGEST {
            return;
        }
        if self.texts.len() >= MOST || self.count >= SLOTS / 2 {
            *self = Kept::new();
        }
        // What is read at a text is there behind the last one; it begins the next.
        let start = self.texts.len() - READ;
        self.texts.resize(start + size(text.len()) + READ, 0);
        self.texts[start..][..LEN].copy_from_slice(&key.to_le_bytes());
        self.texts[start + LEN] = text.len() as u8;
        self.texts[start + TOLD] = u8::from(told);
        self.texts[start + BYTES..][..text.len()].copy_from_slice(text);
        self.count += 1;
        if let Err(slot) = self.search(key) {
            self.slots[slot] = (start / STEP) as u16;
        }
    }
}

/// How many bytes a text of this length takes.
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
        let mut kept = Kept::new();
        for n in 0..1000 {
            let (key, text) = text(n);
            assert!(kept.search(key).is_err());
            kept.keep(key, text.as_bytes(), n % 3 == 0);
        }
        let mut first = 0;
        for n in 0..1000 {
            let (key, text) = text(n);
            let found = kept.search(key).unwrap();
            assert_eq!((&found.bytes()[..found.len()], found.told()), (text.as_bytes(), n % 3 == 0));
            first += usize::from(kept.find(key).is_some());
        }
        assert!(first > 800, "{first} of 1000 are in their first slots");
        for n in 1000..20_000 {
            let (key, text) = text(n);
            kept.keep(key, text.as_bytes(), true);
            assert!(kept.search(key).is_ok());
            assert!(kept.texts.len() < MOST + 2 * READ && kept.count <= SLOTS / 2);
        }
        for n in 0..SLOTS as u64 {
            kept.keep(1 << 60 | n, b"", true);
            assert!(kept.count <= SLOTS / 2);
        }
        assert!(kept.search(text(0).0).is_err());
    }

    #[test]
    fn long_texts_are_not_kept() {
        let mut kept = Kept::new();
        kept.keep(1, &[b'x'; LONGEST + 1], true);
        assert!(kept.search(1).is_err());
        kept.keep(1, &[b'x'; LONGEST], true);
        assert_eq!(kept.find(1).map(Text::len), Some(LONGEST));
    }
}
