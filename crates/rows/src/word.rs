//! Fused instruction words: plain bits, as wide as the instruction set needs.

use core::fmt::Debug;

/// An instruction word in which everything that the instruction means is plain bit fields.
pub trait Word: Copy + Eq + Ord + Debug + Default + Send + Sync + 'static {
    /// Width in bits.
    const BITS: u32;

    /// `width` (at most 64) bits starting at bit `lo`. Bits beyond the word are zero.
    fn get(&self, lo: u32, width: u32) -> u64;

    /// Replaces `width` (at most 64) bits starting at bit `lo`. Bits beyond the word are dropped.
    fn set(&mut self, lo: u32, width: u32, value: u64);

    /// Sets bits starting at bit `lo` that must be zero before. Bits beyond the word are dropped.
    #[inline]
    fn fill(&mut self, lo: u32, width: u32, value: u64) {
        self.set(lo, width, value);
    }

    /// The lowest 128 bits, which contain the fixed bits of rows.
    fn key(&self) -> u128;

    /// The bits in 64-bit pieces, the lowest first.
    fn words(&self) -> [u64; 4];

    /// A word from 192 bits, the lowest first. Bits beyond the word are dropped.
    fn from_words(words: [u64; 3]) -> Self;

    /// Bits of `self` that are clear in `other`.
    fn without(&self, other: &Self) -> Self;

    /// Bits that are set in `self`, in `other` or in both.
    fn or(&self, other: &Self) -> Self;

    /// Whether no bit is set.
    fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

/// A mask of the lowest `width` (at most 64) bits.
#[inline]
pub const fn ones(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Word for u64 {
    const BITS: u32 = 64;

    #[inline]
    fn get(&self, lo: u32, width: u32) -> u64 {
        self.checked_shr(lo).unwrap_or(0) & ones(width)
    }

    #[inline]
    fn set(&mut self, lo: u32, width: u32, value: u64) {
        let mask = ones(width).checked_shl(lo).unwrap_or(0);
        *self = *self & !mask | value.checked_shl(lo).unwrap_or(0) & mask;
    }

    #[inline]
    fn key(&self) -> u128 {
        u128::from(*self)
    }

    #[inline]
    fn words(&self) -> [u64; 4] {
        [*self, 0, 0, 0]
    }

    #[inline]
    fn from_words(words: [u64; 3]) -> Self {
        words[0]
    }

    #[inline]
    fn without(&self, other: &Self) -> Self {
        self & !other
    }

    fn or(&self, other: &Self) -> Self {
        self | other
    }
}

impl Word for u128 {
    const BITS: u32 = 128;

    #[inline]
    fn get(&self, lo: u32, width: u32) -> u64 {
        let (low, high) = (*self as u64, (*self >> 64) as u64);
        let v = match lo {
            // The upper half is shifted in from above; in two steps, because a shift by 64 is not allowed.
            0..64 => low >> lo | high << 1 << (63 - lo),
            64..128 => high >> (lo - 64),
            _ => 0,
        };
        v & ones(width)
    }

    #[inline]
    fn set(&mut self, lo: u32, width: u32, value: u64) {
        let (low, high) = (*self as u64, (*self >> 64) as u64);
        let (mask, value) = (ones(width), value & ones(width));
        let put = |half: u64, lo: u32| half & !(mask << lo) | value << lo;
        *self = match lo {
            0..64 if lo + width <= 64 => u128::from(put(low, lo)) | u128::from(high) << 64,
            64..128 => u128::from(low) | u128::from(put(high, lo - 64)) << 64,
            0..64 => *self & !(u128::from(mask) << lo) | u128::from(value) << lo,
            _ => *self,
        };
    }

    #[inline]
    fn fill(&mut self, lo: u32, width: u32, value: u64) {
        *self |= u128::from(value & ones(width)).checked_shl(lo).unwrap_or(0);
    }

    fn key(&self) -> u128 {
        *self
    }

    #[inline]
    fn words(&self) -> [u64; 4] {
        [*self as u64, (*self >> 64) as u64, 0, 0]
    }

    fn from_words(words: [u64; 3]) -> Self {
        u128::from(words[0]) | u128::from(words[1]) << 64
    }

    fn without(&self, other: &Self) -> Self {
        self & !other
    }

    fn or(&self, other: &Self) -> Self {
        self | other
    }
}

impl Word for [u64; 3] {
    const BITS: u32 = 192;

    #[inline]
    fn get(&self, lo: u32, width: u32) -> u64 {
        let (i, shift) = (lo as usize / 64, lo % 64);
        let Some(&low) = <[u64]>::get(self, i) else { return 0 };
        let mut v = low >> shift;
        if shift + width > 64
            && let Some(&high) = <[u64]>::get(self, i + 1)
        {
            v |= high << (64 - shift);
        }
        v & ones(width)
    }

    fn set(&mut self, lo: u32, width: u32, value: u64) {
        let (i, shift) = (lo as usize / 64, lo % 64);
        let (mask, value) = (ones(width), value & ones(width));
        if let Some(w) = self.get_mut(i) {
            *w = *w & !(mask << shift) | value << shift;
        }
        if shift + width > 64
            && let Some(w) = self.get_mut(i + 1)
        {
            *w = *w & !(mask >> (64 - shift)) | value >> (64 - shift);
        }
    }

    #[inline]
    fn key(&self) -> u128 {
        u128::from(self[0]) | u128::from(self[1]) << 64
    }

    #[inline]
    fn words(&self) -> [u64; 4] {
        [self[0], self[1], self[2], 0]
    }

    fn from_words(words: [u64; 3]) -> Self {
        words
    }

    fn without(&self, other: &Self) -> Self {
        [self[0] & !other[0], self[1] & !other[1], self[2] & !other[2]]
    }

    fn or(&self, other: &Self) -> Self {
        [self[0] | other[0], self[1] | other[1], self[2] | other[2]]
    }
}

/// Largest number of runs of a field.
const MOST_RUNS: usize = 5;

/// The positions of a number's bits in a word: up to five runs of bits, the least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    /// (lowest bit, width) of each run.
    pub(crate) runs: [(u8, u8); MOST_RUNS],
    pub(crate) len: u8,
}

impl Field {
    /// No bits: an operand that is not encoded.
    pub const NONE: Field = Field { runs: [(0, 0); MOST_RUNS], len: 0 };

    /// `width` bits starting at bit `lo`.
    pub const fn at(lo: u8, width: u8) -> Field {
        let mut runs = [(0, 0); MOST_RUNS];
        runs[0] = (lo, width);
        Field { runs, len: 1 }
    }

    /// Appends `width` more significant bits starting at bit `lo`.
    ///
    /// # Panics
    /// At compile time, if there are already five runs.
    pub const fn then(mut self, lo: u8, width: u8) -> Field {
        assert!((self.len as usize) < MOST_RUNS, "a field has at most five runs");
        self.runs[self.len as usize] = (lo, width);
        self.len += 1;
        self
    }

    /// The runs: (lowest bit, width), the least significant first.
    #[inline]
    pub fn runs(&self) -> &[(u8, u8)] {
        &self.runs[..self.len as usize]
    }

    /// The runs in the word that hold `width` bits of the number starting at its bit `lo`, as [`Field::runs`] returns
    /// them.
    pub fn part(&self, lo: u8, width: u8) -> impl Iterator<Item = (u8, u8)> {
        let mut at = 0;
        self.runs().iter().filter_map(move |&(start, len)| {
            let (first, last) = (lo.max(at), (lo + width).min(at + len));
            let begin = at;
            at += len;
            (first < last).then(|| (start + (first - begin), last - first))
        })
    }

    /// Number of bits in total.
    pub fn width(&self) -> u32 {
        self.runs().iter().map(|r| u32::from(r.1)).sum()
    }

    /// Reads the number.
    #[inline(always)]
    pub fn get<W: Word>(&self, word: &W) -> u64 {
        let part = |(lo, width): (u8, u8)| word.get(u32::from(lo), u32::from(width));
        let v = part(self.runs[0]);
        match self.len {
            0 | 1 => v,
            2 => v | part(self.runs[1]) << (self.runs[0].1 & 63),
            _ => self.join(part),
        }
    }

    /// Concatenates the runs.
    fn join(&self, part: impl Fn((u8, u8)) -> u64) -> u64 {
        let (mut v, mut at) = (0, 0);
        for &run in self.runs() {
            v |= part(run) << at;
            at += u32::from(run.1);
        }
        v
    }

    /// Writes the number; higher bits of `v` are dropped.
    #[inline]
    pub fn set<W: Word>(&self, word: &mut W, v: u64) {
        let mut v = v;
        for &(lo, width) in self.runs() {
            word.set(u32::from(lo), u32::from(width), v);
            v = v.checked_shr(u32::from(width)).unwrap_or(0);
        }
    }

    /// Writes the number into bits that must be zero before; higher bits of `v` are dropped.
    #[inline]
    pub fn fill<W: Word>(&self, word: &mut W, mut v: u64) {
        for &(lo, width) in self.runs() {
            if v == 0 {
                return;
            }
            word.fill(u32::from(lo), u32::from(width), v);
            v = v.checked_shr(u32::from(width)).unwrap_or(0);
        }
    }

    /// A word with the field's bits set.
    pub fn mask<W: Word>(&self) -> W {
        let mut w = W::default();
        for &(lo, width) in self.runs() {
            w.set(u32::from(lo), u32::from(width), u64::MAX);
        }
        w
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use alloc::vec::Vec;

    fn bits_of<W: Word>(word: &W) -> Vec<bool> {
        (0..W::BITS).map(|n| word.words()[n as usize / 64] >> (n % 64) & 1 != 0).collect()
    }

    /// Every run of up to 64 bits, within the word and past its end, against the bits one by one.
    fn runs_are_bits<W: Word>() {
        let mut random = Random(u64::from(W::BITS));
        let mut number = || [0; 3].map(|_: u64| random.bits());
        for lo in 0..W::BITS + 8 {
            for width in 1..=64 {
                let (word, value) = (W::from_words(number()), number()[0]);
                let before = bits_of(&word);
                let run = || (lo..(lo + width).min(W::BITS)).zip(0..);
                let read = run().fold(0, |v, (bit, n)| v | u64::from(before[bit as usize]) << n);
                assert_eq!(word.get(lo, width), read, "{width} bits from {lo} of {word:x?}");
                let mut after = before.clone();
                run().for_each(|(bit, n)| after[bit as usize] = value >> n & 1 != 0);
                let mut set = word;
                set.set(lo, width, value);
                assert_eq!(bits_of(&set), after, "{width} bits from {lo} of {word:x?}");
                let mut cleared = word;
                cleared.set(lo, width, 0);
                cleared.fill(lo, width, value);
                assert_eq!(cleared, set, "{width} bits from {lo} of {word:x?}");
                assert_eq!(set.without(&word).or(&word), set.or(&word));
            }
        }
    }

    #[test]
    fn runs_of_bits_are_the_bits() {
        runs_are_bits::<u64>();
        runs_are_bits::<u128>();
        runs_are_bits::<[u64; 3]>();
    }

    /// Fields of one to three runs, against words that are read run by run.
    fn fields_are_their_runs<W: Word>() {
        let mut random = Random(u64::from(W::BITS) + 1);
        for field in [
            Field::NONE,
            Field::at(3, 7),
            Field::at(0, 64),
            Field::at(40, 20),
            Field::at(9, 4).then(1, 5),
            Field::at(33, 30).then(0, 33),
            Field::at(20, 1).then(5, 3).then(50, 10),
        ] {
            for _ in 0..100 {
                let word = W::from_words([0; 3].map(|_: u64| random.bits()));
                let (mut number, mut at) = (0, 0);
                for (lo, width) in field.runs() {
                    number |= word.get(u32::from(*lo), u32::from(*width)) << at;
                    at += u32::from(*width);
                }
                assert_eq!((field.get(&word), field.width()), (number, at), "{field:?}");
                let (value, mut set) = (random.bits(), word);
                field.set(&mut set, value);
                assert_eq!(field.get(&set), value & ones(at), "{field:?}");
                assert_eq!(set.without(&field.mask()), word.without(&field.mask()), "{field:?}");
                let mut filled = word.without(&field.mask());
                field.fill(&mut filled, value);
                assert_eq!(filled, set, "{field:?}");
            }
        }
    }

    #[test]
    fn fields_are_the_bits_of_their_runs() {
        fields_are_their_runs::<u64>();
        fields_are_their_runs::<u128>();
        fields_are_their_runs::<[u64; 3]>();
    }

    #[test]
    fn words_are_their_pieces() {
        let (a, b, c) = (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x1111_2222_3333_4444);
        let (x, y) = (u64::from_words([a, b, c]), u128::from_words([a, b, c]));
        let z = <[u64; 3]>::from_words([a, b, c]);
        assert_eq!([x.words(), y.words(), z.words()], [[a, 0, 0, 0], [a, b, 0, 0], [a, b, c, 0]]);
        let key = 0xfedc_ba98_7654_3210_0123_4567_89ab_cdef;
        assert_eq!((x.key(), y.key(), z.key()), (u128::from(a), key, key));
        let overlapping = (key | 0xff << 60, [a, b, c].map(|piece| piece | 0xff << 60));
        assert_eq!(y.or(&(0xff << 60)), overlapping.0);
        assert_eq!(z.or(&[0xff << 60; 3]), overlapping.1);
        assert_eq!(x.or(&(0xff << 56)), a | 0xff << 56);
        assert!(!x.is_zero() && u128::from_words([0; 3]).is_zero());
    }
}
