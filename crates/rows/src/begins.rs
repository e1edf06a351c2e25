//! The characters that the text of an operand can begin with.

/// A set of characters that the text of an operand can begin with. Characters with equal low six bits count as the same
/// character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begins(u64);

impl Begins {
    /// Any character, or none: the text may be empty.
    pub const ANY: Begins = Begins(u64::MAX);

    /// One of these ASCII characters.
    pub const fn with(characters: &[u8]) -> Begins {
        let (mut begins, mut i) = (Begins(0), 0);
        while i < characters.len() {
            begins = begins.or(characters[i], true);
            i += 1;
        }
        begins
    }

    /// The same set, with this ASCII character added if `wanted`.
    pub const fn or(self, character: u8, wanted: bool) -> Begins {
        Begins(self.0 | (wanted as u64) << (character & 63))
    }

    /// Whether the operand's text may begin with this byte; `None` stands for an empty text.
    #[inline]
    pub fn allows(self, byte: Option<u8>) -> bool {
        byte.map_or(self == Begins::ANY, |byte| self.0 >> (byte & 63) & 1 != 0)
    }
}
