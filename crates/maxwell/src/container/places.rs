//! Attributes that list places of instructions.

use super::attribute::{Value, attributes};
use crate::bundle::BUNDLE_BYTES;
use alloc::vec::Vec;

/// Whether an instruction is one of a kind.
type Is = fn(u64) -> bool;

/// Attributes that list the places of some instructions, and which: EXIT, and S2R of `SR_CTAID.X`, `.Y`, `.Z`.
/// So it is in all of 3,581 kernels that compilers made. What other attributes list cannot be told from code.
const PLACES: [(u8, Is); 2] = [
    (0x1c, |word| word >> 52 == 0xe30),
    (0x1d, |word| word >> 51 == 0xf0c8 >> 3 && matches!(word >> 20 & 0xff, 0x25..=0x27)),
];

/// The format of attributes that are lists.
const SVAL: u8 = 4;

/// The places in code that an attribute should list; `None` where that cannot be told.
pub(super) fn places(attribute: u8, code: &[u8]) -> Option<Vec<u32>> {
    let (_, is) = PLACES.iter().find(|(of, _)| *of == attribute)?;
    let words = code.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)).zip((0u32..).step_by(8));
    let found = words.filter(|(word, at)| !at.is_multiple_of(BUNDLE_BYTES as u32) && is(*word));
    Some(found.map(|(_, at)| at).collect())
}

/// The attributes of a section with lists as other code has them.
pub(super) fn with_places(info: &[u8], code: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(info.len());
    let mut done = 0;
    for attribute in attributes(info).map_while(Result::ok) {
        let Value::Bytes(old) = attribute.value else { continue };
        let Some(places) = places(attribute.code, code) else { continue };
        out.extend_from_slice(info.get(done..attribute.offset).unwrap_or_default());
        done = attribute.offset + 4 + old.len();
        if let Ok(len @ 1..) = u16::try_from(places.len() * 4) {
            out.extend([SVAL, attribute.code]);
            out.extend(len.to_le_bytes());
            out.extend(places.iter().flat_map(|at| at.to_le_bytes()));
        }
    }
    out.extend_from_slice(info.get(done..).unwrap_or_default());
    out
}
