//! Registers. A register file is an array of its smallest unit; a register is one or more consecutive units, so
//! registers can overlap. Reads and writes specify file, first unit, kind and components.

use core::fmt;

/// Index of a [`File`] in the list that the instruction set declares for the program's stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u8);

/// The role of a register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// Private to a lane, read and written; initially zero.
    Temp,
    /// Passed to each lane by the previous stage (attributes, varyings, special registers); read-only.
    Input,
    /// The same for all lanes of a run; read-only.
    Uniform,
    /// Passed to the next stage when the lane ends; also readable by the program.
    Output,
}

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Name in listings and translated code, such as `vt`.
    pub name: &'static str,
    /// The role of the file.
    pub kind: FileKind,
    /// Width of the smallest unit in bits: 1, 16 or 32.
    pub unit_bits: u8,
    /// Units in one register of the instruction set (4 for a vector file).
    pub units_per_register: u8,
    /// Number of units in the file.
    pub units: u16,
    /// The kind of the inputs, uniforms and outputs of this file at the interface.
    pub scalar: crate::Scalar,
}

impl File {
    /// Number of units that one component of this kind takes. A component narrower than a unit is stored in the unit's
    /// low bits; a write clears the bits above.
    pub const fn units_of(&self, scalar: crate::Scalar) -> u8 {
        let bits = scalar.bits();
        if bits <= self.unit_bits || self.unit_bits == 0 { 1 } else { bits / self.unit_bits }
    }
}

/// The location of a register: its file and its first unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg {
    /// The file.
    pub file: FileId,
    /// The first unit.
    pub unit: u16,
}

impl Reg {
    /// Unit `unit` of file `file`.
    pub const fn new(file: FileId, unit: u16) -> Self {
        Reg { file, unit }
    }
}

impl fmt::Debug for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}:{}", self.file.0, self.unit)
    }
}

/// For each component of a result, the source component: two bits each, the first component in the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Swizzle(pub u8);

impl Swizzle {
    /// `xyzw`.
    pub const IDENTITY: Swizzle = Swizzle(0xe4);

    /// The source component (0 to 3) of result component `i` (0 to 3).
    pub const fn get(self, i: u8) -> u8 {
        (self.0 >> (2 * (i & 3))) & 3
    }

    /// Whether the first `count` components stay where they are.
    pub const fn keeps(self, count: u8) -> bool {
        let bits = if count < 4 { 2 * count } else { 8 };
        (self.0 ^ Swizzle::IDENTITY.0) as u16 & ((1 << bits) - 1) == 0
    }

    /// The source components of the first `count` result components.
    pub const fn sources(self, count: u8) -> Mask {
        let [x, y, z, w] = [(count > 0) as u8, (count > 1) as u8, (count > 2) as u8, (count > 3) as u8];
        Mask(x << self.get(0) | y << self.get(1) | z << self.get(2) | w << self.get(3))
    }

    /// From up to four source components; positions after the last repeat it.
    pub const fn from_slice(parts: &[u8]) -> Swizzle {
        let (mut bits, mut i, mut last) = (0, 0, 0);
        while i < 4 {
            if i < parts.len() {
                last = parts[i] & 3;
            }
            bits |= last << (2 * i);
            i += 1;
        }
        Swizzle(bits)
    }

    /// One component, repeated.
    pub const fn splat(component: u8) -> Swizzle {
        Swizzle((component & 3) * 0x55)
    }

    /// The components in `mask`, compacted: component `i` of the result is this swizzle's selection for the `i`-th set
    /// bit.
    pub const fn under(self, mask: Mask) -> Swizzle {
        match mask.0 & 15 {
            0 => Swizzle(0),
            15 => self,
            mask => self.then(COMPACTED[mask as usize]),
        }
    }

    /// The swizzle that applies `self` first and `then` to its result.
    pub const fn then(self, then: Swizzle) -> Swizzle {
        let [x, y, z, w] = [then.get(0), then.get(1), then.get(2), then.get(3)];
        Swizzle(self.get(x) | self.get(y) << 2 | self.get(z) << 4 | self.get(w) << 6)
    }
}

/// The components of each mask, in order; positions after the last repeat it.
const COMPACTED: [Swizzle; 16] = {
    let (mut all, mut mask) = ([Swizzle(0); 16], 0);
    while mask < all.len() {
        let (mut parts, mut n, mut i) = ([0; 4], 0, 0);
        while i < 4 {
            if Mask(mask as u8).has(i) {
                parts[n] = i;
                n += 1;
            }
            i += 1;
        }
        all[mask] = Swizzle::from_slice(parts.split_at(n).0);
        mask += 1;
    }
    all
};

impl fmt::Debug for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..4).try_for_each(|i| f.write_str(["x", "y", "z", "w"][self.get(i) as usize]))
    }
}

/// A set of components, bit 0 for x.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// All four.
    pub const ALL: Mask = Mask(15);

    /// The first `n` components.
    pub const fn first(n: u8) -> Mask {
        Mask((1 << n) - 1)
    }

    /// Whether component `i` is in the set.
    pub const fn has(self, i: u8) -> bool {
        self.0 >> i & 1 != 0
    }

    /// How many components are in the set.
    pub const fn count(self) -> u8 {
        const COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        COUNTS[(self.0 & 15) as usize]
    }

    /// The components in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0 & 15;
        core::iter::from_fn(move || {
            let i = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (i < 4).then_some(i)
        })
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|i| f.write_str(["x", "y", "z", "w"][i as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mask, Swizzle};
    use alloc::vec::Vec;

    #[test]
    fn a_mask_compacts_and_a_swizzle_keeps_what_it_does_not_move() {
        for bits in 0..=255 {
            let swizzle = Swizzle(bits);
            for count in 0..=4 {
                assert_eq!(
                    swizzle.keeps(count),
                    (0..count).all(|i| swizzle.get(i) == i),
                    "{bits:02x} {count}"
                );
            }
            for mask in (0..=15).map(Mask) {
                let parts: Vec<u8> = mask.iter().map(|i| swizzle.get(i)).collect();
                assert_eq!(swizzle.under(mask), Swizzle::from_slice(&parts), "{bits:02x} {mask:?}");
                assert_eq!(usize::from(mask.count()), parts.len());
            }
        }
    }

    #[test]
    fn sources_are_the_components_that_are_read() {
        for bits in 0..=255 {
            let swizzle = Swizzle(bits);
            for count in 0..=4 {
                let all = (0..count).fold(0, |all, i| all | 1 << swizzle.get(i));
                assert_eq!(swizzle.sources(count), Mask(all), "{bits:02x} {count}");
            }
        }
    }
}
