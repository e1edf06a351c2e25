//! The text of masks and swizzles of four components.

use crate::Name;
use shisa_ir::{Mask, Swizzle};

/// The letters of the components.
pub const LETTERS: &[u8; 4] = b"xyzw";

/// A dot and the letters of a mask; empty for all components and for no components.
pub const fn mask_name(mask: Mask) -> Name {
    let (mut text, mut length, mut i) = ([b'.'; 5], 1, 0);
    while i < 4 {
        if mask.0 >> i & 1 != 0 {
            text[length] = LETTERS[i];
            length += 1;
        }
        i += 1;
    }
    let written = mask.0 & 15 != 0 && mask.0 & 15 != 15;
    Name::ascii(text.split_at(if written { length } else { 0 }).0)
}

/// A dot and the letters of a swizzle, without repeated letters at the end; empty for `xyzw`.
pub const fn swizzle_name(swizzle: Swizzle) -> Name {
    let (mut text, mut length, mut i) = ([b'.'; 5], 5, 0);
    while i < 4 {
        text[i as usize + 1] = LETTERS[swizzle.get(i) as usize];
        i += 1;
    }
    while length > 2 && text[length - 1] == text[length - 2] {
        length -= 1;
    }
    Name::ascii(text.split_at(if swizzle.0 == Swizzle::IDENTITY.0 { 0 } else { length }).0)
}
