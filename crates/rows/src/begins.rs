//! What the text of an operand can begin with.

/// Characters of which the text of an operand begins with one. Characters with the same lowest six bits count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begins(u64);

impl Begins {
    /// Anything, and the text may be empty.
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

    /// The same, or this ASCII character if that is `wanted`.
    pub const fn or(self, character: u8, wanted: bool) -> Begins {
        Begins(self.0 | (wanted as u64) << (character & 63))
    }

    /// Whether a text that begins with this byte, or an empty one, may be the operand's.
    #[inline]
    pub fn allows(self, byte: Option<u8>) -> bool {
        byte.map_or(self == Begins::ANY, |byte| self.0 >> (byte & 63) & 1 != 0)
    }
}
