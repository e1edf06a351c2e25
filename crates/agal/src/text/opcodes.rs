//! Rows by opcode name.
//!
//! Every name has three letters, and a multiplication hashes them without collisions, which the compiler checks.

use crate::{Agal, forms};
use shisa_rows::{Form, Isa, concat, count};

/// Chosen so that no two names collide.
const FACTOR: u32 = 0xb222_1a59;

/// For each hash the row's index plus 1; 0 if there is none.
static INDEX: [u8; 256] = {
    const ROWS: [Form<Agal>; count(forms::FAMILIES)] = concat(forms::FAMILIES);
    let (mut index, mut i) = ([0u8; 256], 0);
    while i < ROWS.len() {
        let name = ROWS[i].name.as_bytes();
        assert!(name.len() == 3, "an opcode has three letters");
        let at = hash([name[0], name[1], name[2]]);
        assert!(index[at] == 0, "two names collide: choose another factor");
        index[at] = i as u8 + 1;
        i += 1;
    }
    index
};

#[inline]
const fn hash([a, b, c]: [u8; 3]) -> usize {
    (u32::from_le_bytes([a, b, c, 0]).wrapping_mul(FACTOR) >> 24) as usize
}

/// The row with a name.
#[inline]
pub(crate) fn find(name: &str) -> Option<&'static Form<Agal>> {
    let letters: [u8; 3] = name.as_bytes().try_into().ok()?;
    let row = usize::from(INDEX[hash(letters)]).checked_sub(1)?;
    Agal::table().forms().get(row).filter(|f| f.name == name)
}

/// The most similar name to a wrong one.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    shisa_rows::nearest(name, Agal::table().forms().iter().map(|f| f.name))
}
