//! Texts that were written before, by what they were written for: a tag and a key.
//!
//! They lie close together, in the order in which they were met, so that those of common instructions stay near the
//! processor.

use alloc::{vec, vec::Vec};

/// Bytes of a text that is kept, at most.
pub(crate) const LONGEST: usize = crate::line::MARGIN;
/// Bytes that are read at a text: its key, its tag's number, its length, whether it tells all bits that it stands for,
/// and itself.
const READ: usize = 64;
/// Where the number, and so on, are in there.
const NUMBER: usize = 8;
const LEN: usize = 10;
const TOLD: usize = 11;
const BYTES: usize = 12;
/// Texts lie at multiples of so many bytes.
const STEP: usize = 8;
/// Bytes of texts at most, which 16 bits can count in steps; behind them all are forgotten.
const MOST: usize = 1 << 18;
/// Slots at first; a power of two.
const FEW: usize = 256;
/// So many slots there are for each text, at least: nearly every text is in its first.
const SPARSE: usize = 8;

/// A number but 0, and what it does to the choice of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    number: u16,
    seed: u64,
}

impl Tag {
    pub(crate) const fn new(number: u16) -> Tag {
        Tag { number, seed: (number as u64).wrapping_mul(0xd1b5_4a32_d192_ed03) }
    }

    pub(crate) const fn number(self) -> u16 {
        self.number
    }
}

/// A text that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'k>(&'k [u8; READ]);

impl<'k> Text<'k> {
    #[inline(always)]
    fn key(self) -> u64 {
        self.0.first_chunk().map_or(0, |key| u64::from_le_bytes(*key))
    }

    #[inline(always)]
    const fn number(self) -> u16 {
        u16::from_le_bytes([self.0[NUMBER], self.0[NUMBER + 1]])
    }

    #[inline(always)]
    fn is(self, tag: Tag, key: u64) -> bool {
        self.key() == key && self.number() == tag.number
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
    /// Where texts are, in steps; a text is in the first slot from [`Kept::slot`] on that was free.
    slots: Vec<u16>,
    /// How many bits a slot's number has less than 64.
    shift: u32,
    /// The texts. The first, which is empty, has the number 0, which means none.
    texts: Vec<u8>,
    /// How many there are.
    count: usize,
}

impl Kept {
    pub(crate) fn new() -> Kept {
        let mut kept = Kept { slots: Vec::new(), shift: 0, texts: vec![0; size(0) + READ], count: 0 };
        kept.spread(FEW);
        kept
    }

    /// Gives texts so many slots.
    fn spread(&mut self, slots: usize) {
        self.slots = vec![0; slots];
        self.shift = u64::BITS - slots.ilog2();
        let mut start = size(0);
        while let Some(text) = self.text(start).filter(|text| text.number() != 0) {
            let (tag, key, size) = (Tag::new(text.number()), text.key(), size(text.len()));
            self.put(tag, key, start);
            start += size;
        }
    }

    /// Gives a slot to the text that begins there.
    fn put(&mut self, tag: Tag, key: u64, start: usize) {
        if let Err(slot) = self.search(tag, key) {
            self.slots[slot] = (start / STEP) as u16;
        }
    }

    /// The first slot of a text.
    #[inline(always)]
    fn slot(&self, tag: Tag, key: u64) -> usize {
        // The uppermost bits of the product depend on all bits.
        ((key ^ tag.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (self.shift & 63)) as usize
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
    pub(crate) fn find(&self, tag: Tag, key: u64) -> Option<Text<'_>> {
        self.at(self.slot(tag, key)).filter(|text| text.is(tag, key))
    }

    /// A text, wherever it is; or the free slot where it belongs.
    pub(crate) fn search(&self, tag: Tag, key: u64) -> Result<Text<'_>, usize> {
        let mut slot = self.slot(tag, key);
        loop {
            match self.at(slot) {
                Some(text) if text.is(tag, key) => return Ok(text),
                Some(text) if text.number() != 0 => slot = (slot + 1) & (self.slots.len() - 1),
                _ => return Err(slot),
            }
        }
    }

    /// Keeps a text that is not kept yet, unless it is too long.
    pub(crate) fn keep(&mut self, tag: Tag, key: u64, text: &[u8], told: bool) {
        if text.len() > LONGEST {
            return;
        }
        if self.texts.len() >= MOST {
            *self = Kept::new();
        }
        // What is read at a text is there behind the last one; it begins the next.
        let start = self.texts.len() - READ;
        self.texts.resize(start + size(text.len()) + READ, 0);
        self.texts[start..][..NUMBER].copy_from_slice(&key.to_le_bytes());
        self.texts[start + NUMBER..][..2].copy_from_slice(&tag.number.to_le_bytes());
        self.texts[start + LEN] = text.len() as u8;
        self.texts[start + TOLD] = u8::from(told);
        self.texts[start + BYTES..][..text.len()].copy_from_slice(text);
        self.count += 1;
        if SPARSE * self.count > self.slots.len() {
            self.spread(2 * self.slots.len());
        } else {
            self.put(tag, key, start);
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

    /// The text of a number, which few tags and keys share.
    fn text(n: u64) -> (Tag, u64, alloc::string::String) {
        (Tag::new(1 + (n % 7) as u16), (n / 7).rotate_left(60), format!("text {n}"))
    }

    #[test]
    fn texts_come_back_until_there_are_too_many() {
        let mut kept = Kept::new();
        for n in 0..1000 {
            let (tag, key, text) = text(n);
            assert!(kept.search(tag, key).is_err());
            kept.keep(tag, key, text.as_bytes(), n % 3 == 0);
        }
        let mut first = 0;
        for n in 0..1000 {
            let (tag, key, text) = text(n);
            let found = kept.search(tag, key).unwrap();
            assert_eq!((&found.bytes()[..found.len()], found.told()), (text.as_bytes(), n % 3 == 0));
            first += usize::from(kept.find(tag, key).is_some());
        }
        assert!(first > 800, "{first} of 1000 are in their first slots");
        for n in 1000..20_000 {
            let (tag, key, text) = text(n);
            kept.keep(tag, key, text.as_bytes(), true);
            assert!(kept.search(tag, key).is_ok());
            assert!(kept.texts.len() < MOST + 2 * READ && kept.slots.len() >= SPARSE * kept.count);
        }
        assert!(kept.count < 19_000);
    }

    #[test]
    fn long_texts_are_not_kept() {
        let mut kept = Kept::new();
        kept.keep(Tag::new(1), 0, &[b'x'; LONGEST + 1], true);
        assert!(kept.search(Tag::new(1), 0).is_err());
        kept.keep(Tag::new(1), 0, &[b'x'; LONGEST], true);
        assert_eq!(kept.find(Tag::new(1), 0).map(Text::len), Some(LONGEST));
    }
}
