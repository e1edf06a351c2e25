//! Instructions of different lengths: where each begins, and where code ends.

use crate::Agx;
use crate::facts::{Control, Length, Role, role};
use crate::forms::LENGTHS;
use shisa_rows::Insn;

/// Bytes of the longest instruction.
const MOST: usize = 12;

/// Masks for words of which the given number of bytes are present.
static MASKS: [u128; MOST + 1] = {
    let (mut masks, mut bytes) = ([0; MOST + 1], 1);
    while bytes <= MOST {
        masks[bytes] = masks[bytes - 1] << 8 | 0xff;
        bytes += 1;
    }
    masks
};

/// Bytes of an instruction.
#[inline]
pub fn length(insn: &Insn<Agx>) -> usize {
    LENGTHS.get(insn.number()).map_or(0, |length| bytes(length, insn.word))
}

#[inline]
fn bytes(length: &Length, word: u128) -> usize {
    let long = word as u64 >> (length.bit & 63) & 1 != 0;
    usize::from(if long { length.long } else { length.short })
}

/// The instruction at the start of `code`; `None` when there is none or it is cut off.
#[inline]
pub fn fetch(code: &[u8]) -> Option<Insn<Agx>> {
    match code.first_chunk() {
        Some(bytes) => decode(u128::from_le_bytes(*bytes), MOST),
        None => last(code),
    }
}

/// The same near the end of the code.
#[cold]
fn last(code: &[u8]) -> Option<Insn<Agx>> {
    let mut bytes = [0; 16];
    bytes[..code.len()].copy_from_slice(code);
    decode(u128::from_le_bytes(bytes), code.len())
}

/// The instruction at the start of a word of which the given number of bytes are there.
#[inline]
fn decode(word: u128, there: usize) -> Option<Insn<Agx>> {
    Insn::decode_part(word, |row| {
        let length = bytes(LENGTHS.get(row)?, word);
        (length <= there).then_some(word & MASKS.get(length)?)
    })
}

/// The instructions of code with their offsets, up to bytes that are not an instruction.
pub fn instructions(code: &[u8]) -> impl Iterator<Item = (usize, Insn<Agx>)> + '_ {
    let mut next = 0;
    core::iter::from_fn(move || {
        let (at, insn) = (next, fetch(code.get(next..)?)?);
        next += length(&insn);
        Some((at, insn))
    })
}

/// Number of bytes that are skipped if they are not an instruction.
const SKIPPED: usize = 2;

/// A piece of code: an instruction, or bytes that are not one.
pub(crate) type Piece<'a> = Result<Insn<Agx>, &'a [u8]>;

/// All of code with offsets: instructions, and where there is none the next two bytes.
pub(crate) fn pieces(code: &[u8]) -> impl Iterator<Item = (usize, Piece<'_>)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let (at, rest) = (next, code.get(next..).filter(|rest| !rest.is_empty())?);
        let piece = fetch(rest).ok_or(&rest[..SKIPPED.min(rest.len())]);
        next += piece.as_ref().map_or_else(|bytes| bytes.len(), length);
        Some((at, piece))
    })
}

/// How programs end: `stop`, then eight `trap`s, over which the hardware reads ahead.
pub const END: [u8; 18] = [0x88, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0];

/// Code up to the first `trap`, which follows every program.
pub fn up_to_trap(code: &[u8]) -> &[u8] {
    let trap = instructions(code).find(|(_, insn)| role(insn) == Role::Control(Control::Trap));
    trap.and_then(|(at, _)| code.get(..at)).unwrap_or(code)
}
