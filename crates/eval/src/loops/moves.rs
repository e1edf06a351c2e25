//! Loops that move bits and are not operations of the IR.

use super::lanes::{Loop, one, two};
use shisa_ir::scalar::word::flush;

/// `a`
pub(crate) const COPY: Loop = one!("copy", |x| x);

/// Replaces a denormal by zero with the same sign.
pub(crate) const FLUSH: Loop = one!("flush", flush);

/// `a | b << shift`
pub(crate) fn insert(shift: u8) -> Loop {
    two!("insert", [shift, 0], |[shift, _]| move |x, y| x | y << (shift & 31))
}

/// `bits` bits of a, starting at bit `shift`.
pub(crate) fn extract(shift: u8, bits: u8) -> Loop {
    one!("extract", [shift, bits], |[shift, bits]| {
        let mask = u32::MAX >> (32 - u32::from(bits.clamp(1, 32)));
        move |x: u32| (x >> (shift & 31)) & mask
    })
}

/// Sign-extends a number of `bits` bits.
pub(crate) fn sign_extend(bits: u8) -> Loop {
    one!("sign_extend", [bits, 0], |[bits, _]| {
        let above = 32 - u32::from(bits.clamp(1, 32));
        move |x: u32| ((x << above) as i32 >> above) as u32
    })
}
