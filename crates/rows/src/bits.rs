//! Scattered bits of an instruction word gathered into one number.

use crate::Word;

/// Usual width of a gathered number in bits. A table number is stored above it.
pub(crate) const WIDTH: u32 = 48;

/// A set of bits of a word, and the rotations that gather them into one number without collisions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    /// For each 64-bit piece of the word: its bits, and the left rotation that moves them to positions that the other
    /// pieces do not use.
    masks: [u64; 3],
    turns: [u32; 3],
}

impl Bits {
    /// No bits.
    pub(crate) const NONE: Bits = Bits { masks: [0; 3], turns: [0; 3] };

    /// The bits that are set in a word; `None` if no rotations gather them into a number of this width.
    pub(crate) fn of(mask: &impl Word, width: u32) -> Option<Bits> {
        let beyond = u64::MAX.checked_shl(width).unwrap_or(0);
        let [masks @ .., _] = mask.words();
        let (mut turns, mut taken) = ([0; 3], 0);
        for (turn, mask) in turns.iter_mut().zip(masks) {
            let free = |turn: &u32| (taken | beyond) & mask.rotate_left(*turn) == 0;
            *turn = (0..u64::BITS).find(free)?;
            taken |= mask.rotate_left(*turn);
        }
        Some(Bits { masks, turns })
    }

    /// Number of bits.
    pub(crate) fn count(&self) -> u32 {
        self.masks.iter().map(|mask| mask.count_ones()).sum()
    }

    /// Gathers the bits of a word of type `W`, given in 64-bit pieces.
    #[inline(always)]
    pub(crate) fn get<W: Word>(&self, words: &[u64; 4]) -> u64 {
        let pieces = W::BITS.div_ceil(64) as usize;
        (0..pieces.min(3)).fold(0, |number, i| number | (words[i] & self.masks[i]).rotate_left(self.turns[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_has_a_place_of_its_own() {
        let masks = [
            [0x0003_0000_00ff_ff80u64, 0x3_0000_00ff, 0],
            [u64::MAX << 40, u64::MAX >> 40, 0],
            [0, 0, u64::MAX << 16],
            [0xff << 60 | 0xf, 0xff, 0xff],
        ];
        for mask in masks {
            let bits = Bits::of(&mask, WIDTH).unwrap();
            let set = |i: u32| mask[i as usize / 64] >> (i % 64) & 1 != 0;
            let mut taken = 0u64;
            for i in (0..192).filter(|i| set(*i)) {
                let mut word = [0; 4];
                word[i as usize / 64] = 1 << (i % 64);
                let number = bits.get::<[u64; 3]>(&word);
                assert!(number.count_ones() == 1 && number >> WIDTH == 0, "{mask:x?}: bit {i}");
                assert!(taken & number == 0, "{mask:x?}: bit {i}");
                taken |= number;
            }
            assert_eq!(taken.count_ones(), bits.count());
        }
        assert!(Bits::of(&[u64::MAX >> 8, 0, 0], WIDTH).is_none());
        assert!(Bits::of(&[u64::MAX >> 8, 0, 0xff << 9], u64::BITS).is_some());
        assert!(Bits::of(&[u64::MAX >> 16, 1, 0], WIDTH).is_none());
    }
}
