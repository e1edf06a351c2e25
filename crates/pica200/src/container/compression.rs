//! Code that is compressed from its end to its start, so that a system can expand it in place.
//!
//! The last eight bytes state how many bytes at the end are compressed (24 bits), how many of these are no data (8 bits),
//! and how many bytes the expanded code has more. From the end, a byte has a flag for each of the next eight items, the
//! highest bit first: a byte as it is, or 16 bits with a length of 3 to 18 and a distance of 3 to 4098.

use super::bytes::{u16_at, u32_at};
use alloc::vec::Vec;

/// The sizes that the part without data may have: the last eight bytes, after which the data is aligned.
const END: core::ops::RangeInclusive<usize> = 8..=11;

/// The size of the code after it is expanded; `None` if the last bytes are not those of compressed code.
pub(super) fn expanded_size(code: &[u8]) -> Option<usize> {
    let (compressed, end, more) = sizes(code)?;
    (compressed <= code.len() && END.contains(&end) && end < compressed && more > 0).then_some(())?;
    code.len().checked_add(more)
}

fn sizes(code: &[u8]) -> Option<(usize, usize, usize)> {
    let at = code.len().checked_sub(8)?;
    let (first, more) = (u32_at(code, at)?, u32_at(code, at + 4)?);
    Some((first as usize & 0xff_ffff, (first >> 24) as usize, more as usize))
}

/// The expanded code; `None` if it is damaged. [`expanded_size`] is its size.
pub(super) fn expand(code: &[u8]) -> Option<Vec<u8>> {
    let size = expanded_size(code)?;
    let (compressed, end, _) = sizes(code)?;
    let (stop, mut from) = (code.len() - compressed, code.len() - end);
    let mut out = code.to_vec();
    out.resize(size, 0);
    let mut to = size;
    while from > stop {
        from -= 1;
        let mut flags = *code.get(from)?;
        for _ in 0..8 {
            if from <= stop {
                break;
            }
            if flags & 0x80 == 0 {
                from -= 1;
                to = to.checked_sub(1).filter(|to| *to >= stop)?;
                *out.get_mut(to)? = *code.get(from)?;
            } else {
                from = from.checked_sub(2).filter(|from| *from >= stop)?;
                let item = usize::from(u16_at(code, from)?);
                for _ in 0..(item >> 12) + 3 {
                    let byte = *out.get(to + (item & 0xfff) + 2)?;
                    to = to.checked_sub(1).filter(|to| *to >= stop)?;
                    *out.get_mut(to)? = byte;
                }
            }
            flags <<= 1;
        }
    }
    (to == stop).then_some(out)
}
