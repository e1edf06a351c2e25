//! Makes programs of bytes that pass the first checks.

use shisa::agal::{HEADER_BYTES, Program, token::TOKEN_BYTES};

/// Size in bytes of the longest generated program.
const LONGEST: usize = HEADER_BYTES + 64 * TOKEN_BYTES;

/// Bytes that begin as a program does are used unchanged. Other bytes get a header selected by their first byte, and
/// fields that are mostly in range.
pub fn program(data: &[u8]) -> Vec<u8> {
    if Program::sniff(data) {
        return data.to_vec();
    }
    let Some((&first, rest)) = data.split_first() else { return Vec::new() };
    let mut bytes = vec![0xa0, 1 + (first & 3), 0, 0, 0, 0xa1, first >> 2 & 1];
    bytes.extend(rest.iter().take(LONGEST - HEADER_BYTES));
    for token in bytes.get_mut(HEADER_BYTES..).unwrap_or_default().chunks_exact_mut(TOKEN_BYTES) {
        let masks: [u8; TOKEN_BYTES] = [
            0x2f, 0, 0, 0, // opcode
            0x07, 0, 0x0f, 0x07, // destination
            0x07, 0, 0x07, 0xff, 0x07, 0x07, 0x03, 0x80, // first source
            0x07, 0, 0x07, 0xff, 0x07, 0x17, 0x37, 0x92, // second source or sampler
        ];
        token.iter_mut().zip(masks).for_each(|(b, m)| *b &= m);
    }
    bytes
}
