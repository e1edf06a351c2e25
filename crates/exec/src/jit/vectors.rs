//! The two levels of machine code: registers of eight lanes with AVX2, of sixteen with AVX-512.

use crate::host::HostLevel;
use crate::memory::LANES;

/// The vector registers that code uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    /// AVX2 and FMA: sixteen registers of eight lanes; sets of lanes are vectors.
    Ymm,
    /// AVX-512: 32 registers of sixteen lanes, and mask registers.
    Zmm,
}

impl Vectors {
    /// The registers of a level; `None` if machine code needs more than the level has.
    pub(super) fn of(level: HostLevel) -> Option<Vectors> {
        match level {
            HostLevel::Base => None,
            HostLevel::Avx2 => Some(Vectors::Ymm),
            HostLevel::Avx512 => Some(Vectors::Zmm),
        }
    }

    /// Lanes of a register.
    pub(super) const fn lanes(self) -> usize {
        match self {
            Vectors::Ymm => 8,
            Vectors::Zmm => 16,
        }
    }

    /// All lanes of a register.
    pub(super) const fn all(self) -> u16 {
        match self {
            Vectors::Ymm => 0xff,
            Vectors::Zmm => 0xffff,
        }
    }

    /// Groups of lanes that the code runs one after the other, in a chunk.
    pub(super) const fn groups(self) -> usize {
        LANES / self.lanes()
    }

    /// Bytes of a register.
    pub(super) const fn bytes(self) -> usize {
        self.lanes() * size_of::<u32>()
    }

    /// Parts of a register that have four lanes.
    pub(super) const fn quarters(self) -> u8 {
        match self {
            Vectors::Ymm => 2,
            Vectors::Zmm => 4,
        }
    }

    /// The first register for slabs, and how many there are. Those before are for the steps of an instruction.
    pub(super) const fn slabs(self) -> (u8, usize) {
        match self {
            // Two sets of lanes, which are vectors, too.
            Vectors::Ymm => (8, 8),
            Vectors::Zmm => (6, 26),
        }
    }

    /// Results of comparisons that can be in registers as sets of lanes, besides in their slabs.
    pub(super) const fn conditions(self) -> u8 {
        match self {
            Vectors::Ymm => 0,
            Vectors::Zmm => 3,
        }
    }
}
