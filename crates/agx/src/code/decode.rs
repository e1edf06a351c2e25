//! Instructions of different lengths: where each begins, and where code ends.

use crate::Agx;
use crate::facts::{Control, Length, Role, role};
use crate::forms::{LENGTHS, OPENINGS};
use shisa_rows::Insn;

/// Bytes of the longest instruction.
const MOST: usize = 12;
/// The bits of the shortest one: two bytes.
const SHORTEST: u64 = 0xffff;

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
    Insn::decode_part(word, SHORTEST, |row| {
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

/// Bits of an instruction that are its opcode.
const OPCODE: u32 = 7;

/// For each opcode the length of its instructions, if all rows with the opcode have the same.
static OPCODES: [Option<Length>; 1 << OPCODE] = {
    let (mut lengths, mut opcode) = ([None; 1 << OPCODE], 0);
    while opcode < lengths.len() {
        lengths[opcode] = length_of(opcode as u128);
        opcode += 1;
    }
    lengths
};

const fn length_of(opcode: u128) -> Option<Length> {
    let (mut found, mut row) = (None::<Length>, 0);
    while row < LENGTHS.len() {
        let (mask, bits) = OPENINGS[row];
        let length = LENGTHS[row];
        row += 1;
        if opcode & mask != bits {
            continue;
        }
        match found {
            Some(Length { short, long, bit })
                if short != length.short || long != length.long || short != long && bit != length.bit =>
            {
                return None;
            }
            _ => found = Some(length),
        }
    }
    found
}

/// Number of bytes that are skipped where no instruction is known: the length of the opcode's other instructions, so
/// that the instruction after them is found, or two.
fn skipped(rest: &[u8]) -> usize {
    let mut word = [0; 16];
    word.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    let word = u128::from_le_bytes(word);
    let opcode = usize::from(word as u8) & ((1 << OPCODE) - 1);
    let length = OPCODES.get(opcode).copied().flatten();
    length
        .map(|length| bytes(&length, word))
        .filter(|length| *length <= rest.len())
        .unwrap_or(2)
        .min(rest.len())
}

/// A piece of code: an instruction, or bytes that are not one.
pub(crate) type Piece<'a> = Result<Insn<Agx>, &'a [u8]>;

/// All of code with offsets: instructions, and where none is known the bytes that are skipped.
pub(crate) fn pieces(code: &[u8]) -> impl Iterator<Item = (usize, Piece<'_>)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let (at, rest) = (next, code.get(next..).filter(|rest| !rest.is_empty())?);
        let piece = fetch(rest).ok_or_else(|| &rest[..skipped(rest)]);
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
