//! The parts of a source operand: register, sign, swizzle, index register.

use shisa_ir::Swizzle;

/// The parts of a source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceBits {
    /// The register: 0 to 15 `v`, 16 to 31 `r`, 32 to 127 `c`.
    pub(crate) number: u32,
    pub(crate) negated: bool,
    /// Two bits for each component, the first component in the highest bits.
    pub(crate) selector: u8,
    /// The register that is added to the number: 0 none, 1 `a0.x`, 2 `a0.y`, 3 `aL`.
    pub(crate) index: u8,
}

impl SourceBits {
    /// Decodes the number of the operand's field. `wide`: whether the register has seven bits, else five.
    pub(crate) fn new(bits: u64, wide: bool) -> Self {
        let n = if wide { 7 } else { 5 };
        SourceBits {
            number: (bits & ((1 << n) - 1)) as u32,
            negated: bits >> n & 1 != 0,
            selector: (bits >> (n + 1)) as u8,
            index: (bits >> (n + 9)) as u8 & 3,
        }
    }

    /// The number of the operand's field, which [`SourceBits::new`] decodes.
    pub(crate) fn bits(self, wide: bool) -> u64 {
        let n = if wide { 7 } else { 5 };
        u64::from(self.number)
            | u64::from(self.negated) << n
            | u64::from(self.selector) << (n + 1)
            | u64::from(self.index) << (n + 9)
    }

    /// The component that each component of the value comes from.
    pub(crate) fn swizzle(self) -> Swizzle {
        Swizzle::from_slice(&[6, 4, 2, 0].map(|shift| self.selector >> shift & 3))
    }
}
