//! The settings of an emitted vertex.

/// The settings of the next [`crate::Op::Emit`] (geometry stage).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emission {
    /// The vertex slot that receives the outputs.
    pub vertex: u8,
    /// Whether the slots then form a triangle.
    pub primitive: bool,
    /// Whether its winding is flipped.
    pub flip: bool,
}

impl Emission {
    /// The settings as a word: the slot in bits 0 to 7, then whether it completes a triangle, then whether it is flipped.
    pub fn word(self) -> u32 {
        u32::from(self.vertex) | u32::from(self.primitive) << 8 | u32::from(self.flip) << 9
    }

    /// The settings that a word is. Bits from 10 on have no meaning.
    pub fn of_word(word: u32) -> Emission {
        Emission { vertex: word as u8, primitive: word >> 8 & 1 != 0, flip: word >> 9 & 1 != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_hold_every_setting() {
        for vertex in [0, 1, 2, 3, u8::MAX] {
            for (primitive, flip) in [(false, false), (true, false), (false, true), (true, true)] {
                let emission = Emission { vertex, primitive, flip };
                assert_eq!(Emission::of_word(emission.word()), emission);
            }
        }
    }
}
